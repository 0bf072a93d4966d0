"""Ctrl-C that ends training in order."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def first_interrupt(heed: Callable[[], None]) -> Iterator[None]:
    """In this block the first Ctrl-C calls ``heed``, and a second ends it at once."""

    def once(*_):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        heed()

    before = signal.signal(signal.SIGINT, once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
