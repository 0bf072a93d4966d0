"""Play at the terminal: display, questions and input."""
