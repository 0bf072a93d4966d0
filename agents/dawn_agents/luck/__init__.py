"""How much of a result was luck: chance repeated, priced by a chance of winning, and taken out of scores."""
