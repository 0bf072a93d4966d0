"""Analysis of recorded games: winning chance lost by each decision, luck of each side, profiles."""
