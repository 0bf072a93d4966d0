"""Play, watch, replay and analyse games in the browser."""

import sys

from dawn_agents.commands.web import main

if __name__ == "__main__":
    sys.exit(main())
