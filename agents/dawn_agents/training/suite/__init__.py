"""A benchmark suite for learners: fixed tasks with budgets, fixed opponents, scores with intervals, one report.

``run_task`` trains and scores an agent, ``score_players`` scores players that were trained elsewhere,
``suite_report`` compares results; ``docs/how-to/suite.md`` describes tasks, protocol and files.
"""
