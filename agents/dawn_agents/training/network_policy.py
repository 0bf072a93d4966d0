"""Policies that are networks: what they play, and their files."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from torch import nn

from dawn_agents.networks.network import NetworkOptions, average_network
from dawn_agents.networks.policy_file import PolicyInfo, load_policy, save_policy
from dawn_agents.players.policy import NetworkPlayer
from dawn_agents.training.learner import Facts


@dataclass(frozen=True)
class NetworkPolicy:
    """A network with the settings it was built from."""

    network: nn.Module
    options: NetworkOptions

    def player(self, name: str, seed: int = 0, sample: bool = False) -> NetworkPlayer:
        """Player of this network (``learner.Policy``)."""
        return NetworkPlayer(name, self.network.eval(), seed, sample)

    def save(self, path: Path, facts: Facts) -> None:
        """A policy file."""
        save_policy(path, self.network, PolicyInfo(network=self.options, **asdict(facts)))

    @classmethod
    def load(cls, path: Path, device: str) -> tuple["NetworkPolicy", Facts]:
        """Read what ``save`` has written, onto a device of torch; raises ``PolicyFileError``."""
        network, info = load_policy(path)
        return cls(network.to(device), info.network), Facts(info.side, info.rules, info.training, info.ratings)

    def averaged(self, others: Sequence["NetworkPolicy"]) -> "NetworkPolicy":
        """The mean of its weights and those of others."""
        return NetworkPolicy(average_network([self.network, *(other.network for other in others)]), self.options)
