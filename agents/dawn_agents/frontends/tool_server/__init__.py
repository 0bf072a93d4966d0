"""The game as tools of the Model Context Protocol: the caller has one seat, a player the other."""
