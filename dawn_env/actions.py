"""The flat action space: one integer and one text per action, the same at every decision.

``A`` = 234 actions of the standard game: spaces, strategy cards, countries, power struggle faces, suits, words.
``ALL_ACTIONS`` = 249: behind them come those that only a bid (rule 13) or family mode needs.
"""

from dawn_env.tables import COUNTRIES, FACES, SIDE_NAMES, SPACES, SUITS, C

WORDS = (
    "event", "opponent-event", "cancel-event", "event-and-ops", "ops", "place", "check", "tiananmen",
    "pass", "concede", "yes", "no", "retain", "surrender", "add", "remove", "extra-round", "end-game", "continue",
)  # fmt: skip

SPACE0 = 0
CARD0 = SPACE0 + len(SPACES) - 1  # action of card n is CARD0 + n, n from 1
COUNTRY0 = CARD0 + C
FACE0 = COUNTRY0 + len(COUNTRIES)
SUIT0 = FACE0 + len(FACES)
WORD0 = SUIT0 + len(SUITS)
A = WORD0 + len(WORDS)

MOST_POINTS = 12
"""Support points that one action can name."""
POINTS0 = A
OFFER0 = POINTS0 + MOST_POINTS + 1
ALL_ACTIONS = OFFER0 + len(SIDE_NAMES)

(
    EVENT, OPPONENT_EVENT, CANCEL_EVENT, EVENT_AND_OPS, OPS, PLACE, CHECK, TIANANMEN,
    PASS, CONCEDE, YES, NO, RETAIN, SURRENDER, ADD, REMOVE, EXTRA_ROUND, END_GAME, CONTINUE,
) = range(WORD0, A)  # fmt: skip

ACTIONS = (
    tuple(f"space:{name}" for name in SPACES)
    + tuple(f"card:{number}" for number in range(1, C))
    + tuple(f"country:{name}" for name in COUNTRIES)
    + tuple(f"power:{face}" for face in FACES)
    + tuple(f"suit:{suit}" for suit in SUITS)
    + WORDS
    + tuple(f"points:{number}" for number in range(MOST_POINTS + 1))
    + tuple(f"offer:{side}" for side in SIDE_NAMES)
)
"""Text of each action id."""

_ID = {text: index for index, text in enumerate(ACTIONS)}


def action_id(text: str) -> int:
    """Integer of an action text; ``KeyError`` with the text when there is no such action."""
    try:
        return _ID[text]
    except KeyError:
        raise KeyError(f"no action is called {text!r}; see docs/actions.md for the {ALL_ACTIONS} texts") from None


def action_text(action: int) -> str:
    """Text of an action id; ``IndexError`` when it is outside 0 ... ALL_ACTIONS - 1."""
    if not 0 <= action < ALL_ACTIONS:
        raise IndexError(f"action {action} is outside 0 ... {ALL_ACTIONS - 1}")
    return ACTIONS[action]
