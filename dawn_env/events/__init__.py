"""Events of a game as one side sees them, for narration and for programs."""

from dawn_env.events.event_feed import Following, RowWitnesses
from dawn_env.events.secret_questions import PUBLIC, acts_openly, asked_in_secret
from dawn_env.events.step_events import Witness

__all__ = ["PUBLIC", "Following", "RowWitnesses", "Witness", "acts_openly", "asked_in_secret"]
