"""The parts of a picture of family mode."""

from dawn_env.glossary import counted, face_name
from dawn_env.picture.board_geometry import WIDE
from dawn_env.picture.card_panels import PITCH, Line, card_columns, card_line, chips, hand_title, stack
from dawn_env.picture.country_panels import countries
from dawn_env.picture.map_symbols import legend, side_mark
from dawn_env.picture.svg_elements import GAP, PAD, TITLE, Block, framed, in_a_row, moved, text
from dawn_env.picture.theme import SIDE_CLASSES
from dawn_env.picture.track_panels import HEIGHT, Doing, clock, decides, numbers, status, victory_points
from dawn_env.picture.viewer_position import FamilyPosition
from dawn_env.state import Mode
from dawn_env.tables import COMMUNIST, DEMOCRAT, FACES, FAMILY_HAND_SIZE, FAMILY_ROUNDS, SIDE_NAMES, SIDES, SPACES

_CARDS = 178.0
"""Height of the hands, the move and the decks."""
_PILE = 51.0


def family_rows(seen: FamilyPosition, before: FamilyPosition | None) -> list[Block]:
    """All parts, from the uppermost down."""
    room = WIDE.inner
    time = clock(seen, ("placement", *numbers(FAMILY_ROUNDS)), seen.round, 380)
    score = victory_points(seen, before, room - 380 - 420 - 2 * GAP)
    hands = [_hand(seen, side, 290) for side in range(SIDES)]
    return [
        in_a_row(time, score, status(_doings(seen), 420, HEIGHT)),
        countries(seen, before),
        in_a_row(*hands, _move(seen, room - 2 * 290 - 236 - 3 * GAP), _decks(seen, 236)),
        legend(Mode.FAMILY, room),
    ]


def _doings(seen: FamilyPosition) -> list[Doing]:
    """Pending decision, and the scoring at the end of the turn."""
    lines = decides(seen)
    if seen.actor < 0:
        return lines
    if seen.placing:
        lines.append((f"{counted(seen.placing, 'point')} for one space", 10.5, "ink bold"))
    total = sum(seen.scores)
    leader = SIDE_NAMES[DEMOCRAT if total > 0 else COMMUNIST].capitalize()
    words = f"{leader} +{abs(total)}" if total else "even"
    return [*lines, (f"All countries scored now: {words}", 10, "soft bold")]


# --- the shift or take-over ------------------------------------------------------------------------


def _move(seen: FamilyPosition, width: float) -> Block:
    """Panel of a move and its take-over fight."""
    if seen.move is None:
        return framed("Shift or take-over", width, _CARDS, text(PAD, 32, "none", 10, "soft"))
    content, y = text(PAD, 34, _way(seen), 11), 40.0
    for at, (verb, total, words) in enumerate(_sums(seen)):
        content += moved(PAD, y + 34 * at, _sum(abs(at - seen.move.side), verb, total, words))
    return framed(_title(seen), width, _CARDS, content, "ink bold")


def _title(seen: FamilyPosition) -> str:
    if seen.move.destination < 0:
        return f"From {SPACES[seen.move.origin]}"
    return f"{'Take-over of' if seen.is_take_over else 'Shift to'} {SPACES[seen.move.destination]}"


def _way(seen: FamilyPosition) -> str:
    """Spaces and points, as far as they are named."""
    move = seen.move
    target = SPACES[move.destination] if move.destination >= 0 else "..."
    return f"{SPACES[move.origin]} → {target}" + (f": {counted(move.points, 'point')}" if move.points else "")


def _sums(seen: FamilyPosition) -> list[tuple[str, int, str]]:
    """Attack and defence of a fight: verb, sum and terms; a power struggle card comes on top of the attack."""
    if (fight := seen.fight) is None:
        return []
    attack = f"{counted(seen.points, 'point')} + die {fight.attack_die}"
    if seen.attack_face >= 0:
        attack += f", and {face_name(FACES[seen.attack_face]).lower()}"
    held = f" + {counted(fight.points, 'point')} + stability {fight.stability}" if fight.stability else ""
    return [("attacks", seen.attack, attack), ("defends", seen.defence, f"die {fight.defence_die}{held}")]


def _sum(side: int, verb: str, total: int, words: str) -> str:
    """One side of a fight: its total, and below what it is made of."""
    style = f"{SIDE_CLASSES[side]}w"
    name = SIDE_NAMES[side].capitalize()
    return (
        side_mark(side, 0, 6, 12)
        + text(58, 20, str(total), 20, style, "end")
        + text(70, 12, f"{name} {verb}", 10, style)
        + text(70, 25, words, 10)
    )


# --- cards -----------------------------------------------------------------------------------------


def _hand(seen: FamilyPosition, side: int, width: float) -> Block:
    """A side's strategy cards and its struggle cards, as far as they are seen."""
    lines: list[Line] = [card_line(card) for card in seen.hand(side)]
    if hidden := seen.hand_size(side) - len(lines):
        lines.append((0, f"{hidden} not seen", ""))
    y = TITLE + FAMILY_HAND_SIZE * PITCH + 16
    content = card_columns(lines, width, 1, FAMILY_HAND_SIZE) + text(PAD, y, _power_title(seen, side), 10, "soft bold")
    faces, _ = chips(seen.power_hand(side), y + 5, width)
    return framed(hand_title(seen, side), width, _CARDS, content + faces, f"{SIDE_CLASSES[side]}w")


def _power_title(seen: FamilyPosition, side: int) -> str:
    count, known = seen.power_hand_size[side], int(seen.power_hand(side).sum())
    words = counted(count, "struggle card")
    return words if known == count else f"{words}, {count - known} not seen"


def _decks(seen: FamilyPosition, width: float) -> Block:
    """Draw and discard piles of each side's strategy cards and of the struggle cards."""
    rows = [(SIDE_NAMES[side].capitalize(), seen.deck_size[side], seen.discards[side]) for side in range(SIDES)]
    rows.append(("struggle", seen.power_deck_size, int(seen.power_discard.sum())))
    content, step = "", (width - 2 * PAD - 66) / 2
    for number, (name, left, discarded) in enumerate(rows):
        y = TITLE + number * _PILE
        style = f"{SIDE_CLASSES[number]}w" if number < SIDES else "ink bold"
        content += text(PAD, y + 30, name, 9.5, style)
        for at, (words, size) in enumerate((("left", left), ("discarded", discarded))):
            x = PAD + 66 + at * step
            content += stack(size, x, y + 4) + text(x + 36, y + 30, words, 8.5, "soft")
    return framed("Decks", width, _CARDS, content)
