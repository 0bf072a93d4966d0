"""Family mode (rules TR.1 to TR.3): a game without events, struggles and Power on the same board."""
