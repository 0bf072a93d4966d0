"""The engine against recorded action rounds, and the command that compares them."""

import copy
import json
from functools import cache
from pathlib import Path

import pytest
from paths import DATA, SHARED

from dawn_env.conformance import main, read_exceptions, read_records, replay
from dawn_env.errors import MalformedPosition

RECORDS = SHARED / "conformance" / "rounds.jsonl.gz"
EXCEPTIONS = DATA / "conformance_exceptions.txt"

needs_records = pytest.mark.skipif(not RECORDS.exists(), reason="the recorded rounds are not beside the project")


@cache
def records() -> list[dict]:
    """All recorded rounds."""
    return [record for _, record in read_records(RECORDS)]


def agreeing_record() -> dict:
    """A copy of a recorded round with a decision, that agrees and does not end the game."""
    return copy.deepcopy(
        next(r for r in records() if r["decisions"] and "result" not in r["after"] and replay(r) is None)
    )


def write(path: Path, *lines) -> str:
    """A file of records, or of texts as they are."""
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return str(path)


@needs_records
def test_recorded_rounds_agree():
    exceptions = read_exceptions(EXCEPTIONS)
    mismatches = {r["id"]: replay(r) for r in records() if r["id"] not in exceptions}
    wrong = [f"{name}: {mismatch}" for name, mismatch in mismatches.items() if mismatch]
    assert not wrong, f"{len(wrong)} of {len(mismatches)} differ, such as\n" + "\n".join(wrong[:5])


@needs_records
def test_exceptions_are_few_and_needed():
    exceptions = read_exceptions(EXCEPTIONS)
    listed = [record for record in records() if record["id"] in exceptions]
    assert len(listed) == len(exceptions) < len(records()) / 100
    assert [record["id"] for record in listed if replay(record) is None] == []


@needs_records
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r["decisions"][0]["legal"].pop(), "the engine lacks [], has in excess ['"),
        (lambda r: r["decisions"][0].update(at="party"), "decision 0 party: expected"),
        (lambda r: r["after"].update(ussr=9), "ussr: expected 9, the engine has"),
        (lambda r: r["after"]["removed"].append(110), "after: removed: the engine lacks [110], has in excess []"),
        (lambda r: r["decisions"].pop(), "after the last decision: expected the start of the next round"),
        (lambda r: r["chance"]["dice"].append(6), "left over"),
    ],
)
def test_differences_are_named(change, message):
    record = agreeing_record()
    change(record)
    assert message in replay(record)


@needs_records
def test_missing_chance_is_a_mismatch():
    rolled = next(r for r in records() if r["decisions"] and r["chance"]["dice"] and replay(r) is None)
    assert "ran dry" in replay({**rolled, "chance": {**rolled["chance"], "dice": []}})


@needs_records
@pytest.mark.parametrize(
    "key, value, message",
    [
        ("after", ..., "record: after must be a dict"),
        ("decisions", [{"by": "C"}], "decision 0: at must be a str"),
        ("chance", {"coins": []}, "chance: unknown kinds"),
        ("chance", {"power_draws": ["rally-99"]}, "chance: power_draws: .*'rally-99'"),
        ("before", {}, "position: turn: missing"),
        ("after", {"result": "D"}, "after: vp must be a int"),
    ],
)
def test_malformed_record(key, value, message):
    record = {**agreeing_record(), key: value}
    if value is ...:
        del record[key]
    with pytest.raises(MalformedPosition, match=message):
        replay(record)


@needs_records
def test_command(tmp_path, capsys):
    good, bad = agreeing_record(), agreeing_record()
    bad["id"], bad["after"]["vp"] = "bad", 18
    file = write(tmp_path / "some.jsonl", good, bad)

    assert main([file]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "2 records, 1 agree, 0 exceptions"

    known = write(tmp_path / "known.txt", "# comment", "bad as a test", f"{good['id']} no longer")
    assert main([file, "--exceptions", known]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"{good['id']}: listed as an exception (no longer), but agrees",
        "2 records, 1 agree, 1 exceptions",
    ]

    assert main([file, "--max-print", "0"]) == 1
    assert "... and 1 more mismatches" in capsys.readouterr().out


@pytest.mark.parametrize("line, message", [("{", "line 2"), ("3", "line 2"), ('{"id": "x"}', "line 2: record: before")])
def test_unreadable_line(tmp_path, capsys, line, message):
    assert main([write(tmp_path / "broken.jsonl", "", line)]) == 2
    error = capsys.readouterr().err
    assert "broken.jsonl" in error and message in error


def test_unreadable_files(tmp_path, capsys):
    assert main([str(tmp_path / "absent.jsonl")]) == 2
    assert main([write(tmp_path / "no.jsonl.gz", "text")]) == 2
    assert main([write(tmp_path / "empty.jsonl"), "--exceptions", write(tmp_path / "e.txt", "id-without-reason")]) == 2
    assert "e.txt, line 1: 'id reason' expected" in capsys.readouterr().err
