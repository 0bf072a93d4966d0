"""Checks of untrusted input: records, positions and settings."""
