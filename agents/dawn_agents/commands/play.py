"""The command ``dawn play``."""

import argparse
import os
import tempfile
from contextlib import closing
from itertools import count
from pathlib import Path

from dawn_agents.command_line import (
    add_game_options,
    check_isolated,
    command_parser,
    entry_point,
    seed,
    typed_command,
)
from dawn_agents.commands.compile import compile_with_bar
from dawn_agents.frontends.terminal.human_player import ACT, QUIT, SAVE, Prompt, say
from dawn_agents.frontends.terminal.undoable_game import HUMAN, UndoableGame
from dawn_agents.frontends.web.compiling_ahead import is_compiled
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.rating.estimates import points
from dawn_agents.tournaments.strength.ladder import OWN, opponents
from dawn_agents.tournaments.strength.rating_scale import read_scale
from dawn_env.bids import is_bid
from dawn_env.errors import PlayerFailure
from dawn_env.events.wording import action_words, outcome_words
from dawn_env.game import Game
from dawn_env.host.seated_player import SeatedPlayer
from dawn_env.observation.player_view import View
from dawn_env.options import STANDARD
from dawn_env.players import Player
from dawn_env.support.seeds import row_seeds
from dawn_env.tables import SIDE_NAMES

_DESCRIPTION = "Play a game at the terminal against any registered player, in one go or in several."


class Sitting:
    """A person's sitting at a table: they and the opponent decide in turn, until the game is over or they leave."""

    def __init__(self, table: UndoableGame, opponent: Player, file: Path | None):
        """``file``: where the game is saved already, if it is."""
        self.table, self.file = table, file
        self.opponent = SeatedPlayer(opponent, Game(table.seed, table.game.options), 1 - table.seat)
        self.prompt = Prompt()

    def play(self) -> None:
        """Play to the end of the game; raises ``PlayerFailure`` when the opponent fails."""
        while not self.table.game.over:
            view = View(self.table.game.state)
            if not is_bid(self.table.game.state.decision):
                self.opponent.begin(1 - self.table.human)
            if view.side != self.table.human:
                self._step(self.opponent.answer(view, self.table.decisions))
                continue
            self.prompt.show(view)
            if not self._decide(view):
                self.leave()
                return
        self._finish()

    def _step(self, action: int) -> None:
        before = self.table.game.state.decision
        _tell(self.table.step(action))
        if is_bid(before) and not is_bid(self.table.game.state.decision):
            say(f"You play the {SIDE_NAMES[self.table.human].capitalize()}")

    def _decide(self, view: View) -> bool:
        """Execute commands until the game has moved; False if the person leaves."""
        while True:
            wish, argument = self.prompt.ask(view)
            if wish == ACT:
                self._step(int(argument))
                return True
            if wish == QUIT:
                return False
            if wish == SAVE:
                print(self._save_as(argument))
            elif self.table.can_undo:
                say(f"Taken back: {action_words(self.table.undo())}")
                return True
            else:
                say("Nothing can be taken back: you may have learnt something since your last decision")

    def _save_as(self, name: str) -> str:
        """Save the game under a name; returns a message."""
        path = Path(name).expanduser()
        if not name:
            return "save FILE: the name of a file is missing"
        if path.exists() and path != self.file:
            return f"{path} is there already and stays as it is; choose another name"
        try:
            self.table.save(path)
        except OSError as error:
            return f"{path} cannot be written: {error.strerror}"
        self.file = path
        return f"Saved in {path}"

    def leave(self) -> None:
        """Save the game, under its name if it has one, and say how to go on; raises ``OSError``."""
        if self.file is None:  # a new one in this folder or, if that cannot be written to, among temporary files
            folder = Path() if os.access(".", os.W_OK) else Path(tempfile.gettempdir())
            paths = (Path(folder, f"1989-{self.table.seed}-{number}.json") for number in count(1))
            self.file = next(path for path in paths if not path.exists())
        self.table.save(self.file)
        print(f"Saved. To go on: {typed_command('play', '--resume', str(self.file))}")

    def _finish(self) -> None:
        game = self.table.game
        outcome = {"result": game.result, "reason": game.reason, "vp": game.vp}
        self.opponent.end(outcome, self.table.decisions)
        say(f"Game over: {outcome_words(outcome, self.table.human)}")
        if self.file:
            self.table.save(self.file)


def _tell(news: list[str]) -> None:
    """Print narrated lines, if there are any."""
    if news:
        say("\n".join(news))


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn play``."""
    parser = command_parser(
        "play",
        _DESCRIPTION,
        "dawn play --as communist --against heuristic:level=3",
        "dawn play --against search:sims=200 --seed 7",
        "dawn play --list-players",
        check=_check,
    )
    parser.add_argument(
        "--as", dest="side", choices=SIDE_NAMES, default="democrat", help="your side (%(default)s; found out by a bid)"
    )
    parser.add_argument("--against", default="heuristic", metavar="PLAYER", help="the opponent (%(default)s)")
    parser.add_argument("--list-players", action="store_true", help="list rated opponents, those of your ladder too")
    parser.add_argument("--ladder", type=Path, default=OWN, metavar="FILE", help="your ladder (%(default)s)")
    parser.add_argument("--seed", type=seed, help="seed of the game; the same seed gives the same cards and dice")
    add_game_options(parser)
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="go on with a saved game, side and opponent as before"
    )
    return parser


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.against.partition(":")[0] == HUMAN:
        parser.error("--against human: one person plays here; choose another player")
    check_isolated(parser, [options.against], Path.cwd())
    if options.resume and (options.seed is not None or options.game_options != STANDARD):
        parser.error("--resume goes on with the seed and the options of the saved game; leave out others")


def _list_players(ladder: Path) -> None:
    """Print the players of the standing scale and of one's own ladder, strongest first."""
    from dawn_agents.tournaments.reporting.tables import Sheet, console  # takes long to import

    standing = [(name, rated.both.value, "") for name, rated in read_scale().ratings().items()]
    own = [(place.name, place.rating, "on your ladder") for place, _ in opponents(ladder)]
    rows = [(name, points(rating), note) for name, rating, note in sorted(standing + own, key=lambda row: -row[1])]
    console().print(Sheet("Opponents", ("player", "Elo", ""), rows))


def run(options: argparse.Namespace) -> None:
    """Play until the game is over or the person leaves; raises ``DawnError`` and ``OSError``."""
    if options.list_players:
        _list_players(options.ladder)
        return
    if not is_compiled():
        compile_with_bar()
    if options.resume:
        table, news = UndoableGame.load(options.resume)
    else:
        game = options.seed if options.seed is not None else int(row_seeds(None, 1)[0])
        table = UndoableGame(game, SIDE_NAMES.index(options.side), options.against, options.game_options)
        news = [f"Game {game}. Type help for help."]
    with closing(make_player(table.opponent, table.opponent_seed)) as opponent:
        _tell(news)
        sitting = Sitting(table, opponent, options.resume)
        try:
            sitting.play()
        except KeyboardInterrupt:
            print()
            sitting.leave()
        except PlayerFailure:
            if table.decisions:
                sitting.leave()
            raise


main = entry_point(make_parser, run)
