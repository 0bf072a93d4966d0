"""Values of event effects that a run on the board does not show, in victory points for their executor."""

import numpy as np

from dawn_env.tables import CARD_TITLES, SOURCES

_ONCE = {
    "Solidarity Legalized": 1.0,
    "General Strike": 2.5,
    "Brought in for Questioning": 1.5,
    "Stasi": 1.2,
    "Honecker": 3.0,
    "Roundtable Talks": 1.5,
    "Deutsche Marks": 3.0,
    "St. Nicholas Church": 1.0,
    "Helsinki Final Act": 1.5,
    "Tear Gas": 0.3,
    "Sajudis": 1.0,
    "Dash for the West": 1.0,
    "Eco-Glasnost": 0.7,
    "Goodbye Lenin!": 2.5,
    "We are the People!": 1.5,
    "Li Peng": 0.6,
    "The Crowd Turns Against Ceausescu": 2.0,
    "Yakovlev Counsels Gorbachev": 1.0,
    "Presidential Visit": 1.2,
    "Reformer Rehabilitated": 2.0,
    "Systematization": 1.0,
    "Securitate": 1.0,
    "Kiss of Death": 2.0,
    "Peasant Parties Revolt": 1.0,
    "Laszlo Tokes": 0.5,
    "Exit Visas": 0.5,
    "Samizdat": 0.3,
    "Workers Revolt": 2.5,
    "The Baltic Way": 1.0,
    "Tank Column/Tank Man": 1.2,
    "The Wall Must Go!": -1.0,
    "Domino Theory": 3.0,
    "The Tyrant is Gone": 1.5,
    "Ligachev": 2.0,
    "Stand Fast": 0.7,
    "Elena": 0.2,
    "National Salvation Front": 1.5,
    "Army Backs Revolution": 0.5,
    "Kremlin Coup!": 2.5,
}
_A_ROUND = {
    "Prudence": 0.45,
    "The Wall": 0.1,
    "Perestroika": 0.5,
    "The Sinatra Doctrine": 0.5,
    "Austria-Hungary Border Reopened": 0.25,
    "Grenztruppen": 0.15,
    "Genscher": 0.1,
    "FRG Embassies": 0.35,
}


def _by_source(worth: dict[str, float]) -> np.ndarray:
    array = np.zeros(SOURCES)
    array[[CARD_TITLES.index(title) for title in worth]] = list(worth.values())
    array.setflags(write=False)
    return array


WORTH = _by_source(_ONCE)
"""[SOURCES] worth of what an event does beside its program's points."""
WORTH_A_ROUND = _by_source(_A_ROUND)
"""[SOURCES] the same, per action round that is left of the turn."""
