"""Play a game at the terminal against any registered player, in one go or in several."""

import sys

from dawn_agents.commands.play import main

if __name__ == "__main__":
    sys.exit(main())
