"""Figures of README and pages: from ``docs/figures.json`` (``make figures`` measures them), the standing scale and the
reference results of the suite."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from dawn_agents.tournaments.strength.rating_scale import read_scale
from dawn_agents.training.suite.result_files import read_result
from dawn_agents.training.suite.suite_report import markdown

DOCS = Path(__file__).resolve().parents[2] / "docs"
FIGURES: dict[str, float | str] = json.loads((DOCS / "figures.json").read_text(encoding="utf-8"))
ROWS = {
    "batch_decisions_per_second": "batch of {batch:,} on one core: decisions a second, masks and observations included",
    "batch_games_per_second": "the same in random games a second",
    "vector_env_decisions_per_second": "Gymnasium vector environment, 256 games: both sides' decisions a second",
    "seat_decisions_per_second": "single seat: both sides' decisions a second",
    "aec_decisions_per_second": "PettingZoo environment: decisions a second",
    "heuristic_decisions_per_second": "`heuristic`, 256 games, one thread: decisions a second",
    "sparse_policy_microseconds": "`pretrained`, one thread: microseconds a decision",
    "search_200_milliseconds": "`search:sims=200`: milliseconds a decision",
    "sparse_ppo_decisions_per_second": "`sparse-ppo` against `heuristic`, without advice: learner's decisions a second",
    "first_compile_processor_seconds": "first compilation: processor seconds",
    "cached_start_seconds": "import and first batch, compiled: seconds",
    "bytes_per_game": "a game: bytes",
}
"""Descriptions of the figures of ``dawn benchmark``."""
_OF_README = (
    "batch_decisions_per_second",
    "seat_decisions_per_second",
    "heuristic_decisions_per_second",
    "search_200_milliseconds",
)


def written(value: float | str) -> str:
    """A number with three significant digits, or all digits before the point."""
    return f"{value:.3g}" if float(value) < 100 else f"{round(float(value), -3 if float(value) > 1e5 else 0):,.0f}"


def table(header: Sequence[str], rows: Iterable[Sequence[object]], numbers: bool = False) -> str:
    """A Markdown table; with ``numbers`` all columns but the first are aligned to the right."""
    marks = ["---"] + ["---:" if numbers else "---"] * (len(header) - 1)
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in (header, marks, *rows))


def _figures(names: Iterable[str], *more: Sequence[str]) -> str:
    rows = [(ROWS[name].format_map(FIGURES), written(FIGURES[name])) for name in names]
    return table(("figure", "value"), [*rows, *more], numbers=True)


def _measured() -> str:
    """How the figures were taken."""
    return "`{command}` of {version}, {date}, {processor}, {system}".format_map(FIGURES)


def readme_figures() -> str:
    """The five figures of the README."""
    standing = read_scale()
    elo = {name: f"{rated.both.value:,.0f}" for name, rated in standing.ratings().items()}
    scale = f"[the standing scale](docs/reference/ladder.md) (`random` 0, `heuristic` {elo['heuristic']})"
    strength = f"Elo of `pretrained` on {scale}", elo["pretrained"]
    last = "`.venv/bin/{command}`, {date}".format_map(standing.origin)
    return f"{_figures(_OF_README, strength)}\nMeasured by {_measured()}; the last by {last}.\n"


def all_figures() -> str:
    """Every figure of the benchmark."""
    return f"{_figures(ROWS)}\nMeasured by {_measured()}.\n"


def ladder_summary() -> str:
    """Players of the standing scale with their Elo, without the lower levels of the rule-based player."""
    ratings = read_scale().ratings().items()
    rows = [
        (f"`{name}`", f"{rated.both.value:,.0f}")
        for name, rated in ratings
        if "level" not in name or name.endswith("=5")
    ]
    return table(("player", "Elo"), rows, numbers=True)


def suite_summary() -> str:
    """Table of the reference results of the task ``learn-1M`` whose players do not look ahead."""
    results = [read_result(path) for path in sorted((DOCS / "suite" / "results").glob("learn-1M*.json"))]
    plain = [result for result in results if not result["looks_ahead"]]
    return "".join(line + "\n" for line in markdown(plain).splitlines() if line.startswith("|"))


FILLED: dict[Path, dict[str, Callable[[], str]]] = {
    DOCS.parent / "README.md": {"figures": readme_figures},
    DOCS / "index.md": {"ladder": ladder_summary, "suite": suite_summary},
    DOCS / "explanation" / "performance.md": {"figures": all_figures},
}
"""Parts of pages, by the name in their mark."""


def filled(page: Path) -> str:
    """The text of a page, the parts between ``<!-- NAME -->`` and ``<!-- end of NAME -->`` made anew."""
    text = page.read_text(encoding="utf-8")
    for name, make in FILLED[page].items():
        part, made = re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- end of {name} -->)", re.DOTALL), make()
        text, found = part.subn(lambda _, made=made: made, text)
        if found != 1:
            raise ValueError(f"{page}: one part {name!r} expected, not {found}")
    return text
