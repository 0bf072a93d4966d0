"""Networks that play one side, what they are given, and the files they are kept in."""
