"""The printed facts fit together."""

import csv

import numpy as np

from dawn_env.tables import CARD_TITLES, COUNTRY_OF, DATA, NEUTRAL, OWNER, SCORES, SCORING_CARD, N


def test_cards_are_numbered_without_a_gap():
    rows = list(csv.DictReader((DATA / "cards.csv").read_text(encoding="utf-8").splitlines()))
    assert [int(row["number"]) for row in rows] == list(range(1, len(CARD_TITLES)))


def test_scoring_cards_belong_to_countries():
    assert [SCORES[card] for card in SCORING_CARD] == list(range(N))
    assert (OWNER[SCORING_CARD] == NEUTRAL).all() and (SCORES >= 0).sum() == N


def test_spaces_lie_country_by_country():
    assert (np.diff(COUNTRY_OF) >= 0).all()
