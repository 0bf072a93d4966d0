"""Tables of cases in text files: a line for each, what is given and what comes of it, with ``=>`` between them."""

from pathlib import Path


def table(file: Path) -> list[tuple[str, str]]:
    """(given, expected) of each line but comments, which begin with ``#``; lines that are indented go on."""
    lines: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            lines[-1] += f" {line.strip()}"
        elif line and not line.startswith("#"):
            lines.append(line)
    return [(given.strip(), expected.strip()) for given, expected in (line.split("=>", 1) for line in lines)]
