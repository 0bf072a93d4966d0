"""Everything that plays: players by name (``registry``), the rule-based player, networks, search, values, programs.

Files here are players and what all of them share; each package is one kind of player or what it is made of.
"""
