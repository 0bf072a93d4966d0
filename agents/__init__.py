"""Players: anything that can choose an action from an observation and a mask."""
