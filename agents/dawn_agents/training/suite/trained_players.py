"""Players of learners: how they are kept as files and played."""

import re
import sys
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path

from dawn_agents.players.networks.policy_metadata import PolicyMetadata
from dawn_agents.players.registry import PLAYERS
from dawn_agents.players.sparse_player import SHIPPED_POLICIES
from dawn_agents.players.specification import BadSpec, canonical, load, parse_options, split
from dawn_agents.training.dataset.dataset_files import checksum
from dawn_agents.training.environments import TRACKS
from dawn_agents.training.learner import LEARNERS, Learner
from dawn_agents.training.trained_policies import TrainedPolicy
from dawn_env.errors import BadInput
from dawn_env.observation.view_layouts import layout_of_sides

_OUR_PACKAGES = ("dawn_agents", "dawn_env")
_KNOWING_PLAYERS = frozenset(("greedy", "heuristic", "search", *SHIPPED_POLICIES))
_WRAPPERS = ("json", "text")  # players that answer as another one does


def track_refusal(player: str, track: str) -> str:
    """Reason why a player by specification cannot be scored on a track; empty if it can."""
    try:
        if track != TRACKS[0] or not _has_knowledge(player):
            return ""
    except BadSpec as error:
        return str(error)
    return f"player {player!r} is knowledge: it cannot be scored on the track {track!r}"


def _has_knowledge(player: str) -> bool:
    """Return True if a player is shipped with the project or uses a guide or values that are; raises ``BadSpec``."""
    name, _, text = player.partition(":")
    if name in _WRAPPERS:
        return _has_knowledge(text)
    if name not in PLAYERS:
        return name.partition(".")[0] in _OUR_PACKAGES
    if name == "value" and not parse_options(name, load("player", PLAYERS, name).Options, text).path:
        return True
    return not _KNOWING_PLAYERS.isdisjoint(re.split("[=:,]", player))


def code_checksum(specification: str) -> dict[str, str]:
    """SHA-256 of the file that defines a learner, once it has been imported; empty for one without a file and for the
    project's own.

    Raises ``BadInput`` for a file that has changed since, as the code that runs is not in it.
    """
    if specification.partition(":")[0] in LEARNERS:
        return {}
    module = sys.modules[specification.partition(":")[0]]
    if not getattr(module, "__file__", None):
        return {}
    path = Path(module.__file__)
    found = checksum(path)
    imported = vars(module.__spec__ or module)  # a module that is loaded again has another ``__spec__``
    if imported.setdefault("agent_checksum", found) != found:
        raise BadInput(f"{path.name} has changed since it was imported: import it anew (importlib.reload)")
    return {f"SHA-256 of {path.name}": found}


def keep_player(learner: Learner, stem: Path) -> str:
    """Save a learner's player to files named ``stem``; returns the player's specification. Raises ``BadInput`` if no
    player can play both sides with these files."""
    trained = learner.player()
    if isinstance(trained, str):
        return trained
    stem.parent.mkdir(parents=True, exist_ok=True)
    options = learner.environments.options
    if not isinstance(trained, Mapping):
        return TrainedPolicy.write(trained, stem, layout_of_sides(options)).specification
    stem.mkdir(exist_ok=True)
    for side, policy in trained.items():
        policy.save(stem / f"{side}.zip", PolicyMetadata(side, options.to_json()))
    if not (player := learner.specification(stem)):
        raise BadInput(f"{type(learner).__name__}: no player plays both sides by its policies")
    return player


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
