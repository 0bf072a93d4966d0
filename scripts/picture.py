"""Draw a position of a game as SVG or PNG."""

import sys

from dawn_agents.commands.picture import main

if __name__ == "__main__":
    sys.exit(main())
