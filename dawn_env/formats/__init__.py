"""Files: reading and writing game records and positions."""
