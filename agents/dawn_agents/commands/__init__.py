"""Commands of ``dawn``, a module each: ``make_parser``, ``parse`` and ``main``, which returns an exit status."""
