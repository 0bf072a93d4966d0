"""Commands of ``dawn``, a module each: ``make_parser``, and ``main``, which returns an exit status."""
