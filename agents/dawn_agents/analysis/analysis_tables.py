"""An analysis as tables for the terminal."""

from collections import Counter
from collections.abc import Iterator

from rich.table import Table

from dawn_agents.analysis.judged_games import JudgedGame
from dawn_agents.analysis.loss_profiles import Analysis, Mistake, Row
from dawn_agents.tournament.report_tables import shown
from dawn_env.events.narration import decision_words
from dawn_env.tables import COMMUNIST, DEMOCRAT

PROFILE_HEADINGS = ("player", "by", "", "games", "decisions", "mistakes", "loss", "loss a decision")
MISTAKE_HEADINGS = ("loss", "game", "decision", "when", "player", "taken", "better")
GAME_HEADINGS = ("game", "Democrat", "Communist", "result", "luck of D", "luck of C", "loss of D", "loss of C")
_MOST_ROWS = 10  # of a cut
_MOST_GAMES = 20


def tables(analysis: Analysis, most_mistakes: int) -> Iterator[Table]:
    """All tables, one after another."""
    rows = shortened(analysis.rows, _MOST_ROWS)
    yield _table(f"What decisions lost of the chance of winning, by {analysis.judging.search}", PROFILE_HEADINGS, 3,
                 map(profile_cells, rows))  # fmt: skip
    if most_mistakes:
        told = analysis.mistakes[:most_mistakes]
        title = f"The largest of {len(analysis.mistakes)} mistakes"
        yield _table(title, MISTAKE_HEADINGS, len(MISTAKE_HEADINGS), map(mistake_cells, told))
    games = [game_cells(*game) for game in zip(analysis.places, analysis.games, strict=True)]
    title = f"Luck and losses, {min(len(games), _MOST_GAMES)} of {len(games)} games"
    yield _table(title, GAME_HEADINGS, 4, games[:_MOST_GAMES])


def _table(title: str, headings: tuple[str, ...], words: int, rows: Iterator[list[str]]) -> Table:
    """``words``: columns on the left that hold no numbers."""
    table = Table(title=shown(title, "table.title"))
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < words else "right")
    for row in rows:
        table.add_row(*map(shown, row))
    return table


def shortened(rows: list[Row], most: int) -> list[Row]:
    """The first rows of each cut of each player by kind of decision and card; all of the others."""
    seen, kept = Counter(), []
    for row in rows:
        seen[row.player, row.cut] += 1
        if row.cut not in ("decision", "card") or seen[row.player, row.cut] <= most:
            kept.append(row)
    return kept


def profile_cells(row: Row) -> list[str]:
    """Table cells of a row below ``PROFILE_HEADINGS``."""
    group = "set-up" if row.cut == "turn" and row.group == 0 else str(row.group)
    group = "no card" if row.cut == "card" and not group else group
    counts = [str(number) for number in (row.games, row.decisions, row.mistakes)]
    mean = f"{row.mean:.2%}" + ("" if row.error is None else f" ± {2 * row.error:.2%}")
    return [row.player, row.cut, group, *counts, f"{row.loss:.2f}", mean]


def mistake_cells(mistake: Mistake) -> list[str]:
    """Table cells of a mistake below ``MISTAKE_HEADINGS``."""
    one = mistake.decision
    words = [decision_words(one.side, one.kind, text) for text in (one.taken, one.better)]
    loss = f"{one.loss:z.1%} ± {2 * one.error:.1%}"
    return [loss, mistake.place, str(one.at + 1), one.when, mistake.player, *words]


def game_cells(place: str, game: JudgedGame) -> list[str]:
    """Table cells of a game below ``GAME_HEADINGS``."""
    luck = ["-" if game.luck is None else f"{game.luck_of(side):+.2f}" for side in (DEMOCRAT, COMMUNIST)]
    losses = [f"{game.loss_of(side):.2f}" for side in (DEMOCRAT, COMMUNIST)]
    return [place, *game.players, game.result, *luck, *losses]
