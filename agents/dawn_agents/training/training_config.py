"""Settings of a training run: TOML tables read into the frozen dataclasses below, which explain each of them."""

import copy
import dataclasses
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Interval, MultipleOf

from dawn_agents.players.networks.network_options import NetworkOptions
from dawn_env.actions import A
from dawn_env.errors import DawnError
from dawn_env.options import STANDARD, GameOptions
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.checked_input import FROM_LIST, Checked, read
from dawn_env.validation.untrusted_json import parse_json, read_text

_MOST_BYTES = 2**20  # of a file of settings
_MOST_COLLECTED = 2**18  # decisions between two updates; SB3 keeps some 7 kB of each, for both sides
_MANY = 10**9  # of anything that takes no memory
_LEAST_SHARES = 1e-6  # all of them together

Share = Annotated[float, Interval(ge=0, le=1)]
Weight = Annotated[float, Interval(ge=0, le=100)]
Relative = Annotated[float, Interval(ge=0, le=1000)]
"""Share before all shares are made to add up to 1."""
KeptGames = Annotated[int, Interval(ge=0, le=50_000)]
"""Games whose decisions are in memory at once, some 1 MB each."""
HeadShares = Annotated[tuple[Share, Share, Share, Share], FROM_LIST]
"""A number for each head of the value network."""
Rate = Annotated[float, Interval(gt=0, le=1)]
Times = Annotated[int, Interval(ge=1, le=1000)]
Deals = Annotated[int, Interval(ge=0, le=1000)]
"""Deals of the hidden cards."""
Iterations = Annotated[int, Interval(ge=1, le=_MANY)]
BatchSize = Annotated[int, Interval(ge=2, le=_MOST_COLLECTED)]
SideBySide = Annotated[int, Interval(ge=1, le=2**14)]


class ConfigError(DawnError, ValueError):
    """Unknown or invalid training setting; the message names the valid values."""


@dataclass(frozen=True)
class RunConfig(Checked):
    """The run as a whole."""

    seed: Annotated[int, Interval(ge=0, le=2**32 - 1)] = 1
    """Everything random follows from it."""
    threads: Annotated[int, Interval(ge=1, le=1024)] | None = None
    """Threads of torch, of games and of ``sparse-ppo``; all cores when left out, and more than those slow it down."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """``cpu``, ``cuda``, or ``auto`` for CUDA where there is any."""
    learner: str = "maskable-ppo"
    """Who learns: a name of ``training/learner.py``, or ``module:Class``; options behind it as for players."""
    executor: Literal["local", "ray"] = "local"
    """Where ``afterstate`` plays: in this process, or by actors on a Ray cluster."""
    cluster: str = "local"
    """Address of the Ray cluster (``work/ray_executor.py``); ``local`` makes one of this machine's cores."""
    actors: Annotated[int, Interval(ge=1, le=10_000)] | None = None
    """Actors on the cluster, ``games.at_once`` games in all; one for each core when left out."""
    track: Literal["tensorboard", "wandb", "trackio"] = "tensorboard"
    """Where metrics go besides ``metrics.csv`` (``training/trackers.py``)."""
    start: str | None = None
    """Folder with ``democrat.zip`` and ``communist.zip`` to go on from; fresh networks when left out."""
    side: Literal["democrat", "communist", "both"] = "both"
    """Side that learns."""

    @property
    def sides(self) -> tuple[str, ...]:
        """Names of the sides that learn."""
        return SIDE_NAMES if self.side == "both" else (self.side,)


@dataclass(frozen=True)
class GamesConfig(Checked):
    """The games the policies learn from."""

    at_once: SideBySide = 256
    """Games played side by side, per side that learns."""
    shaping: Share = 0.0
    """Reward for each victory point gained, besides +1 or -1 at the end; 0 keeps the goal pure."""
    options: GameOptions = STANDARD
    """Options of all games of the run, a table by name (see ``dawn_env/options.py``). With ``bid`` a policy still
    learns one side: the bids are made, around what the opponent would offer, so that it meets many handicaps."""


