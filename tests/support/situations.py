"""What tests of cards and rules share: names of spaces, power struggle cards, situations many of them start from."""

from scenario import Scenario, scenario

from dawn_env.tables import COUNTRIES, COUNTRY_OF, SPACES, TYPE_OF


def _where(table, number: int) -> list[str]:
    return [name for name, value in zip(SPACES, table, strict=True) if value == number]


EAST_GERMANY, POLAND, CZECHOSLOVAKIA, HUNGARY, ROMANIA, BULGARIA = (_where(COUNTRY_OF, n) for n in range(6))
ELITES, BUREAUCRATS, WORKERS, FARMERS, INTELLECTUALS = (_where(TYPE_OF, n) for n in range(5))

RALLIES = ["rally-1"] * 6
MARCHES = ["march-6", "march-6", "march-5", "march-5", "march-4", "march-4"]
STRIKES = ["strike-6", "strike-6", "strike-5", "strike-5", "strike-4", "strike-4"]
PETITIONS = ["petition-6"] * 3 + ["petition-5"] * 3
ONE_EACH = {"D": MARCHES, "C": STRIKES}
MIXED = ["march-4"] * 4 + ["march-3"] * 4 + ["strike-4"] * 4 + ["strike-3"] * 4 + ["petition-6"] * 2
USELESS = ["leader-intellectual"] * 4 + ["leader-student", "leader-church"]  # nothing to lead with without their spaces
NO_RALLY = ["march-3", "march-4", "strike-3"] * 4 + ["strike-4"] * 3  # 15 cards of the Crowd (54)

DEAL = {"draws": list(range(1, 17))}
MODROW = {"turn": 8, "in_play": [83]}  # Honecker is blocked
TYRANT_WENT = {"turn": 8, "crowd_done": True, "tyrant_done": True}


def cards(*numbers: int) -> list[str]:
    """Choices of cards, sorted as ``legal``."""
    return sorted(f"card:{number}" for number in numbers)


def draws(count: int, *without: int) -> list[int]:
    """Scripted draws of harmless cards for the deal of the next turn."""
    return [card for card in range(1, 41) if card not in (5, 13, 22, 23, *without)][:count]


def board(game: Scenario, *names: str) -> dict[str, tuple[int, int]]:
    """(Democrat, Communist) support points of some spaces."""
    return {name: game.support(name) for name in names}


def total(game: Scenario, side: str) -> int:
    """Support points of a side on the map."""
    return int(game.state.support["DC".index(side)].sum())


def prudence(d: int = 0, c: int = 0) -> dict:
    """Ops values are changed by Prudence (8)."""
    return {"prudence": {"D": d, "C": c}}


def seventh(hand: str, **options) -> Scenario:
    """The Democrat's last round of a turn, to run on into what follows."""
    return scenario(hand, round=7, phasing="D", stop=False, **options)


def extra_check(hand: str, support: dict, die: int, *, in_play=()) -> Scenario:
    """The same with a Communist check for box 6, one die, and the deal of turn 2."""
    used = [*in_play, *map(int, hand[2:].split())]
    return seventh(hand, support=support, in_play=in_play, boxes=(0, 6), dice=[die], chance={"draws": draws(16, *used)})


def late(hand: str, support: dict | None = None, **situation) -> Scenario:
    """A situation of turn 9."""
    return scenario(hand, support, **{"turn": 9, **situation})


def played(hand: str, support: dict | None = None, **situation) -> Scenario:
    """A situation of turn 9 in which the event of the only card of the hand has been started."""
    return late(hand, support, **situation).take("event")


def not_playable(card: int, own: str, other: str, **situation) -> None:
    """The event is offered to neither side, and the card used for operations is discarded."""
    for side in own, other:
        s = late(f"{side}: {card}", phasing=side, **situation)
        assert not {"event", "opponent-event"} & set(s.legal)
        s.take("check")
        while s.decision == "check":
            s.take("pass")
        assert s.zone(card) == "discard"


def holders(*communist: str) -> list[str]:
    """Countries of the Democrat when the Communist holds only these."""
    return [country for country in COUNTRIES if country not in communist]


def ended(game: Scenario, result: str, reason: str = "automatic victory") -> bool:
    """The game is over with this result."""
    return game.over and (game.result, game.reason) == (result, reason)


def end_of_turn(hand: str, *actions: str, unscripted=False, **extra) -> Scenario:
    """The Democrat's seventh round, often with Helsinki (26) as a play without effect, up to the next turn."""
    chance = extra.pop("chance", {})
    game = scenario(hand, extra.pop("support", {}), phasing="D", round=7, chance=chance, **extra)
    if unscripted:
        game.end_script()
    return game.take(*actions)


def track(side: str, **marks) -> dict:
    """A ``tiananmen`` entry with marks for one side; ``box`` of the other side is 0."""
    blank = {"box": 0, "tried_box": False, "tried_turn": False}
    return {letter: {**blank, **(marks if letter == side else {})} for letter in "DC"}


def check_total(side: str, space: str, die=3, card=14, support=None, opposing=20, **extra) -> int:
    """Die plus all modifiers of a check against many points; read off what it moved."""
    at = {space: (opposing, 0) if side == "C" else (0, opposing), **(support or {})}
    game = scenario(f"{side}: {card}", at, dice=[die], turn=extra.pop("turn", 8), **extra)
    game.take("check", f"space:{space}")
    left = max(game.support(space))
    stability = {"Walter Ulbricht Academy": 1, "Czech Writers": 2}.get(space, 3)
    assert left < opposing, "the check must move something to be read"
    return opposing - left + 2 * stability
