"""OpenSpiel's structs of states, observations and actions: JSON values that are read by key or as attributes.

Compiled games have classes of their own derived from ``pyspiel.SpielStruct``, which Python cannot derive from; these
have the same methods. They hold what ``View.facts`` says.
"""

import json
from collections.abc import Mapping
from typing import Any

import pyspiel

from dawn_env.validation.untrusted_json import parse_json


class DawnStruct:
    """JSON values by key, made from a mapping or from JSON text; raises ``pyspiel.SpielError`` for other text."""

    def __init__(self, contents: str | Mapping[str, Any]):
        try:
            values = parse_json(contents) if isinstance(contents, str) else dict(contents)
        except ValueError as error:
            raise pyspiel.SpielError(f"{type(self).__name__}: not JSON: {error}") from None
        if not isinstance(values, dict):
            raise pyspiel.SpielError(f"{type(self).__name__}: a JSON object expected")
        self._values = values

    def __getattr__(self, name: str) -> Any:
        try:
            return vars(self)["_values"][name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no {name!r}") from None

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.to_dict() == self._values

    __hash__ = None  # type: ignore[assignment]  # a struct can be changed through its values

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.to_json()!r})"

    def to_dict(self) -> dict[str, Any]:
        """The values."""
        return self._values

    def to_json(self) -> str:
        """The values as one line of JSON."""
        return json.dumps(self._values, ensure_ascii=False)


class StateStruct(DawnStruct):
    """A whole state: ``current_player`` and ``views``, the observations of both players, empty before the deal."""


class ObservationStruct(DawnStruct):
    """View of one player: ``View.facts`` (``docs/reference/view.md``)."""


class ActionStruct(DawnStruct):
    """An action: its text as ``action``, such as ``space:Berlin``. So is an entry of ``legal`` of an observation."""


ACTION_SPEC = '{"action": string}', '{"action": "space:Berlin"}'
"""Content of an action struct, and an example."""
