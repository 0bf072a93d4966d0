"""The glossary: one table for board, terminal and pages."""

import re

import pytest
from dawn_agents.frontends.terminal.human_player import Unclear, help_text
from paths import ROOT

from dawn_env.glossary import GLOSSARY


def test_terms_stand_in_the_order_of_their_titles():
    titles = [term.title for term in GLOSSARY.values()]
    assert titles == sorted(titles, key=str.lower) and len(set(titles)) == len(titles) > 30


def test_the_board_explains_terms_of_the_glossary_alone():
    scripts = (ROOT / "agents" / "dawn_agents" / "frontends" / "web" / "static").glob("*.js")
    used = {name for path in scripts for name in re.findall(r"\bterm\('([\w-]+)'", path.read_text(encoding="utf-8"))}
    assert len(used) > 5 and used <= set(GLOSSARY)


def test_the_terminal_explains_every_term():
    for term in GLOSSARY.values():
        assert help_text(term.title.lower()) == str(term)
    assert help_text("battle") == str(GLOSSARY["battleground"])
    with pytest.raises(Unclear, match="'xyzzy' is neither a card nor a term; help lists the commands"):
        help_text("xyzzy")
