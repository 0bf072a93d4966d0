"""The player aids: short reminders of the rules, in our own words; tables come from the data."""

from dawn_env.actions import MOST_POINTS
from dawn_env.glossary import GLOSSARY
from dawn_env.tables import (
    AFTERMATH,
    EXTRA_ROUND,
    FAMILY_HAND_SIZE,
    FAMILY_POWER_HAND_SIZE,
    FAMILY_ROUNDS,
    FIRST_TURN,
    HAND_SIZE,
    LAST_TURN,
    ROUNDS,
)


def _aftermath_table() -> list[list[str]]:
    rows = [["roll", *map(str, range(len(AFTERMATH)))]]
    for name in ("support points lost", "VP"):
        rows.append([name, *map(str, AFTERMATH.tolist())])
    return rows


AIDS = (
    {"title": "A turn", "lines": (
        f"Both hands are filled to {HAND_SIZE} cards. The holder of the fifth award may exchange one.",
        f"{ROUNDS} action rounds: the Communist plays a card, then the Democrat. Honecker may give the Communist round "
        f"{EXTRA_ROUND}.",
        "The holder of the sixth award may make a free support check.",
        "Whoever still holds a scoring card loses the game.",
        "New Year's Eve Party, if it was declared, ends the game.",
        f"What lasts for a turn ends. The middle deck joins in turn {FIRST_TURN[1]}, the late deck in turn "
        f"{FIRST_TURN[2]}. After turn {LAST_TURN} all countries are scored; each country where the Communist holds "
        "Power is worth 4 VP.",
    )},
    {"title": "Playing a card", "lines": (
        "Your own or a neutral card: its event, or operations.",
        "A card of the opponent: operations, and their event occurs before or after, as you like, if it can.",
        "Any card: an attempt on the Tiananmen Square track; then its event does not occur.",
        "Operations are support points (one each, two where the opponent controls the space), within reach of where "
        "you have support when you begin; or two support checks.",
        "A scoring card is always an event: a power struggle, then the country is scored.",
    )},
    {"title": "Support checks", "lines": (
        "Die + ops value + modifiers against twice the stability. What is above it moves: first support of the "
        "opponent goes, then yours is added.",
        "+1 for each adjacent space that you control, -1 for each that the opponent controls.",
        "Cards in play may add or subtract; the page lists all that counts before you roll.",
        "Support in the space itself does not count, and you need none there.",
    )},
    {"title": "Tiananmen Square", "lines": (
        "An attempt: die + ops value, +1 for a card of your own colour, +1 after a failed attempt at the same box. One "
        "attempt a turn. Awards but for the third and fourth last until the opponent arrives.",
    )},
    {"title": "Power struggles", "lines": (
        "Cards: 6 for the first space controlled in the country, 2 for each further one.",
        "First who played the scoring card, then the other may discard three cards to raise the stakes: +1 on both "
        "rolls of the aftermath.",
        "The attacker plays a card; the defender answers with the same suit, a leader or Tactic Fails, or concedes.",
        "An answer rolls the die: at least the attacker's rank takes the initiative. A rally, rank 1, always loses it.",
        "A leader counts for any suit, rank 3, while its side controls a space of its type in the country.",
        "Support Falters: the opponent loses two cards. Support Surges: draw two. Scare Tactics: remove a support "
        "point. Tactic Fails: answers anything, and its suit cannot be played any more.",
    )},
    {"title": "Aftermath", "lines": (
        "Two rolls: support points that the loser takes off, then VP for the winner.",
        "+2 if it was won with a rally, -2 with a petition, +1 for each raise.",
        "A Democrat who wins with 4 or more takes Power. Else the Communist keeps it and scores, or gives it up.",
    ), "table": _aftermath_table()},
    {"title": "Scoring a country", "lines": tuple(
        str(GLOSSARY[term]) for term in ("presence", "domination", "country-control", "scoring")
    )},
    {"title": "Winning", "lines": (
        "20 VP win at once, but not within a struggle.",
        "Holding a scoring card at the end of a turn loses.",
        f"Otherwise whoever is ahead after turn {LAST_TURN}.",
    )},
    {"title": "Bid for sides", "lines": (
        f"Each player offers support points, 0 to {MOST_POINTS}, together with a side for the opponent, so as to play "
        "the other side.",
        "Both name the same side: the larger offer counts. Its player plays the other side, and the points are placed "
        "after the set-up. Equal offers: whoever rolls higher says which of the two counts.",
        "Different sides: both get the one they want, and no points.",
    )},
    {"title": "Family mode", "lines": (
        f"Each turn both draw up to {FAMILY_HAND_SIZE} cards of their colour and {FAMILY_POWER_HAND_SIZE} struggle "
        "cards. There are no events.",
        "Placement: in turn a card each; all of its points go into one space where you have points, or next to one, "
        "but not where the opponent has control.",
        f"Then {FAMILY_ROUNDS} rounds: move points from a space that you control to a neighbour. A neighbour of yours: "
        "a shift. One of the opponent, or an empty one: a take-over.",
        "Take-over: points + die against points + stability + die. First the attacker, then the defender may add a "
        "struggle card to that; a rally wins.",
        "All countries are scored at the end of every turn. 20 VP win; the Communist wins ties.",
    )},
)  # fmt: skip
"""Titles with lines, and a table (first row: headings) where there is one."""
