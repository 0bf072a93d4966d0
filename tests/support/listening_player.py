"""A player that keeps all it is told."""

from dawn_env.players import BatchPlayer


class Listening(BatchPlayer):
    """Takes the first legal action, wants events, and keeps them in ``log`` with the beginnings and ends of games."""

    wants_events = True

    def __init__(self, name="listening"):
        super().__init__(name)
        self.log = []

    def begin_game(self, side, options):
        self.log.append(("begin", side))

    def on_events(self, events):
        self.log.append(events)

    def end_game(self, outcome):
        self.log.append(outcome)

    def choose(self, observations, masks):
        return masks.argmax(1)
