"""Cards are declared once: their numbers stand in the declarations only, and instructions serve several cards."""

import re
from collections import Counter

from paths import ROOT

from dawn_env.cards.declarations import EVENTS
from dawn_env.cards.event_verbs import FIRST_CUSTOM, Opcode

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


def test_what_serves_one_card_only_is_put_in_words_too():
    told_beside_it = {Opcode.KEEP_COUNTRY, Opcode.PROTECT, Opcode.DISCARD_GIVEN}  # belong to another instruction
    untold = {
        card
        for card, event in EVENTS.items()
        for verb in event.verbs
        if verb.opcode >= FIRST_CUSTOM and not verb.text and verb.opcode not in told_beside_it
    }
    assert not untold


def test_general_instructions_serve_several_cards():
    cards = Counter(opcode for event in EVENTS.values() for opcode in {verb.opcode for verb in event.verbs})
    assert [Opcode(opcode).name for opcode, count in cards.items() if (count > 1) == (opcode >= FIRST_CUSTOM)] == []
