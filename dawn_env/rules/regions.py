"""Membership of a space in a region of an event, the country it named included."""

from dawn_env.cards.events import REGION_BOUND, REGIONS
from dawn_env.support.compiling import jit
from dawn_env.tables import COUNTRY_OF


@jit
def in_region(region, country, space):
    """Whether a space lies in a region; a bound region is empty until a country is named (-1)."""
    return REGIONS[region, space] and (not REGION_BOUND[region] or COUNTRY_OF[space] == country)
