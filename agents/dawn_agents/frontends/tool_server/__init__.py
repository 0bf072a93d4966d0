"""The game as tools of the Model Context Protocol: one seat for whoever calls them, a player at the other."""
