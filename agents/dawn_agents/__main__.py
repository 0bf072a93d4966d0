"""Entry point of ``python -m dawn_agents``, the same command as ``dawn``."""

import sys

from dawn_agents.commands.dawn import main

sys.exit(main())
