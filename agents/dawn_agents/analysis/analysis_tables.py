"""Tables of an analysis."""

from collections import Counter

from dawn_agents.analysis.judged_games import JudgedGame
from dawn_agents.analysis.loss_profiles import Analysis, Mistake, Row
from dawn_agents.reporting.tables import Sheet
from dawn_env.events.narration import decision_words
from dawn_env.tables import COMMUNIST, DEMOCRAT

_MOST_ROWS = 10  # of a cut
_MOST_MISTAKES = 10
_MOST_GAMES = 20


def sheets(analysis: Analysis) -> list[Sheet]:
    """Tables for the terminal, shortened."""
    profiles = profile_sheet(analysis, shortened(analysis.rows, _MOST_ROWS))
    return [profiles, mistakes_sheet(analysis, _MOST_MISTAKES), games_sheet(analysis, _MOST_GAMES)]


def profile_sheet(analysis: Analysis, rows: list[Row]) -> Sheet:
    """Losses of decisions by player and group."""
    headings = ("player", "by", "", "games", "decisions", "mistakes", "loss", "loss a decision")
    title = f"What decisions lost of the chance of winning, by {analysis.judging.search}"
    return Sheet(title, headings, list(map(profile_cells, rows)), words=3)


def mistakes_sheet(analysis: Analysis, most: int) -> Sheet:
    """The largest mistakes."""
    headings = ("loss", "game", "decision", "when", "player", "taken", "better")
    rows = list(map(mistake_cells, analysis.mistakes[:most]))
    return Sheet(f"The largest of {len(analysis.mistakes)} mistakes", headings, rows, words=len(headings))


def games_sheet(analysis: Analysis, most: int | None = None) -> Sheet:
    """Luck and losses of each side."""
    headings = ("game", "Democrat", "Communist", "result", "luck of D", "luck of C", "loss of D", "loss of C")
    rows = [game_cells(*game) for game in zip(analysis.places, analysis.games, strict=True)][:most]
    return Sheet(f"Luck and losses, {len(rows)} of {len(analysis.games)} games", headings, rows, words=4)


def shortened(rows: list[Row], most: int) -> list[Row]:
    """The first rows of each cut of each player by kind of decision and card; all of the others."""
    seen, kept = Counter(), []
    for row in rows:
        seen[row.player, row.cut] += 1
        if row.cut not in ("decision", "card") or seen[row.player, row.cut] <= most:
            kept.append(row)
    return kept


def profile_cells(row: Row) -> list[str]:
    """Table cells of a row of the profile."""
    group = "set-up" if row.cut == "turn" and row.group == 0 else str(row.group)
    group = "no card" if row.cut == "card" and not group else group
    counts = [str(number) for number in (row.games, row.decisions, row.mistakes)]
    mean = f"{row.mean:z.2%}" + ("" if row.error is None else f" ± {2 * row.error:.2%}")
    return [row.player, row.cut, group, *counts, f"{row.loss:z.2f}", mean]


def mistake_cells(mistake: Mistake) -> list[str]:
    """Table cells of a mistake of the largest mistakes."""
    one = mistake.decision
    words = [decision_words(one.side, one.kind, text) for text in (one.taken, one.better)]
    loss = f"{one.loss:z.1%} ± {2 * one.error:.1%}"
    return [loss, mistake.place, str(one.at + 1), one.when, mistake.player, *words]


def game_cells(place: str, game: JudgedGame) -> list[str]:
    """Table cells of a game of the games."""
    luck = ["-" if game.luck is None else f"{game.luck_of(side):+z.2f}" for side in (DEMOCRAT, COMMUNIST)]
    losses = [f"{game.loss_of(side):z.2f}" for side in (DEMOCRAT, COMMUNIST)]
    return [place, *game.players, game.result, *luck, *losses]
