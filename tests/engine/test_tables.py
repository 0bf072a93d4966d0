"""The printed facts: each column of each data file is read, and what is read fits together."""

import csv
import runpy
from collections import defaultdict

import numpy as np

from dawn_env import tables
from dawn_env.tables import CARD_TITLES, COUNTRY_OF, DATA, NEUTRAL, OWNER, SCORES, SCORING_CARD, N


def test_each_column_is_read(monkeypatch):
    read = defaultdict(set)

    class Row(dict):
        file = ""

        def __getitem__(self, column):
            read[self.file].add(column)
            return super().__getitem__(column)

    def rows(file):
        """Rows that remember which of their columns were asked for."""
        for row in reader(file):
            noting = Row(row)
            noting.file = file.name
            yield noting

    reader = csv.DictReader
    monkeypatch.setattr(csv, "DictReader", rows)
    runpy.run_path(tables.__file__)
    for path in DATA.glob("*.csv"):
        header = path.read_text(encoding="utf-8").splitlines()[0].split(",")
        assert read[str(path)] == set(header), f"columns of {path.name} that nobody reads"


def test_cards_are_numbered_without_a_gap():
    rows = list(csv.DictReader((DATA / "cards.csv").read_text(encoding="utf-8").splitlines()))
    assert [int(row["number"]) for row in rows] == list(range(1, len(CARD_TITLES)))


def test_scoring_cards_belong_to_countries():
    assert [SCORES[card] for card in SCORING_CARD] == list(range(N))
    assert (OWNER[SCORING_CARD] == NEUTRAL).all() and (SCORES >= 0).sum() == N


def test_spaces_lie_country_by_country():
    assert (np.diff(COUNTRY_OF) >= 0).all()
