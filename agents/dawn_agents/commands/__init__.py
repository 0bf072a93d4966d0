"""Commands of ``dawn``, one module each, with ``make_parser`` and with ``main``, which returns the exit status."""
