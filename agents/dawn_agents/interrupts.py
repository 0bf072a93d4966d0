"""Ctrl-C where it does no harm."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C waits for the end of the block, so that what belongs together is done together."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C comes to the main thread only
        return
    noted: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if noted:
        signal.raise_signal(signal.SIGINT)


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
