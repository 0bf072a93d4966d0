"""The line at a terminal that says what is being compiled, for as long as that takes."""

import sys

_under_way: list[str] = []


def begin(name: str) -> None:
    """Say that ``name`` is being compiled now."""
    _under_way.append(name)
    _show()


def end(name: str) -> None:
    """Take ``name`` back, and show again what waited for it."""
    if name in _under_way:
        _under_way.remove(name)
        _show()


def _show() -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        what = f"dawn_env: compiling {_under_way[-1]} ..." if _under_way else ""
        print(f"\r{what}\033[K", end="", file=sys.stderr, flush=True)
