"""JSON values of power struggle cards."""

import numpy as np

from dawn_env.tables import FACES


def copies(faces: np.ndarray) -> dict[str, int]:
    """Copies by face, of the faces that there are."""
    return {FACES[face]: int(faces[face]) for face in np.flatnonzero(faces)}
