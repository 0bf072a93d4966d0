"""The command ``dawn picture``."""

import argparse
from pathlib import Path

from dawn_agents.command_line import COUNT, command_parser, entry_point, integer
from dawn_env.errors import MalformedPosition
from dawn_env.formats import position_file
from dawn_env.formats.game_record import MAX_LINE, read_records
from dawn_env.game import Game
from dawn_env.picture.drawing import WIDTH, board_svg
from dawn_env.picture.theme import AUTO, LIGHT, THEMES
from dawn_env.support.atomic_files import atomic_write
from dawn_env.validation.untrusted_json import parse_json, read_text
from dawn_env.views.viewer_position import VIEWERS, acting_viewer

_DESCRIPTION = "Draw a position of a game as SVG or PNG."
_SUFFIXES = (".svg", ".png")


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn picture``."""
    parser = command_parser(
        "picture",
        _DESCRIPTION,
        "dawn selfplay --games 10 --out runs/games.jsonl",
        "dawn picture runs/games.jsonl --game 3 --out runs/board.svg",
        "dawn picture runs/games.jsonl --decision 60 --viewer democrat --out runs/board.png",
        check=_check,
    )
    parser.add_argument("file", type=Path, help="game records, one a line, or a position as JSON")
    parser.add_argument("--out", type=Path, required=True, help="the picture, .svg or .png")
    parser.add_argument("--game", type=COUNT, default=1, metavar="N", help="the N-th record of the file, from 1")
    parser.add_argument(
        "--decision", type=integer(0), metavar="N", help="after N decisions of the record; all by default"
    )
    parser.add_argument(
        "--since", type=integer(0), metavar="N", help="mark what changed since N decisions (the one before)"
    )
    parser.add_argument("--viewer", choices=VIEWERS, help="whose cards are shown; by default those of the side to act")
    parser.add_argument("--width", type=COUNT, default=round(WIDTH), help="pixels, default %(default)s")
    parser.add_argument("--theme", choices=THEMES, help="default: auto in SVG, light in PNG")
    return parser


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.out.suffix not in _SUFFIXES:
        parser.error(f"--out: a name that ends with {' or '.join(_SUFFIXES)} expected, not {options.out}")


def games(options: argparse.Namespace) -> tuple[Game, Game | None]:
    """The game to be drawn and an earlier one; raises ``MalformedPosition``."""
    if (lone := _position(options.file)) is not None:
        return lone, None
    for number, record in enumerate(read_records(options.file), 1):
        if number == options.game:
            return _replayed(record, options)
    raise MalformedPosition(f"{options.file} has no game {options.game}")


def _position(path: Path) -> Game | None:
    """The game of a position or of ``Game.to_json``; None for records."""
    try:
        text = read_text(path, MAX_LINE)
        fields = parse_json(text)
    except (OSError, ValueError):
        return None  # many records, or nothing that can be read, which reading them will say
    if not isinstance(fields, dict) or "decisions" in fields and "players" in fields:
        return None
    if "generator" in fields:
        return Game.from_json(text)
    game = Game.of(position_file.from_json(fields)[0])
    game.resume()
    return game


def _replayed(record: dict, options: argparse.Namespace) -> tuple[Game, Game | None]:
    count = len(record["decisions"])
    last = count if options.decision is None else options.decision
    since = max(last - 1, 0) if options.since is None else options.since
    if not since <= last <= count:
        raise MalformedPosition(f"the game has {count} decisions: 0 <= --since <= --decision <= {count} expected")
    game = Game(record["seed"], record["options"])
    before = game.copy()
    for number, action in enumerate(record["decisions"][:last], 1):
        game.step(action)
        if number == since:
            before = game.copy()
    return game, before


def draw(options: argparse.Namespace) -> bytes:
    """The picture; raises ``DawnError``."""
    game, before = games(options)
    as_png = options.out.suffix == ".png"
    viewer, then = options.viewer or acting_viewer(game.state), None if before is None else before.state
    theme = options.theme or (LIGHT if as_png else AUTO)
    svg = board_svg(game.state, viewer, then, options.width, theme)
    if not as_png:
        return svg.encode() + b"\n"
    from dawn_env.picture.raster import to_png  # needs an extra

    return to_png(svg)


def run(options: argparse.Namespace) -> None:
    """Draw and write the picture."""
    picture = draw(options)
    with atomic_write(options.out, "wb", parents=True) as file:
        file.write(picture)


main = entry_point(make_parser, run)
