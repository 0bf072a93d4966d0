"""Scores of players in a task: games against its opponents, from both seats on paired deals, kept in a database.

The deals follow from the task, the number of the training seed, the checkpoint and the way of playing alone, neither
from the names of files nor from how the games are spread over processes.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dawn_agents.tournaments.costs import total_costs
from dawn_agents.tournaments.entrants import Entrant, enter_one
from dawn_agents.tournaments.match import Outcome
from dawn_agents.tournaments.rating.estimates import Estimate, beyond, score_of
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.strength import adaptive_plan
from dawn_agents.tournaments.strength.adaptive_plan import AdaptivePlan
from dawn_agents.tournaments.strength.rating_scale import read_scale
from dawn_agents.tournaments.strength.strength_estimate import Goal, StrengthEstimate
from dawn_agents.tournaments.tournament_plan import Plan, play, tell_edited
from dawn_agents.training.suite.task_declarations import Task
from dawn_agents.work.executor import Executor
from dawn_env.errors import BadInput
from dawn_env.support.progress_bars import ProgressBar
from dawn_env.tables import SIDE_NAMES, SIDES

_PRECISION = 1.0  # Elo, which no evaluation reaches: every one plays all its games
TOLERANCE = 1.2
"""Times the thinking time of a task that a mean decision may take."""


def score(task: Task, player: str, label: str, games: int, folder: Path, executor: Executor) -> dict[str, Any]:
    """Play what is missing of the ``games`` of a player, kept in a database of their own in ``folder``; its scores.

    The deals follow from the ``label``. Raises ``BadInput`` where an opponent of the task cannot be played.
    """
    with ResultDatabase.create(folder / f"{label.replace(' ', '-')}.db", task.options) as store:
        store.key(task.label)  # the deals of programs follow from the task, too
        entrant = enter_one(player)
        plan = _plan(task, entrant, f"{task.label} {label}", games)
        with ProgressBar(f"{task.name} {label}", games, "games", keep=False) as gauge:
            for ended in play(plan, store, executor, with_luck=False):
                gauge.update(len(ended))
        tell_edited(store)
        if isinstance(plan, AdaptivePlan):
            played = plan.evaluation.played
            fields = _ratings(plan.evaluation)
        else:
            played = plan.results(store)
            fields = _percentages(played, plan, task.baseline)
    return fields | _costs(played, entrant.name) | (_in_words(played, entrant.name) if task.language else {})


def _plan(task: Task, player: Entrant, label: str, games: int) -> Plan:
    if task.score == "percent":
        opponent = enter_one(task.opponents[0])
        if opponent.name == player.name:
            raise BadInput(f"{player.name} is the opponent of {task.name} and cannot be scored there")
        return Plan([player, opponent], pairs=games // 2, seed=task.evaluation_seed, label=label)
    scale, opponents, problems = adaptive_plan.opponents(read_scale().of(task.opponents), player, 0)
    if problems:
        raise BadInput(f"{task.name}: its opponents must be those of the scale: {'; '.join(problems)}")
    goal, evaluation = Goal(_PRECISION, games), StrengthEstimate(scale)
    return AdaptivePlan([player, *opponents], seed=task.evaluation_seed, label=label, evaluation=evaluation, goal=goal)


def _ratings(evaluation: StrengthEstimate) -> dict[str, Any]:
    """Ratings on the standing scale, in all and by side."""
    both, *by_side = (estimate.known("value") for estimate in evaluation.rated())
    met = Counter(name for game in evaluation.played for name in game.players)
    opponents = [
        {"name": rung.name, "version": rung.version, "games": met[rung.name]}
        for rung in evaluation.scale.rungs
        if met[rung.name]
    ]
    return both | dict(zip(SIDE_NAMES, by_side, strict=True)) | {"opponents": opponents}


def _percentages(games: Sequence[Outcome], plan: Plan, baseline: float) -> dict[str, Any]:
    """Percentages of the points, in all and by side."""
    player, opponent = plan.entrants
    shares = [[game.points[side] for game in games if game.players[side] == player.name] for side in range(SIDES)]
    percentages = _percentage([*shares[0], *shares[1]], baseline)
    percentages |= {side: _percentage(mine, baseline) for side, mine in zip(SIDE_NAMES, shares, strict=True)}
    return percentages | {"opponents": [{"name": opponent.name, "version": opponent.version, "games": len(games)}]}


def _percentage(shares: list[float], baseline: float) -> dict[str, Any]:
    score = score_of(shares)
    ends = (100 * number - baseline for number in (score.rate, *score.interval()))
    return Estimate(*ends, beyond(score.rate)).known("value")


def _costs(games: Sequence[Outcome], player: str) -> dict[str, Any]:
    """Games, forfeits, and milliseconds of thinking a decision."""
    seconds = moves = 0.0
    for game in games:
        for side, name in enumerate(game.players):
            if name == player:
                seconds, moves = seconds + game.seconds[side], moves + game.moves[side]
    forfeits = sum(game.forfeited_by == player for game in games)
    return {"games": len(games), "forfeits": forfeits, "milliseconds": 1000 * seconds / max(1.0, moves)}


def _in_words(games: Sequence[Outcome], player: str) -> dict[str, Any]:
    """Share of the answers that were legal, and tokens read and written a decision, None where they are not counted."""
    costs = total_costs(games, player)
    moves = sum(game.moves[side] for game in games for side, name in enumerate(game.players) if name == player)
    tokens = [costs[name] for name in ("input_tokens", "output_tokens") if name in costs]
    legal = moves / max(1, moves + costs.get("illegal_answers", 0))
    return {"legal": legal, "tokens": sum(tokens) / max(1, moves) if tokens else None}
