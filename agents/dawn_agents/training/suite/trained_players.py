"""Agents: how they are named, what they yield, and how that is kept as files and played."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Protocol

from dawn_agents.players.registry import PLAYERS
from dawn_agents.players.specification import BadSpec, canonical, load, parse_options, split
from dawn_agents.training.dataset.dataset_files import checksum
from dawn_agents.training.suite.training_budget import TRACKS, TrainingBudget
from dawn_env.errors import BadInput
from dawn_env.observation.view_layouts import ViewLayout

RECIPES = {
    "asymmetric_ppo": "docs.examples.asymmetric_ppo:Agent",
    "best_response": "docs.examples.league_ppo:BestResponse",
    "imitation": "docs.examples.imitation:Agent",
    "league_ppo": "docs.examples.league_ppo:Agent",
    "league_ppo_family": "docs.examples.league_ppo:Family",
    "league_ppo_scratch": "docs.examples.league_ppo:Scratch",
    "maskable_ppo": "docs.examples.maskable_ppo:Agent",
    "masked_dqn": "docs.examples.masked_dqn:Agent",
    "mirror_descent": "docs.examples.mirror_descent:Agent",
    "selfplay_ppo": "docs.examples.selfplay_ppo:Agent",
}
"""Agents of the repository by short names; they are found where its folder ``docs`` is in the working directory."""


class Agent(Protocol):
    """A learner. ``track``: one of ``TRACKS``; ``resumes``: True if it goes on from ``budget.resume_from``."""

    track: str
    resumes: bool = False

    def train(self, make_env: Callable[..., Any], budget: TrainingBudget, seed: int) -> Iterator[Any]:
        """Yield players as it learns, the best last, whenever ``budget.due``.

        A player is the specification of one, a model of Stable-Baselines3, or a ``torch.nn.Module`` that makes logits
        [K, A] of float32 observations [K, F] and bool masks [K, A]. ``make_env``: ``make_environment`` of the task.
        """
        ...


def full_name(agent: str | type) -> str:
    """``MODULE:CLASS`` of an agent, also of one of ``RECIPES`` and of a class, such as one of a notebook's cells.

    Raises ``BadSpec`` that names those there are, and ``BadInput`` for a recipe outside a clone of the repository.
    """
    if inspect.isclass(agent):
        return f"{agent.__module__}:{agent.__qualname__}"
    split("agent", dict.fromkeys(RECIPES, ("", "")), agent)
    if agent in RECIPES and not Path("docs", "examples").is_dir():
        raise BadInput(f"agent {agent}: recipes are in docs/examples of the repository; run this in a clone of it")
    return RECIPES.get(agent, agent)


def agent_called(specification: str) -> Any:
    """Make the agent ``MODULE:CLASS``; raises ``BadSpec`` and ``BadInput`` for what is none."""
    name, text = split("agent", {}, specification)
    made = load("agent", {}, name)
    if text:
        raise BadInput(f"agent {name}: takes no options, not {text!r}")
    agent = made() if inspect.isclass(made) else made
    if not callable(getattr(agent, "train", None)):
        raise BadInput(f"agent {name}: a class with a method train(make_env, budget, seed) expected")
    if getattr(agent, "track", None) not in TRACKS:
        raise BadInput(f"agent {name}: track: {' or '.join(map(repr, TRACKS))} expected")
    return agent


def code_checksum(specification: str) -> dict[str, str]:
    """SHA-256 of the file that defines an agent, once ``agent_called`` has imported it; empty for one without a file.

    Raises ``BadInput`` for a file that has changed since, as the code that runs is not in it.
    """
    module = sys.modules[specification.partition(":")[0]]
    if not getattr(module, "__file__", None):
        return {}
    path = Path(module.__file__)
    found = checksum(path)
    imported = vars(module.__spec__ or module)  # a module that is loaded again has another ``__spec__``
    if imported.setdefault("agent_checksum", found) != found:
        raise BadInput(f"{path.name} has changed since it was imported: import it anew (importlib.reload)")
    return {f"SHA-256 of {path.name}": found}


def keep_player(trained: Any, stem: Path, layout: ViewLayout) -> str:
    """Write what an agent has yielded to a file named as ``stem``; the specification of the player."""
    if isinstance(trained, str):
        return trained
    stem.parent.mkdir(parents=True, exist_ok=True)
    if hasattr(trained, "policy") and hasattr(trained, "save"):
        trained.save(stem.with_suffix(".zip"))
        if statistics := getattr(trained, "get_vec_normalize_env", lambda: None)():
            statistics.save(str(stem.with_suffix(".pkl")))
            return f"sb3:normalize={stem.with_suffix('.pkl')},{stem.with_suffix('.zip')}"
        return f"sb3:{stem.with_suffix('.zip')}"
    return f"torchscript:{_keep_module(trained, stem.with_suffix('.pt'), layout)}"


def _keep_module(module: Any, path: Path, layout: ViewLayout) -> Path:
    import torch  # needs the extra train

    if not isinstance(module, torch.nn.Module):
        kinds = "a specification, a model of Stable-Baselines3 or a torch.nn.Module"
        raise BadInput(f"the agent yielded {type(module).__name__}; expected {kinds}")
    training = module.training
    example = torch.zeros(2, layout.size), torch.ones(2, layout.actions, dtype=torch.bool)
    torch.jit.trace(module.eval(), example, check_trace=False).save(str(path))
    module.train(training)
    return path


def ways_to_play(specification: str) -> dict[str, str]:
    """Specifications of a player as it samples and greedily, or alone as ``plain`` if it has no such choice.

    Raises ``BadInput``.
    """
    try:
        name, text = split("player", PLAYERS, specification)
        options_class = getattr(load("player", PLAYERS, name), "Options", None)
        if options_class is None:
            return {"plain": specification}
        options = parse_options(name, options_class, text)
    except BadSpec as error:
        raise BadInput(str(error)) from error
    if "sample" not in {option.name for option in fields(options)}:
        return {"plain": canonical(name, options)}
    ways = {"sampled": replace(options, sample=True), "greedy": replace(options, sample=False, temperature=1.0)}
    return {way: canonical(name, chosen) for way, chosen in ways.items()}


def checksums(specification: str, folder: Path) -> list[dict[str, str]]:
    """Path as seen from ``folder``, or the name of one that is not below it, and SHA-256 of every file that a player is
    made from."""
    words = [Path(word) for word in re.split("[=:,]", specification)]
    found = {path for word in words for path in ([word] if word.is_file() else word.glob("*.zip"))}
    name = specification.partition(":")[0]
    own_module = Path(name.replace(".", "/") + ".py")
    if name not in PLAYERS and own_module.is_file():
        found.add(own_module)
    folder, paths = folder.absolute(), [path.absolute() for path in sorted(found)]
    seen = [path.relative_to(folder) if path.is_relative_to(folder) else Path(path.name) for path in paths]
    return [{"path": name.as_posix(), "sha256": checksum(path)} for name, path in zip(seen, paths, strict=True)]