@dataclass(frozen=True)
class Ppo(Checked):
    """Proximal policy optimisation; names as in ``sb3_contrib.MaskablePPO``."""

    steps: Annotated[int, Interval(ge=1, le=2**16)] = 64
    """Decisions taken in every game before each update."""
    batch_size: BatchSize = 1024
    """Decisions in one gradient step."""
    epochs: Times = 3
    """Times each decision is used."""
    learning_rate: Share = 3e-4
    """Step size of Adam at the start."""
    final_learning_rate: Share = 3e-5
    """Step size at the end of the run; between them it falls in a straight line."""
    gamma: Share = 0.9995
    """Discount per decision; a side takes some 300 decisions a game, and only the end of it is rewarded."""
    gae_lambda: Share = 0.95
    """How far the advantage of a decision trusts what happened (1) rather than the value estimate (0)."""
    clip_range: Weight = 0.2
    """How far the probability of an action may move in one update."""
    entropy: Weight = 0.005
    """Weight of the bonus for keeping choices open, at the start."""
    final_entropy: Weight | None = None
    """Weight of the bonus at the end of the run, reached in a straight line; as at the start when left out."""
    value: Weight = 0.5
    """Weight of the value loss."""
    max_grad_norm: Relative = 0.5
    """Longer gradients are shortened to this length."""
    target_kl: Weight | None = 0.02
    """An update stops once the policy has moved 1.5 times this far."""
    value_warmup: Annotated[int, Interval(ge=0, le=_MANY)] = 0
    """Iterations at the start in which the value head alone learns, for policies that were imitated."""

    def rate_at(self, remaining: float) -> float:
        """Step size of Adam, when this share of the run remains."""
        return self.final_learning_rate + remaining * (self.learning_rate - self.final_learning_rate)

    def entropy_at(self, remaining: float) -> float:
        """Weight of the entropy bonus, when this share of the run remains."""
        end = self.entropy if self.final_entropy is None else self.final_entropy
        return end + remaining * (self.entropy - end)


@dataclass(frozen=True)
class Afterstate(Checked):
    """Values of positions after a move, learnt by TD(lambda): the learner ``afterstate``."""

    opponent: str | None = None
    """Player, by specification, that decides for the other side, which then does not learn: in half of the games as
    Communist and in half as Democrat, or in all across from ``run.side``. Self-play when left out."""
    width: Annotated[int, Interval(ge=16, le=1024), MultipleOf(16)] = 64
    """Units of the hidden layer."""
    steps: Annotated[int, Interval(ge=1, le=2**12)] = 128
    """Decisions of the networks taken in every game before each update."""
    batch_size: BatchSize = 512
    """Positions of each side in one gradient step."""
    learning_rate: Rate = 1e-3
    """Step size of Adam at the start."""
    final_learning_rate: Rate = 2e-4
    """Step size at the end of the run; between them it falls by the same factor in equal times."""
    ema_decay: Annotated[float, Interval(ge=0, le=0.999)] = 0.92
    """Decay of the exponential moving average of the weights, per iteration; the average plays, judges and is kept. 0:
    the newest weights do."""
    traces: HeadShares = (0.4, 0.5, 0.6, 0.6)
    """Lambda of each head between settled positions: how far a target trusts what happened (1) rather than the value
    of the next position (0). Heads: VP to come, discounted by 0.85, 0.95 and 1 an action round; the result."""
    entropy: Weight = 1.9
    """Mean entropy of the choices at the start; the temperature follows it."""
    exploration: Share = 0.08
    """Probability of a random action at the start, behind which the returns of earlier moves are cut."""
    cooling: Annotated[int, Interval(ge=1, le=_MANY)] = 900_000
    """Entropy and exploration fall as 1 / sqrt(1 + decisions / cooling)."""
    exploring_starts: Share = 0.5
    """Share of the games with an exploring start: their first decisions are sampled at a higher temperature, so that
    self-play also meets positions that its own openings would not lead to. No target reaches back across them."""
    exploring_decisions: Annotated[int, Interval(ge=1, le=600)] = 180
    """Maximum length of an exploring start, in decisions of both sides; lengths are drawn uniformly from 1 up to this.
    A game has some 600 decisions."""
    exploring_temperature: Weight = 0.06
    """Lower bound of the softmax temperature during an exploring start."""
    mix: HeadShares = (0.0, 1.0, 0.0, 0.0)
    """Weight of each head in what actions are judged by, at the start."""
    final_mix: HeadShares = (0.0, 0.5, 0.5, 0.0)
    """Weight of each head after ``mixing`` decisions; before, it changes in a straight line."""
    mixing: Annotated[int, Interval(ge=1, le=_MANY)] = 10_000_000
    samples: Times = 2
    """Deals in which an action is tried where chance plays."""
    depth: Literal["step", "settle"] = "step"
    """Where an action is judged: after one step; or, at choices of cards and their use, once the card play is over, as
    the player ``value`` does, which takes two to three times as long."""

    def rate_at(self, remaining: float) -> float:
        """Step size of Adam, when this share of the run remains."""
        return self.final_learning_rate * (self.learning_rate / self.final_learning_rate) ** remaining

    def cooled(self, decisions: int) -> float:
        """Factor of entropy and exploration after so many decisions."""
        return (1 + decisions / self.cooling) ** -0.5

    def mix_at(self, decisions: int) -> list[float]:
        """Weights of the heads after so many decisions."""
        share = min(1.0, decisions / self.mixing)
        return [start + share * (end - start) for start, end in zip(self.mix, self.final_mix, strict=True)]


