"""Cards are declared once: their numbers stand in the declarations only, and few have code of their own."""

import ast
import re
from collections import Counter

from paths import ROOT

from dawn_env.cards import declarations
from dawn_env.cards.declarations import EVENTS
from dawn_env.cards.event_verbs import FIRST_CUSTOM, Opcode
from dawn_env.tables import C

DECLARATIONS = ROOT / "dawn_env" / "cards" / "declarations.py"
SOURCES = {
    file: file.read_text(encoding="utf-8")
    for folder in ("dawn_env", "agents", "scripts")
    for file in sorted((ROOT / folder).rglob("*.py"))
    if file != DECLARATIONS
}
BARE_NUMBER = re.compile(r"""["']card:\d+["']|\b(?:where|known)(?:["']\])?\[(?:[^]]*, ?)?[1-9]\d*\]""")
"""The text of an action with a card, and an index of a card in the records of games."""


def test_card_numbers_stand_in_the_declarations_only():
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file, text in SOURCES.items()
        for number, line in enumerate(text.splitlines(), 1)
        if BARE_NUMBER.search(line)
    ]
    assert not found, "bare card numbers; import a name from the declarations instead:\n" + "\n".join(found)


def imported_cards() -> set[int]:
    """Cards that other files import by name from the declarations."""
    names = {
        alias.name
        for text in SOURCES.values()
        if "dawn_env.cards.declarations" in text
        for node in ast.walk(ast.parse(text))
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
