"""A person at the terminal: what they see, are asked and may type."""
