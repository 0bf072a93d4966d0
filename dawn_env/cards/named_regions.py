"""Regions: named sets of spaces, which events and lasting effects are limited to."""

from dataclasses import dataclass, replace

import numpy as np

from dawn_env.tables import COUNTRIES, COUNTRY_OF, SPACE_ID, SPACE_TYPES, TYPE_OF, S


@dataclass(frozen=True)
class Region:
    """A named set of spaces, combined with ``&``, ``|`` and ``-``; ``bound`` marks a region named by the
    chosen country of the event as well."""

    spaces: frozenset[int]
    text: str
    bound: bool = False

    @property
    def where(self) -> str:
        """The region as a place in a sentence."""
        return self.text if self.text.startswith("anywhere") else f"in {self.text}"

    def __and__(self, other: "Region") -> "Region":
        return Region(self.spaces & other.spaces, f"{self.text} in {other.text}", self.bound or other.bound)

    def __or__(self, other: "Region") -> "Region":
        return Region(self.spaces | other.spaces, f"{self.text} or {other.text}", self.bound or other.bound)

    def __sub__(self, other: "Region") -> "Region":
        return Region(self.spaces - other.spaces, f"{self.text} except {other.text}", self.bound)


def named(*names: str) -> Region:
    """The region of the spaces with these names."""
    return Region(frozenset(SPACE_ID[name] for name in names), ", ".join(names))


ANYWHERE = Region(frozenset(range(S)), "anywhere")
THAT_COUNTRY = Region(frozenset(range(S)), "that country", bound=True)


def _country(number: int) -> Region:
    return Region(frozenset(np.flatnonzero(COUNTRY_OF == number).tolist()), COUNTRIES[number])


def _type(number: int) -> Region:
    return Region(frozenset(np.flatnonzero(TYPE_OF == number).tolist()), f"{SPACE_TYPES[number]} spaces")


IN_EAST_GERMANY, IN_POLAND, IN_CZECHOSLOVAKIA, IN_HUNGARY, IN_ROMANIA, IN_BULGARIA = map(_country, range(6))
ELITES, BUREAUCRATS, WORKERS, FARMERS, INTELLECTUALS, STUDENTS, _, MINORITIES = map(_type, range(8))
EASTERN_EUROPE = replace(IN_EAST_GERMANY | IN_POLAND | IN_CZECHOSLOVAKIA | IN_HUNGARY, text="Eastern Europe")
BALKANS = replace(IN_ROMANIA | IN_BULGARIA, text="the Balkans")
