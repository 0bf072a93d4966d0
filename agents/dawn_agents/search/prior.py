"""Action probabilities of networks as prior of the search at the root."""

from pathlib import Path

from dawn_agents.networks.policy_file import load_policy
from dawn_agents.players.policy import PRETRAINED, NetworkPlayer, file_version
from dawn_env.tables import SIDE_NAMES


def load_priors(prior: str) -> dict[int, NetworkPlayer]:
    """Networks by side: of a policy file, one; of ``pretrained``, both. Raises ``PolicyFileError``."""
    pretrained = [PRETRAINED / f"{side}.zip" for side in SIDE_NAMES]
    return dict(_load(path) for path in (pretrained if prior == "pretrained" else [Path(prior)]))


def _load(path: Path) -> tuple[int, NetworkPlayer]:
    """The side a policy was trained for, and its network."""
    network, info = load_policy(path)
    player = NetworkPlayer(str(path), network)
    player.version = file_version(path)
    return SIDE_NAMES.index(info.side), player
