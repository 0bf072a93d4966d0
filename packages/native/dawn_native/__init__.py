"""The engine compiled ahead: the list of exported functions, builds of targets, interfaces for C and JavaScript."""
