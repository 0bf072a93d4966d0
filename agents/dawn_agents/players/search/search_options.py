"""The options of a search, and the budget they allow."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from dawn_agents.players.sparse_player import SHIPPED_POLICIES
from dawn_agents.players.specification import BadSpec

GUIDES = "heuristic", *SHIPPED_POLICIES
"""Guides with a name; any other is a folder of ``democrat.zip`` and ``communist.zip``, networks of kind ``sparse``."""

_CHUNK = 2  # deals between two looks at the clock
_DEALS = 8  # deals between two looks at the simulations, when those are counted
_LEAST = {"sims": 1, "ms": 1, "plays": 1, "candidates": 1, "margin": 0, "doubt": 0}


@dataclass(frozen=True)
class Options:
    """Budget, horizon and breadth; with ``ms`` the answer depends on the speed of the machine too."""

    sims: int = 200
    """Simulations a decision at most, unless ``ms`` is given."""
    ms: int | None = None
    """Time limit of a decision in milliseconds; each round simulates two deals even if that takes longer."""
    plays: int = 3
    """Card plays of a simulation, the one in progress counted."""
    candidates: int = 16
    """Actions looked at, the best ones by the guide's scores."""
    margin: float | None = None
    """Victory points that a candidate may be below the best by the rules of thumb; by default 6, in family mode 2."""
    doubt: float = 1.0
    """Standard errors by which a candidate must be ahead of the guide's choice."""
    guide: str = "pretrained"
    """Who goes on in simulations, and whose choice the search departs from: one of ``GUIDES``, or a folder."""

    def __post_init__(self):
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise ValueError(f"{name}: at least {least}, not {value}")


def check_guide(name: str) -> None:
    """Raise ``BadSpec`` unless a guide has this name or there is such a folder."""
    if name not in GUIDES and not Path(name).is_dir():
        raise BadSpec(f"guide: {', '.join(GUIDES)} or a folder with two policies expected, not {name!r}")


class SearchProgress:
    """Search in progress, shared with other threads: its progress, and a request to answer soon."""

    def __init__(self):
        self.share: float | None = None
        """Of the budget that is spent, 0 ... 1; None between searches."""
        self.stop_thinking = Event()

    def __reduce__(self):
        return SearchProgress, ()  # copies of players are not in the midst of a search


class SearchBudget:
    """Simulations or time, divided evenly among rounds; once asked to answer soon, it spends little more."""

    def __init__(self, options: Options, progress: SearchProgress, rounds: int = 1):
        self._sims = options.sims // rounds
        self._seconds = options.ms / 1000 / rounds if options.ms else None
        self._start = self._end = time.monotonic()
        self._rounds, self._begun = rounds, 0
        self._progress = progress

    def spend(self, candidates: int = 1) -> Iterator[int]:
        """Numbers of deals to simulate one after the other in a round with so many candidates."""
        self._begun += 1
        return self._spend_sims(candidates) if self._seconds is None else self._spend_time(self._seconds)

    def _spend_sims(self, candidates: int) -> Iterator[int]:
        deals = max(1, self._sims // candidates)
        for done in range(0, deals, _DEALS):
            self._progress.share = (self._begun - 1 + done / deals) / self._rounds
            yield min(_DEALS, deals - done)
            if self._progress.stop_thinking.is_set():
                return

    def _spend_time(self, seconds: float) -> Iterator[int]:
        self._end += seconds
        while True:
            self._progress.share = min(1.0, (time.monotonic() - self._start) / (seconds * self._rounds))
            yield _CHUNK
            if time.monotonic() >= self._end or self._progress.stop_thinking.is_set():
                return
