"""What a program of protocol 1 is told in three short games, to be recorded and compared.

``python tests/support/protocol_recording.py`` prints the recording that is kept in ``tests/data/protocol1.txt``.
"""

import hashlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dawn_agents.match import Pairing, play_games
from dawn_agents.registry import make_player

GAMES = ({}, {"bid": True}, {"mode": "family"})
SHOWN = 8  # lines of each game that are kept in full

BOT = """
import json, sys
log = open(sys.argv[1], "a")
for line in sys.stdin:
    log.write(line)
    log.flush()
    command = json.loads(line)
    answers = {
        "hello": {"bot": {"name": "recorder", "version": "1", **json.loads(sys.argv[2])}},
        "bid": {"offer": {"side": "democrat", "points": 1}},
        "new-game": {"ready": True},
        "go": {"action": command.get("seconds") and position["legal"][0]} if command["command"] == "go" else None,
    }
    if command["command"] == "position":
        position = command
    if command["command"] in answers:
        print(json.dumps(answers[command["command"]]), flush=True)
    if command["command"] == "quit":
        break
"""


def conversations(says: str, games: int) -> Iterator[list[str]]:
    """The lines that a program gets in each of the first games; ``says``: what it says of its protocol, as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        bot, log = Path(folder) / "bot.py", Path(folder) / "log"
        bot.write_text(BOT)
        for number, options in enumerate(GAMES[:games]):
            log.write_text("")
            player = make_player(f"process:'{sys.executable}' {bot} {log} '{says}'", seed=7)
            list(play_games([Pairing(number, player, make_player("random", 5))], options=options))
            player.close()
            yield log.read_text().splitlines()


def recording(says: str, games: int = len(GAMES)) -> str:
    """The first lines of each game, and a digest of all of them."""
    parts = []
    for lines in conversations(says, games):
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        parts += [*lines[:SHOWN], f"{len(lines)} lines, sha256 {digest}"]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    print(recording('{"protocol": 1}'), end="")
