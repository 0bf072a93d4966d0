"""Files: game records and positions, read, written, told; JSON from outside."""
