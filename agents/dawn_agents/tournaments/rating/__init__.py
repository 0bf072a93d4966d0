"""Statistics of results: ratings, intervals, sequential tests and luck."""
