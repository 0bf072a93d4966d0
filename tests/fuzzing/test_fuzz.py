"""Short runs of the fuzzer on every kind of input, and tests that it finds and reports failures, crashes and hangs."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from processes import python

from dawn_env.bids import is_bid
from fuzzing.child import try_all
from fuzzing.games import random_subject
from fuzzing.misbehaviour import BEHAVIOUR, failing, misbehaving
from fuzzing.target import Kind, Mutant, Target, attempt, findings, report
from scripts import fuzz

SHORT = {"states": 150, "positions": 100, "policies": 30, "settings": 40, "databases": 60}
"""Mutants by target; those of records are fed by the command."""


@pytest.mark.parametrize("name", SHORT)
def test_input_is_refused_clearly_or_used(name, tmp_path):
    outcomes = list(try_all(fuzz.TARGETS[name], 1, range(SHORT[name]), tmp_path))
    assert findings(outcomes) == {}
    assert [outcome.number for outcome in outcomes] == list(range(SHORT[name]))
    assert {outcome.kind for outcome in outcomes} == {Kind.REFUSED, Kind.ACCEPTED}


def test_games_of_all_kinds_are_changed():
    random = Random(1)
    subjects = [random_subject(random) for _ in range(100)]
    kinds = Counter((subject.options.mode, subject.options.bid) for subject in subjects)
    assert min(kinds[kind] for kind in (("standard", True), ("family", False))) > 8 and kinds["standard", False] > 20
    assert any(is_bid(subject.game.state.decision) for subject in subjects), "in the middle of a bid"
    assert any(subject.game.state.destination >= 0 for subject in subjects), "in the middle of a take-over"


def test_crashes_and_hangs_are_named_and_survived(tmp_path):
    outcomes = list(try_all(Target("test", misbehaving, (), 0, seconds=2.0), 1, range(len(BEHAVIOUR)), tmp_path))
    kinds = "accepted, crash, accepted, hang, broken rule, traceback, traceback, accepted"
    assert ", ".join(outcome.kind for outcome in outcomes) == kinds
    assert outcomes[4].what == "two and two are five"
    assert outcomes[5].what.startswith("KeyError: 'no such key' (misbehaviour.py:")
    lines = "\n".join(report("test", outcomes, 1))
    assert "findings: 5" in lines and "numbers 5, 6; " in lines
    assert "repeat: python scripts/fuzz.py --target test --seed 1 --only 3" in lines


def refusing(message: str, writes: str = "before"):
    """A target whose mutants are refused with ``message``, after they have written into the file they were given."""

    def mutant(random: Random, folder: Path) -> Mutant:
        path = folder / "file"
        path.write_text("before")

        def take_in():
            path.write_text(writes)
            raise ValueError(message)

        return Mutant(take_in, id, path)

    return Target("test", mutant, (ValueError,), 0)


@pytest.mark.parametrize(
    ("target", "kind", "what"),
    [
        (refusing("file: not good"), Kind.REFUSED, "ValueError"),
        (refusing("not good"), Kind.BROKEN, "does not name file"),
        (refusing("file:\nnot good"), Kind.BROKEN, "not one clear line"),
        (refusing("file: \x1b[2J"), Kind.BROKEN, "not one clear line"),
        (refusing(""), Kind.BROKEN, "not one clear line"),
        (refusing("file: not good", writes="after"), Kind.BROKEN, "only to be read"),
    ],
)
def test_refusals_must_be_clear(target, kind, what, tmp_path):
    outcome = attempt(target, 1, 0, tmp_path)
    assert outcome.kind == kind and what in outcome.what


def test_the_command(tmp_path):
    done = python("scripts/fuzz.py", "--target", "records", "--seed", 1, "--count", 60, "--work", tmp_path)
    assert done.returncode == 0 and "records: 60 mutants, seed 1" in done.stdout and "findings: 0" in done.stdout
    refused = re.search(r"refused with a clear error: (\d+)", done.stdout)
    assert 0 < int(refused[1]) < 60 and (tmp_path / "mutant" / "games.jsonl").exists()


def test_the_command_fails_when_something_is_found(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(fuzz.TARGETS, "records", Target("records", failing, (), 0))
    assert fuzz.main(["--target", "records", "--only", "4", "--work", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "records: 1 mutants" in said and "findings: 1" in said and "numbers 4; " in said
