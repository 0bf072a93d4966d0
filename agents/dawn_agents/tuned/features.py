"""Features of corrections, besides the side, the action, the decision and its source."""

from dawn_env.observation import SLICES

DECISION, SOURCE = SLICES["decision"], SLICES["source"]
KINDS, SOURCES = (part.stop - part.start for part in (DECISION, SOURCE))
"""Kinds of decisions, and what is being resolved or carried out; one row more stands for nothing."""

EVERYWHERE = {"turn": 0.1, "round": 0.12, "phasing": 1.0, "vp": 0.05, "left": 0.25, "value": 0.25}
"""Numbers of an observation that count for every action, and factors that bring them to a size of about one."""
THERE = {"my_support": 0.3, "their_support": 0.3, "control": 0.3, "reach": 0.3}
"""Planes that count for actions that are spaces, at that space."""
