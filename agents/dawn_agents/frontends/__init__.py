"""User interfaces: the board in the browser, the game at the terminal, analyses of recorded games."""
