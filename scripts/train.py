"""Train a policy per side as a TOML file says, or go on with a run; ends with a table of matches."""

import sys

from dawn_agents.commands.train import main

if __name__ == "__main__":
    sys.exit(main())
