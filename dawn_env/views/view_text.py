"""The facts of a view in words, in three levels of detail, for people and for language models.

Every word comes from ``view_facts``. Sizes, in tokens, are in ``docs/reference/view.md``; the tests count them.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from dawn_env.errors import MalformedPosition
from dawn_env.glossary import card_name, counted, face_name
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import LAYOUTS
from dawn_env.state import SPACE_MARKERS
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import SIDE_NAMES
from dawn_env.views.named_parts import lines_of
from dawn_env.views.view_facts import view_facts

SHORT, MEDIUM, FULL = DETAILS = "short", "medium", "full"
"""Levels of detail: what is new and what is asked; the position; the position with neighbours, all texts and the parts
of the observation."""
_LATEST = {SHORT: 8, MEDIUM: 6, FULL: None}
"""Lines about what has happened, the latest ones."""
PARTS = "Observation {game}, version {version}, its parts by name, those that are zero left out:"
ANSWERS = "Answer with one of:"
"""The beginning of the parts, which are indented, and the end of the question, behind which the answers follow."""
MARK, PLACES = "+", "space:NAME"
MARKED = f"NAME, NAME: any that is marked {MARK} on the map"
"""Spaces among the answers: named behind ``PLACES``, or marked on the map, those of no special cost or chance."""
_LETTERS = {"democrat": "D", "communist": "C", "both": "DC", None: "-"}

Facts = Mapping[str, Any]


def view_text(view: View, detail: str = MEDIUM, events: Iterable[Mapping[str, Any]] = ()) -> str:
    """Words for a view, see ``View.text``; raises ``ValueError`` for another detail."""
    return facts_text(view_facts(view, events), detail)


def facts_text(facts: Facts, detail: str = MEDIUM) -> str:
    """Words for the facts of a view, also after a way through JSON; raises ``ValueError`` for another detail."""
    if detail not in DETAILS:
        raise ValueError(f"detail: one of {', '.join(DETAILS)} expected, not {short_repr(detail)}")
    if facts.get("format") != "dawn-view":
        raise MalformedPosition("a view: the facts of docs/reference/view.md expected")
    lines = [_head(facts), *_happened(facts, _LATEST[detail])]
    if facts["side"] is not None and detail != SHORT:
        lines += _tracks(facts) + _map(facts, detail) + _cards(facts, detail)
    if detail == FULL:
        lines += _parts(facts)
    return "\n".join([*lines, *_fight(facts), *question_lines(facts, detail)])


def table_lines(facts: Facts) -> list[str]:
    """Words for what lies beside the map: tracks, cards (a line for each that is held), struggle, move, bid."""
    lying = [] if facts["side"] is None else [*_tracks(facts), *_cards(facts, SHORT)]
    return [_head(facts), *lying, *_fight(facts)]


# --- the moment ------------------------------------------------------------------------------------------


def _head(facts: Facts) -> str:
    who = f"the {facts['side'].capitalize()}" if facts["side"] else f"the {facts['player']}"
    if facts["result"] != "running":
        return f"You are {who}. The game is over: {facts['result']} ({facts['reason']}), VP {facts['vp']:+d}."
    turn_of = {None: "", facts["side"]: ", your round"}.get(facts["phasing"], ", your opponent's round")
    when = facts["when"].capitalize() + (turn_of if facts["turn"] else "")
    return f"You are {who}. {when}. VP {facts['vp']:+d} (D +, C -)."


def _happened(facts: Facts, latest: int | None) -> list[str]:
    told = [line.strip() for line in facts["happened"]]
    left_out = 0 if latest is None else max(0, len(told) - latest)
    if not told:
        return []
    return ["Since your last decision:" + (f" ({left_out} earlier)" if left_out else ""), *told[left_out:]]


def _tracks(facts: Facts) -> list[str]:
    if facts["tiananmen"] is None:
        return []
    boxes = ", ".join(
        f"{_LETTERS[side]} box {track['box']}"
        + (f" (next {track['next_needs']}+)" if track["next_needs"] else "")
        + (", tried this turn" if track["tried_this_turn"] else "")
        + (", +1 after a failure" if track["failed_next"] else "")
        for side, track in ((side, facts["tiananmen"][side]) for side in SIDE_NAMES)
    )
    used = facts["tiananmen"]["used_awards"]
    return [f"USSR track {facts['ussr']}. Tiananmen: {boxes}." + (f" Awards used: {used}." if used else "")]


def _parts(facts: Facts) -> list[str]:
    """The observation part by part, which ``text_reading`` reads."""
    told, layout = facts["observation"], next(layout for layout in LAYOUTS if layout.name == facts["game"])
    head = PARTS.format(game=layout.name, version=told["version"])
    return [head, *(f"  {line}" for line in lines_of(told["parts"], layout))]


# --- the board -------------------------------------------------------------------------------------------

_MARKS = [field.name for field in SPACE_MARKERS]
_MAP_KEY = "Map: *battleground D-C/stability, then who controls it. VP of a country: presence/domination/control."


def _map(facts: Facts, detail: str) -> list[str]:
    lines, plain = [_MAP_KEY], {*_by_odds(facts["legal"]).get("", ())}
    marked = {f"{MARK * (name in plain)}{name}": space for name, space in facts["spaces"].items()}
    for country, spaces in groupby(marked.items(), lambda item: item[1]["country"]):
        about = facts["countries"][country]
        power = f", Power {_LETTERS[about['power']]}" if about["power"] else ""
        kept = f", kept {about['times_scored']}x{about['power_value']}" if about["times_scored"] else ""
        worth = f"{about['presence']}/{about['domination']}/{about['control']}"
        head = f"{country} ({worth}, now {about['score_now']:+d}{power}{kept}): "
        if detail == FULL:
            lines.append(head.rstrip())
            for name, space in spaces:
                lines.append(f"  {_space(name, space)}, {space['type']}; next to {', '.join(space['neighbours'])}")
        else:
            lines.append(head + _in_few_words(dict(spaces)))
    return lines


def _in_few_words(spaces: Mapping[str, Facts]) -> str:
    """Spaces of a country in one line; those without support points by name and stability only."""
    taken = {name: s for name, s in spaces.items() if any(s[key] for key in (*SIDE_NAMES, *_MARKS))}
    empty = [f"{_starred(name, space)} {space['stability']}" for name, space in spaces.items() if name not in taken]
    parts = [", ".join(_space(name, space) for name, space in taken.items())] if taken else []
    return "; ".join(parts + ([f"empty: {', '.join(empty)}"] if empty else []))


def _starred(name: str, space: Facts) -> str:
    return f"*{name}" if space["battleground"] else name


def _space(name: str, space: Facts) -> str:
    marks = "".join(f" ({name})" for name in _MARKS if space[name])
    control = _LETTERS[space["control"]] if space["control"] else ""
    points = f"{space['democrat']}-{space['communist']}/{space['stability']}"
    return f"{_starred(name, space)} {points}{control}{marks}"


# --- the cards -------------------------------------------------------------------------------------------


def _title(card: Facts, facts: Facts) -> str:
    """Number, title, side of the event and value of a card."""
    if card["scores"]:
        return f"{card['card']} {card['title']} (scoring)"
    side = "" if facts["game"] == "family" else f"{_LETTERS[card['owner']]} "
    return f"{card['card']} {card['title']} ({side}{card['value']})"


def _cards(facts: Facts, detail: str) -> list[str]:
    if facts["game"] == "family":
        lines = [f"Hand: {', '.join(_title(card, facts) for card in facts['hand']) or 'none'}."]
    else:
        lines = ["Hand (side of the event, ops value):"]
        lines += [_own_card(card, facts, detail) for card in facts["hand"]] or ["none"]
    if facts["drawn"]:
        lines += ["Drawn to choose from:", *(_own_card(card, facts, detail) for card in facts["drawn"])]
    if facts["set_aside"]:
        lines.append(f"Set aside: {_named(facts['set_aside'])}.")
    elif facts["any_set_aside"]:
        lines.append("The Democrat has set a card aside (Samizdat).")
    if facts["in_play"]:
        lines += _in_play(facts, detail)
    if facts["resolving"]:
        lines.append(f"Being played: {_named(facts['resolving'])}.")
    theirs, piles = facts["opponent"], facts["piles"]
    known = f", among them {_named(theirs['known'])}" if theirs["known"] else ""
    draw = piles["draw"] if isinstance(piles["draw"], int) else "/".join(map(str, piles["draw"].values()))
    lines.append(
        f"Opponent's hand: {counted(theirs['hand_size'], 'card')}{known}. Draw pile {draw}, "
        f"discarded {len(piles['discarded'])}."
    )
    if detail == FULL:
        lines += [f"Not seen: {_named(piles['unseen'])}."] if piles["unseen"] else []
    return lines


def _named(cards: Iterable[int]) -> str:
    return ", ".join(map(card_name, cards))


def _own_card(card: Facts, facts: Facts, detail: str) -> str:
    """A card in hand with the words of its event; ``short`` has none, only ``full`` those of one that cannot occur."""
    known = " [known to your opponent]" if card["known_to_opponent"] else ""
    if detail == SHORT:
        return f"{_title(card, facts)}{known}"
    if card["scores"]:
        return f"{_title(card, facts)}: struggle and scoring in {card['scores']}; play it this turn or lose."
    if card["can_occur"]:
        return f"{_title(card, facts)}: {card['event']}{known}"
    cannot = f"cannot occur now{', only ' + card['condition'] if card['condition'] else ''}"
    return f"{_title(card, facts)}: {cannot}{'. ' + card['event'] if detail == FULL else ''}{known}"


def _in_play(facts: Facts, detail: str) -> list[str]:
    noted = [(f"{card['card']} {card['title']}" + (f" ({card['note']})" if card["note"] else ""), card["event"])
             for card in facts["in_play"]]  # fmt: skip
    if detail == FULL:
        return ["In play:", *(f"{title}: {event}" for title, event in noted)]
    return [f"In play: {', '.join(title for title, _ in noted)}."]


# --- what is going on ------------------------------------------------------------------------------------


def _copies(faces: Facts) -> str:
    return ", ".join(face_name(face) + (f" x{copies}" if copies > 1 else "") for face, copies in faces.items())


def _fight(facts: Facts) -> list[str]:
    """The struggle, the move and the bid in progress."""
    lines, fight, move, bid = [], facts["struggle"], facts["move"], facts["bid"]
    if fight and fight["country"]:
        parts = [f"Power struggle in {fight['country']}", f"{fight['attacker']} attacks"]
        raised = [side for side in SIDE_NAMES if fight["raised"][side]]
        parts += [f"led {fight['led_suit']} {fight['led_rank'] or ''}".rstrip()] if fight["led_suit"] else []
        parts += [f"blocked {fight['blocked']}"] if fight["blocked"] else []
        parts += [f"stakes raised by {' and '.join(raised)}"] if raised else []
        parts += [f"won by {fight['winner']}"] if fight["winner"] else []
        lines.append("; ".join(parts) + ".")
    if fight and facts["side"]:
        theirs = fight["hand_sizes"][SIDE_NAMES[1 - SIDE_NAMES.index(facts["side"])]]
        known = f" ({_copies(fight['opponent_known'])})" if fight["opponent_known"] else ""
        own = _copies(fight["hand"]) or "none"
        lines.append(f"Struggle cards: {own}. Opponent holds {theirs}{known}; deck {fight['deck']}.")
    if move:
        where = f"{move['origin']} to {move['destination'] or '?'}"
        sums = f", attack {move['attack']} against {move['defence']}" if move["attack"] else ""
        lines.append(f"Moving: {counted(move['points'], 'point')} of the {move['side']} from {where}{sums}.")
    if bid:
        points = {who: "?" if offer["points"] is None else offer["points"] for who, offer in bid.items() if offer}
        offers = {who: f"{points[who]} for the {bid[who]['side']}" for who in points}
        lines += [f"Offer of the {who}: {offer}." for who, offer in offers.items()]
    return lines


def question_lines(facts: Facts, detail: str = SHORT) -> list[str]:
    """The question and its answers, each as it is to be given; the spaces stand together, by what they cost or promise.

    ``short`` names the cards that can be chosen; else they are among the cards above.
    """
    if not facts["acts"]:
        return [] if facts["result"] != "running" else ["Your opponent decides."]
    lines = [f"Decide: {facts['question']}. {ANSWERS}"]
    named = {card["card"]: _title(card, facts) for card in facts["hand"] + facts["drawn"]} if detail == SHORT else {}
    for kind, answers in groupby(facts["legal"], lambda answer: answer["action"].partition(":")[0]):
        if kind == "space":
            lines += _places(answers, detail)
        elif kind == "card":
            lines.append(", ".join(_card_answer(answer, named) for answer in answers))
        else:
            lines += [_choice(answer) for answer in answers]
    return lines


def _places(answers: Iterable[Facts], detail: str) -> list[str]:
    """Answers that name spaces, a line for all with the same costs and chances; the map marks those without."""
    by_odds = _by_odds(answers)
    plain = [] if detail == SHORT or "" not in by_odds else [f"{PLACES}, {MARKED}"]
    named = {odds: names for odds, names in by_odds.items() if odds or not plain}
    return plain + [f"{PLACES}{odds}, NAME: {', '.join(names)}" for odds, names in named.items()]


def _by_odds(answers: Iterable[Facts]) -> dict[str, list[str]]:
    """Names of the spaces that can be chosen, by the words for their costs and chances."""
    found: dict[str, list[str]] = {}
    for answer in answers:
        kind, _, name = answer["action"].partition(":")
        if kind == "space":
            found.setdefault(_odds(answer), []).append(name)
    return found


def _card_answer(answer: Facts, named: Mapping[int, str]) -> str:
    card = int(answer["action"].partition(":")[2])
    title = named[card].partition(" ")[2] if card in named else ""
    return f"{answer['action']} {title}".strip() + _odds(answer)


def _choice(answer: Facts) -> str:
    hint = f": {answer['hint']}" if answer.get("hint") else ""
    table = answer.get("if_conceded")
    lost = f" (you lose by the die, support then VP: {'/'.join(map(str, table))})" if table else ""
    return answer["action"] + hint + _odds(answer) + lost


def _odds(answer: Facts) -> str:
    """Costs and chances of an answer in brackets."""
    told = []
    if answer.get("cost", 1) > 1:
        told.append(f"{answer['cost']} a point")
    if "check" in answer:
        told.append(f"{answer['faces']}/6, moves {answer['check']['average']:g} on average")
    elif "faces" in answer:
        told.append(f"{answer['faces']}/6")
    return f" ({'; '.join(told)})" if told else ""
