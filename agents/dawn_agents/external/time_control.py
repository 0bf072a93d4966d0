"""Time for a whole game: so many seconds, and some more for each decision."""

import re
from dataclasses import dataclass

from dawn_env.support.safe_text import short_repr

_FORM = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(?:\+(\d{1,4}(?:\.\d{1,3})?))?")


@dataclass
class Clock:
    """Clock of one player in one game: ``seconds`` for all decisions, ``increment`` added after each of them."""

    seconds: float
    increment: float = 0.0

    def __post_init__(self):
        self.left = self.seconds

    @classmethod
    def of(cls, text: str) -> "Clock":
        """Parse ``300+2`` or ``300``; raises ``ValueError``."""
        found = _FORM.fullmatch(text)
        if not found or not float(found[1]):
            raise ValueError(
                f"clock: seconds, such as 300, or with an increment per decision, 300+2, not {short_repr(text)}"
            )
        return cls(float(found[1]), float(found[2] or 0))

    def __str__(self) -> str:
        return f"{self.seconds:g}" + (f"+{self.increment:g}" if self.increment else "")

    def spend(self, seconds: float) -> None:
        """Take the time of a decision that was made before the flag fell, and add the increment."""
        self.left = max(0.0, self.left - seconds) + self.increment

    def to_json(self) -> dict[str, float]:
        """Clock fields of a message: ``left`` and ``increment``, in seconds."""
        return {"left": round(self.left, 3), "increment": self.increment}
