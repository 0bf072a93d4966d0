"""Policies of learners that use other libraries: a torch module or a model of Stable-Baselines3 for both sides."""

import json
import shutil
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dawn_agents.players.networks.policy_metadata import PolicyFileError, PolicyMetadata
from dawn_agents.players.registry import make_player
from dawn_env.errors import BadInput
from dawn_env.observation.view_layouts import ViewLayout
from dawn_env.players import Player
from dawn_env.support.atomic_files import atomic_write, write_json
from dawn_env.support.safe_text import first_line
from dawn_env.validation.checked_input import read
from dawn_env.validation.untrusted_json import parse_json, read_text

_MOST_BYTES = 2**20  # of the facts about a policy
_SUFFIXES = {"torchscript": ".pt", "sb3": ".zip"}


@dataclass(frozen=True)
class TrainedPolicy:
    """A policy in a file of another library.

    ``kind``: name of the player that plays it, ``torchscript`` or ``sb3``; ``statistics``: file of the ``VecNormalize``
    behind which a model was trained, None for none.
    """

    kind: str
    path: Path
    statistics: Path | None = None

    @classmethod
    def write(cls, trained: Any, stem: Path, layout: ViewLayout) -> "TrainedPolicy":
        """Write a torch module or a model of Stable-Baselines3 to files named as ``stem``; raises ``BadInput``."""
        if hasattr(trained, "policy") and hasattr(trained, "save"):
            path = stem.with_suffix(_SUFFIXES["sb3"])
            trained.save(path)
            if statistics := getattr(trained, "get_vec_normalize_env", lambda: None)():
                statistics.save(str(stem.with_suffix(".pkl")))
            return cls("sb3", path, stem.with_suffix(".pkl") if statistics else None)
        path = stem.with_suffix(_SUFFIXES["torchscript"])
        _write_module(trained, path, layout)
        return cls("torchscript", path)

    @classmethod
    def of(cls, trained: Any, layout: ViewLayout) -> "TrainedPolicy":
        """The policy of the moment, in temporary files, which go with it."""
        folder = tempfile.mkdtemp(prefix="dawn_env-")
        policy = cls.write(trained, Path(folder) / "policy", layout)
        weakref.finalize(policy, shutil.rmtree, folder, ignore_errors=True)
        return policy

    @classmethod
    def load(cls, path: Path) -> tuple["TrainedPolicy", PolicyMetadata]:
        """A policy that ``save`` has written; raises ``PolicyFileError``."""
        try:
            told = parse_json(read_text(_facts_file(path), _MOST_BYTES))
            kind, facts = told["kind"], read(PolicyMetadata, told["facts"])
            if kind not in _SUFFIXES:
                raise ValueError(f"kind: one of {', '.join(_SUFFIXES)} expected")
        except Exception as error:  # whatever is in the file
            raise PolicyFileError(f"{_facts_file(path)}: not the facts of a policy ({first_line(error)})") from error
        statistics = path.with_suffix(".pkl")
        return cls(kind, path, statistics if statistics.exists() else None), facts

    @property
    def specification(self) -> str:
        """Player of the file, as it samples."""
        return f"{self.kind}:{f'normalize={self.statistics},' if self.statistics else ''}{self.path}"

    def player(self, name: str, seed: int = 0, sample: bool = False) -> Player:
        """Player of the file (``learner.Policy``); the generators of the run stay as they are."""
        from dawn_agents.training.checkpoint import random_state, restore_random_state  # needs torch

        kind, _, options = self.specification.partition(":")
        before = random_state()
        player = make_player(f"{kind}:sample={str(sample).lower()},{options}", seed)
        restore_random_state(before)  # models of Stable-Baselines3 seed all of them when they are loaded
        player.name = name
        return player

    def save(self, path: Path, facts: PolicyMetadata) -> None:
        """Copy it to a file, what must be known of it to another beside it, which ends in ``.json``."""
        for source, target in ((self.statistics, path.with_suffix(".pkl")), (self.path, path)):
            if source is not None and source != target:
                with source.open("rb") as file, atomic_write(target, "wb") as copy:
                    shutil.copyfileobj(file, copy)
        write_json(json.loads(json.dumps({"kind": self.kind, "facts": vars(facts)})), _facts_file(path))


def _facts_file(path: Path) -> Path:
    return path.with_suffix(".json")


def _write_module(module: Any, path: Path, layout: ViewLayout) -> None:
    import torch  # needs the extra train

    if not isinstance(module, torch.nn.Module):
        kinds = "policies by side, a specification, a model of Stable-Baselines3 or a torch.nn.Module"
        raise BadInput(f"the learner's player is a {type(module).__name__}; expected: {kinds}")
    training = module.training
    example = torch.zeros(2, layout.size), torch.ones(2, layout.actions, dtype=torch.bool)
    torch.jit.trace(module.eval(), example, check_trace=False).save(str(path))
    module.train(training)
