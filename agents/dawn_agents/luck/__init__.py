"""Luck of results: chance resampled, valued by winning chances, and removed from scores."""
