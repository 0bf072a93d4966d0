"""Ratings as text and JSON; a bound only for players who won or lost all their games."""


def beyond(score: float | None) -> str:
    """``below`` or ``above`` the bound, by the share of the points, if all games were lost or won; else empty."""
    return {0.0: "below", 1.0: "above"}.get(score, "")


def known(rating: float, low: float, high: float, beyond: str) -> dict[str, float | str | None]:
    """``rating``, ``low``, ``high`` and ``beyond`` as JSON values; None for what has no bound."""
    sure = {"low": low if beyond != "below" else None, "high": high if beyond != "above" else None}
    return {"rating": None if beyond else rating, **sure, "beyond": beyond}


def elo(number: float | None) -> str:
    """Elo points; a dash for None."""
    return "-" if number is None else f"{number:+z.0f}"


def elo_cells(rating: float, low: float, high: float, beyond: str) -> list[str]:
    """Rating, low and high for a table."""
    told = known(rating, low, high, beyond)
    bound = low if beyond == "above" else high
    return [f"{beyond} {elo(bound)}" if beyond else elo(rating), elo(told["low"]), elo(told["high"])]


def elo_range(rating: float, low: float, high: float, beyond: str, unit: str = "") -> str:
    """A rating with its interval, or its bound, for a sentence."""
    cells = elo_cells(rating, low, high, beyond)
    return cells[0] + unit + ("" if beyond else f" ({cells[1]} to {cells[2]})")
