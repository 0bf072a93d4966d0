"""Ctrl-C put off while it would do harm, as is another signal that the handler of Ctrl-C is called for."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_blocks: list[tuple[list[int], object]] = []  # that the main thread is in: signals that wait, the handler before


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextmanager
def defer_sigint() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block, or for the next ``heed_deferred`` in it."""
    before = signal.getsignal(signal.SIGINT)
    if before is None or not _in_main_thread():
        yield  # Ctrl-C comes to the main thread only; a handler that is not Python's cannot be put back
        return
    waiting: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: waiting.append(number))
    _blocks.append((waiting, before))
    try:
        yield
    finally:
        _blocks.pop()
        signal.signal(signal.SIGINT, before)
        if waiting:
            signal.raise_signal(waiting[0])


def heed_deferred() -> None:
    """Raise now for a Ctrl-C that waits for the end of the innermost block."""
    if not _blocks or not _blocks[-1][0] or not _in_main_thread():
        return
    waiting, before = _blocks[-1]
    number = waiting[0]
    waiting.clear()
    deferring = signal.signal(signal.SIGINT, before)
    try:
        signal.raise_signal(number)
    finally:
        signal.signal(signal.SIGINT, deferring)
