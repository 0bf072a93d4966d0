"""A report as one HTML page that needs nothing else."""

from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from dawn_agents.rating.rating_bounds import elo
from dawn_agents.tournament.report_tables import OFFER_HEADINGS, advantaged, offer_cells, percent, rating_cells
from dawn_agents.tournament.svg_plots import distribution_plot, matrix_plot, ratings_plot, sides_plot
from dawn_agents.tournament.tournament_report import Report
from dawn_env.support.atomic_files import whole_file
from dawn_env.support.safe_text import plain

REPLAYS = "http://127.0.0.1:1989"
"""Where replays are by default: ``dawn web`` on this machine."""


def template(name: str) -> Template:
    """A page of the package ``dawn_agents``, such as ``tournament/page.html``."""
    environment = Environment(
        loader=PackageLoader("dawn_agents", "."), autoescape=True, finalize=_shown, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {"percent": percent, "plain": plain, "elo": elo, "rating_cells": rating_cells}
    return environment.get_template(name)


def page(report: Report, title: str = "Tournament", notes: list[str] | None = None, replays: str | None = None) -> str:
    """The page as text; ``notes`` are lines below the title, ``replays`` is the address of the server of replays."""
    plots = {
        "Ratings": ratings_plot(report),
        "Scores by side": sides_plot(report),
        "Who beats whom": matrix_plot(report),
        "VP at the end": distribution_plot(report, [g.vp for g in report.games], "VP, Democrat positive", 2),
        "Length": distribution_plot(report, [g.decisions for g in report.games], "decisions in a game", 25),
    }
    met = {(meeting.one, meeting.two): meeting for meeting in report.meetings}
    bids = {"advantaged": advantaged(report), "offer_headings": OFFER_HEADINGS, "offer_cells": offer_cells}
    facts = bids | {"title": title, "notes": notes or [], "replays": replays or REPLAYS}
    return template("tournament/page.html").render(report=report, plots=plots, met=met, **facts)


def _shown(value: object) -> object:
    """Every text on the page but what is HTML already, with control characters written out."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def write_page(
    report: Report,
    path: str | Path,
    title: str = "Tournament",
    notes: list[str] | None = None,
    replays: str | None = None,
) -> None:
    """The page to a file."""
    with whole_file(path, parents=True) as file:
        file.write(page(report, title, notes, replays))
