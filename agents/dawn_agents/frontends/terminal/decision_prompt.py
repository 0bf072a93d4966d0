"""The choices of the pending decision as a menu for a person, and when the board should be shown again."""

from itertools import groupby

from dawn_env.actions import ACTIONS
from dawn_env.glossary import card_name
from dawn_env.observation.player_view import View
from dawn_env.picture.board_text import listed, wrapped
from dawn_env.tables import (
    CARD_TITLES,
    COUNTRIES,
    COUNTRY_OF,
    NEUTRAL,
    OWNER,
    PRINTED_OPS,
    SIDE_LETTERS,
    SPACE_ID,
)
from dawn_env.views.questions import choice_hint
from dawn_env.views.view_facts import success_probabilities


def redraw_key(view: View) -> tuple[int, ...]:
    """Key that changes when the board should be shown again: turn and round of the side's own; else empty."""
    parts = view.layout.decode(view.observation)
    turn, number, is_own = (int(parts[name][0]) for name in ("turn", "round", "phasing"))
    return (turn, number) if is_own else ()


# --- its choices -------------------------------------------------------------------------------


class Menu:
    """The legal actions of a view: ``names`` are all that may be typed, with their actions.

    Cards are typed by the number printed on them or by title, places by name. Where there are neither, the
    choices are numbered.
    """

    def __init__(self, view: View):
        self._view, self._probabilities = view, success_probabilities(view)
        self.cards = [int(name) for name in _named(view, "card")]
        self.places = _named(view, "space")
        self.others = [text for text in view.texts if text.partition(":")[0] not in ("card", "space")]
        self.names: dict[str, int] = {}
        for action, text in zip(view.legal.tolist(), view.texts, strict=True):
            family, _, name = text.partition(":")
            typed = (name, CARD_TITLES[int(name)]) if family == "card" else (name or text,)
            self.names |= dict.fromkeys((text, *typed), action)
        if self.numbered:
            self.names |= {str(number): ACTIONS.index(text) for number, text in enumerate(self.others, 1)}

    @property
    def numbered(self) -> bool:
        """Return True if the choices get numbers: they are neither cards, nor places, nor numbers themselves."""
        return not self.cards and not self.places and self.others[0].partition(":")[0] != "points"

    def text(self, columns: int) -> str:
        """All choices, for a terminal of so many columns."""
        cards = [_card_words(card) + self._odds(f"card:{card}") for card in self.cards]
        lines = [listed(cards)] if cards else []
        for country, places in groupby(self.places, lambda name: COUNTRIES[COUNTRY_OF[SPACE_ID[name]]]):
            lines.append(f"{country}: {listed(name + self._odds(f'space:{name}') for name in places)}")
        words = []
        for text in self.others:
            notes = filter(None, (self._odds(text).strip(), choice_hint(self._view, text)))
            words.append((text.partition(":")[2] or text) + (f" ({noted})" if (noted := ", ".join(notes)) else ""))
        if self.numbered:
            lines += [f"{number} {word}" for number, word in enumerate(words, 1)]
        elif words:
            lines.append(f"or {listed(words)}" if lines else listed(words))
        return "\n".join(wrapped(f"  {line}", columns) for line in lines)

    def _odds(self, text: str) -> str:
        """The chance with which a choice succeeds, empty where no die is rolled."""
        return f" {self._probabilities[text]:.0%}" if text in self._probabilities else ""


def _named(view: View, family: str) -> list[str]:
    return [text.partition(":")[2] for text in view.texts if text.startswith(f"{family}:")]


def _card_words(card: int) -> str:
    """Number, title, side of the event and value of a card; scoring cards lack the last two."""
    value, owner = int(PRINTED_OPS[card]), int(OWNER[card])
    sides = "".join(letter for side, letter in enumerate(SIDE_LETTERS) if owner in (side, NEUTRAL))
    return f"{card_name(card)} ({sides} {value})" if value else card_name(card)
