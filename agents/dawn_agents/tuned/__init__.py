"""The rule-based player with corrections that were learnt from simulations: tables, added to its scores.

``features`` says what they depend on, ``corrections`` adds them in compiled loops and reads their file,
``dawn_agents.networks.correcting`` learns them, and ``export`` writes the file. The player is
``dawn_agents.players.tuned``.
"""
