"""The flat action space: one integer and one text per action, the same at every decision.

``A`` = 234 actions of the standard game: spaces, strategy cards, countries, power struggle faces, suits, words.
``ALL_ACTIONS`` = 249: behind them come those that only a bid (rule 13.0) or family mode needs.
"""

from enum import IntEnum, auto

from dawn_env.tables import COUNTRIES, FACES, SIDE_NAMES, SPACES, SUITS, C

SPACE0 = 0
CARD0 = SPACE0 + len(SPACES) - 1  # action of card n is CARD0 + n, n from 1
COUNTRY0 = CARD0 + C
FACE0 = COUNTRY0 + len(COUNTRIES)
SUIT0 = FACE0 + len(FACES)
WORD0 = SUIT0 + len(SUITS)


class Word(IntEnum):
    """Actions that are words."""

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return WORD0 + count

    EVENT = auto()
    OPPONENT_EVENT = auto()
    CANCEL_EVENT = auto()
    EVENT_AND_OPS = auto()
    OPS = auto()
    PLACE = auto()
    CHECK = auto()
    TIANANMEN = auto()
    PASS = auto()
    CONCEDE = auto()
    YES = auto()
    NO = auto()
    RETAIN = auto()
    SURRENDER = auto()
    ADD = auto()
    REMOVE = auto()
    EXTRA_ROUND = auto()
    END_GAME = auto()
    CONTINUE = auto()


WORDS = tuple(word.name.lower().replace("_", "-") for word in Word)
A = WORD0 + len(WORDS)

MOST_POINTS = 12
"""Support points that one action can name."""
POINTS0 = A
OFFER0 = POINTS0 + MOST_POINTS + 1
ALL_ACTIONS = OFFER0 + len(SIDE_NAMES)

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
        raise KeyError(
            f"no action is called {text!r}; see docs/reference/actions.md for the {ALL_ACTIONS} texts"
        ) from None


def action_text(action: int) -> str:
    """Text of an action id; ``IndexError`` when it is outside 0 ... ALL_ACTIONS - 1."""
    if not 0 <= action < ALL_ACTIONS:
        raise IndexError(f"action {action} is outside 0 ... {ALL_ACTIONS - 1}")
    return ACTIONS[action]
