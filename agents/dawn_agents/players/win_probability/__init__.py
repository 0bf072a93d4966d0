"""The Democrat's chance of winning from a position: a regression, and the small network on top of it."""
