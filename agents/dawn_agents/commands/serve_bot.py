"""The command ``dawn serve-bot``."""

import argparse
import os
import shlex
from pathlib import Path

from dawn_agents.command_line import COUNT, PORT, command_parser, entry_point, log_warnings
from dawn_agents.players.external.isolation import REFUSAL, can_isolate, in_view
from dawn_agents.players.external.line_program import program_problem
from dawn_agents.players.external.secret_keys import make_token, read_token
from dawn_env.support.safe_text import escape_text

_DESCRIPTION = "Let a bot for pipes be reached over WebSocket: it is started anew for each connection."
_PORT = 1990
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn serve-bot``."""
    parser = command_parser(
        "serve-bot",
        _DESCRIPTION,
        "dawn serve-bot --port 0 node docs/examples/bot.js",
        "dawn serve-bot --host 0.0.0.0 --token bot.token python3 docs/examples/bot.py",
        check=_check,
    )
    parser.add_argument("--host", default=_LOOPBACK[0], help="address to listen at (this machine only: %(default)s)")
    parser.add_argument("--port", type=PORT, default=_PORT, help="port to listen at, 0 for any (%(default)s)")
    parser.add_argument(
        "--token", type=Path, metavar="FILE", help="file with the secret that others must send; written if not there"
    )
    parser.add_argument(
        "--games", type=COUNT, default=os.cpu_count(), metavar="N", help="at most so many at a time (all cores)"
    )
    parser.add_argument("--isolate", action="store_true", help="start the bot with processes and files of its own")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the bot and its arguments, last of all")
    return parser


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    words = options.command[1:] if options.command[:1] == ["--"] else options.command
    options.command = shlex.split(words[0]) if len(words) == 1 else words
    if problem := program_problem(options.command):
        parser.error(escape_text(problem))
    if options.isolate and not can_isolate():
        parser.error(f"--{REFUSAL}")
    if options.isolate and options.token and in_view(options.command, [options.token]):
        parser.error(f"--isolate: the bot could read {escape_text(options.token)}: keep it in another folder")
    if options.host not in _LOOPBACK and options.token is None:
        parser.error(f"--host {escape_text(options.host)}: others can connect there, so --token FILE is needed")


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C; the exit status."""
    from dawn_agents.players.external.bot_server import BotServer
    from dawn_agents.serving.server_socket import listen, serve

    log_warnings()
    token = ""
    if options.token is not None:
        if not options.token.exists():
            make_token(options.token)
            print(f"a new token is in {escape_text(options.token)}; whoever plays against the bot needs a copy of it")
        token = read_token(options.token)
    with listen(options.host, options.port) as listening:
        port = listening.getsockname()[1]
        host = f"[{options.host}]" if ":" in options.host else options.host
        print(f"listening at ws://{host}:{port} for {escape_text(shlex.join(options.command))}", flush=True)
        served = serve(BotServer(options.command, token, options.games, options.isolate), [listening])
    return 0 if served else 1


main = entry_point(make_parser, run, extra="web")
