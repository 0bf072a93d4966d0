"""Values of positions after a move (afterstates): inputs, network, lookahead, and TD(lambda) learning by self-play."""
