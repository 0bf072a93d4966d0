"""Measure the standing scale: graded opponents from the weakest to the strongest, rated by side."""

import sys

from dawn_agents.commands.ladder import main

if __name__ == "__main__":
    sys.exit(main())
