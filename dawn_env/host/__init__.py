"""Players playing games: the host, its compiled loops and random games in bulk."""