@dataclass(frozen=True)
class Imitation(Checked):
    """The warm start: both networks learn to foresee a teacher's choices and the results of its games."""

    teacher: str = "heuristic"
    """Specification of the player to imitate (see ``agents/dawn_agents/players/registry.py``)."""
    games: KeptGames = 0
    """Games of each round; 0 leaves the warm start out. One game gives some 300 decisions a side."""
    rounds: Times = 10
    """New games are played and learnt in each. In the first the teacher plays; in later ones the networks do
    too, and the teacher says what it would have done there."""
    student_share: Share = 0.7
    """Share of the sides that the networks play in the later rounds."""
    random_share: Share = 0.2
    """Share of the games in which the teacher's opponent plays at random, so that odd positions occur too."""
    keep: Annotated[float, Interval(ge=0.01, le=1)] = 1.0
    """Share of the decisions kept; 2.2 kB each."""
    epochs: Times = 1
    """Times each decision is used. New games are cheap, and networks learn soon by heart what is repeated."""
    batch_size: BatchSize = 512
    """Decisions in one gradient step."""
    learning_rate: Share = 1e-3
    """Step size of Adam at the start; it falls to zero in a half cosine."""


@dataclass(frozen=True)
class Distillation(Checked):
    """Settings of ``distillation``, which judges likely actions in games of the networks: as a warm start, or as the
    learner ``distillation``, which takes no notice of ``games`` and ``rounds``."""

    games: KeptGames = 0
    """Games of each round of a warm start; 0 leaves it out. One game gives some 240 positions at ``keep`` 0.4."""
    rounds: Times = 1
    """In each, the networks of the moment play new games, and learn from the targets of all rounds so far."""
    student_share: Share = 0.7
    """Share of the sides that the networks play, drawing actions by their probabilities; ``heuristic`` plays the
    others."""
    keep: Annotated[float, Interval(ge=0.01, le=1)] = 0.4
    """Share of the decisions that are labelled; neighbours in a game teach much the same. 2.3 kB each."""
    candidates: Annotated[int, Interval(ge=2, le=A)] = 6
    """Actions tried at most, the likeliest ones."""
    least: Share = 0.002
    """How likely a candidate must be, as a share of the likeliest; a fresh network with advice gives this to an
    action 1.25 victory points below the best."""
    deals: Deals = 4
    """Simulations of each candidate, 0 for none. Few in many positions teach more than many in few."""
    plays: Times = 4
    """Card plays of a simulation, as of ``search``."""
    guide: str = "heuristic"
    """Rollout policy of the simulations: a value of the option ``guide`` of ``search``."""
    temperature: Annotated[float, Interval(ge=1e-6, le=1000)] = 0.007
    """Gain in value (-1 ... 1) that makes an action e times as likely as it was; the more positions, the lower it may
    be, since less of what seems to be gained is chance."""
    value_deals: Deals = 0
    """Deals in which the shipped values judge each candidate, as those of the player ``value``; 0 leaves that out."""
    value_temperature: Annotated[float, Interval(ge=1e-3, le=1000)] = 1.0
    """Victory points of that judgement that make an action e times as likely as it was."""
    epochs: Times = 5
    """Times each target is used in a round, or in an iteration."""
    batch_size: BatchSize = 256
    """Positions in one gradient step; larger ones leave too few steps to learn anything."""
    learning_rate: Share = 1e-3
    """Step size of Adam at the start of a round or of the run; it falls to zero in a half cosine."""
    reference_every: Annotated[int, Interval(ge=0, le=_MANY)] = 0
    """Iterations of the learner after which its reference becomes the policies of the moment; 0: it stays that of the
    start."""

    def __post_init__(self):
        if not self.deals + self.value_deals:
            raise ValueError("distillation.deals and distillation.value_deals: one of them above 0 expected")


@dataclass(frozen=True)
class LeagueConfig(Checked):
    """Opponents of the policies in training."""

    newest: Relative = 0.4
    """Share of games against the other side's policy of the moment."""
    past: Relative = 0.2
    """Share of games against frozen earlier policies of the other side."""
    anchors: dict[str, Relative] = field(default_factory=lambda: {"heuristic": 0.35, "random": 0.05})
    """Players that never change, by specification, and the share of games against each."""
    freeze_every: Iterations = 20
    """Iterations between frozen copies."""
    size: Times = 4
    """Frozen policies per side that stay in the pool; the one beaten most often leaves first."""
    focus: Weight = 2.0
    """Frozen policies are drawn in proportion to (their rate of wins) to this power."""
    memory: Share = 0.9
    """How much of that rate is kept from one iteration to the next; the rest is what was just played."""

    def __post_init__(self):
        if not self.anchors:
            raise ValueError("anchors: at least one expected, to measure the policies against")
        if self.newest + self.past + sum(self.anchors.values()) < _LEAST_SHARES:
            raise ValueError("newest, past, anchors: all are 0, so there is nobody to play against")


