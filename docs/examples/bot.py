"""An example of a bot, standard library only. It likes battlegrounds that nobody controls."""

import json
import random
import sys

BATTLEGROUNDS = {"Berlin", "Leipzig", "Warszawa", "Gdansk", "Praha", "Budapest", "Bucuresti", "Timisoara", "Sofia"}
BOT = {"name": "example", "version": "1", "protocol": 2, "options": {"boldness": 5}}
options, position, chance = dict(BOT["options"]), {}, random.Random()


def worth(action):
    """How good an action looks; a little chance decides between equals."""
    kind, _, name = action.partition(":")
    if kind == "space":
        return 3 * (name in BATTLEGROUNDS) - 4 * (name in position["view"]["control"]) + chance.random()
    return options["boldness"] * (action in ("event", "yes", "retain")) + chance.random()


def answer(command):
    """The answer to a command that wants one; other commands and unknown fields are ignored."""
    if command["command"] == "hello":
        return {"bot": BOT}
    if command["command"] == "options":
        options.update(command["values"])
    elif command["command"] == "new-game":
        chance.seed(command["seed"])
        return {"ready": True}
    elif command["command"] == "position":
        position.update(command)
    elif command["command"] == "go":
        return {"action": max(position["legal"], key=worth)}


for line in sys.stdin:
    if (command := json.loads(line))["command"] == "quit":
        break
    if reply := answer(command):
        print(json.dumps(reply), flush=True)
