"""The player that looks ahead with values of positions after a move."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from dawn_agents.players.afterstate.lookahead import (
    EVERYWHERE,
    SETTLE,
    STEP,
    Lookahead,
    choose_rows,
    deal_seeds,
    new_lookahead,
)
from dawn_agents.players.afterstate.value_files import SHIPPED, read_sides
from dawn_agents.players.choosing import check_game, file_version
from dawn_agents.players.search.rollout_policy import RolloutPolicy, guide_version
from dawn_env import engine
from dawn_env.errors import PlayerFailure
from dawn_env.observation.player_view import View, view_seed
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, STANDARD_LAYOUT, ViewLayout, layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.players import ViewPlayer
from dawn_env.state import new_states, put_states
from dawn_env.support.thread_pool import ThreadTeam, checked_threads
from dawn_env.tables import SIDE_NAMES, SIDES

MIX = (0.0, 0.6, 0.4, 0.0)
"""Weight of each head in a judgement: VP to come, discounted and not, since their mean errs less than either."""
_WON_VP = 20.0  # that a victory counts as, however it comes about
_LEAST_PREFERENCE = -8.0  # no action is beyond hope
DEPTHS = {"step": STEP, "settle": SETTLE, "everywhere": EVERYWHERE}
"""Values of ``depth`` in ``lookahead`` by the name of the option."""


def playing_lookahead(width: int, layout: ViewLayout, replies: bool) -> Lookahead:
    """Work space of ``lookahead`` with the weights of the heads that are best in play; ``replies``: the opponent
    answers before an action is judged."""
    work = new_lookahead(width, layout)
    work.mix[:], work.replies[:], work.won[:] = MIX, replies, _WON_VP
    return work


class ValuePlayer(ViewPlayer):
    """Tries every action on positions dealt anew and takes the one whose afterstate has the highest value."""

    version = "7"

    @dataclass(frozen=True, kw_only=True)
    class Options:
        """``depth``: where an action is judged: after one ``step``; once the card play is over, at choices of cards and
        of their use and in power struggles (``settle``), or at every decision (``everywhere``). ``deals``: deals of the
        hidden cards that every action is tried in; ``samples``: deals of the best ones where chance plays or the
        opponent answers. ``reply``: in deals beyond the first ``deals``, in power struggles in all deals, the opponent
        answers before an action is judged once the card play is over; it needs values of both sides. ``guide``: player
        whose scores count, too: ``heuristic``, ``pretrained``, ``distilled``, or a folder with two policies; ``trust``:
        victory points for each unit of them, which is one of log-probability or, of the rule-based player, a victory
        point. ``path``: a policy file, or a folder with ``democrat.zip`` and ``communist.zip``; the shipped ones if
        left out."""

        depth: Literal["step", "settle", "everywhere"] = "settle"
        deals: int = 3
        samples: int = 12
        reply: bool = True
        guide: str = "none"
        trust: float = 0.3
        path: str = field(default="", metadata={"rest": True})

        def __post_init__(self):
            if not 1 <= self.deals <= self.samples <= 1000:
                raise ValueError(f"deals and samples: 1 <= deals <= samples <= 1000, not {self.deals}, {self.samples}")
            if not 0 <= self.trust <= 1000:
                raise ValueError(f"trust: 0 ... 1000 victory points, not {self.trust}")

    def __init__(self, name: str = "value", seed: int = 0, options: Options | None = None):
        """Raises ``PolicyFileError`` for files that cannot be used."""
        options = options or self.Options()
        paths, weights, sides, layout = read_sides(Path(options.path) if options.path else SHIPPED)
        self._start(name, seed, options, weights, sides, layout)
        learnt = [*map(file_version, paths), *(guide_version(options.guide) if options.guide != "none" else ())]
        self.version = "+".join([type(self).version, *learnt])

    @classmethod
    def of(
        cls,
        name: str,
        weights: np.ndarray,
        sides: Sequence[int],
        seed: int = 0,
        threads: int | None = None,
        layout: ViewLayout = STANDARD_LAYOUT,
    ) -> "ValuePlayer":
        """A player of weights float32 [SIDES, ROWS, W] that plays ``sides`` of games of a ``layout``; weights that
        change while it plays take effect at once."""
        player = cls.__new__(cls)
        player._start(name, seed, cls.Options(), weights, sides, layout)
        player.threads = threads
        return player

    def _start(
        self, name: str, seed: int, options: Options, weights: np.ndarray, sides: Sequence[int], layout: ViewLayout
    ) -> None:
        told = {"depth": options.depth, "deals": options.deals, "samples": options.samples, "reply": options.reply}
        if options.guide != "none":
            told |= {"guide": options.guide, "trust": options.trust}
        super().__init__(name, seed, told)
        self._weights, self._sides, self._choosing, self._layout = weights, tuple(sides), options, layout
        self._idle: list[tuple] = []

    def __getstate__(self) -> dict:
        """Copies and pickles have work space of their own."""
        return self.__dict__ | {"_idle": []}

    def begin_game(self, side: int, options: GameOptions) -> None:
        """Raises ``PlayerFailure`` in games, and on sides, that it has no values for."""
        self._check(side, layout_of_sides(options))

    def _check(self, side: int, layout: ViewLayout) -> None:
        check_game(self.name, self._layout, layout)
        if side not in self._sides:
            raise PlayerFailure(f"{self.name} has no values for the {SIDE_NAMES[side]}")

    def choose(self, view: View) -> int:
        """The action with the highest value; raises ``PlayerFailure`` for a side without values."""
        return self.choose_each([view])[0]

    def choose_each(self, views: Sequence[View]) -> list[int]:
        """The action of each view; answers do not depend on those asked along with it."""
        for view in views:
            self._check(view.side, view.layout)
        seeds = np.array([[view_seed(view, self.seed) % (2**32 - 1) + 1] for view in views])
        deals = new_states(len(views) * self._choosing.samples).reshape(len(views), -1)
        for view, dealt, own in zip(views, deals, deal_seeds(seeds[:, 0], self._choosing.samples), strict=True):
            put_states(dealt, slice(None), view.deal(own))
        sides, actions = np.array([view.side for view in views]), np.zeros(len(views), np.int64)
        team, works, guide = self._idle.pop() if self._idle else self._new_team()
        team.run_uneven(
            choose_rows, len(views), engine.step(), self._layout.view, deals, sides, self._priors(views, guide),
            self._weights, DEPTHS[self._choosing.depth], self._choosing.deals, seeds, works, actions,
        )  # fmt: skip
        self._idle.append((team, works, guide))
        return actions.tolist()

    def _priors(self, views: Sequence[View], guide: RolloutPolicy | None) -> np.ndarray:
        """float64 [K, A] victory points by which the guide prefers actions to its favourite, 0 or less."""
        priors = np.zeros((len(views), self._layout.actions))
        if guide is not None:
            for row, view in enumerate(views):
                scores = guide.scores(view.observation, view.mask)[view.legal].astype(np.float64)
                priors[row, view.legal] = self._choosing.trust * np.maximum(scores - scores.max(), _LEAST_PREFERENCE)
        return priors

    def _new_team(self) -> tuple[ThreadTeam, tuple, RolloutPolicy | None]:
        team = ThreadTeam(checked_threads(self.threads), 1)
        replies = self._choosing.reply and len(self._sides) == SIDES
        works = tuple(playing_lookahead(self._weights.shape[2], self._layout, replies) for _ in range(team.size))
        guide, is_family = self._choosing.guide, self._layout is FAMILY_LAYOUT
        return team, works, None if guide == "none" else RolloutPolicy(guide, is_family)