@dataclass(frozen=True)
class EvaluationConfig(Checked):
    """Matches against the anchors, with the policies at their best: the likeliest action, no sampling."""

    times: Times = 20
    """Number of equal parts of the run (by the limit that comes first); matches precede the first and follow each."""
    games: Annotated[int, Interval(ge=1, le=10**6)] = 200
    """Games of each side against each anchor, in matches before the end of the run."""
    final_games: Annotated[int, Interval(ge=1, le=10**6)] = 1000
    """Games of each side against each anchor in the matches at the end of the run."""
    at_once: SideBySide = 256
    """Games played side by side."""


@dataclass(frozen=True)
class Checkpoint(Checked):
    """Saving the run."""

    every: Iterations = 20
    """Iterations between checkpoints."""


@dataclass(frozen=True)
class RunLimits(Checked):
    """Limits of the run: it ends at whichever comes first."""

    decisions: Annotated[int, Interval(ge=1, le=10**15)] = 2_000_000
    """Decisions of both learners together."""
    minutes: Annotated[float, Interval(ge=0, le=_MANY)] | None = None
    """Minutes of training, imitation included, over all resumptions; ``none`` when left out."""


@dataclass(frozen=True)
class Config(Checked):
    """All settings of a run, a table of the TOML file each; every one may be left out."""

    run: RunConfig = field(default_factory=RunConfig)
    games: GamesConfig = field(default_factory=GamesConfig)
    network: NetworkOptions = field(default_factory=NetworkOptions)
    ppo: Ppo = field(default_factory=Ppo)
    afterstate: Afterstate = field(default_factory=Afterstate)
    imitation: Imitation = field(default_factory=Imitation)
    distillation: Distillation = field(default_factory=Distillation)
    league: LeagueConfig = field(default_factory=LeagueConfig)
    evaluation: EvaluationConfig = field(default_factory=EvaluationConfig)
    checkpoint: Checkpoint = field(default_factory=Checkpoint)
    limits: RunLimits = field(default_factory=RunLimits)

    def __post_init__(self):
        collected = self.games.at_once * self.ppo.steps
        if not 2 <= collected <= _MOST_COLLECTED:
            raise ValueError(
                f"games.at_once times ppo.steps: 2 ... {_MOST_COLLECTED} decisions expected, not {collected}"
            )
        if collected % self.ppo.batch_size == 1:
            raise ValueError(
                f"ppo.batch_size: {self.ppo.batch_size} leaves a single one of {collected} decisions for the last step"
            )


# --- reading ----------------------------------------------------------------------------------------


def load_config(path: Path, changes: Sequence[str] = ()) -> Config:
    """The settings in a TOML file, or in a JSON file (``.json``); raises ``ConfigError``, its message in one line.

    ``changes``: settings in place of those in the file, ``table.key=value`` each, with values as in TOML.
    """
    kind, parse = ("JSON", parse_json) if path.suffix == ".json" else ("TOML", tomllib.loads)
    try:
        tables = parse(read_text(path, _MOST_BYTES))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not {kind}: {str(error) or 'too many brackets'}") from error
    try:
        return parse_config(changed_tables(tables, changes))
    except ConfigError as error:
        raise ConfigError(f"{path}{' with --set' if changes else ''}: {error}") from error


def changed_tables(tables: Mapping[str, Any], changes: Sequence[str]) -> dict[str, Any]:
    """``tables`` with other settings, ``table.key=value`` each; raises ``ConfigError``."""
    changed = copy.deepcopy(dict(tables)) if isinstance(tables, Mapping) else tables
    for change in changes:
        _change(changed, change)
    return changed


def _change(tables: dict[str, Any], change: str) -> None:
    """Set ``table.key=value``; a value that TOML cannot read is a text."""
    place, equals, text = change.partition("=")
    table, dot, key = place.partition(".")
    if not (equals and dot and isinstance(tables.setdefault(table, {}), dict)):
        raise ConfigError(f"--set: TABLE.KEY=VALUE expected, such as limits.minutes=5, not {change!r}")
    try:
        tables[table][key] = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        tables[table][key] = text


def parse_config(tables: Any) -> Config:
    """Settings from parsed TOML: tables and keys left out take the values declared above.

    Raises ``ConfigError`` for unknown tables and keys and impossible values.
    """
    try:
        return read(Config, tables)
    except ValueError as error:
        raise ConfigError(str(error)) from None


def to_tables(config: Config) -> dict[str, Any]:
    """Settings as ``parse_config`` takes them, for files; settings that are None are left out."""
    tables = {
        name: {key: value for key, value in section.items() if value is not None}
        for name, section in dataclasses.asdict(config).items()
    }
    tables["games"]["options"] = config.games.options.to_json()
    return tables
