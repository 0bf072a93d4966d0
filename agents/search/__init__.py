"""A player that searches a tree of positions dealt anew."""
