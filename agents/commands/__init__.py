"""Command lines: each module has ``parse``, its arguments, and ``main``, which returns an exit status."""
