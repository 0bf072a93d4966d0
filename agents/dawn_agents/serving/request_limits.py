"""Checks of requests: origin, size and number."""

import logging
import socket
import time
from collections.abc import Iterable, Mapping
from ipaddress import ip_address

from dawn_env.support.safe_text import escape_text, short_repr

MOST_MESSAGE = 4096
"""Bytes of a message from a page."""
MOST_UPLOAD = 64 * 2**20
"""Bytes of a file that is opened."""

_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
_ELSEWHERE = "192.0.2.1"  # an address of no machine (RFC 5737)
_PEOPLE = 1000  # whose requests are remembered
_LONGEST_ADDRESS = 64  # characters in a log line


def is_loopback(address: str) -> bool:
    """Return True for an address of programs on this machine."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def host_name(host: str) -> str:
    """The name in a ``Host`` header, in small letters, without the port."""
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return name.lower().removesuffix(".")


def machine_address() -> str:
    """Address of this machine in its network, or its name without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ELSEWHERE, 9))  # sends nothing: it only chooses the address that leads there
            return probe.getsockname()[0]
        except OSError:
            return socket.gethostname()


class Gate:
    """Refuses what other pages in the same browser might send: foreign origins, and foreign names of this machine."""

    def __init__(self, local: bool, names: Iterable[str] = ()):
        """``local``: the server listens on this machine only. ``names``: by which it may be asked besides its own.

        Its own are ``localhost`` and, unless ``local``, the names of the machine and the address of the connection.
        Pages of ``names`` may ask by any name of the server, since a proxy in front may change the name.
        """
        own = () if local else (socket.gethostname(), socket.getfqdn())
        self._local, self._pages = local, {*map(str.lower, names)}
        self._names = {*_LOCAL_NAMES, *map(str.lower, own), *self._pages}

    def problem(self, headers: Mapping[str, str], reached: str) -> str:
        """The reason why a request with these headers is refused; empty when it is not.

        ``reached``: the address of this machine to which it came.
        """
        host, origin = headers.get("host", ""), headers.get("origin")
        if host_name(host) not in self._names and (self._local or host_name(host) != reached):
            names = ", ".join(sorted(self._names))
            return f"{short_repr(host)}: this server answers to {names}; others are named by --allow-host"
        page = host if origin is None else origin.partition("://")[2]
        if page != host and host_name(page) not in self._pages:
            problem = f"a request from a page of another server: of {short_repr(origin)} to {short_repr(host)}"
            return f"{problem}; a proxy passes the header Host on, or --allow-host names the page's host"
        return ""

    def address(self) -> str | None:
        """The machine's address for links to others; None where only this machine is answered."""
        return None if self._local else machine_address()


class RateLimit:
    """Allows ``burst`` requests at once from each address, and ``rate`` a second on average.

    The addresses that were unseen for longest are forgotten.
    """

    def __init__(self, rate: float, burst: int):
        self._rate, self._burst = rate, burst
        self._left: dict[str, tuple[float, float]] = {}  # requests, and when; the latest address last

    def take(self, address: str = "") -> bool:
        """Return True if one more from there is allowed now."""
        now = time.monotonic()
        left, at = self._left.pop(address, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._rate)
        self._left[address] = left - (left >= 1), now
        if len(self._left) > _PEOPLE:
            del self._left[next(iter(self._left))]
        return left >= 1


class RefusalLog:
    """Logs refusals: for each kind and address one line an hour, and in all 100 at once, then one every 10 seconds."""

    def __init__(self, logger: str):
        """``logger``: its name."""
        self._logger = logging.getLogger(logger)
        self._each, self._all = RateLimit(1 / 3600, 1), RateLimit(0.1, 100)

    def log(self, kind: int, address: str, text: str) -> None:
        """Log a refusal of ``kind``, a status; ``text`` must contain no secret, such as the link of a seat."""
        if self._each.take(f"{kind} {address}") and self._all.take():
            self._logger.warning("refused %s (%s): %s", escape_text(address[:_LONGEST_ADDRESS]), kind, text)
