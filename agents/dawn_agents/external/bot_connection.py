"""Interface of a line connection to a program."""

from abc import ABC, abstractmethod

LONGEST_LINE = 1 << 20
"""Bytes of a line that a program may write."""


class LineTooLong(Exception):
    """The program wrote a line longer than ``LONGEST_LINE``."""


class Connection(ABC):
    """A conversation with a program; it ends, and the program with it, when the object or this process goes away."""

    @property
    @abstractmethod
    def running(self) -> bool:
        """Return True if the connection is open."""

    @property
    def stderr_tail(self) -> str:
        """The end of what the program has said besides the conversation."""
        return ""

    @property
    @abstractmethod
    def unread(self) -> str:
        """Output of the program that was not received."""

    @property
    def unfinished_line(self) -> str:
        """Output received since the last end of a line; empty for connections that send whole messages."""
        return ""

    @abstractmethod
    def send(self, line: str) -> None:
        """Send a line; does not wait for a program that does not read."""

    @abstractmethod
    def receive(self, seconds: float) -> str:
        """The next line, without its end; waits at most so long, and not at all for 0 or less.

        Raises ``TimeoutError``, ``EOFError`` when the program has ended the conversation, and ``LineTooLong``.
        """

    @abstractmethod
    def ending(self) -> str:
        """Describe how the program has ended the connection, after ``EOFError``."""

    @abstractmethod
    def end_input(self) -> None:
        """Say that nothing more will be sent, where that can be said."""

    @abstractmethod
    def stop(self, seconds: float = 0) -> int | None:
        """Give the program so long to end the conversation by itself, then end it, and the program if it was started
        for it. Its exit status, 0 where there is none to be had, if it did so by itself, else None."""
