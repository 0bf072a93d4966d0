"""The countries: borders, how they stand, connections and the spaces."""

from dawn_env.picture.board_geometry import FRAME, HEAD, BoardGeometry, Rect
from dawn_env.picture.map_symbols import badge, icon, points, side_mark
from dawn_env.picture.svg_elements import Piece, clipped, moved, rect, tag, text, text_width, wrapped
from dawn_env.picture.theme import CORNERS, NEUTRAL_CORNER, SIDE_CLASSES
from dawn_env.tables import (
    BATTLEGROUND,
    COMMUNIST,
    COUNTRIES,
    COUNTRY_OF,
    DEMOCRAT,
    FIRST_ROMANIAN,
    NEIGHBOURS,
    ROMANIA,
    SIDE_LETTERS,
    SIDE_NAMES,
    SIDES,
    SPACE_TYPES,
    SPACES,
    STABILITY,
    TYPE_OF,
    S,
)
from dawn_env.views.viewer_position import CountryStatus, Move, ViewerPosition

_ROUND_PANEL, _ROUND_SPACE, _ROUND_LINE = 4.0, 20.0, 5.0  # how far marks and strokes reach out
_SIZE = 9.0  # of the letters of a heading, the name apart


def board_pieces(seen: ViewerPosition, before: ViewerPosition | None, layout: BoardGeometry) -> list[Piece]:
    """The countries with their spaces, from the lowest layer to the uppermost.

    What differs from ``before`` is marked.
    """
    panels, boxes = list(enumerate(layout.panels)), layout.spaces
    pieces = [_piece(panel, _ROUND_PANEL, _panel(seen, before, country, panel)) for country, panel in panels]
    pieces += [*_connections(seen.destroyed, layout), *_path(seen.move, layout)]
    pieces += [_piece(panel._replace(height=HEAD), 0, _heading(seen, country, panel)) for country, panel in panels]
    pieces += [_piece(boxes[space], _ROUND_SPACE, _space(seen, before, space, layout)) for space in range(S)]
    return [*pieces, *_ends(seen.move, layout)]


def _piece(within: Rect, around: float, content: str) -> Piece:
    """Piece that draws at most so far ``around`` a rectangle."""
    return Piece(within.x - around, within.y - around, within.width + 2 * around, within.height + 2 * around, content)


# --- countries ---------------------------------------------------------------------------------


def _panel(seen: ViewerPosition, before: ViewerPosition | None, country: int, panel: Rect) -> str:
    standing = seen.standing(country)
    edge, corner = _edge(standing.side)
    content = rect(0, 0, panel.width, panel.height, f"{_land(country)} {edge}", corner)
    if before is not None and has_country_changed(seen, before, country):
        content += rect(-1, -1, panel.width + 2, panel.height + 2, "change", corner)
    return moved(panel.x, panel.y, content, data_panel=COUNTRIES[country])


def has_country_changed(seen: ViewerPosition, before: ViewerPosition, country: int) -> bool:
    """Return True if the status of a country differs from that before."""
    return seen.standing(country) != before.standing(country)


def _land(country: int) -> str:
    return "balkans" if country >= ROMANIA else "east"


def _edge(side: int) -> tuple[str, float]:
    """Style and corner radius of shapes of a side, -1: of neither."""
    return (f"{SIDE_CLASSES[side]}e", CORNERS[side]) if side >= 0 else ("ne", NEUTRAL_CORNER)


def _heading(seen: ViewerPosition, country: int, panel: Rect) -> str:
    """Name, status, the score of a scoring now, and what a scoring is worth."""
    name = COUNTRIES[country]
    left, right = 12 + text_width(name, _SIZE + 3, bold=True) + 10, panel.width - 12
    content = tag("rect", width=panel.width, height=panel.height, fill="none")  # the group is as large as the country
    content += rect(panel.width / 2, 7, panel.width / 2 - 8, 16, _land(country))  # so that no line crosses the words
    content += text(12, 19, name, _SIZE + 3, "ink bold")
    status = _status(seen, country, left, right)
    content += tag("g", status, class_="status", data_left=left, data_right=right)
    return moved(panel.x, panel.y, content, data_country=name)


def _status(seen: ViewerPosition, country: int, left: float, right: float) -> str:
    """Status, score and worth between ``left`` and ``right``; in family mode the status is the score."""
    score, standing = seen.scores[country], seen.standing(country)
    worth = text(right, 19, standing.worth, _SIZE, "soft", "end")
    right -= text_width(standing.worth, _SIZE) + 10
    if seen.status_is_score:
        return tag("g", _side_words(standing, left), data_scored_now=f"{score:+d}") + worth
    now = f"now {SIDE_LETTERS[COMMUNIST if score < 0 else DEMOCRAT]} +{abs(score)}" if score else "now 0"
    style = "soft bold" if score == 0 else f"{SIDE_CLASSES[COMMUNIST if score < 0 else DEMOCRAT]}w"
    words = tag("g", text(right, 19, now, _SIZE, style, "end"), data_scored_now=f"{score:+d}")
    return _side_words(standing, left) + words + worth


