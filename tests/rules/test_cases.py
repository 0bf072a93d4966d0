"""The rules, one scripted situation per rule or ruling: the cases of the text files beside."""

from pathlib import Path

import pytest
from scripted_cases import read_cases

pytestmark = pytest.mark.plain

CASES = [case for file in sorted(Path(__file__).parent.glob("*.txt")) for case in read_cases(file)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    case.run()
