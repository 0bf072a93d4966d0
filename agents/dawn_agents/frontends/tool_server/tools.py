"""The server of the Model Context Protocol: its tools and resources, and the games that are played through them.

Facts of a position come from ``dawn_env.views`` alone, in the view of the caller's seat.
"""

import json
import secrets
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from dawn_agents.frontends.tool_server.hosted_game import HostedGame
from dawn_agents.players.registry import make_player
from dawn_env.errors import DawnError
from dawn_env.formats.game_record import to_line
from dawn_env.glossary import CHAPTERS, GLOSSARY
from dawn_env.options import GameOptions
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import escape_text, short_repr
from dawn_env.support.seeds import row_seeds
from dawn_env.tables import SIDE_NAMES, C
from dawn_env.views.view_facts import card_facts
from dawn_env.views.view_text import MEDIUM, SHORT

with optional_imports():
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError

MOST_GAMES = 100
"""Games that a server keeps; another one takes the place of the oldest, of those that are over first."""
JSON = "json"
_INSTRUCTIONS = (
    "Plays the board game 1989: Dawn of Freedom. Begin with new_game, which tells the name of the game for the other "
    "tools; read rules for the rules in brief. Then answer each question by act with one of the legal answers as it is "
    "written, such as card:31 or space:Berlin, until the game is over."
)

Side = Literal["democrat", "communist"]
Mode = Literal["standard", "family"]
Detail = Literal["short", "medium", "full", "json"]


class GameTable:
    """The games of a server, by name."""

    def __init__(self, opponents: Sequence[str], records: Path | None = None, seed: int | None = None):
        """``opponents``: specifications of the players on offer; ``records``: a file that gets the record of each game
        as it ends; ``seed``: of the games, drawn if None. Neither tells callers anything."""
        self.opponents, self._records = list(dict.fromkeys(opponents)), records
        self._seed, self._begun = seed, 0
        self._games: dict[str, HostedGame] = {}
        self._lock = Lock()

    def begin(self, side: str, opponent: str, mode: str) -> str:
        """Begin a game; its name. Raises ``DawnError``."""
        if opponent not in self.opponents:
            raise DawnError(f"opponent: one of {', '.join(self.opponents)} expected, not {short_repr(opponent)}")
        with self._lock:
            number, self._begun = self._begun, self._begun + 1
        seed, players_seed = self._seeds(number)
        options, player = GameOptions(mode=mode), make_player(opponent, players_seed)
        game, name = HostedGame(seed, SIDE_NAMES.index(side), player, options), secrets.token_hex(8)
        with self._lock:
            if len(self._games) >= MOST_GAMES:
                oldest = next((key for key, one in self._games.items() if one.over), next(iter(self._games)))
                self._games.pop(oldest).close()
            self._games[name] = game
        self._keep_if_over(game)
        return name

    def _seeds(self, number: int) -> tuple[int, int]:
        seeds = row_seeds(None, 2) if self._seed is None else row_seeds(self._seed, 2 * number + 2)[-2:]
        return int(seeds[0]), int(seeds[1])

    @contextmanager
    def game(self, name: str):
        """The game of a name, for one thread at a time; raises ``DawnError``. One that ends is recorded."""
        game = self._games.get(name)
        if game is None:
            raise DawnError(f"no game is called {short_repr(name)}: new_game tells the name")
        with game.lock:
            was_over = game.over
            yield game
            if not was_over:
                self._keep_if_over(game)

    def _keep_if_over(self, game: HostedGame) -> None:
        if game.over and self._records:
            with self._lock, open(self._records, "a", encoding="utf-8") as file:
                file.write(to_line(game.record()) + "\n")

    def close(self) -> None:
        """Close all opponents."""
        for game in self._games.values():
            game.close()


def make_server(table: GameTable) -> MCPServer:
    """Server with all tools and resources."""
    server = MCPServer("dawn", title="1989: Dawn of Freedom", instructions=_INSTRUCTIONS, log_level="WARNING")
    for tool in _tools(table):
        server.tool(structured_output=False)(_told(tool))
    _add_resources(server)
    return server