def _side_words(standing: CountryStatus, x: float) -> str:
    """Words of a status with the mark of its side."""
    if standing.side < 0:
        return text(x, 19, standing.words, _SIZE, "soft bold")
    words = text(x + 15, 19, standing.words, _SIZE, f"{SIDE_CLASSES[standing.side]}w")
    return side_mark(standing.side, x, 9, 10) + words


# --- connections -------------------------------------------------------------------------------


def _pairs(destroyed: int) -> list[tuple[int, int]]:
    """Connected spaces; those around a destroyed one are connected with each other."""
    variant = 0 if destroyed < 0 else destroyed - FIRST_ROMANIAN + 1
    return [(a, int(b)) for a in range(S) for b in NEIGHBOURS[variant, a] if b > a]


def _connections(destroyed: int, layout: BoardGeometry) -> list[Piece]:
    pairs = _pairs(destroyed)
    inside = [(a, b) for a, b in pairs if COUNTRY_OF[a] == COUNTRY_OF[b]]
    across = [pair for pair in pairs if pair not in inside]
    lines = [_line(a, b, layout, "line") for a, b in inside]
    if layout.wide:
        return lines + [_line(a, b, layout, "across") for a, b in across]
    return lines + _border_tags(across, layout)


def _line(a: int, b: int, layout: BoardGeometry, name: str) -> Piece:
    (x1, y1), (x2, y2) = layout.spaces[a].centre, layout.spaces[b].centre
    within = Rect(min(x1, x2), min(y1, y2), abs(x1 - x2), abs(y1 - y2))
    return _piece(within, _ROUND_LINE, tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=name))


def _border_tags(across: list[tuple[int, int]], layout: BoardGeometry) -> list[Piece]:
    """The spaces beyond the border by name, where the panels are too far apart for lines."""
    beyond: dict[int, list[str]] = {}
    for a, b in across:
        beyond.setdefault(a, []).append(SPACES[b])
        beyond.setdefault(b, []).append(SPACES[a])
    tags = []
    for space, names in beyond.items():
        box, words = layout.spaces[space], "↔ " + ", ".join(names)
        width, y = text_width(words, 8), box.y + box.height + 11
        x = min(max(box.centre[0], layout.margin + width / 2 + 4), layout.width - layout.margin - width / 2 - 4)
        around = Rect(x - width / 2 - 2, y - 8, width + 4, 11)
        words = text(x, y, words, 8, "soft bold", "middle")
        tags.append(_piece(around, _ROUND_LINE, rect(*around, "halo", 3) + words))
    return tags


# --- spaces ------------------------------------------------------------------------------------


def _space(seen: ViewerPosition, before: ViewerPosition | None, space: int, layout: BoardGeometry) -> str:
    box, holder = layout.spaces[space], seen.control[space]
    parts = [tag("title", _described(seen, space)), _held(seen, space, box), _name(space, layout), _foot(space, box)]
    parts += [_marks(seen, space, box), _changes(seen, before, space, box)]
    return moved(
        box.x, box.y, "".join(parts), data_space=SPACES[space],
        data_holder=SIDE_NAMES[holder] if holder >= 0 else None, class_="space " + ("on" if holder >= 0 else "ink"),
    )  # fmt: skip


def _held(seen: ViewerPosition, space: int, box: Rect) -> str:
    """The part of a space that changes: the box in the style of its holder, and the points of both sides."""
    holder, support = seen.control[space], seen.support_pairs[space]
    style, corner = (SIDE_CLASSES[holder], CORNERS[holder]) if holder >= 0 else ("box", NEUTRAL_CORNER)
    parts = []
    if BATTLEGROUND[space]:
        out = FRAME - 1  # the middle of a stroke of 2
        size = box.width + 2 * out, box.height + 2 * out
        parts.append(rect(-out, -out, *size, "battleground", corner + out if corner else 0))
    parts.append(rect(0, 0, box.width, box.height, style, corner))
    if holder == COMMUNIST:
        parts.append(tag("rect", width=box.width, height=box.height, rx=corner, fill="url(#dawn-hatch)"))
    edge = 5 if holder == COMMUNIST else 3
    for side, x in ((DEMOCRAT, edge), (COMMUNIST, box.width - 20 - edge)):
        if support[side]:
            parts.append(points(side, support[side], x, box.height - 18, inverse=holder >= 0))
    return tag("g", "".join(parts), class_="held")


