"""Datasets of recorded decisions for learning without an environment (``docs/how-to/suite.md``)."""
