"""Play a tournament between any players, rate them, and report. Start it again to go on where it stopped."""

import sys

from dawn_agents.commands.tournament import main

if __name__ == "__main__":
    sys.exit(main())
