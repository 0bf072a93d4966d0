"""Small scripted situations: a position in a few words, chance from a script, choices as action texts.

s = scenario(hand="C: 1", support={"Poznan": (2, 0)}, dice=[3])
s.take("event", "space:Poznan")      # the only card of the hand is played without asking
assert s.support("Poznan") == (1, 1)
s.finish()                           # every scripted outcome was used
"""

from dawn_env.formats import position_file
from dawn_env.game import Game
from dawn_env.tables import CARD_TITLES, COUNTRIES, FIRST_TURN, PERIOD, SCORING_CARD, SPACE_ID

ALL_CARDS = range(1, len(CARD_TITLES))


def targets(game: Game) -> set[str]:
    """Names of the spaces that may be picked now."""
    return {action.removeprefix("space:") for action in game.legal if action.startswith("space:")}


def asked(game: Game) -> tuple[str, str]:
    return game.decision, "DC"[game.actor]


def _in_play_by(ussr: int, markers: dict) -> list[tuple[int, bool]]:
    """Cards in play that markers come from."""
    return [(33, ussr >= 1), (81, ussr >= 2), (84, ussr >= 3), (69, "systematized" in markers)]


def _removed_by(ussr: int, markers: dict) -> list[tuple[int, bool]]:
    """Cards removed that markers come from."""
    return [(109, ussr == 4), (54, markers.get("crowd_done", False)), (97, markers.get("tyrant_done", False))]


class Scenario(Game):
    """A game that was set up by hand."""

    def take(self, *actions: str) -> "Scenario":
        """Take actions one after the other; an action that is not legal raises."""
        for action in actions:
            self.step(action)
        return self

    def support(self, space: str) -> tuple[int, int]:
        """(Democrat, Communist) support points of a space."""
        return tuple(self.state.support[:, SPACE_ID[space]].tolist())

    def position(self) -> dict:
        return position_file.to_json(self.state)

    def zone(self, card: int) -> str:
        """Where a card is: one of the pile names of a position, ``D``/``C`` for a hand, else ``nowhere``."""
        at = self.position()
        for side in "DC":
            if card in at["hands"][side]:
                return side
        return next((pile for pile in ("draw_pile", "discard", "removed", "in_play") if card in at[pile]), "nowhere")

    def finish(self) -> "Scenario":
        """All scripted chance must have been used."""
        self.end_script()
        return self


def scenario(
    hand="", support=None, *, turn=1, round=1, phasing=None, vp=0, ussr=0, boxes=(0, 0), in_play=(), removed=(),
    discard=(), draw_pile=None, power=(), scored=None, chance=None, dice=(), stop=True, **extra,
) -> Scenario:  # fmt: skip
    """A game at the start of an action round.

    ``hand``: cards of both sides, as in ``"C: 1 4 / D: 9"``; the first side named is phasing. By default
    the other side holds nothing and the pile holds the rest of the decks in play. ``support``: space ->
    (Democrat, Communist), nothing elsewhere. ``boxes``: Tiananmen boxes (D, C). ``power``: countries the
    Democrat holds, whose scoring cards are removed. ``scored``: country -> how often the Communist
    has retained Power. ``extra``: further keys of a position; the cards that such markers, and ``ussr``, come from
    lie where they belong. ``stop``: halt (decision ``none``) when the next
    action round would begin, so that what follows cannot disturb the test.
    """
    hands = {"D": [], "C": []}
    for part in filter(None, (part.strip() for part in hand.split("/"))):
        side, cards = part.split(":")
        hands[side] = sorted(map(int, cards.split()))
        phasing = phasing or side
    in_play = {*in_play, *(card for card, needed in _in_play_by(ussr, extra) if needed)}
    removed = {*removed, *(card for card, needed in _removed_by(ussr, extra) if needed)}
    removed |= {SCORING_CARD[COUNTRIES.index(country)].item() for country in power}
    used = {*hands["D"], *hands["C"], *in_play, *removed, *discard, extra.get("samizdat", 0)}
    rest = [card for card in ALL_CARDS if card not in used and FIRST_TURN[PERIOD[card]] <= turn]
    draw_pile = rest if draw_pile is None else draw_pile
    elsewhere = [card for card in rest if card not in draw_pile]
    marker, scored = {"tried_box": False, "tried_turn": False}, dict.fromkeys(COUNTRIES, 0) | (scored or {})
    at = {
        "turn": turn,
        "round": round,
        "phasing": phasing or "C",
        "vp": vp,
        "ussr": ussr,
        "tiananmen": {"D": {"box": boxes[0], **marker}, "C": {"box": boxes[1], **marker}},
        "award7_used": False,
        "award8_used": False,
        "support": {space: list(points) for space, points in (support or {}).items()},
        "power": {
            country: {"holder": "D", "scored": None} if country in power else {"holder": "C", "scored": scored[country]}
            for country in COUNTRIES
        },
        "hands": hands,
        "draw_pile": sorted(draw_pile),
        "discard": sorted(discard),
        "removed": sorted([*removed, *elsewhere]),
        "in_play": sorted(in_play),
        **extra,
    }
    game = Scenario.of(position_file.from_json(at)[0])
    game.state.stop_at_round = int(stop)
    game.script({"dice": dice, **(chance or {})})
    game.resume()
    return game
