"""Everything that learns: learners and their runs, datasets of decisions, the benchmark suite.

A run (``training_loop``) lets a learner (``learner.LEARNERS``) play, measures it and keeps its policies.
"""
