"""Display names of the players of a tournament."""

from collections import Counter
from collections.abc import Mapping

from dawn_agents.registry import PLAYERS
from dawn_env.support.plain_text import plain

_LONGEST = 40  # characters of a declared name that are shown


def labels(players: Mapping[str, dict]) -> dict[str, str]:
    """A label for each of ``players`` (as ``Store.players``) by name, safe to show and not the same for any two.

    It is the name that a program has declared, followed by its specification if others could be meant by that
    name; all other players are called by their specification.
    """
    declared = {name: _shortened(plain(player.get("declared", ""))) for name, player in players.items()}
    meant = Counter(text.casefold() for text in declared.values())
    meant.update({plain(name).casefold() for name in {*players, *PLAYERS}})
    return {name: _label(plain(name), declared[name], meant) for name in players}


def _label(name: str, declared: str, meant: Mapping[str, int]) -> str:
    if not declared.strip():
        return name
    return declared if meant[declared.casefold()] == 1 else f"{declared} ({name})"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
