"""Policies that are networks."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from torch import nn

from dawn_agents.players.network_player import NetworkPlayer
from dawn_agents.players.networks.policy_file import save_policy
from dawn_agents.players.networks.policy_metadata import PolicyInfo, PolicyMetadata
from dawn_agents.players.networks.policy_networks import NetworkOptions


class TrainablePolicy(ABC):
    """A policy that is a network: runs can go on from its files, and warm starts teach it as a network of torch."""

    options: NetworkOptions

    @abstractmethod
    def trainable(self) -> nn.Module:
        """A network of torch with its weights."""

    @abstractmethod
    def load_weights(self, network: nn.Module) -> None:
        """Copy the weights of a network of the shape of ``trainable``."""


@dataclass(frozen=True)
class NetworkPolicy(TrainablePolicy):
    """A network of torch with the settings it was built from."""

    network: nn.Module
    options: NetworkOptions

    def player(self, name: str, seed: int = 0, sample: bool = False) -> NetworkPlayer:
        """Player of this network (``learner.Policy``)."""
        return NetworkPlayer(name, self.network.eval(), seed, sample)

    def save(self, path: Path, facts: PolicyMetadata) -> None:
        """A policy file."""
        save_policy(path, self.network, PolicyInfo(**vars(facts) | {"network": self.options}))

    def trainable(self) -> nn.Module:
        """The network itself."""
        return self.network

    def load_weights(self, network: nn.Module) -> None:
        """Copy the weights of a network."""
        self.network.load_state_dict(network.state_dict())
