"""The rule-based player: the standing yardstick. It reads one observation and scores the legal actions."""
