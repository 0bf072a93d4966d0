"""Measure how fast the engine is on this machine, with a compiled random player, and how fast the players are."""

import sys

from dawn_agents.commands.benchmark import main

if __name__ == "__main__":
    sys.exit(main())
