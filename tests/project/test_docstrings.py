"""Docstrings begin with what a thing is or does, so that each can be understood by itself."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from paths import ROOT

BEGINNINGS = re.compile(r"(The same|All of|As of|Its?|Have|Let|Note|Nothing)\b")
"""What says nothing, or points at something else: orders to arrays, and words for another docstring."""
FOLDERS = ("dawn_env", "agents/dawn_agents", "scripts", "docs/examples")


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each docstring, also of those below constants and fields."""
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        for at, statement in enumerate(body):
            follows = at > 0 and isinstance(body[at - 1], ast.Assign | ast.AnnAssign)
            if isinstance(statement, ast.Expr) and (follows or (at == 0 and documented)):
                text = statement.value.value if isinstance(statement.value, ast.Constant) else None
                if isinstance(text, str):
                    yield statement.lineno, text.strip()


def test_docstrings_of_all_kinds_are_found():
    source = (
        '"""A."""\nX = 1\n"""B."""\nclass C:\n    """D."""\n    y: int = 0\n    """E."""\n'
        '    def f():\n        """F."""\n'
    )
    assert sorted(text for _, text in docstrings(source)) == ["A.", "B.", "D.", "E.", "F."]


@pytest.mark.parametrize("folder", FOLDERS)
def test_first_sentences_stand_on_their_own(folder):
    files = [path for path in sorted((ROOT / folder).rglob("*.py")) if "__pycache__" not in path.parts]
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {text.splitlines()[0]}"
        for path in files
        for line, text in docstrings(Path(path).read_text("utf-8"))
        if BEGINNINGS.match(text)
    ]
    assert files and not wrong, "\n".join(wrong)
