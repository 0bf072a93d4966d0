"""Settings of a training run: TOML tables read into the frozen dataclasses below, which explain each of them."""

import dataclasses
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from dawn_agents.networks.policy_networks import NetworkOptions
from dawn_env.actions import A
from dawn_env.options import STANDARD, GameOptions
from dawn_env.support.safe_text import quoted
from dawn_env.validation.settings_sections import ConfigError, least, most, one_of, read_section, refuse_unknown
from dawn_env.validation.untrusted_json import read_text

_MOST_BYTES = 2**20  # of a file of settings
_MOST_COLLECTED = 2**18  # decisions between two updates; SB3 keeps some 7 kB of each, for both sides
_MOST_KEPT = 50_000  # games whose decisions are in memory at once, some 1 MB each
_MANY = 10**9  # of anything that takes no memory
_LEAST_SHARES = 1e-6  # all of them together


@dataclass(frozen=True)
class Run:
    """The run as a whole."""

    seed: int = 1
    """Everything random follows from it."""
    threads: int | None = None
    """Threads of torch and of games; all cores when left out, and more than those slow it down."""
    cluster: str | None = None
    """Ray cluster that simulates and plays matches, ``local``, ``auto`` or ``HOST:PORT`` (docs/how-to/cluster.md); this
    machine does it all when left out."""
    device: str = "auto"
    """``cpu``, ``cuda``, or ``auto`` for CUDA where there is any."""
    learner: str = "maskable-ppo"
    """Who learns: a name of ``training/learner.py``, or ``module:Class``; options behind it as for players."""
    start: str | None = None
    """Folder with ``democrat.zip`` and ``communist.zip`` to go on from; fresh networks when left out."""

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        wrong = least(self, seed=0, threads=1) + most(self, seed=2**32 - 1, threads=1024)
        return wrong + one_of(self, device=("auto", "cpu", "cuda"))


@dataclass(frozen=True)
class Games:
    """The games the policies learn from."""

    at_once: int = 256
    """Games played side by side, per side that learns."""
    shaping: float = 0.0
    """Reward for each victory point gained, besides +1 or -1 at the end; 0 keeps the goal pure."""
    options: GameOptions = STANDARD
    """Options of all games of the run, a table by name (see ``dawn_env/options.py``). With ``bid`` a policy still
    learns one side: the bids are made, around what the opponent would offer, so that it meets many handicaps."""

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        return least(self, at_once=1, shaping=0) + most(self, at_once=2**14, shaping=1)


@dataclass(frozen=True)
class Ppo:
    """Proximal policy optimisation, as ``sb3_contrib.MaskablePPO`` names things."""

    steps: int = 64
    """Decisions taken in every game before each update."""
    batch_size: int = 1024
    """Decisions in one gradient step."""
    epochs: int = 3
    """Times each decision is used."""
    learning_rate: float = 3e-4
    """Step size of Adam at the start."""
    final_learning_rate: float = 3e-5
    """Step size at the end of the run; between them it falls in a straight line."""
    gamma: float = 0.9995
    """Discount per decision; a side takes about 200 decisions a game, and only the end of it is rewarded."""
    gae_lambda: float = 0.95
    """How far the advantage of a decision trusts what happened (1) rather than the value estimate (0)."""
    clip_range: float = 0.2
    """How far the probability of an action may move in one update."""
    entropy: float = 0.005
    """Weight of the bonus for keeping choices open."""
    value: float = 0.5
    """Weight of the value loss."""
    max_grad_norm: float = 0.5
    """Longer gradients are shortened to this length."""
    target_kl: float | None = 0.02
    """An update stops once the policy has moved 1.5 times this far."""
    value_warmup: int = 0
    """Iterations at the start in which the value head alone learns, for policies that were imitated."""

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        wrong = least(
            self, steps=1, batch_size=2, epochs=1, learning_rate=0, final_learning_rate=0, entropy=0, value=0,
            max_grad_norm=0, target_kl=0, value_warmup=0, clip_range=0, gamma=0, gae_lambda=0,
        )  # fmt: skip
        return wrong + most(
            self, steps=2**16, batch_size=_MOST_COLLECTED, epochs=1000, learning_rate=1, final_learning_rate=1,
            entropy=100, value=100, max_grad_norm=1000, target_kl=100, value_warmup=_MANY, clip_range=100, gamma=1,
            gae_lambda=1,
        )  # fmt: skip


