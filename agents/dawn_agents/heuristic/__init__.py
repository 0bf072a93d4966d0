"""The rule-based player: the standing yardstick. It reads one observation and scores the legal actions.

``reading`` fills a ``position`` from the observation, a record with the fields of ``dawn_env.state.STATE``. The
functions of ``dawn_env.rules`` run on it and answer all questions about the rules. What is judged here: ``country``
and ``outlook``, what the board is worth; ``operations``, ``events`` and ``plays``, what operations, events and cards
would change; ``choose_*``, which of that each kind of decision asks for. ``prospects`` and ``events`` remember what
they find out about a country, by ``memory``. Matters of taste are weights: ``style``, ``card_worth``. ``decide`` puts
it together, ``scoring`` compiles it, ``player`` is the player.
"""
