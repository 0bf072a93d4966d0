"""Listening sockets, limits of connections and requests, and the log of refusals, for the board and for bots."""
