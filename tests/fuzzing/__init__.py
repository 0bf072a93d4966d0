"""Mutated input for everything that reads foreign files and states: a clear error or a legal game, nothing else."""
