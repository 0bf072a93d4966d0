"""Measure the balance of the game: results by side when a side is given support points (rule 13.0)."""

import sys

from dawn_agents.commands.balance import main

if __name__ == "__main__":
    sys.exit(main())
