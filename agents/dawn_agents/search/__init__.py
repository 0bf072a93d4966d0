"""A player that improves on the rule-based one by simulations of its choices."""
