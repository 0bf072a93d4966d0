"""An observation as text, for people."""

import numpy as np

from dawn_env.observation.parts import decode
from dawn_env.state import DECISIONS, FRAME_KINDS
from dawn_env.tables import CARD_TITLES, COUNTRIES, COUNTRY_OF, FACES, SIDE_NAMES, SOURCE_TITLES, SPACES, SUITS


def _chosen(one_hot: np.ndarray, names) -> str:
    """Name marked by a one-hot part, ``-`` when none is."""
    marked = np.flatnonzero(one_hot)
    return names[marked[0]] if len(marked) else "-"


def _card_list(plane: np.ndarray) -> str:
    """Cards of a plane: number and title."""
    return ", ".join(f"{i + 1} {CARD_TITLES[i + 1]}" for i in np.flatnonzero(plane)) or "-"


def _space_list(plane: np.ndarray) -> str:
    return ", ".join(SPACES[i] for i in np.flatnonzero(plane)) or "-"


def _face_list(copies: np.ndarray) -> str:
    """Power struggle faces with their number of copies."""
    return ", ".join(f"{copies[i]}x {FACES[i]}" for i in np.flatnonzero(copies)) or "-"


def _explain_clock(view: dict[str, np.ndarray]) -> list[str]:
    own = int(view["side"][0])
    phasing = "mine" if view["phasing"][0] else "theirs"
    acting = "mine" if view["acting"][0] else "theirs"
    return [
        f"I am the {SIDE_NAMES[own]}, VP {view['vp'][0]:+d}",
        f"Turn {view['turn'][0]}, round {view['round'][0]} ({phasing})",
        f"Decision: {_chosen(view['decision'], DECISIONS)} ({acting})",
        f"Resolving: {_chosen(view['activity'], FRAME_KINDS)} {_chosen(view['source'], SOURCE_TITLES)}, "
        + ", ".join(f"{name} {view[name][0]}" for name in ("left", "value", "roll_bonus", "bound_points")),
        f"It may touch: {_space_list(view['scope'])}",
    ]


def _explain_cards(view: dict[str, np.ndarray]) -> list[str]:
    planes = ("my_hand", "known_mine", "known_theirs", "set_aside", "drawn", "stasi_card", "resolving", "in_play")
    counts = ("their_hand_size", "draw_pile_size", "discard_pile_size", "any_set_aside")
    lines = [f"{name}: {_card_list(view[name])}" for name in (*planes, "discard_pile", "removed")]
    return [*lines, ", ".join(f"{name} {view[name][0]}" for name in counts)]


def _explain_tracks(view: dict[str, np.ndarray]) -> list[str]:
    pairs = ("track", "tried_box", "tried_turn", "prudence", "extra_support")
    single = ("ussr", "award7_used", "award8_used", "stand_fast", "crowd_done", "tyrant_done", "ceausescu_due")
    return [
        ", ".join(f"{name} {view[name][0]}" for name in single)
        + f", debt_burden {_chosen(view['debt_burden'], COUNTRIES)}",
        ", ".join(f"{name} {view[name][0]}/{view[name][1]}" for name in pairs) + " (mine/theirs)",
    ]


def _explain_struggle(view: dict[str, np.ndarray]) -> list[str]:
    if not view["struggle"].any():
        return []
    attacker = "me" if view["attacking"][0] else "them"
    led = f"{_chosen(view['led_suit'], SUITS)} {view['led_rank'][0]}"
    return [
        f"Struggle in {_chosen(view['struggle'], COUNTRIES)}, attacker {attacker}, raised {view['raised'].tolist()}",
        f"led: {led}; blocked: {_chosen(view['blocked'], SUITS)}",
        f"my_power_hand: {_face_list(view['my_power_hand'])}",
        f"their_power_hand ({view['power_hand_size'][1]} cards): {_face_list(view['their_power_hand'])}",
        f"power_discard: {_face_list(view['power_discard'])}; {view['power_deck_size'][0]} left in the deck",
    ]


def _explain_space(view: dict[str, np.ndarray], space: int) -> str:
    holder = {1: " mine", -1: " theirs", 0: ""}[int(view["control"][space])]
    marks = "".join(f" {name}" for name in ("destroyed", "hideout") if view[name][space])
    return f"{SPACES[space]} {view['my_support'][space]}:{view['their_support'][space]}{holder}{marks}"


def _explain_board(view: dict[str, np.ndarray]) -> list[str]:
    lines = []
    for country, name in enumerate(COUNTRIES):
        power = "mine" if view["power"][country] > 0 else "theirs"
        spaces = "; ".join(_explain_space(view, space) for space in np.flatnonzero(COUNTRY_OF == country).tolist())
        lines.append(f"{name} (Power {power}, scored {view['times_scored'][country]}x): {spaces}")
    return lines


def explain(observation: np.ndarray) -> str:
    """An observation as text, one topic a line; support reads mine:theirs."""
    view = decode(observation)
    parts = (_explain_clock, _explain_cards, _explain_tracks, _explain_struggle, _explain_board)
    return "\n".join(line for part in parts for line in part(view))
