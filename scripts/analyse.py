"""Analyse play: what every decision in recorded games lost of the chance of winning, and whose luck it was."""

import sys

from dawn_agents.commands.analyse import main

if __name__ == "__main__":
    sys.exit(main())
