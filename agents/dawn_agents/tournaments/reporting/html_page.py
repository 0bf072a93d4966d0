"""A report as one HTML page that needs nothing else."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from dawn_agents.tournaments.reporting.provenance import provenance_sheet
from dawn_agents.tournaments.reporting.tables import Sheet
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.safe_text import escape_text


class Passage(NamedTuple):
    """A section of HTML, such as a plot."""

    title: str
    html: Markup


def page(title: str, paragraphs: Sequence[str], sections: Sequence[Sheet | Passage]) -> str:
    """The page as text; all but the HTML of passages is escaped, control characters are written out."""
    tables = [isinstance(section, Sheet) for section in sections]
    return _template().render(title=title, paragraphs=paragraphs, sections=list(zip(sections, tables, strict=True)))


def write_page(
    path: Path, title: str, paragraphs: Sequence[str], sections: Sequence[Sheet | Passage], origin: Mapping[str, object]
) -> None:
    """Write the page to a file, all of it or nothing; ``origin``, as of ``provenance``, is its last section."""
    with atomic_write(path, parents=True) as file:
        file.write(page(title, paragraphs, [*sections, provenance_sheet(origin)]))


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("dawn_agents.tournaments.reporting", "."), autoescape=True, finalize=_printable,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template("page.html")


def _printable(value: object) -> object:
    return escape_text(value) if isinstance(value, str) and not isinstance(value, Markup) else value
