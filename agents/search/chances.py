import math
from agents.evaluation import evaluate
from dawn_env.compiling import jit
from dawn_env.state import RUNNING, DEMOCRAT_WINS, DRAW

@jit
def win_chance(s):
    if s.result != RUNNING:
        return 1.0 if s.result == DEMOCRAT_WINS else (0.5 if s.result == DRAW else 0.0)
    t = (s.turn - 1) / 9
    return 1 / (1 + math.exp(-evaluate(s) * (0.04 + 0.12 * t**2)))
