"""The choice at each decision: scores of the legal actions, in victory points, from one observation."""

from dawn_agents.heuristic.board import open_region, set_up
from dawn_agents.heuristic.choose_card import score_cards, score_event_cards
from dawn_agents.heuristic.choose_face import score_faces
from dawn_agents.heuristic.choose_space import score_spaces
from dawn_agents.heuristic.choose_use import score_words
from dawn_agents.heuristic.outlook import write_outlook
from dawn_agents.heuristic.prospects import begin
from dawn_agents.heuristic.reading import read
from dawn_agents.heuristic.regions import EVERYWHERE
from dawn_env.support.compiling import jit


@jit
def _begin(p):
    """Begin with what was read."""
    write_outlook(p)
    set_up(p)
    begin(p)


@jit
def value_board(p):
    """Compute what the countries are worth, from what was read."""
    _begin(p)
    open_region(p, EVERYWHERE)


def score_row(o, mask, p, scores):
    """Write what each legal action is worth into ``scores`` float32 [A]; what is not legal is left alone.

    ``o`` int8 [F], ``mask`` int8 [A], ``p`` a POSITION record whose weights are set: work space. Compiled once, in
    ``scoring.py``.
    """
    scores[:] = 0.0
    read(o, p)
    if score_faces(p, mask, scores):
        return
    _begin(p)
    if score_spaces(p, mask, scores):
        return
    if score_cards(p, mask, scores):
        return
    if score_event_cards(p, mask, scores):
        return
    score_words(p, mask, scores)
