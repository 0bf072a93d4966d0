"""Ctrl-C that ends training in order."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def first_interrupt(heed: Callable[[], None]) -> Iterator[None]:
    """Call ``heed`` on the first Ctrl-C in the block; a second ends it at once."""

    def once(*_):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        heed()

    before = signal.signal(signal.SIGINT, once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
