"""Compiled draws of opponents and seats, and the tally of games that ended, for ``LearnerGames``."""

from dawn_env.host.host_loop import EXTERNAL
from dawn_env.state import Result
from dawn_env.support.compiling import entry
from dawn_env.support.hashing import mixed_word
from dawn_env.support.seeds import next_seed
from dawn_env.tables import DEMOCRAT

_SIDE_DRAW, _OPPONENT_DRAW = 0x1E3779B97F4A7C15, 0x3C6EF372FE94F82A
COUNTS = ("games", "wins", "draws", "losses", "vp", "decisions")
"""Counts of games that are over; ``vp`` are the learner's."""
_GAMES, _DRAWS, _VP, _DECISIONS = (COUNTS.index(name) for name in ("games", "draws", "vp", "decisions"))


@entry
def draw_seats(seeds, side, bounds, pool, seated):
    """Write who sits where in games from ``seeds`` int64 [K] into ``seated`` int64 [K, 2], by seat.

    The learner sits at ``side``, or where the seed says for -1; the opponent is drawn from ``pool`` int64 [P], numbers
    of players, by the ``bounds`` float64 [P - 1] of their shares in 0 ... 1.
    """
    for i in range(len(seeds)):
        seed, which = int(seeds[i]), 0
        at = float(mixed_word(seed + _OPPONENT_DRAW)) / 2.0**64
        while which < len(bounds) and bounds[which] <= at:
            which += 1
        drawn = 1 if mixed_word(seed + _SIDE_DRAW) >> 63 else 0
        learner = drawn if side < 0 else side
        seated[i, learner], seated[i, 1 - learner] = EXTERNAL, pool[which]


@entry
def collect_ended(endings, ended, rewards, final_sides, counts, states, rows, seeds):
    """Reward the learner in games that have ended, and count them; returns their number.

    ``endings`` ENDING [n], ``ended`` bool [n], ``rewards`` float32 [n], ``final_sides`` int64 [n], ``counts`` int64
    [P, 2, len(COUNTS)] by opponent and side. Writes where they ended and the seeds that follow those of ``states`` into
    the first of ``rows`` and ``seeds`` int64 [n].
    """
    found = 0
    for row in range(len(ended)):
        rewards[row] = 0
        if ended[row]:
            ending = endings[row]
            learner = 0 if ending.seated[0] == EXTERNAL else 1
            side = learner ^ ending.swapped
            sign = 1 if side == DEMOCRAT else -1
            outcome = sign * (int(ending.result == Result.DEMOCRAT) - int(ending.result == Result.COMMUNIST))
            rewards[row], final_sides[row] = outcome, side
            tally = counts[ending.seated[1 - learner], side]
            tally[_GAMES] += 1
            tally[_DRAWS - outcome] += 1  # or the one before it, which are wins, or after it
            tally[_VP] += sign * ending.vp
            tally[_DECISIONS] += ending.length
            rows[found], seeds[found] = row, next_seed(int(states[row].seed))
            found += 1
    return found
