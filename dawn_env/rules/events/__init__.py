"""The interpreter of event programs."""
