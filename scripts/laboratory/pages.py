"""Pages of the documentation that show what was measured; ``make docs`` writes them."""

from collections.abc import Sequence
from pathlib import Path

from dawn_agents.tournaments.rating.estimates import Estimate
from dawn_agents.tournaments.strength.rating_scale import YARDSTICK, ZERO, Scale
from dawn_agents.training.suite.result_files import read_result
from dawn_agents.training.suite.suite_page import curves_plot
from dawn_agents.training.suite.suite_report import by_task, markdown

from scripts.laboratory.figures import table
from scripts.laboratory.measure_balance import Balance

_LADDER = """\
Graded opponents from `{zero}` to the strongest player, rated by side: the standing scale. `dawn evaluate`
measures others on it ([How strong is my bot?](../how-to/tournaments.md#how-strong-is-my-bot)).
`agents/dawn_agents/tournaments/strength/scale.json` has all of this;
`dawn_agents.tournaments.strength.rating_scale` reads it.

<!-- not run: hours -->
```
.venv/bin/{command}
```

* Elo, `{zero}` being 0 on either side, from {games:,} games ({date}). The intervals of 95 % are those of the distance
  from `{yardstick}`, the yardstick, whose rating counts as exact
  ([How strong is my bot?](../how-to/tournaments.md#how-strong-is-my-bot) has the model).
* Everybody plays the next player and, half as often, the next but one; in each pair of games both play the same deal.
* `step`: from the player before, in the mean of both sides, as Democrat, as Communist.

"""

_LEVELS = """
The levels of `heuristic` make errors ([Players](../how-to/players.md)); `pretrained` are the networks that come with
the project ([The strong players](../explanation/policies.md)), once drawing their actions at a temperature of 3, and
`distilled` the same networks, fine-tuned; `search` has 200 simulations.

## Meetings

Points of the first in the games of each meeting.

"""

_BALANCE = """\
Points of each player as Democrat in games against itself, when one side gets support points after the set-up
(`--extra-support`, rule 13.0). From {games:,} games ({date}):

<!-- not run: hours -->
```
.venv/bin/{command}
```

![share of the Democrat by support points](../images/balance.svg)

* `Elo of the Democrat`: their advantage in the standard game. `Elo a point`: what a support point is worth.
* `fair`: points for the Democrat, below 0 for the Communist, with which the game is even, by a logistic function of the
  points that is fitted to all games. The interval of 95 % holds the points with which an even game is not too unlikely
  (twice the logarithm of the likelihood falls by at most 3.84). ≤ and ≥ mark the ends of what was tried.
* `fair bid`: the same in whole points, as the bid of rule 13.0 has them: a side to give away, and support points for
  it. It makes both sides equally good. Players offer it by default (`dawn_env.bids.BALANCE`; those that have not been
  measured offer 0 for the Democrat).

"""


def ladder_page(scale: Scale) -> str:
    """Text of docs/reference/ladder.md, without its heading."""
    games = sum(rung.games for rung in scale.rungs) // 2
    facts = {"zero": ZERO, "yardstick": YARDSTICK, "games": games} | scale.origin
    text = _LADDER.format(**facts)
    header = ["player", "Elo", "as Democrat", "as Communist", "step", "games", "ms a game"]
    rungs, meetings = table(header, _rungs(scale), numbers=True), table(_MEETINGS, _meetings(scale), numbers=True)
    return text + rungs + _LEVELS + meetings


def _rungs(scale: Scale) -> list[list[object]]:
    rows, below = [], None
    for rung in scale.rungs:
        rated = scale.ratings()[rung.name]
        step = " ".join(f"{above.value - under.value:+.0f}" for above, under in zip(rated, below or (), strict=False))
        cells = [f"`{rung.name}`", *map(Estimate.text, rated), step, rung.games, f"{1000 * rung.seconds:.3g}"]
        rows, below = [*rows, cells], rated
    return rows


_MEETINGS = ["meeting", "pairs", "points", "as Democrat", "as Communist"]


def _meetings(scale: Scale) -> list[list[object]]:
    place = {name: number for number, name in enumerate(scale.names)}
    meetings = sorted(scale.origin["meetings"], key=lambda met: sorted(place[met[who]] for who in ("one", "two")))
    return [_meeting(met, place) for met in meetings]


def _meeting(met: dict, place: dict[str, int]) -> list[object]:
    """The stronger of the two comes first."""
    one, two, cells = met["one"], met["two"], met["pairs"]
    pairs = sum(map(sum, cells))
    democrat = sum(half / 2 * sum(row) for half, row in enumerate(cells)) / pairs
    communist = sum(half / 2 * number for row in cells for half, number in enumerate(row)) / pairs
    if place[one] < place[two]:
        one, two, democrat, communist = two, one, 1 - communist, 1 - democrat
    shares = [f"{share:.1%}" for share in ((democrat + communist) / 2, democrat, communist)]
    return [f"`{one}` against `{two}`", pairs, *shares]


def balance_page(told: dict, balances: Sequence[Balance]) -> str:
    """Text of docs/reference/balance.md, without its heading."""
    games = sum(balance.games for balance in balances)
    text = _BALANCE.format(games=games, date=told["date"], command=told["command"])
    header = ["player", "games", "Elo of the Democrat", "Elo a point", "fair", "interval", "fair bid"]
    text += table(header, [_balance(balance) for balance in balances], numbers=True)
    points = sorted({points for balance in balances for points in balance.tallies})
    text += "\n## Share of the Democrat, by support points\n\n"
    shares = [_shares(balance, points) for balance in balances]
    return text + table(["player", *(f"{number:+d}" for number in points)], shares, numbers=True)


def _balance(balance: Balance) -> list[object]:
    fitted = [f"{balance.advantage:+.0f}", f"{balance.worth:+.1f}", f"{balance.fair:+.1f}", balance.range]
    return [f"`{balance.name}`", balance.games, *fitted, str(balance.offer)]


def _shares(balance: Balance, points: Sequence[int]) -> list[str]:
    scores = balance.scores
    return [f"`{balance.name}`", *(f"{scores[number].rate:.1%}" if number in scores else "" for number in points)]


_RESULTS = """\
Scores in the tasks of [Is my learner good?](../how-to/suite.md), which has the commands that made them. The results are
the files in `docs/suite/results`. Where there are fewer training seeds than three, the tables say so, and the intervals
are those of the games of evaluation alone. Tasks that are missing have no reference results yet. Each file names the
measurement of the scale that it was scored on; no rating of a level moved by more than 21 Elo between those of 23 and
26 November 2026.

Curves: solid lines as the agent samples, dashed greedy, dotted players that did not learn; the bands are intervals of
95 %.
"""


def results_page(folder: Path) -> tuple[str, dict[Path, str]]:
    """Return the body of docs/reference/suite-results.md and its pictures by path, from the results in ``folder``."""
    results = [read_result(path) for path in sorted((folder / "results").glob("*.json"))]
    parts, curves = [_RESULTS], {}
    for those in by_task(results).values():
        task = those[0]["task"] + ("-looking-ahead" if those[0]["looks_ahead"] else "")
        parts.append(markdown(those))
        if plot := curves_plot(those):
            curves[folder / f"{task}.svg"] = str(plot)
            parts.append(f"![Learning curves of {task}](../suite/{task}.svg)\n")
    return "\n".join(parts), curves
