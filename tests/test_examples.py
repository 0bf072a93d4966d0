"""The examples of ``docs/doors.md`` run as written."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs/doors.md").read_text(encoding="utf-8"), re.DOTALL)


def test_there_are_four_examples():
    assert len(EXAMPLES) == 4


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example_runs(number):
    if "sb3_contrib" in EXAMPLES[number]:
        pytest.importorskip("sb3_contrib")
    done = subprocess.run(
        [sys.executable, "-c", EXAMPLES[number]], cwd=ROOT, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
