"""A player that improves on the rule-based one by simulations of its choices: a race of them, or a tree."""
