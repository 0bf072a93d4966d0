"""A benchmark suite for learners: fixed tasks with budgets, fixed opponents, scores with intervals, one report.

``run_task`` trains and scores an agent, ``score_players`` scores players that were trained elsewhere,
``suite_report`` compares results; ``docs/how-to/suite.md`` describes tasks, protocol and files.
"""

from dawn_agents.suite.task_declarations import TASKS, Task, task_called

__all__ = ["TASKS", "Task", "task_called"]
