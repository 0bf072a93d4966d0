"""Names of cards, and the glossary: definitions of the game's terms for board, terminal and documentation."""

from typing import NamedTuple

from dawn_env.actions import MOST_POINTS
from dawn_env.tables import (
    CARD_TITLES,
    FAMILY_HAND_SIZE,
    FAMILY_ROUNDS,
    FIRST_TURN,
    HAND_SIZE,
    LAST_TURN,
    ROUNDS,
    SOURCE_TITLES,
    TIANANMEN_BOXES,
)


def card_name(card: int) -> str:
    """Number and title of a strategy card; an award or an operation has no number."""
    return f"{card} {CARD_TITLES[card]}" if card < len(CARD_TITLES) else SOURCE_TITLES[card]


def face_name(face: str) -> str:
    """Name of a power struggle card."""
    kind, _, rest = face.partition("-")
    return f"{rest.capitalize()} leader" if kind == "leader" else face.replace("-", " ").capitalize()


def counted(number: int, noun: str) -> str:
    """``1 point``, ``2 points``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


class Term(NamedTuple):
    """A term of the game and its definition."""

    title: str
    meaning: str

    def __str__(self) -> str:
        return f"{self.title}: {self.meaning}"


GLOSSARY = {
    "aftermath": Term(
        "Aftermath",
        "two rolls of the winner of a power struggle: support points that the loser takes off, then VP for the winner.",
    ),
    "attack": Term(
        "Attack and answer",
        "in a power struggle the attacker plays a struggle card; the defender answers with the same suit, a leader or "
        "Tactic Fails, or concedes. The first who cannot answer has lost.",
    ),
    "battleground": Term(
        "Battleground",
        "a space with a double edge: 1 VP more when its country is scored. Domination and Control of a country depend "
        "on its battlegrounds.",
    ),
    "bid": Term(
        "Bid",
        f"a start of the game in which both players secretly offer 0 to {MOST_POINTS} support points for a side.",
    ),
    "country-control": Term(
        "Control of a country", "more spaces than the opponent, and every battleground: the highest level of scoring."
    ),
    "control": Term(
        "Control of a space", "your support points there exceed those of your opponent by at least its stability."
    ),
    "domination": Term(
        "Domination",
        "more spaces and more battlegrounds than the opponent, and at least one space that is no battleground: the "
        "middle level of scoring.",
    ),
    "event": Term(
        "Event",
        "the text of a card. It is the Democrat's, the Communist's, or neutral. If you play a card of your opponent "
        "for operations, its event occurs too.",
    ),
    "final-scoring": Term(
        "Final scoring",
        f"after turn {LAST_TURN} every country is scored, and the Communist gets VP for each country where they hold "
        "Power.",
    ),
    "initiative": Term(
        "Initiative",
        "after an answer in a power struggle the defender rolls a die; with at least the rank of the attack they "
        "become the attacker.",
    ),
    "leader": Term(
        "Leader",
        "a struggle card that counts for any suit, rank 3, while its side controls a space of its type in the country.",
    ),
    "ops": Term(
        "Operations value",
        "the number on a card: so many support points to place, or what is added to the die of two support checks or "
        "of an attempt at Tiananmen Square.",
    ),
    "power": Term(
        "Power",
        "the Communist holds Power in all six countries at the start. The Democrat takes it in power struggles. Where "
        "the Communist keeps it they score VP, more each time.",
    ),
    "struggle": Term(
        "Power struggle",
        "the fight for Power in a country, with cards of its own, before the country is scored. A scoring card starts "
        "it.",
    ),
    "presence": Term("Presence", "at least one space of the country: the lowest level of scoring."),
    "rank": Term("Rank", "the number of a struggle card, 1 to 6: what the die of an answer must reach."),
    "round": Term(
        "Round",
        f"one card of each side, the Communist first. A turn has {ROUNDS} rounds, in family mode {FAMILY_ROUNDS}.",
    ),
    "scored-now": Term(
        "Scored now", "what the country would give if it were scored now: D for the Democrat, C for the Communist."
    ),
    "scoring": Term(
        "Scoring",
        "each side gets the VP of its highest level in the country (Presence, Domination or Control), and 1 VP for "
        "each battleground it controls. The difference counts.",
    ),
    "scoring-card": Term(
        "Scoring card",
        "starts a power struggle in its country and scores it. Whoever still holds one at the end of a turn loses the "
        "game.",
    ),
    "shift": Term("Shift", "in family mode a move of support points from a space of yours to another one of yours."),
    "stability": Term(
        "Stability",
        "how firm a space is: so many support points more than the opponent give control of it, and a support check "
        "must exceed twice as much.",
    ),
    "stakes": Term(
        "Stakes",
        "before a power struggle each side may discard three struggle cards to raise the stakes: +1 on both rolls of "
        "the aftermath.",
    ),
    "suit": Term(
        "Suit", "the kind of a struggle card: rally, strike, march or petition. An answer needs the same one."
    ),
    "check": Term(
        "Support check",
        "a roll against the opponent's support in a space: die + operations value + modifiers. What is above twice the "
        "stability first removes support of the opponent; the rest becomes yours.",
    ),
    "support": Term("Support points", "a blue square for the Democrat, an orange disc for the Communist."),
    "take-over": Term(
        "Take-over",
        "in family mode a move of support points into a space of the opponent or an empty one: points + die against "
        "points + stability + die.",
    ),
    "square": Term(
        "Tiananmen Square Track",
        f"{TIANANMEN_BOXES} boxes. A card can be spent on an attempt to enter the next one, once a turn; each box "
        "helps the side that comes first.",
    ),
    "turn": Term(
        "Turn",
        f"{ROUNDS} rounds; before them both hands are filled to {HAND_SIZE} cards. The game has {LAST_TURN} turns; "
        f"further cards join the deck in turns {FIRST_TURN[1]} and {FIRST_TURN[2]}. In family mode both sides first "
        f"place {FAMILY_HAND_SIZE} cards, then a turn has {FAMILY_ROUNDS} rounds.",
    ),
    "type": Term(
        "Type of a space",
        "elite, bureaucrat, worker, farmer, intellectual, student, church or minority. Many events and the leaders of "
        "power struggles go by it.",
    ),
    "ussr": Term(
        "USSR Stability Track",
        "three events of the Democrat move it on, each for VP; the coup of the Communist may come then.",
    ),
    "vp": Term(
        "Victory points (VP)",
        "one scale for both sides: positive is good for the Democrat, negative for the Communist. 20 win at once, "
        "in family mode after the scoring of a turn; else whoever leads at the end.",
    ),
    "worth": Term(
        "Worth of a country",
        "VP for Presence, Domination and Control; in the standard game behind a dot those for keeping Power, times the "
        "number of times the Communist has kept it.",
    ),
}
"""Terms by a short name, which the page carries as ``data-term``; in the order of their titles."""
