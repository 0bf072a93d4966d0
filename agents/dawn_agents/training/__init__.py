"""Training of one network policy per side: a warm start, then MaskablePPO in a league."""
