"""Text of games, made from events."""

from collections.abc import Iterable, Iterator

from dawn_env.bids import PLAYER_NAMES
from dawn_env.errors import DawnError, MalformedPosition
from dawn_env.events.board_changes import Event
from dawn_env.events.event_observer import EventObserver
from dawn_env.events.secret_questions import EVERYTHING
from dawn_env.events.wording import say
from dawn_env.game import Game
from dawn_env.state import DECISIONS, Decision, Zone
from dawn_env.tables import SIDE_LETTERS, SIDE_NAMES

_OF_BID = DECISIONS[Decision.OFFER_SIDE : Decision.OWN_OFFER + 1]
_HEADS = ("decision", "offer", "occurs", "turn-end", "round", "end")
"""Events that stand at the beginning of a line; what follows is set in."""


def decision_words(side: int, decision: str, action: str) -> str:
    """A decision of a side, or of a player of a bid, with the text of its action."""
    who = (PLAYER_NAMES if decision in _OF_BID else SIDE_NAMES)[side]
    return say("event", {"event": "decision", "who": who, "decision": decision, "action": action})


def event_lines(events: Iterable[Event]) -> list[str]:
    """Lines for events of ``dawn_env.events``."""
    return [("" if event["event"] in _HEADS else "  ") + say("event", event) for event in events]


def narrate(record: dict) -> str:
    """A readable log with a line per event, then the result.

    Raises ``MalformedPosition`` when the record does not replay from its seed.
    """
    game = Game(record["seed"], record["options"])
    players = ", ".join(f"{name} {record['players'][SIDE_LETTERS[side]]}" for side, name in enumerate(SIDE_NAMES))
    lines = [f"Seed {record['seed']}: {players}", "", heading_words(game)]
    for events in all_events(game, record["decisions"]):
        for event, line in zip(events, event_lines(events), strict=True):
            lines += ["", line] if event["event"] == "round" else [f"  {line}"]
    lines += ["", f"Result: {game.result} ({game.reason}), {game.vp:+d} VP in turn {game.state.turn}"]
    return "\n".join(lines)


def all_events(game: Game, decisions: Iterable[str], viewer: int = EVERYTHING) -> Iterator[list[Event]]:
    """Take the decisions in ``game``, and yield for each the events that ``viewer`` sees."""
    observer = EventObserver(viewer)
    for number, text in enumerate(decisions, 1):
        before = game.copy()
        try:
            game.step(text)
        except DawnError as error:
            raise MalformedPosition(f"decision {number}: {error}") from error
        yield observer.see(before, game, text)


def heading_words(game: Game) -> str:
    """Heading of the current situation."""
    state = game.state
    if state.turn == 0:
        return "Set-up" if state.where[1:].max() >= Zone.HAND else "Bid"
    now = {"turn": int(state.turn), "round": int(state.action_round), "side": SIDE_NAMES[state.phasing]}
    return say("event", {"event": "round", **now})
