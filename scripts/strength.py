"""Has anything become weaker or slower? Players of the standing scale and their costs, measured anew."""

import sys

from dawn_agents.commands.strength import main

if __name__ == "__main__":
    sys.exit(main())
