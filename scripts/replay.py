"""Tell or verify the games of a file of records."""

import sys

from dawn_agents.commands.replay import main

if __name__ == "__main__":
    sys.exit(main())