def _told(tool: Callable) -> Callable:
    """Wrap a tool so that errors of the game become ``ToolError``, which the caller reads."""

    @wraps(tool)
    def called(*words: Any, **named: Any) -> str:
        try:
            return tool(*words, **named)
        except (DawnError, OSError) as error:
            raise ToolError(escape_text(error)) from error

    return called


def _position(game: HostedGame, detail: str = MEDIUM) -> str:
    """The view of the caller in words or as JSON, and the end of a game that is over."""
    if detail == JSON and not game.ended_early:
        return json.dumps(game.facts(), ensure_ascii=False)
    return game.text(detail)


def _tools(table: GameTable) -> list[Callable[..., str]]:
    """Functions that the server offers as tools; each returns a text for the caller."""

    def new_game(side: Side = "democrat", opponent: str = "heuristic", mode: Mode = "standard") -> str:
        name = table.begin(side, opponent, mode)
        with table.game(name) as game:
            return f"Game {name}\n{_position(game)}"

    new_game.__doc__ = (
        "Begin a game against a player and show the position. The first line has the name of the game, which all "
        f"other tools need. Opponents: {', '.join(table.opponents)}."
    )

    def look(game: str, detail: Detail = "medium") -> str:
        """Show what you may know of a game, and the question. detail: short has what happened and the question only,
        full adds neighbours, piles and all card texts, json has every fact."""
        with table.game(game) as found:
            return _position(found, detail)

    def legal_actions(game: str) -> str:
        """List the legal answers as JSON, with costs and probabilities of success; empty while you are not asked."""
        with table.game(game) as found:
            return json.dumps([] if found.over else found.facts()["legal"], ensure_ascii=False)

    def act(game: str, action: str) -> str:
        """Answer the question with one of the legal answers as it is written, such as card:31, space:Berlin or pass.
        Tells what happened until you are asked again, and the next question."""
        with table.game(game) as found:
            found.act(action.strip())
            return _position(found, SHORT)

    def card(number: int) -> str:
        """Tell what is printed on a card, 1 to 110, and what its event does."""
        return json.dumps(_card(number), ensure_ascii=False)

    def rules(chapter: Literal[("all", *CHAPTERS)] = "all") -> str:  # type: ignore[valid-type]
        """Tell the rules in brief, all of them or a chapter."""
        return "\n\n".join(map(str, CHAPTERS.values())) if chapter == "all" else str(CHAPTERS[chapter])

    def resign(game: str) -> str:
        """Give up a game, which counts as lost."""
        with table.game(game) as found:
            found.resign()
            return _position(found)

    def record(game: str) -> str:
        """Tell the record of a game that is over, as a line of JSON: every decision, die and card."""
        with table.game(game) as found:
            return to_line(found.record())

    return [new_game, look, legal_actions, act, card, rules, resign, record]


def _card(number: int) -> dict[str, Any]:
    if not 1 <= number < C:
        raise DawnError(f"card: 1 ... {C - 1} expected, not {number}")
    return card_facts(number)


def _add_resources(server: MCPServer) -> None:
    @server.resource("dawn://cards", name="cards", description="All cards, as JSON", mime_type="application/json")
    def cards() -> str:
        return json.dumps([card_facts(number) for number in range(1, C)], ensure_ascii=False)

    @server.resource(
        "dawn://cards/{number}", name="card", description="A card by its number, as JSON", mime_type="application/json"
    )
    def card(number: str) -> str:
        if not number.isdecimal() or not 1 <= int(number) < C:
            raise ResourceNotFoundError(f"card: 1 ... {C - 1} expected, not {short_repr(number)}")
        return json.dumps(card_facts(int(number)), ensure_ascii=False)

    @server.resource("dawn://glossary", name="glossary", description="The terms of the game", mime_type="text/plain")
    def glossary() -> str:
        return "\n\n".join(map(str, GLOSSARY.values()))

    @server.resource("dawn://rules", name="rules", description="The rules in brief", mime_type="text/plain")
    def rules() -> str:
        return "\n\n".join(map(str, CHAPTERS.values()))
