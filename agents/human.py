"""A person at the terminal: what he sees, what he may type, and a player made of it."""

import difflib
import textwrap
from dataclasses import dataclass

from agents.player import PlayerFailure, ThinkingPlayer
from dawn_env.card_text import card_text
from dawn_env.envs.board_text import board_text
from dawn_env.observe import explain
from dawn_env.tables import CARD_TITLES, C
from dawn_env.view import View

try:
    import readline
except ImportError:  # not on Windows; then there is no completion
    readline = None

_WIDTH = 120
_JOIN = "\0"  # stands for blanks at which no line may end

ACT, UNDO, SAVE, QUIT = "act", "undo", "save", "quit"
"""What a person may want: an action, or one of the commands the prompt leaves to its caller."""

HELP = """\
An action: its text (space:Berlin), its name (Berlin), the beginning of either, or the number in brackets.
The Tab key completes.
  actions      the legal actions      view        all you know, as text
  board        the board again        help CARD   what a card does (number or title)
  undo         take back your latest decision, if you learnt nothing by it
  save FILE    save the game          quit        save the game and leave"""


class Unclear(ValueError):
    """An input that names nothing, or more than one thing."""


def find(text: str, names: dict[str, int]) -> int:
    """The value whose name is ``text``, or begins with it, in any case; raises ``Unclear``."""
    wanted = text.casefold()
    folded = {name.casefold(): value for name, value in names.items()}
    if wanted in folded:
        return folded[wanted]
    begun = {value for name, value in folded.items() if name.startswith(wanted)}
    if len(begun) == 1:
        return begun.pop()
    if begun:
        found = [name for name in names if name.casefold().startswith(wanted)]
        raise Unclear(f"{text!r} could be {', '.join(found)}")
    near = difflib.get_close_matches(wanted, folded, 1)
    hint = f"did you mean {next(name for name in names if name.casefold() == near[0])!r}?" if near else "try help"
    raise Unclear(f"{text!r} is not possible now; {hint}")


def action_names(view: View) -> dict[str, int]:
    """All names of the legal actions: text, bare name, title of a card, number."""
    names = {}
    for action, text in zip(view.legal.tolist(), view.texts, strict=True):
        family, _, name = text.partition(":")
        names |= {text: action, str(action): action}
        if family == "card":
            names[CARD_TITLES[int(name)]] = action
        elif name:
            names[name] = action
    return names


def help_text(argument: str) -> str:
    """The commands, or the text of a card given by number or title; raises ``Unclear``."""
    if not argument:
        return HELP
    names = {str(card): card for card in range(1, C)} | {CARD_TITLES[card]: card for card in range(1, C)}
    return card_text(find(argument, names))


def board(view: View) -> str:
    """The board as the side to act sees it, with its decision."""
    return board_text(view.deal([0])[0])


def decision_text(view: View) -> str:
    """The pending decision and the legal actions."""
    actions = (f"{text} [{action}]" for action, text in zip(view.legal, view.texts, strict=True))
    unbroken = ", ".join(action.replace(" ", _JOIN) for action in actions)
    lines = textwrap.fill(unbroken, _WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return f"Decision: {view.decision}\n{lines.replace(_JOIN, ' ')}"


class Prompt:
    """Reads what a person wants; shows what he asks for."""

    def __init__(self):
        self._words: list[str] = []
        if readline:
            readline.set_completer(self._complete)
            readline.set_completer_delims("\n")  # names contain blanks
            readline.parse_and_bind("tab: complete")

    def ask(self, view: View) -> tuple[str, str]:
        """What he wants: ``(ACT, id)``, ``(SAVE, file)``, ``(UNDO, "")`` or ``(QUIT, "")``."""
        names = action_names(view)
        self._words = [name for name in names if not name.isdigit()]
        while True:
            try:
                line = input("> ").strip()
            except (EOFError, KeyboardInterrupt):
                print()
                return QUIT, ""
            command, _, argument = line.partition(" ")
            if command in (UNDO, SAVE, QUIT):
                return command, argument.strip()
            try:
                if not self._inform(command, argument.strip(), view):
                    return ACT, str(find(line, names))
            except Unclear as error:
                print(error)

    @staticmethod
    def _inform(command: str, argument: str, view: View) -> bool:
        """Show what was asked for; False when it was no question."""
        if command in ("", "actions"):
            print(decision_text(view))
        elif command == "board":
            print(board(view))
        elif command == "view":
            print(explain(view.observation))
        elif command == "help":
            print(help_text(argument))
        else:
            return False
        return True

    def _complete(self, begun: str, number: int) -> str | None:
        matches = [word for word in self._words if word.casefold().startswith(begun.casefold())]
        return matches[number] if number < len(matches) else None


class HumanPlayer(ThinkingPlayer):
    """A person at the terminal, who types his actions.

    To take back, save and go on later, play with ``scripts/play.py``.
    """

    one_game_at_a_time = True
    outside = True

    @dataclass(frozen=True)
    class Options:
        """It has none."""

    def __init__(self, name: str = "human", seed: int = 0, options: Options | None = None):
        super().__init__(name, seed)
        self._prompt = Prompt()

    def choose(self, view: View) -> int:
        """What the person types; raises ``PlayerFailure`` when he leaves."""
        print(board(view))
        while True:
            wish, argument = self._prompt.ask(view)
            if wish == ACT:
                return int(argument)
            if wish == QUIT:
                raise PlayerFailure(f"{self.name} left the game at decision {view.decision!r}")
            print(f"{wish} is possible in scripts/play.py only")

    def end_game(self, outcome: dict) -> None:
        """Tell the person."""
        print(f"Game over: {outcome['result']} ({outcome['reason']}), {outcome['vp']:+d} VP")
