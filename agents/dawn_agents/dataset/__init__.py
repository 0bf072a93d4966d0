"""Datasets of recorded decisions for learning without an environment (``docs/suite.md``)."""
