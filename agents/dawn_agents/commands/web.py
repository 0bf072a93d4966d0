"""The command ``dawn web``."""

import argparse
from contextlib import ExitStack, closing
from pathlib import Path

from dawn_agents.command_line import (
    PORT,
    add_game_options,
    command_parser,
    entry_point,
    log_warnings,
    seed,
    typed_command,
)
from dawn_agents.frontends.web.game_database import GameDatabase
from dawn_agents.frontends.web.game_session import BIDDERS, HUMAN, Setting, seat_names
from dawn_agents.frontends.web.site import links
from dawn_agents.players.registry import make_player
from dawn_agents.players.specification import BadSpec
from dawn_agents.serving.request_limits import MOST_MESSAGE, RefusalLog, machine_address
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.strength.ladder import OWN
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDE_NAMES

_DESCRIPTION = "Play, watch, replay and analyse games in the browser."
_LOCAL = ("127.0.0.1", "localhost", "::1")
_ALL_IPV4, _ALL_IPV6 = "0.0.0.0", "::"  # every address of the machine
_PORT = 1989
_MOST_CONNECTIONS, _MOST_EACH = 200, 64  # in all, and from one address


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn web``."""
    parser = command_parser(
        "web", _DESCRIPTION, "dawn web --port 8080", "dawn web --player search:sims=1000 --game democrat,heuristic,7"
    )
    parser.add_argument("--port", type=PORT, default=_PORT, help="port (%(default)s; 0: any free one)")
    parser.add_argument(
        "--host", default=_LOCAL[0],
        help="address to listen at (%(default)s: this machine only; 0.0.0.0: everywhere; :: everywhere, IPv6 too)",
    )  # fmt: skip
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME",
        help="one more name by which this machine may be asked; may be given several times",
    )  # fmt: skip
    parser.add_argument("--data", type=Path, default=Path("runs/web.sqlite"), help="file of the games (%(default)s)")
    parser.add_argument(
        "--game",
        type=_game,
        metavar="SEAT,PLAYER,SEED",
        help="open a game at once and print the address of its seat: democrat or communist, with --bid first or second",
    )
    parser.add_argument(
        "--player", action="append", default=[], metavar="SPEC", dest="players",
        help="one more player on offer, such as policy:FILE or module:Class; may be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--ladder", type=Path, default=OWN, metavar="FILE", help="ladder whose players are on offer too (%(default)s)"
    )
    parser.add_argument(
        "--results", action="append", type=Path, default=[], metavar="FILE",
        help="database of a tournament whose report links here; may be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--puzzles", type=Path, metavar="FILE", help="puzzles made by dawn analyse --puzzles (those of the project)"
    )
    add_game_options(parser)
    return parser


def _game(text: str) -> tuple[str, str, int]:
    """The person's seat, the opponent and the seed."""
    seat, _, rest = text.partition(",")
    player, _, number = rest.rpartition(",")
    if seat not in (*SIDE_NAMES, *BIDDERS) or not player:
        raise argparse.ArgumentTypeError(f"such as democrat,heuristic,7 expected, not {text!r}")
    return seat, player, seed(number)


def open_game(options: argparse.Namespace, store: GameDatabase) -> str:
    """Make the game of ``--game``; the path of its seat. Raises ``BadSpec`` for a seat of another kind of game."""
    mine, player, number = options.game
    seats = seat_names(options.game_options)
    if mine not in seats:
        raise BadSpec(f"--game: {' or '.join(seats)} expected in this kind of game, not {mine}")
    players = tuple(HUMAN if seat == mine else player for seat in seats)
    return links(store.add(Setting(number, options.game_options, players)))["seats"][mine]


def printed_address(host: str, port: int) -> str:
    """URL under which a browser on this network reaches a server that listens at ``host``."""
    name = machine_address() if host in (_ALL_IPV4, _ALL_IPV6) else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def run(options: argparse.Namespace) -> int:
    """Open the file of games, print the address, serve; the exit status. Raises ``DawnError``."""
    from dawn_agents.frontends.web.server import make_app
    from dawn_agents.serving.server_socket import Limits, Server, listen, serve

    log_warnings()
    for spec in [*options.players, *([options.game[1]] if options.game else [])]:
        make_player(spec).close()
    for path in options.results:
        ResultDatabase(path, read_only=True).close()
    with ExitStack() as stack:
        sockets, port = [], options.port
        for host in (_ALL_IPV4, _ALL_IPV6) if options.host == _ALL_IPV6 else (options.host,):
            sockets.append(stack.enter_context(listen(host, port)))
            port = sockets[-1].getsockname()[1]
        store = stack.enter_context(closing(GameDatabase(options.data)))
        seat = open_game(options, store) if options.game else ""
        kept = options.results, options.allow_host, options.puzzles, options.ladder
        app = make_app(store, options.host in _LOCAL, options.players, *kept)
        address = printed_address(options.host, port)
        print(f"Open {address}{seat}\nNew to the game? {address}/learn    Ctrl-C ends the server", flush=True)
        server = Server(app, Limits(_MOST_CONNECTIONS, _MOST_EACH, MOST_MESSAGE), RefusalLog("dawn.web"))
        served = serve(server, sockets)
        if not store.is_in_place:
            raise OSError(f"{options.data} was removed or replaced while the server ran: its games are not kept")
    print(f"Games are kept in {escape_text(options.data)}: the same command goes on with them.")
    print(f"next:\n  {typed_command('play')}    # a game at the terminal\n  {typed_command('analyse', '--help')}")
    return 0 if served else 1


main = entry_point(make_parser, run, extra="web")
