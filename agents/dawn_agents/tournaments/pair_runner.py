"""Running the pairs of a schedule on processes or a cluster; results come as soon as they are there."""

import atexit
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from operator import attrgetter

from dawn_agents.players.external.process_player import ProcessPlayer
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.entrants import Entrant, Pair
from dawn_agents.tournaments.match import Outcome, Pairing, play_games
from dawn_agents.tournaments.rating.luck_correction import luck
from dawn_agents.work.executor import Executor, WorkerDied
from dawn_env.errors import BadInput, PlayerFailure
from dawn_env.options import GameOptions
from dawn_env.players import Player

LARGEST_CHUNK = 64  # pairs that are played side by side
_CHUNKS_PER_WORKER = 4  # at least, so that no worker is idle for long at the end
_SMALL_CHUNK = 16  # pairs that are worth no parting while every worker has some
APART = 16
"""Pairs that begin between the two games of one, when a player from outside could remember the first of them."""


@dataclass(frozen=True)
class Chunk:
    """Games between the same two players, to be played side by side, and what to make the players from.

    ``seats``: which games of each pair; ``one`` is the Democrat in game 0, ``two`` in game 1. ``with_luck``: whether
    that of every game is measured.
    """

    pairs: tuple[Pair, ...]
    one: Entrant
    two: Entrant
    options: GameOptions
    seats: tuple[int, ...] = (0, 1)
    with_luck: bool = False

    @property
    def is_external(self) -> bool:
        """Return True if a player from outside takes part."""
        return self.one.is_external or self.two.is_external


def play_chunks(chunks: Sequence[Chunk], executor: Executor) -> Iterator[list[Outcome]]:
    """Play ``chunks`` in an executor; yields one or more games as they end. Closing the iterator ends what is being
    played. Raises ``WorkerDied``, naming the players, and ``ExecutorError``."""
    try:
        yield from executor.done(play_chunk, chunks, outside=attrgetter("is_external"))
    except WorkerDied as error:
        games = " or ".join(dict.fromkeys(f"{chunk.one.name} against {chunk.two.name}" for chunk in error.tasks))
        raise WorkerDied(
            f"{error}, in a game of {games}; if a player ended it, leave that player out or enter it as a program "
            "(process:COMMAND)"
        ) from error


def make_chunks(
    pairs: Sequence[Pair],
    entrants: Mapping[str, Entrant],
    workers: int,
    options: GameOptions,
    played: Container[tuple[int, str]] = (),
    with_luck: bool = False,
) -> Iterator[Chunk]:
    """``pairs`` in pieces that keep so many workers busy, those of players from outside game by game, but for the games
    that are ``played`` (seed, ``seat``).

    Both games of a pair are in one chunk, unless an external player takes part. ``entrants`` by name.
    Players of many games are faster with many; one that thinks about each position gains nothing, and
    results that come one by one lose less when the run is cut off.
    """
    missing = [pair for pair in pairs if any((pair.seed, name) not in played for name in (pair.one, pair.two))]
    small = min(_SMALL_CHUNK, -(-len(missing) // workers))
    largest = max(1, small, min(LARGEST_CHUNK, len(missing) // (workers * _CHUNKS_PER_WORKER)))
    meetings: dict[tuple[str, str], list[Pair]] = {}
    outside = []
    for pair in missing:
        alone = entrants[pair.one].is_external or entrants[pair.two].is_external
        (outside if alone else meetings.setdefault((pair.one, pair.two), [])).append(pair)
    for pair, seat in _apart(outside):
        if (pair.seed, (pair.one, pair.two)[seat]) not in played:
            yield Chunk((pair,), entrants[pair.one], entrants[pair.two], options, (seat,), with_luck)
    for (one, two), theirs in meetings.items():
        first, second = entrants[one], entrants[two]
        size = largest if first.batch and second.batch else 1
        for start in range(0, len(theirs), size):
            yield Chunk(tuple(theirs[start : start + size]), first, second, options, with_luck=with_luck)


def _apart(pairs: Sequence[Pair]) -> list[tuple[Pair, int]]:
    """The games of ``pairs``, 0 and 1 of each, with others between the two as far as there are any."""
    turns = [(number + APART * game, pair, game) for number, pair in enumerate(pairs) for game in (0, 1)]
    return [(pair, game) for _, pair, game in sorted(turns, key=lambda turn: turn[0])]


def play_chunk(chunk: Chunk) -> list[Outcome]:
    """All games of a chunk."""
    with _seated(chunk.one) as one, _seated(chunk.two) as two:
        sides = ((one, two), (two, one))
        pairings = [Pairing(pair.seed, *sides[seat]) for pair in chunk.pairs for seat in chunk.seats]
        outcomes = [outcome for _, outcome in play_games(pairings, options=chunk.options)]
        if chunk.with_luck:
            outcomes = [game._replace(luck=luck(game.seed, game.actions, chunk.options)) for game in outcomes]
        return outcomes


def introduce(entrant: Entrant) -> str:
    """Start a program; the name and version that it declares. Raises ``BadInput`` if it cannot be started."""
    with _seated(entrant) as player:
        try:
            if isinstance(player, ProcessPlayer):
                player.start_program()
        except PlayerFailure as failure:
            raise BadInput(f"player {failure}") from failure
        return player.declared


@contextmanager
def _seated(entrant: Entrant) -> Iterator[Player]:
    """An entrant as a player. One from outside is made anew, so that it has no memory of earlier games."""
    if not entrant.is_external:
        yield _kept_player(entrant.name, entrant.seed)
        return
    with closing(make_player(entrant.name, entrant.seed)) as player:
        yield player


@cache
def _kept_player(name: str, seed: int) -> Player:
    """A player that lives as long as the process: to load one may take long."""
    player = make_player(name, seed)
    atexit.register(player.close)
    return player
