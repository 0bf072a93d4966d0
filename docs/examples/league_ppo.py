"""The project's league with its compiled learner ``sparse-ppo`` as learners, a network for each side.

    .venv/bin/dawn suite run learn-1M --agent league_ppo --label "league, with advice" --out runs/suite/league
    .venv/bin/dawn suite run learn-1M --agent league_ppo_scratch --label "league, from scratch" --out runs/suite/scratch
    .venv/bin/dawn suite run family-1M --agent league_ppo_family --label "league, with advice" --out runs/suite/family
    .venv/bin/dawn suite run exploit --agent best_response --label "best response" --out runs/suite/exploit

The two sides learn in turn, each in games of its own: against the newest policy of the other side, frozen earlier ones,
and players that never change. A million decisions take about a minute of one core.
"""

from dawn_agents.players.sparse_player import PRETRAINED
from dawn_agents.training.league import League

GAMES = {"at_once": 64}  # of a side
PPO = {"steps": 64, "batch_size": 1024, "gamma": 1.0, "learning_rate": 1e-3, "final_learning_rate": 1e-4}
ADVISED = {"kind": "sparse", "width": 128, "advice": True}


class Agent(League):
    """Starts from the rule-based player's advice and trains against the fast shipped players.

    ``learn-1M``, three training seeds, games sampled: +1462 (+1434 to +1492), greedy: +1516 (+1477 to +1562). The
    advice alone is as good: a million decisions do not suffice to improve on it.
    """

    side_learner = "sparse-ppo:kl_coef=0.02,reference_decay=0.95,ema_decay=0.9"
    settings = {
        "games": GAMES,
        "network": ADVISED,
        "ppo": PPO | {"epochs": 2, "entropy": 0.001, "value_warmup": 3},
        "league": {"newest": 0.2, "past": 0.2, "anchors": {"pretrained": 0.4, "heuristic": 0.2}, "freeze_every": 10},
    }

    def player(self):
        """The averaged weights of both sides."""
        return {side: learner.candidates([])[-1] for side, learner in self.learners.items()}


class Scratch(Agent):
    """Uses the observation without advice, and trains by self-play and against random play.

    ``learn-1M``, three training seeds, games sampled: +424 (+382 to +468), greedy: +379 (+345 to +414);
    ``learn-10M``, three training seeds: +661 (+596 to +724), greedy: +607 (+521 to +674).
    """

    side_learner = "sparse-ppo:kl_coef=0.05,reference_decay=0.9,ema_decay=0.9"
    settings = {
        "games": GAMES | {"shaping": 0.02},
        "network": {"kind": "sparse", "width": 128},
        "ppo": PPO | {"epochs": 3, "entropy": 0.01, "final_entropy": 0.001},
        "league": {"newest": 0.5, "past": 0.4, "anchors": {"random": 0.1}, "freeze_every": 10},
    }


class Family(Agent):
    """Trains in family mode against the rule-based player.

    ``family-1M``, three training seeds, percentage of the points, games sampled: +60 % (+57 to +63), greedy: +66 % (+64
    to +69).
    """

    settings = Agent.settings | {
        "league": {"newest": 0.2, "past": 0.1, "anchors": {"heuristic": 0.7}, "freeze_every": 10}
    }


class BestResponse(Agent):
    """Starts from the weights of ``pretrained`` and trains against it only.

    ``exploit``, three training seeds, percentage of the points less 50, games sampled: -2 % (-5 to +1), greedy: +2 %
    (-2 to +6).
    """

    side_learner = "sparse-ppo:ema_decay=0.98"
    settings = {
        "games": GAMES,
        "network": ADVISED | {"dtype": "float16"},
        "ppo": PPO | {"learning_rate": 3e-4, "epochs": 1, "entropy": 0.001, "value_warmup": 3},
        "league": {"newest": 0.0, "past": 0.0, "anchors": {"pretrained": 1.0}, "freeze_every": 10**9},
    }

    def begin(self, seed):
        for side, learner in self.learners.items():
            learner.policy.load_weights(self.load(PRETRAINED / f"{side}.zip")[0].trainable())
        super().begin(seed)
