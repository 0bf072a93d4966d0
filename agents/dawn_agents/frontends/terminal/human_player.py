"""Terminal prompt: display and commands, and a player made of it."""

import difflib
import re
import shutil
import sys
from dataclasses import dataclass
from functools import cache

from dawn_agents.frontends.terminal.decision_prompt import Menu, redraw_key
from dawn_env.cards.card_text import card_text
from dawn_env.errors import PlayerFailure
from dawn_env.glossary import GLOSSARY
from dawn_env.observation.player_view import View
from dawn_env.picture.board_text import table_text, wrapped
from dawn_env.players import ViewPlayer
from dawn_env.tables import CARD_TITLES, FACES, SPACES, C
from dawn_env.views.barred_actions import barred_words
from dawn_env.views.questions import question

try:
    import readline
except ImportError:  # not on Windows; then there is no completion
    readline = None

_LEAST_WIDTH = 40
_COLOUR = re.compile(r"\x1b\[\d+m")
ACT, UNDO, SAVE, QUIT = "act", "undo", "save", "quit"
"""What a person may want: an action, or one of the commands the prompt leaves to its caller."""

HELP = """\
Type a card by its number or title (77, Samizdat), a place by its name (Berlin), anything else by its name or the \
number in front of it. The beginning of a name is enough; the Tab key completes.
(C 2) behind a card: the event is the Communist's, the value 2; (DC 4): the event is for either side.
  actions      all you can choose now
  board        the board again
  view         all you know, as text
  help CARD    what a card does (number or title)
  help TERM    what a term of the game means (control, support check, ...)
  undo         take back your latest decision, if you learnt nothing by it
  save FILE    save the game
  quit         save the game and leave"""


class Unclear(ValueError):
    """An input that names nothing, or more than one thing."""


def find(
    text: str, names: dict[str, int], wrong: str = "is not possible now", remedy: str = "actions lists what is"
) -> int:
    """Look up a value by its name or the beginning of it, in any case; raises ``Unclear``."""
    wanted = text.casefold()
    folded = {name.casefold(): value for name, value in names.items()}
    if wanted in folded:
        return folded[wanted]
    begun = {value for name, value in folded.items() if name.startswith(wanted) and not wanted.isdecimal()}
    if len(begun) == 1:
        return begun.pop()
    if begun:
        found = [name for name in names if name.casefold().startswith(wanted)]
        raise Unclear(f"{text!r} could be {', '.join(found)}")
    near = difflib.get_close_matches(wanted, folded, 1)
    meant = [name for name in names if name.casefold() in near]
    hint = f"did you mean {meant[0]!r}?" if meant else remedy
    raise Unclear(f"{text!r} {wrong}; {hint}")


def _choice(text: str, names: dict[str, int], view: View) -> int:
    """The action that is typed, one of ``names``; raises ``Unclear``, with the reason for a space or card not legal."""
    typed = text.casefold()
    asks_for_card = any(name.startswith("card:") for name in names)
    wanted = f"card:{text}" if text.isdecimal() and asks_for_card else _barrable().get(typed)
    if wanted and typed not in map(str.casefold, names) and (reason := barred_words(view, wanted)):
        raise Unclear(f"{wanted.partition(':')[2]} is not possible now: {reason}")
    return find(text, names)


@cache
def _barrable() -> dict[str, str]:
    """Texts of the actions that may be barred, by the names that are typed for them, in lower case."""
    named = {name: f"space:{name}" for name in SPACES} | {CARD_TITLES[card]: f"card:{card}" for card in range(1, C)}
    named |= {face: f"power:{face}" for face in FACES}
    return {name.casefold(): text for name, text in (named | {text: text for text in named.values()}).items()}


def help_text(argument: str) -> str:
    """The commands, the text of a card given by number or title, or a term's meaning; raises ``Unclear``."""
    if not argument:
        return HELP
    cards = {str(card): card for card in range(1, C)} | {CARD_TITLES[card]: card for card in range(1, C)}
    terms = {name: C + at for at, (key, term) in enumerate(GLOSSARY.items()) for name in (key, term.title)}
    found = find(argument, terms | cards, "is neither a card nor a term", "help lists the commands")
    return card_text(found) if found < C else str(list(GLOSSARY.values())[found - C])


def width() -> int:
    """Columns of the terminal (or of ``COLUMNS``; 80 where there is neither), 40 at least."""
    return max(_LEAST_WIDTH, shutil.get_terminal_size().columns)


def board(view: View) -> str:
    """Board and hand in the view of the side to act, as wide as the terminal; coloured only there."""
    text = table_text(view.deal([0])[0], width())
    return text if sys.stdout.isatty() else _COLOUR.sub("", text)


def say(text: str) -> None:
    """Print lines, broken to the width of the terminal."""
    print(wrapped(text, width()))


class Prompt:
    """Prompt that reads commands, shows requested information, and the board when it has changed."""

    def __init__(self):
        self._words: list[str] = []
        self._is_shown = False  # the board
        self._moment: tuple[int, ...] = ()
        if readline:
            readline.set_completer(self._complete)
            readline.set_completer_delims("\n")  # names contain blanks
            readline.parse_and_bind("tab: complete")

    def show(self, view: View) -> None:
        """The question with its choices; at the beginning, and of each round of the side's own, the board too."""
        now = redraw_key(view)
        if not self._is_shown or (now and now != self._moment):
            print(board(view))
        self._is_shown, self._moment = True, now or self._moment
        self._show_question(view)

    @staticmethod
    def _show_question(view: View) -> None:
        asked = question(view)
        say(asked[0].upper() + asked[1:])
        print(Menu(view).text(width()))

    def ask(self, view: View) -> tuple[str, str]:
        """Read a command: ``(ACT, id)``, ``(SAVE, file)``, ``(UNDO, "")`` or ``(QUIT, "")``."""
        names = Menu(view).names
        self._words = [name for name in names if not name.isdecimal()]
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
                    return ACT, str(_choice(line, names, view))
            except Unclear as error:
                say(str(error))

    def _inform(self, command: str, argument: str, view: View) -> bool:
        """Show what was asked for; False when it was no question."""
        if command in ("", "actions"):
            self._show_question(view)
        elif command == "board":
            print(board(view))
        elif command == "view":
            say(view.layout.explain(view.observation))
        elif command == "help":
            say(help_text(argument))
        else:
            return False
        return True

    def _complete(self, begun: str, number: int) -> str | None:
        matches = [word for word in self._words if word.casefold().startswith(begun.casefold())]
        return matches[number] if number < len(matches) else None


class HumanPlayer(ViewPlayer):
    """A person at the terminal, who types their actions.

    To bid, take back, save and go on later, play with ``dawn play``.
    """

    one_game_at_a_time = True
    is_external = True

    @dataclass(frozen=True)
    class Options:
        """No options."""

    def __init__(self, name: str = "human", seed: int = 0, options: Options | None = None):
        super().__init__(name, seed)
        self._prompt = Prompt()

    def choose(self, view: View) -> int:
        """Read what the person types; raises ``PlayerFailure`` when they leave."""
        self._prompt.show(view)
        while True:
            wish, argument = self._prompt.ask(view)
            if wish == ACT:
                return int(argument)
            if wish == QUIT:
                raise PlayerFailure(f"{self.name} left the game at decision {view.decision!r}")
            print(f"{wish} is possible in dawn play only")

    def end_game(self, outcome: dict) -> None:
        """Tell the person."""
        print(f"Game over: {outcome['result']} ({outcome['reason']}), {outcome['vp']:+d} VP")
