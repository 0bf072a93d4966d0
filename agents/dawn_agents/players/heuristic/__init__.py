"""The rule-based player: the standing yardstick. It reads one observation and scores the legal actions.

``heuristic_values.observation_reader`` fills a ``position_record`` from the observation, a record with the fields of
``dawn_env.state.STATE``; the functions of ``dawn_env.rules`` run on it. ``heuristic_values`` estimates what the board
is worth and what operations, events and cards would change. The ``*_decisions`` here score the answers of each kind of
decision by that, ``action_scores`` compiles them, and ``players.heuristic_player`` is the player.
"""
