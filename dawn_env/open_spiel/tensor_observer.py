"""OpenSpiel observer: the parts of the observation as named pieces, public and private."""

import numpy as np
import pyspiel

from dawn_env.observation.view_layouts import ViewLayout

PRIVATE = frozenset(
    {"my_hand", "set_aside", "drawn", "my_power_hand", "their_power_hand", "their_power_known", "my_offer_side",
     "my_offer_points"}
)  # fmt: skip
"""Parts of an observation that the other player does not know as well. All others are public, but for the pending
``decision``, which is public as far as the one who does not act is shown it."""
_DECISION = "decision"


class DawnObserver:
    """OpenSpiel's observer of states: ``tensor`` float32, ``dict`` of its pieces by name, and strings.

    With public and single-player private information, as the observations and information states have it, the pieces
    are the parts of the game's layout in its order. Otherwise they are the public parts, the private ones, or both
    and the private parts of the other player as ``their_secret NAME``. The information state's tensor is that of the
    observation: what a player remembers beside it is in the string, as a digest. ``params``: none are known; raises
    ``ValueError`` for any, and for perfect recall of anything but the information state.
    """

    def __init__(self, layout: ViewLayout, kind: pyspiel.IIGObservationType, params: dict | None = None):
        if params:
            raise ValueError(f"observation parameters: none expected, not {params}")
        self._recalls, self._public, self._private = kind.perfect_recall, kind.public_info, kind.private_info
        single = self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if self._recalls and not (self._public and single):
            raise ValueError("perfect recall: of one player's whole view expected, not of parts of it or of both")
        self._layout = layout
        self._mine = [part.name for part in layout.table if self._has(part.name)]
        everybody = self._private == pyspiel.PrivateInfoType.ALL_PLAYERS
        self._theirs = [part.name for part in layout.table if everybody and part.name in PRIVATE]
        names = [*((name, name) for name in self._mine), *((f"their_secret {name}", name) for name in self._theirs)]
        sizes = {part.name: part.size for part in layout.table}
        ends = np.cumsum([0, *(sizes[name] for _, name in names)]).tolist()
        self.tensor = np.zeros(ends[-1], np.float32)
        places = zip(names, ends, ends[1:], strict=False)
        self.dict = {piece: self.tensor[start:end] for (piece, _), start, end in places}

    def _has(self, name: str) -> bool:
        nobody = self._private == pyspiel.PrivateInfoType.NONE
        if name == _DECISION:
            return self._public or not nobody
        return not nobody if name in PRIVATE else self._public

    def set_from(self, state, player: int) -> None:
        """Write the view that ``player`` has of ``state`` into ``tensor``."""
        seen = self._layout.decode(self._view(state, player))
        pieces = [seen[name] for name in self._mine]
        if self._theirs:
            other = self._layout.decode(state.seen(1 - player))
            pieces += [other[name] for name in self._theirs]
        np.concatenate(pieces or [np.zeros(0)], out=self.tensor, casting="unsafe")

    def _view(self, state, player: int) -> np.ndarray:
        """The player's view; when only public parts of it are asked for, the decision as the other is shown it."""
        seen = state.seen(player)
        if self._private == pyspiel.PrivateInfoType.NONE and state.current_player() == player:
            place = self._layout.slices[_DECISION]
            seen[place] = state.seen(1 - player)[place]
        return seen

    def string_from(self, state, player: int) -> str:
        """An information state is a digest of all that the player has seen and done; others list what is not zero."""
        if self._recalls:
            return f"player {player} recalls {state.recalled(player).hex()}"
        self.set_from(state, player)
        told = [f"{name}: {_told(piece)}" for name, piece in self.dict.items() if piece.any()]
        return "; ".join([f"player {player}", *told])


def _told(piece: np.ndarray) -> str:
    """The entries of a piece that are not zero, numbered unless it has one only."""
    numbers = piece.astype(int)
    if len(numbers) == 1:
        return str(numbers[0])
    return " ".join(str(at) if numbers[at] == 1 else f"{at}={numbers[at]}" for at in np.flatnonzero(numbers))
