"""The project's league with its compiled learner ``sparse-ppo`` as agents of the suite, a network for each side.

    .venv/bin/dawn suite run learn-1M --agent league_ppo --label "league, with advice" --out runs/suite/league
    .venv/bin/dawn suite run learn-1M --agent league_ppo_scratch --label "league, from scratch" --out runs/suite/scratch
    .venv/bin/dawn suite run family-1M --agent league_ppo_family --label "league, with advice" --out runs/suite/family
    .venv/bin/dawn suite run exploit --agent best_response --label "best response" --out runs/suite/exploit

The two sides learn in turn, each in games of its own: against the newest policy of the other side, frozen earlier ones,
and players that never change. A million decisions take about a minute of one core.
"""

import numpy as np
import torch
from dawn_agents.players.sparse_player import PRETRAINED
from dawn_agents.training.league import LeaguePool, anchors
from dawn_agents.training.learner import PolicyMetadata, make_learners
from dawn_agents.training.training_config import parse_config

GAMES, LENGTH = 64, 64  # of a side: games side by side; decisions of each between two updates
SIDES = "democrat", "communist"


def metadata(side, learner):
    """Side and game of a policy, for its file."""
    return PolicyMetadata(side, learner.games.options.to_json())


class Agent:
    """Starts from the rule-based player's advice and trains against the fast shipped players.

    ``learn-1M``, three training seeds, games sampled: +1462 (+1434 to +1492), greedy: +1516 (+1477 to +1562). The
    advice alone is as good: a million decisions do not suffice to improve on it.
    """

    track = "knowledge"
    start = None  # folder of policies to go on from
    shaping = 0.0  # reward for each victory point
    learner = "sparse-ppo:pull=0.02,moving=0.95,average=0.9"
    network = {"kind": "sparse", "width": 128, "advice": True}
    ppo = {"learning_rate": 1e-3, "final_learning_rate": 1e-4, "epochs": 2, "entropy": 0.001, "value_warmup": 3}
    league = {"newest": 0.2, "past": 0.2, "anchors": {"pretrained": 0.4, "heuristic": 0.2}}

    def settings(self, options, seed):
        """Settings as of ``dawn train``."""
        tables = {"run": {"seed": seed, "threads": 1, "learner": self.learner}}
        tables["games"] = {"at_once": GAMES, "options": options}
        tables["ppo"] = {"steps": LENGTH, "batch_size": 1024, "gamma": 1.0, **self.ppo}
        return parse_config(tables | {"network": self.network, "league": {"freeze_every": 10, **self.league}})

    def begin(self, make_env, folder, seed):
        """Learners and their opponents by side."""
        games = {side: make_env(GAMES, kind="games", side=side, shaping=self.shaping) for side in SIDES}
        config = self.settings(games[SIDES[0]].options.non_defaults(), seed)
        learners = make_learners(config.run.learner, config)
        known, pools = anchors(config.league, seed), {}
        for (side, learner), other in zip(learners.items(), reversed(SIDES), strict=True):
            learner.games = games[side]
            if self.start:
                learner.policy.take_weights(learner.load(self.start / f"{side}.zip")[0])
            pools[side] = LeaguePool(config.league, learners[other], known, folder, seed)
            learner.games.set_opponents(*pools[side].opponents())
            learner.begin(seed << 32)
        return learners, pools, config.league.freeze_every

    def train(self, make_env, budget, seed):
        np.random.seed(seed)
        torch.manual_seed(seed)
        folder = budget.save_to.parent
        (folder / "league").mkdir(exist_ok=True)
        learners, pools, freeze_every = self.begin(make_env, folder / "league", seed)
        iteration = 0
        while budget.decisions is None or budget.spent + 2 * GAMES * LENGTH <= budget.decisions:
            iteration += 1
            for side, learner in learners.items():
                learner.games.set_opponents(*pools[side].opponents())
                learner.iterate(iteration, 1 - budget.share)
                pools[side].note(learner.games.results(clear=True))
            if iteration % freeze_every == 0:
                for pool, (other, learner) in zip(pools.values(), reversed(learners.items()), strict=True):
                    pool.freeze(metadata(other, learner), iteration)
            if budget.due:
                yield self.player(learners, folder / f"policies-{iteration}")
        yield self.player(learners, folder / f"policies-{iteration}")

    def player(self, learners, folder):
        """The averaged weights of both sides, written to files."""
        folder.mkdir(exist_ok=True)
        for side, learner in learners.items():
            learner.candidates([])[-1].save(folder / f"{side}.zip", metadata(side, learner))
        return f"sparse:{folder}"


class Scratch(Agent):
    """Uses the observation without advice, and trains by self-play and against random play.

    ``learn-1M``, three training seeds, games sampled: +424 (+382 to +468), greedy: +379 (+345 to +414);
    ``learn-10M``, three training seeds: +661 (+596 to +724), greedy: +607 (+521 to +674).
    """

    track = "tabula rasa"
    shaping = 0.02
    learner = "sparse-ppo:pull=0.05,moving=0.9,average=0.9"
    network = {"kind": "sparse", "width": 128}
    ppo = {"learning_rate": 1e-3, "final_learning_rate": 1e-4, "epochs": 3, "entropy": 0.01, "final_entropy": 0.001}
    league = {"newest": 0.5, "past": 0.4, "anchors": {"random": 0.1}}


class Family(Agent):
    """Trains in family mode against the rule-based player.

    ``family-1M``, three training seeds, percentage of the points, games sampled: +60 % (+57 to +63), greedy: +66 % (+64
    to +69).
    """

    league = {"newest": 0.2, "past": 0.1, "anchors": {"heuristic": 0.7}}


class BestResponse(Agent):
    """Starts from the weights of ``pretrained`` and trains against it only."""

    start = PRETRAINED
    learner = "sparse-ppo:average=0.98"
    network = {"kind": "sparse", "width": 128, "advice": True, "dtype": "float16"}
    ppo = {"learning_rate": 3e-4, "epochs": 1, "entropy": 0.001, "value_warmup": 3}
    league = {"newest": 0.0, "past": 0.0, "anchors": {"pretrained": 1.0}, "freeze_every": 10**9}
