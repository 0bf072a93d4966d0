"""``python -m dawn_agents``: the command ``dawn`` where that is not on the path."""

import sys

from dawn_agents.commands.dawn import main

sys.exit(main())
