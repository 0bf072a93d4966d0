"""Events of a game from one side's view, for narration and for programs."""

from dawn_env.events.event_feed import BatchEventFeed, EventFeed
from dawn_env.events.event_observer import EventObserver
from dawn_env.events.secret_questions import EVERYTHING, PUBLIC, asked_in_secret

__all__ = ["EVERYTHING", "PUBLIC", "EventFeed", "BatchEventFeed", "EventObserver", "asked_in_secret"]
