"""Check that a program speaks the protocol of docs/protocol.md: a table of checks, exit status 0 when all pass."""

import sys

from dawn_agents.commands.check_bot import main

if __name__ == "__main__":
    sys.exit(main())
