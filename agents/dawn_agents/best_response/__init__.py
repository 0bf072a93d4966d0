"""Best responses: how far a fixed player can be exploited, found by training a policy against it."""
