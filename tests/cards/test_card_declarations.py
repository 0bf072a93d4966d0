"""Cards are declared once: their numbers stand in the declarations only, and few have code of their own."""

import ast
from collections import Counter

import pytest
from card_numbers import card_numbers, card_parameters, trees
from paths import ROOT

from dawn_env.cards import declarations
from dawn_env.cards.declarations import EVENTS
from dawn_env.cards.event_verbs import FIRST_CUSTOM, Opcode
from dawn_env.tables import CARD_TITLES, C

DECLARATIONS = ROOT / "dawn_env" / "cards" / "declarations.py"
TREES = trees(ROOT / "dawn_env", ROOT / "agents", ROOT / "scripts")
TAKES_CARD = card_parameters(TREES.values())


def numbers(source: str) -> list[int]:
    """The bare card numbers in a piece of code."""
    return [number for _, number in card_numbers(ast.parse(source), TAKES_CARD)]


def test_card_numbers_stand_in_the_declarations_only():
    found = [
        f"{file.relative_to(ROOT)}:{line}: {number}, {CARD_TITLES[number]}"
        for file, tree in TREES.items()
        if file != DECLARATIONS
        for line, number in card_numbers(tree, TAKES_CARD)
    ]
    assert not found, "bare card numbers; import a name from the declarations instead:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "source, expected",
    [
        ("s.where[54] = IN_PLAY", [54]),
        ("states['where'][:, 9]", [9]),
        ("s.since[side, 13]", [13]),
        ("PERIOD[:41]", [41]),
        ("PRINTED_OPS[5]", [5]),
        ("EVENTS[2].verbs", [2]),
        ("card == 97", [97]),
        ("3 != s.stasi_card", [3]),
        ("card < 41", [41]),
        ("card in (5, 97)", [5, 97]),
        ("int(f.source) == 7", [7]),
        ("action - CARD0 == 21", [21]),
        ("chosen == 63", [63]),
        ("chosen not in {59, 86}", [59, 86]),
        ("in_play(s, 63)", [63]),
        ("rules.cards.in_play(s, card=8)", [8]),
        ("start_event(s, side, 97 if late else 10, 0)", [10, 97]),
        ("card = 20", [20]),
        ("s.stasi_card, left = 12, 4", [12]),
        ("GENERAL_STRIKE = 5", [5]),
        ("_CROWD, _TYRANT = 54, 97", [54, 97]),
        ("STASI: int = 13", [13]),
        ("for card in (6, 71): pass", [6, 71]),
        ("[put(s, card, HAND) for card in range(41, C)]", [41]),
        ("{54: 'done', 97: 'done'}", [54, 97]),
        ("{'prudence': 8}", [8]),
        ("def lowest(card=1): return card", [1]),
        ("def first_card(): return 33", [33]),
        ("allow(s, CARD0 + 46)", [46]),
        ("game.step('card:97')", [97]),
        ("match number:\n    case 46: pass", [46]),
        # what is no card
        ("s.where[CROWD]", []),
        ("card == TYRANT or card > 0", []),
        ("for card in range(1, C): pass", []),
        ("1 <= card < C", []),
        ("OWNER[1:]", []),
        ("if s.vp >= 20 or s.turn == 10: pass", []),
        ("support[DEMOCRAT, 54] = 3", []),
        ("_CROWD_CARDS = 15", []),
        ("score_vp(s, 3)", []),
        ("LAST_TURN = 10", []),
    ],
)
def test_the_finder(source, expected):
    assert sorted(numbers(source)) == expected


def imported_cards() -> set[int]:
    """Cards that other files import by name from the declarations."""
    names = {
        alias.name
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "dawn_env.cards.declarations"
        for alias in node.names
    }
    return {value for name in names if isinstance(value := getattr(declarations, name), int) and value < C}


def test_ten_cards_at_most_have_rules_that_their_declaration_does_not_tell():
    told_beside_it = {Opcode.KEEP_COUNTRY, Opcode.PROTECT, Opcode.DISCARD_GIVEN}  # belong to another instruction
    untold = {
        card
        for card, event in EVENTS.items()
        for verb in event.verbs
        if verb.opcode >= FIRST_CUSTOM and not verb.text and verb.opcode not in told_beside_it
    }
    assert not untold and len(imported_cards()) <= 10


def test_general_instructions_serve_several_cards():
    cards = Counter(opcode for event in EVENTS.values() for opcode in {verb.opcode for verb in event.verbs})
    assert [Opcode(opcode).name for opcode, count in cards.items() if (count > 1) == (opcode >= FIRST_CUSTOM)] == []


def test_words_of_lasting_effects_serve_several_cards():
    tree = ast.parse(DECLARATIONS.read_text())
    words = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "dawn_env.cards.lasting_effects"
        for alias in node.names
        if alias.name.islower()
    }
    used = Counter(
        node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    )
    assert len(words) == 5 and [word for word in words if used[word] < 2] == []
