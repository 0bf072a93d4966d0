"""The command ``dawn mcp``."""

import argparse
from contextlib import closing
from pathlib import Path

from dawn_agents.command_line import PORT, command_parser, entry_point, log_warnings, output_file, seed
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.strength.rating_scale import read_scale

_DESCRIPTION = (
    "Serve the game as tools of the Model Context Protocol: one seat for a language model, a player at the other."
)
_HOST = "127.0.0.1"
_MOST_CONNECTIONS = 200


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn mcp``."""
    parser = command_parser("mcp", _DESCRIPTION, "dawn mcp", "dawn mcp --http 1991 --player search:sims=1000")
    parser.add_argument(
        "--http", type=PORT, metavar="PORT",
        help="listen at a port of this machine, 0 for any, in place of standard input and output",
    )  # fmt: skip
    parser.add_argument(
        "--player", action="append", default=[], metavar="SPEC", dest="players",
        help="one more opponent on offer besides those of the standing scale; may be given several times",
    )  # fmt: skip
    parser.add_argument("--records", type=output_file, metavar="FILE", help="add the record of each game that ends")
    parser.add_argument("--seed", type=seed, help="seed of the games; the same seed gives the same games in turn")
    return parser


def run(options: argparse.Namespace) -> int:
    """Serve until the client ends, or until it is stopped; the exit status. Raises ``DawnError``."""
    from dawn_agents.frontends.tool_server.tools import GameTable, make_server

    log_warnings()
    for spec in options.players:
        make_player(spec).close()
    records: Path | None = options.records
    with closing(GameTable([*read_scale().ratings(), *options.players], records, options.seed)) as table:
        server = make_server(table)
        if options.http is None:
            server.run("stdio")
            return 0
        return _serve_http(server.streamable_http_app(host=_HOST), options.http)


def _serve_http(app, port: int) -> int:
    from dawn_agents.serving.request_limits import RefusalLog
    from dawn_agents.serving.server_socket import Limits, Server, listen, serve

    with listen(_HOST, port) as listening:
        print(f"Listening at http://{_HOST}:{listening.getsockname()[1]}/mcp    Ctrl-C ends the server", flush=True)
        limits = Limits(_MOST_CONNECTIONS, _MOST_CONNECTIONS, message=0)
        return 0 if serve(Server(app, limits, RefusalLog("dawn.mcp")), [listening]) else 1


main = entry_point(make_parser, run, extra="mcp")
