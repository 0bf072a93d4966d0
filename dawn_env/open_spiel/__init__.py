"""The game for OpenSpiel: importing this registers ``python_dawn`` (needs the extra ``openspiel``).

    import pyspiel
    import dawn_env.open_spiel

    game = pyspiel.load_game("python_dawn", {"extra_support_communist": 2})

``open_spiel_game`` has the game and its states, ``tensor_observer`` what players see, ``search_support`` fast play-outs
for searches and what keeps OpenSpiel's compiled bots from ending the process. ``docs/how-to/recipes.md`` explains it.
"""

from dawn_env.support.optional_packages import optional_imports

with optional_imports():
    import open_spiel  # noqa: F401  - the package that pip knows; ``pyspiel`` is a module of it

    from dawn_env.open_spiel.open_spiel_game import GAME_NAME, DawnGame, DawnState, PlayerBot
    from dawn_env.open_spiel.search_support import PlayOutEvaluator, keep_interpreter_lock

__all__ = ["GAME_NAME", "DawnGame", "DawnState", "PlayOutEvaluator", "PlayerBot"]

keep_interpreter_lock()
