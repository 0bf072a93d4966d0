"""Programs that take the first legal action, changed by lines of Python, for tests of programs as players."""

import sys
from pathlib import Path

BOT = """
import json, os, subprocess, sys, time
bot = {"name": "first", "version": "1", "protocol": 2, "options": {"depth": 2, "rate": 0.5, "word": "a"}}
def say(answer):
    print(json.dumps(answer), flush=True)
def hello():
    say({"bot": bot})
def play(position):
    say({"action": position["legal"][0]})
def heard(command):
    pass
CHANGES
for line in sys.stdin:
    command = json.loads(line)
    heard(command)
    match command["command"]:
        case "hello": hello()
        case "new-game": say({"ready": True})
        case "position": position = command
        case "go": play(position)
        case "quit": break
"""


def write_bot(path: Path, changes: str = "", settings: str = "") -> str:
    """Write a program into a file; its specification as a player, with ``settings`` such as ``seconds=5,``."""
    path.write_text(BOT.replace("CHANGES", changes))
    return f"process:{settings}{sys.executable} {path}"
