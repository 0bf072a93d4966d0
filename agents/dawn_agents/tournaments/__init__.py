"""Games between players and what they tell: schedules, results, ratings, strength, reports."""
