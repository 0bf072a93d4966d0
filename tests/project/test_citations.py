"""Rules are cited by the sections printed in the 2020 rulebook, rulings of ours by their names in ``rulings.md``."""

import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from paths import ROOT

DOCUMENTS = [path for path in (ROOT / "docs").rglob("*.md") if path.name != "cards.md"]  # generated, quotes the rulings
CODE = sorted([*(ROOT / "dawn_env").rglob("*.py"), *(ROOT / "agents").rglob("*.py"), *(ROOT / "scripts").rglob("*.py")])
TESTS = sorted([*(ROOT / "tests").rglob("*.py"), *(ROOT / "tests").rglob("*.txt")])

SECTIONS = {
    "1": "", "2": "1 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 1.10 2 2.1 2.2 2.3 2.4 2.5 2.6 3 3.1 3.2 3.3 4 4.1 4.2 4.3",
    "3": "1 2 3 4 5", "4": "1 2 3 4 5 5.1 5.2 5.3 5.4 5.5 5.6 5.7", "5": "1 2 3 4",
    "6": "1 1.1 1.2 1.3 1.4 2 2.1 2.2 2.3 2.4 2.5 2.6 3 3.1 3.2 3.3 3.4 3.5 3.6 3.7",
    "7": "1 2 3 3.1 3.2 3.3 4 5 6 6.1 6.2 6.3 6.4 6.5",
    "8": "1 1.1 1.2 1.3 2 2.1 2.2 3 3.1 3.2 3.3 3.4 4 4.1 4.2 4.3 4.4 4.5 4.6 4.7 5",
    "9": "1 2 3 3.1 3.2 3.3", "10": "1 2 3 4 4.1 4.2 4.3", "11": "1 2 3", "12": "1 2 3 4 5 6", "13": "",
}  # fmt: skip
"""The sections of the rulebook by chapter; a chapter as a whole is cited as ``8.0``."""
PRINTED = {f"{chapter}.{section}" for chapter, sections in SECTIONS.items() for section in ("0", *sections.split())}

_NUMBER = r"\d+(?:\.\d+)*"
_CITATION = re.compile(rf"\b[Rr]ules?\s+({_NUMBER}(?:(?:, | and |, and |-){_NUMBER})*)")
_RULING = re.compile(r"\b[Rr]uling\s+([a-z0-9]+(?:-[a-z0-9]+)+)")
_DEFINED = re.compile(r"^\* \*\*([a-z0-9-]+)\*\*: ", re.MULTILINE)


def texts(source: str) -> Iterator[str]:
    """Comments and strings of Python code, comments on neighbouring lines joined."""
    comment, at = "", -1
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comment = f"{comment} {token.string[1:]}" if token.start[0] == at + 1 else token.string[1:]
            at = token.start[0]
            yield comment
        elif token.type == tokenize.STRING:
            yield token.string


@cache
def text(path: Path) -> str:
    """What a file says to people."""
    source = path.read_text(encoding="utf-8")
    return "\n".join(texts(source)) if path.suffix == ".py" else source


def sections(said: str) -> list[str]:
    return [number for cited in _CITATION.findall(said) for number in re.findall(_NUMBER, cited)]


def rulings(paths: list[Path]) -> dict[str, Path]:
    return {name: path for path in paths for name in _RULING.findall(text(path))}


def test_cited_rules_are_printed():
    wrong = {
        f"{path.relative_to(ROOT)}: rule {number}"
        for path in [*CODE, *TESTS, *DOCUMENTS]
        for number in set(sections(text(path))) - PRINTED
    }
    assert not wrong


def test_each_ruling_is_cited_and_held():
    page = (ROOT / "docs" / "explanation" / "rulings.md").read_text(encoding="utf-8")
    defined = _DEFINED.findall(page)
    assert len(re.findall(r"^\* ", page, re.MULTILINE)) == len(defined) == len(set(defined)) > 30
    in_code, in_tests = rulings(CODE), rulings(TESTS)
    assert sorted(set(defined) - set(in_code)) == [], "cited by no code: write (ruling NAME) where it is carried out"
    assert sorted(set(defined) - set(in_tests)) == [], "cited by no test: write 'Ruling NAME' in the one that holds it"
    unknown = {**rulings(DOCUMENTS), **in_code, **in_tests}.keys() - set(defined)
    assert not unknown, "not in docs/explanation/rulings.md"
