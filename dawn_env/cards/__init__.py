"""The strategy cards: the effects events are written in, the events, and their texts."""