def _marks(seen: ViewerPosition, space: int, box: Rect) -> str:
    """Labels of markers, and a cross for those without one."""
    content = ""
    for marker in seen.marks.get(space, ()):
        if marker.label:
            content += badge(box.width / 2, box.height + 3, marker.label, 8)
        else:
            cross = f"M2 2L{box.width - 2} {box.height - 2}M2 {box.height - 2}L{box.width - 2} 2"
            content += tag("path", d=cross, class_="gone")
    return content


def _described(seen: ViewerPosition, space: int) -> str:
    """The space in words, for tooltips and screen readers."""
    holder, way = seen.control[space], _ways(seen.move).get(space)
    facts = [
        f"{SPACES[space]}: {SPACE_TYPES[TYPE_OF[space]]}, stability {STABILITY[space]}",
        "battleground" if BATTLEGROUND[space] else "",
        *(f"{SIDE_NAMES[side].capitalize()} {seen.support[side, space]}" for side in range(SIDES)),
        f"controlled by {SIDE_NAMES[holder].capitalize()}" if holder >= 0 else "",
        *(marker.words for marker in seen.marks.get(space, ())),
        f"support moves {way} here" if way else "",
    ]
    return ", ".join(fact for fact in facts if fact)


def _name(space: int, layout: BoardGeometry) -> str:
    """The name in as many lines as it needs, centred above the points, in the colour of the space."""
    bold, size = bool(BATTLEGROUND[space]), layout.name_size
    room = layout.box[0] - 6
    lines = wrapped(SPACES[space], size, room, bold)
    pitch = size + 1 if len(lines) < 3 else size
    top = (layout.box[1] - 19 - len(lines) * pitch) / 2 + size
    style = "bold" if bold else None
    return "".join(
        text(layout.box[0] / 2, top + i * pitch, clipped(line, size, room + 4, bold), size, style, "middle")
        for i, line in enumerate(lines)
    )


def _foot(space: int, box: Rect) -> str:
    """Icon of the type and the stability, drawn between the support points of both sides."""
    y, middle = box.height - 16, box.width / 2
    return icon(int(TYPE_OF[space]), middle - 11, y, 11) + text(middle + 2, y + 10, str(STABILITY[space]), 12, "bold")


def has_space_changed(seen: ViewerPosition, before: ViewerPosition, space: int) -> bool:
    """Return True if support, holder or marks of a space differ."""
    taken = seen.control[space] != before.control[space]
    marked = space in seen.marks and space not in before.marks
    return taken or marked or seen.support_pairs[space] != before.support_pairs[space]


def _changes(seen: ViewerPosition, before: ViewerPosition | None, space: int, box: Rect) -> str:
    """Ring around a space whose support has changed since ``before``, and by how much; empty for others."""
    if before is None or not has_space_changed(seen, before, space):
        return ""
    differences = zip(SIDE_LETTERS, seen.support[:, space] - before.support[:, space], strict=True)
    words = "  ".join(f"{letter} {difference:+d}" for letter, difference in differences if difference)
    ring = rect(-4, -4, box.width + 8, box.height + 8, "change", 6)
    return ring + (badge(box.width / 2, -1, words) if words else "")


# --- moves ---------------------------------------------------------------------------------------


def _ways(move: Move | None) -> dict[int, str]:
    """Spaces of a move as far as they are named, and what they are to it."""
    if move is None:
        return {}
    return {space: way for space, way in ((move.origin, "from"), (move.destination, "to")) if space >= 0}


def _path(move: Move | None, layout: BoardGeometry) -> list[Piece]:
    """The connection along which points move, where connections are drawn."""
    if move is None or move.destination < 0:
        return []
    if not layout.wide and COUNTRY_OF[move.origin] != COUNTRY_OF[move.destination]:
        return []
    return [_line(move.origin, move.destination, layout, f"{_edge(move.side)[0]} moving")]


def _ends(move: Move | None, layout: BoardGeometry) -> list[Piece]:
    """Rings around the spaces of a move."""
    ends = []
    for space, way in _ways(move).items():
        box, (edge, corner) = layout.spaces[space], _edge(move.side)
        ring = rect(-4, -4, box.width + 8, box.height + 8, f"{edge} moving", corner)
        content = ring + badge(box.width / 2, box.height + 8, way, 9, move.side)
        ends.append(_piece(box, _ROUND_SPACE, moved(box.x, box.y, content)))
    return ends
