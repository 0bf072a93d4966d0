"""Family mode by rules of thumb: what a board is worth, and what each action would change of that."""