@dataclass(frozen=True)
class Imitation:
    """The warm start: both networks learn to foresee a teacher's choices and the results of its games."""

    teacher: str = "heuristic"
    """Specification of the player to imitate (see ``agents/dawn_agents/registry.py``)."""
    games: int = 0
    """Games of each round; 0 leaves the warm start out. One game gives about 200 decisions a side."""
    rounds: int = 10
    """New games are played and learnt in each. In the first the teacher plays; in later ones the networks do
    too, and the teacher says what it would have done there."""
    student_share: float = 0.7
    """Share of the sides that the networks play in the later rounds."""
    random_share: float = 0.2
    """Share of the games in which the teacher's opponent plays at random, so that odd positions occur too."""
    keep: float = 1.0
    """Share of the decisions kept; 2.2 kB each."""
    choices: float = 1.0
    """Weight of the loss on the teacher's choices; 0 teaches the results of the games only."""
    epochs: int = 1
    """Times each decision is used. New games are cheap, and networks learn soon by heart what is repeated."""
    batch_size: int = 512
    """Decisions in one gradient step."""
    learning_rate: float = 1e-3
    """Step size of Adam at the start; it falls to zero in a half cosine."""

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        wrong = least(
            self, games=0, choices=0, rounds=1, student_share=0, random_share=0, keep=0.01, epochs=1, batch_size=2,
            learning_rate=0,
        )  # fmt: skip
        return wrong + most(
            self, choices=100, rounds=1000, student_share=1, random_share=1, keep=1, epochs=1000,
            batch_size=_MOST_COLLECTED, learning_rate=1, games=_MOST_KEPT / self.keep if self.keep > 0 else 0,
        )  # fmt: skip


@dataclass(frozen=True)
class Distillation:
    """Settings of ``distillation``, which simulates likely actions in games of the networks."""

    games: int = 0
    """Games of each round; 0 leaves the distillation out. One game gives about 200 positions at ``keep`` 0.4."""
    rounds: int = 1
    """In each, the networks of the moment play new games, and learn from the targets of all rounds so far."""
    student_share: float = 0.7
    """Share of the sides that the networks play, drawing actions by their probabilities; ``heuristic`` plays the
    others."""
    keep: float = 0.4
    """Share of the decisions that are labelled; neighbours in a game teach much the same. 2.3 kB each."""
    candidates: int = 6
    """Actions tried at most, the likeliest ones."""
    least: float = 0.002
    """How likely a candidate must be, as a share of the likeliest; a fresh network with advice gives this to an
    action 1.25 victory points below the best."""
    deals: int = 4
    """Simulations of each candidate. Few in many positions teach more than many in few."""
    plays: int = 4
    """Card plays of a simulation, as of ``search``."""
    guide: str = "heuristic"
    """Who goes on in simulations: ``heuristic``, ``tuned``, or ``students``, networks of the kind ``corrections`` as
    they are at the start of each round."""
    temperature: float = 0.007
    """Gain in value (-1 ... 1) that makes an action e times as likely as it was; the more positions, the lower it may
    be, since less of what seems to be gained is chance."""
    epochs: int = 5
    """Times each target is used in a round."""
    batch_size: int = 256
    """Positions in one gradient step; larger ones leave too few steps to learn anything."""
    learning_rate: float = 1e-3
    """Step size of Adam at the start of a round; it falls to zero in a half cosine."""
    average: bool = False
    """Whether a round ends with the mean of the weights that it began with and those that it has learnt: for policies
    that are nearly as good as they get, which it leads beyond both."""

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        wrong = least(
            self, games=0, rounds=1, student_share=0, keep=0.01, candidates=2, least=0, deals=1, plays=1,
            temperature=1e-6, epochs=1, batch_size=2, learning_rate=0,
        )  # fmt: skip
        wrong += one_of(self, guide=("heuristic", "tuned", "students"))
        kept = self.keep * self.rounds
        return wrong + most(
            self, rounds=1000, student_share=1, keep=1, candidates=A, least=1, deals=1000, plays=1000,
            temperature=1000, epochs=1000, batch_size=_MOST_COLLECTED, learning_rate=1,
            games=_MOST_KEPT / kept if kept > 0 else 0,
        )  # fmt: skip


