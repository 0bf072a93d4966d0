"""Geometry of the countries and their spaces on the screen.

A country is a panel with a grid of cells, ``grid.csv``; the cells follow the map and were chosen so that connections
do not run under other spaces. Pictures have the panels as on a map, a page on a phone has them in a column.
"""

import csv
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from dawn_env.tables import COUNTRY_OF, SPACES, N, S

COLUMNS = 4
HEAD = 28.0
"""Height of a panel above its cells."""
FRAME = 3.0
"""Width that the frame of a battleground adds to each edge of its box, its stroke included."""


class Rect(NamedTuple):
    """A rectangle by its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of the rectangle."""
        return self.x + self.width / 2, self.y + self.height / 2


def _cells() -> list[tuple[int, int]]:
    with open(Path(__file__).parent / "grid.csv", encoding="utf-8", newline="") as file:
        at = {row["space"]: (int(row["column"]), int(row["row"])) for row in csv.DictReader(file)}
    return [at[name] for name in SPACES]


_CELLS = _cells()
_ROWS = [1 + max(row for (_, row), country in zip(_CELLS, COUNTRY_OF, strict=True) if country == n) for n in range(N)]
"""[N] rows of cells of each country."""


@dataclass(frozen=True)
class BoardGeometry:
    """Sizes in pixels; ``places`` are column and row of each country's panel among the others."""

    width: float
    margin: float
    gap: float
    cell: tuple[float, float]
    box: tuple[float, float]
    name_size: float
    places: tuple[tuple[int, int], ...]
    wide: bool

    @cached_property
    def panels(self) -> tuple[Rect, ...]:
        """[N] panels of the countries; those beside each other are equally high."""
        width = COLUMNS * self.cell[0] + 8
        deepest = {row: max(_ROWS[n] for n in range(N) if self.places[n][1] == row) for _, row in self.places}
        heights = {row: HEAD + deep * self.cell[1] + 4 for row, deep in deepest.items()}
        tops = {row: sum(heights[above] + self.gap for above in heights if above < row) for row in heights}
        return tuple(
            Rect(self.margin + column * (width + self.gap), tops[row], width, heights[row])
            for column, row in self.places
        )

    @cached_property
    def spaces(self) -> tuple[Rect, ...]:
        """[S] boxes of the spaces."""
        return tuple(self._space(space) for space in range(S))

    def _space(self, space: int) -> Rect:
        """A box in the middle of its cell; the rows of a country share the height of its panel."""
        panel, (column, row) = self.panels[COUNTRY_OF[space]], _CELLS[space]
        high = (panel.height - HEAD - 4) / _ROWS[COUNTRY_OF[space]]
        left = panel.x + 4 + column * self.cell[0] + (self.cell[0] - self.box[0]) / 2
        top = panel.y + HEAD + row * high + (high - self.box[1]) / 2
        return Rect(left, top, *self.box)

    @property
    def board_height(self) -> float:
        """Height of all panels together."""
        return max(panel.y + panel.height for panel in self.panels)


MAP = BoardGeometry(
    width=1132, margin=2, gap=6, cell=(91.0, 62), box=(74, 45), name_size=9,
    places=((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1)), wide=True,
)  # fmt: skip
"""The map of pictures and pages; ``NARROW`` on a phone."""
NARROW = BoardGeometry(
    width=390, margin=4, gap=8, cell=(93.5, 75), box=(76, 46), name_size=9,
    places=tuple((0, row) for row in range(N)), wide=False,
)  # fmt: skip
