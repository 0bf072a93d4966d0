"""Measure one player: Elo on the standing scale, by side, or scores and a rating against opponents by name."""

import sys

from dawn_agents.commands.evaluate import main

if __name__ == "__main__":
    sys.exit(main())
