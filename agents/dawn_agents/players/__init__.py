"""Players that need no more than the game: random, greedy, trained policies."""
