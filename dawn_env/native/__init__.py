"""The engine compiled ahead: one list of exported functions, a build for each target, and the C header."""