@dataclass(frozen=True)
class League:
    """Opponents of the policies in training."""

    newest: float = 0.4
    """Share of games against the other side's policy of the moment."""
    past: float = 0.2
    """Share of games against frozen earlier policies of the other side."""
    anchors: dict[str, float] = dataclasses.field(default_factory=lambda: {"heuristic": 0.35, "random": 0.05})
    """Players that never change, by specification, and the share of games against each."""
    freeze_every: int = 20
    """Iterations between frozen copies."""
    size: int = 4
    """Frozen policies per side that stay in the pool; the one beaten most often leaves first."""
    focus: float = 2.0
    """Frozen policies are drawn in proportion to (their rate of wins) to this power."""
    memory: float = 0.9
    """How much of that rate is kept from one iteration to the next; the rest is what was just played."""

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        wrong = least(self, newest=0, past=0, freeze_every=1, size=1, focus=0, memory=0)
        wrong += most(self, newest=1000, past=1000, freeze_every=_MANY, size=1000, focus=100, memory=1)
        wrong += [f"anchors: {name!r} has a share below 0" for name, share in self.anchors.items() if share < 0]
        wrong += [f"anchors: {name!r} has a share above 1000" for name, share in self.anchors.items() if share > 1000]
        if self.newest + self.past + sum(self.anchors.values()) < _LEAST_SHARES:
            wrong.append("all shares are 0: nobody to play against")
        if not self.anchors:
            wrong.append("anchors: at least one expected, to measure the policies against")
        return wrong


@dataclass(frozen=True)
class Evaluation:
    """Matches against the anchors, with the policies at their best: the likeliest action, no sampling."""

    every: int = 20
    """Iterations between them."""
    games: int = 200
    """Games of each side against each anchor."""
    final_games: int = 1000
    """Likewise, for the table at the end."""
    at_once: int = 256
    """Games played side by side."""

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        wrong = least(self, every=1, games=1, final_games=1, at_once=1)
        return wrong + most(self, every=_MANY, games=10**6, final_games=10**6, at_once=2**14)


@dataclass(frozen=True)
class Checkpoint:
    """Saving the run."""

    every: int = 20
    """Iterations between checkpoints."""

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        return least(self, every=1) + most(self, every=_MANY)


@dataclass(frozen=True)
class Limits:
    """Limits of the run: it ends at whichever comes first."""

    decisions: int = 2_000_000
    """Decisions of both learners together."""
    minutes: float | None = None
    """Minutes of training, imitation included, over all resumptions; ``none`` when left out."""

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        return least(self, decisions=1, minutes=0) + most(self, decisions=10**15, minutes=_MANY)


@dataclass(frozen=True)
class Config:
    """All settings of a run, a table of the TOML file each."""

    run: Run
    games: Games
    network: NetworkOptions
    ppo: Ppo
    imitation: Imitation
    distillation: Distillation
    league: League
    evaluation: Evaluation
    checkpoint: Checkpoint
    limits: Limits

    def problems(self) -> list[str]:
        """Problems between tables, as text."""
        collected, wrong = self.games.at_once * self.ppo.steps, []
        if not 2 <= collected <= _MOST_COLLECTED:
            wrong.append(f"games.at_once times ppo.steps: 2 ... {_MOST_COLLECTED} decisions expected, not {collected}")
        if collected % self.ppo.batch_size == 1:
            wrong.append(
                f"ppo.batch_size: {self.ppo.batch_size} leaves a single one of {collected} decisions for the last step"
            )
        return wrong


# --- reading ----------------------------------------------------------------------------------------


def load_config(path: Path) -> Config:
    """The settings in a TOML file; raises ``ConfigError``, its message in one line."""
    try:
        tables = tomllib.loads(read_text(path, _MOST_BYTES))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not TOML: {str(error) or 'too many brackets'}") from error
    try:
        return parse_config(tables)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def parse_config(tables: Any) -> Config:
    """Settings from parsed TOML: every table must be there, keys left out take the values declared above.

    Raises ``ConfigError`` for unknown or missing tables, unknown keys and impossible values.
    """
    if not isinstance(tables, dict):
        raise ConfigError(f"tables expected, not {quoted(tables)}")
    sections = get_type_hints(Config)
    refuse_unknown("table", tables, sections)
    missing = [name for name in sections if name not in tables]
    if missing:
        raise ConfigError(f"table [{missing[0]}] is missing; a file has [{'], ['.join(sections)}]")
    config = Config(**{name: read_section(name, kind, tables[name]) for name, kind in sections.items()})
    for problem in config.problems():
        raise ConfigError(problem)
    return config


def to_tables(config: Config) -> dict[str, Any]:
    """Settings as ``parse_config`` takes them, for files; settings that are None are left out."""
    tables = {
        name: {key: value for key, value in section.items() if value is not None}
        for name, section in dataclasses.asdict(config).items()
    }
    tables["games"]["options"] = config.games.options.to_json()
    return tables
