"""Strength of players: the standing scale of ratings by side, and evaluations of one player on it."""
