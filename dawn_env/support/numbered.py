"""Integer enumerations numbered automatically from 0."""

from enum import IntEnum


class Numbered(IntEnum):
    """Members declared with ``auto()`` are 0, 1, 2 ..."""

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return count
