"""Events of a game as one side sees them, for narration and for programs."""

from dawn_env.witness.following import Following, RowWitnesses
from dawn_env.witness.secret import PUBLIC, acts_openly, asked_in_secret
from dawn_env.witness.witness import Witness

__all__ = ["PUBLIC", "Following", "RowWitnesses", "Witness", "acts_openly", "asked_in_secret"]
