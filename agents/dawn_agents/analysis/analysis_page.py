"""An analysis as one HTML page that needs nothing else."""

from pathlib import Path

from dawn_agents.analysis.analysis_plots import cut_plot, luck_plot
from dawn_agents.analysis.analysis_tables import (
    GAME_HEADINGS,
    MISTAKE_HEADINGS,
    PROFILE_HEADINGS,
    game_cells,
    mistake_cells,
    profile_cells,
)
from dawn_agents.analysis.loss_profiles import Analysis
from dawn_agents.tournament.html_report import template
from dawn_env.support.atomic_files import whole_file

_MOST_MISTAKES = 200
_PLOTS = {"By side": "side", "By turn": "turn", "By kind of decision": "decision", "By card": "card"}


def page(analysis: Analysis) -> str:
    """The page as text."""
    plots = {name: cut_plot(analysis, cut) for name, cut in _PLOTS.items()} if analysis.rows else {}
    if any(game.luck is not None for game in analysis.games):
        plots["Luck and play"] = luck_plot(analysis)
    lists = [
        ("Profiles", PROFILE_HEADINGS, map(profile_cells, analysis.rows), 3),
        ("Mistakes", MISTAKE_HEADINGS, map(mistake_cells, analysis.mistakes[:_MOST_MISTAKES]), 7),
        ("Games", GAME_HEADINGS, map(game_cells, analysis.places, analysis.games), 4),
    ]
    facts = {"title": "Analysis of play", "analysis": analysis, "plots": plots, "lists": lists}
    return template("analysis/page.html").render(facts)


def write_page(analysis: Analysis, path: Path) -> None:
    """The page to a file."""
    with whole_file(path, parents=True) as file:
        file.write(page(analysis))
