"""What keeps strangers out: whose requests are answered, how large and how many they may be."""

import time
from collections import OrderedDict
from collections.abc import Mapping

MOST_MESSAGE = 4096
"""Bytes of a message from a page."""
MOST_UPLOAD = 64 * 2**20
"""Bytes of a file that is opened."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PEOPLE = 1000  # whose buckets are remembered


def host_name(host: str) -> str:
    """The name in a ``Host`` header, without the port."""
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


class Gate:
    """Refuses what other pages in the same browser might send: foreign origins, and foreign names of this machine."""

    def __init__(self, local: bool):
        """``local``: the server listens on this machine only, so it has to be asked by a name of this machine."""
        self._local = local

    def problem(self, headers: Mapping[str, str]) -> str:
        """Why a request with these headers is refused; empty when it is not."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if self._local and host_name(host) not in _LOOPBACK:
            return "this server answers to localhost and 127.0.0.1"
        if origin is not None and origin.partition("://")[2] != host:
            return "a request from a page of another server"
        return ""


class Bucket:
    """Allows ``burst`` requests at once, and ``rate`` a second on average."""

    def __init__(self, rate: float, burst: int):
        self._rate, self._burst = rate, burst
        self._left, self._at = float(burst), time.monotonic()

    def take(self, count: float = 1) -> bool:
        """Whether one more (or ``count``) is allowed now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < count:
            return False
        self._left -= count
        return True


class Buckets:
    """A bucket for each address; the longest unseen are forgotten."""

    def __init__(self, rate: float, burst: int):
        self._sizes, self._buckets = (rate, burst), OrderedDict()

    def take(self, address: str) -> bool:
        """Whether one more from there is allowed now."""
        bucket = self._buckets.setdefault(address, Bucket(*self._sizes))
        self._buckets.move_to_end(address)
        if len(self._buckets) > _PEOPLE:
            self._buckets.popitem(last=False)
        return bucket.take()
