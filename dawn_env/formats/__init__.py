"""Files: reading, writing and narrating game records and positions; JSON from outside."""
