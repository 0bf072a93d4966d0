"""Play random games in bulk, write their records as JSON lines, and print a summary."""

import sys

from dawn_agents.commands.selfplay import main

if __name__ == "__main__":
    sys.exit(main())
