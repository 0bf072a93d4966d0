"""A tournament: a schedule played into a store, from wherever an earlier run of it was cut off."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations
from operator import attrgetter

from dawn_agents.players.external.secret_keys import secret_seed
from dawn_agents.tournaments.entrants import Entrant, Pair, meeting
from dawn_agents.tournaments.match import Outcome
from dawn_agents.tournaments.pair_runner import introduce, make_chunks, play_chunks
from dawn_agents.tournaments.rating.luck_correction import is_measured
from dawn_agents.tournaments.rating.pair_results import pair_results
from dawn_agents.tournaments.rating.sprt import Sprt
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.work.executor import Executor
from dawn_env.support.safe_text import escape_text

FORMATS = ("round-robin", "gauntlet")


@dataclass(frozen=True)
class Plan:
    """Tournament plan: the ``form`` (one of ``FORMATS``), ``pairs`` per meeting, ``label`` as of ``meeting``."""

    entrants: Sequence[Entrant]
    form: str = "round-robin"
    pairs: int = 100
    seed: int = 0
    label: str = ""

    @property
    def names(self) -> list[str]:
        """The players."""
        return [entrant.name for entrant in self.entrants]

    @property
    def games(self) -> int:
        """Number of games."""
        return 2 * sum(pairs for *_, pairs in self.meetings)

    @property
    def meetings(self) -> list[tuple[str, str, int]]:
        """Two players and their pairs; in a gauntlet the first meets all others."""
        first, *others = self.names
        couples = combinations(self.names, 2) if self.form == "round-robin" else ((first, other) for other in others)
        return [(one, two, self.pairs) for one, two in couples]

    def schedule(self, store: ResultDatabase) -> Iterator[list[Pair]]:
        """Rounds of the plan, each asked for when the ones before it have been played: here one with all pairs.

        Pairs of a player from outside have deals that depend on the key in ``store``.
        """
        deal = self._dealer(store)
        pairs = (meeting(one, two, range(count), self.seed, self.label) for one, two, count in self.meetings)
        yield [deal(pair) for of_two in pairs for pair in of_two]

    def results(self, store: ResultDatabase) -> list[Outcome]:
        """Games of the plan that are in ``store``, without their actions."""
        return store.games(pair for pairs in self.schedule(store) for pair in pairs)

    def _dealer(self, store: ResultDatabase) -> Callable[[Pair], Pair]:
        """Gives a pair its deal. That of a player from outside depends on the key in ``store``."""
        outside = {entrant.name for entrant in self.entrants if entrant.is_external}
        if not outside:
            return lambda pair: pair
        key = store.key()

        def deal(pair: Pair) -> Pair:
            public = outside.isdisjoint((pair.one, pair.two))
            return pair if public else replace(pair, seed=secret_seed(key, pair.seed))

        return deal


def play(
    plan: Plan, store: ResultDatabase, executor: Executor, sprt: Sprt | None = None, with_luck: bool = True
) -> Iterator[list[Outcome]]:
    """Play what is missing; yields games as they are stored, first of all those that were there already.

    ``with_luck``: whether that of every game that is played is measured, where it can be.

    ``sprt`` counts the pairs of the first player in the order of the schedule, so that its verdict depends
    neither on the ``executor`` nor on which games take long; play ends with it. Raises ``BadInput`` before the first
    game if a program cannot be started or does not introduce itself, ``StoreError``, ``ExecutorError`` and
    ``WorkerDied``.
    """
    if programs := [entrant for entrant in plan.entrants if entrant.is_external]:
        declared = executor.done(introduce, programs, in_order=True, outside=attrgetter("is_external"))
        store.declare({program.name: text for program, text in zip(programs, declared, strict=True) if text})
    store.add_players(plan.entrants)
    with_luck = with_luck and is_measured(store.options)
    entrants = {entrant.name: entrant for entrant in plan.entrants}
    for pairs in plan.schedule(store):
        kept = store.games(pairs)
        yield kept
        played = {(game.seed, game.seat) for game in kept}
        waiting, uncounted = deque(pairs), [*kept]
        chunks = list(make_chunks(pairs, entrants, executor.size, store.options, played, with_luck))
        with closing(play_chunks(chunks, executor)) as playing:
            while not (sprt and _decided(sprt, waiting, uncounted)) and (ended := next(playing, None)):
                store.add(ended)
                games = [outcome._replace(actions=()) for outcome in ended]
                uncounted += games if sprt else ()
                yield games


def _decided(sprt: Sprt, waiting: deque[Pair], games: list[Outcome]) -> bool:
    """Hand a test the results of the ``waiting`` pairs, each when all before it are there, and drop them and their
    ``games``; True once it has ended, with the number of pairs that it did not count."""
    results, counted = pair_results(games), set()
    while not sprt.accepted and waiting and waiting[0].seed in results:
        pair = waiting.popleft()
        sprt.add(results[pair.seed].seen_by(pair.one).points)
        counted.add(pair.seed)
    games[:] = [game for game in games if game.seed not in counted]
    sprt.uncounted = len(results) - len(counted) if sprt.accepted else 0
    return sprt.accepted != ""


def tell_edited(store: ResultDatabase) -> None:
    """Say which players have been edited under the same version, each once."""
    for name in sorted(store.edited):
        print(
            f"{escape_text(name)} has been edited since its first games in {escape_text(store.path)}, under the same "
            "version: all count as its own; give it another version, or name another database"
        )
    store.edited.clear()
