"""What tests of cards and rules share: names of spaces, power struggle cards, situations many of them start from."""

from scenario import Scenario, scenario

MARCHES = ["march-6", "march-6", "march-5", "march-5", "march-4", "march-4"]
STRIKES = ["strike-6", "strike-6", "strike-5", "strike-5", "strike-4", "strike-4"]
PETITIONS = ["petition-6"] * 3 + ["petition-5"] * 3
ONE_EACH = {"D": MARCHES, "C": STRIKES}
MIXED = ["march-4"] * 4 + ["march-3"] * 4 + ["strike-4"] * 4 + ["strike-3"] * 4 + ["petition-6"] * 2


def cards(*numbers: int) -> list[str]:
    """Choices of cards, sorted as ``legal``."""
    return sorted(f"card:{number}" for number in numbers)


def seventh(hand: str, **options) -> Scenario:
    """The Democrat's last round of a turn, to run on into what follows."""
    return scenario(hand, round=7, phasing="D", stop=False, **options)


def late(hand: str, support: dict | None = None, **situation) -> Scenario:
    """A situation of turn 9."""
    return scenario(hand, support, **{"turn": 9, **situation})


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
