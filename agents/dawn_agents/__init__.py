"""Everything that plays, learns, rates or serves: players, training, tournaments, analysis, web pages."""

import os

# Threads of torch that wait go to sleep: those that spin make everything many times slower as soon as another
# program wants a core. It counts only before torch is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
