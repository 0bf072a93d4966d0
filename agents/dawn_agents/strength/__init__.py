"""How strong a player is: the standing scale of ratings by side, and evaluations of one player on it."""
