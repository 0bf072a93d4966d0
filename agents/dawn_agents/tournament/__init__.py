"""Tournaments: schedules, results, ratings and reports."""
