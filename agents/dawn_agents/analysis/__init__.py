"""Analysis of recorded games: what every decision lost of the chance of winning, whose luck it was, profiles."""
