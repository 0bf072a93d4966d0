"""Sizes, offsets and names for callers in other languages: the C header and the constants of the JavaScript package."""

import json
from pathlib import Path

import numpy as np
from dawn_agents.players.sparse_player import PRETRAINED, SparseWeights

from dawn_env.actions import ACTIONS, ALL_ACTIONS
from dawn_env.formats.determinization import STATE_LAYOUT
from dawn_env.observation.view_layouts import LAYOUTS
from dawn_env.picture.board_geometry import MAP
from dawn_env.state import DECISIONS, FRAME, MAX_FRAMES, MODES, REASONS, RESULTS, STATE, Chance
from dawn_env.tables import BATTLEGROUND, COUNTRIES, COUNTRY_OF, FACES, NEIGHBOURS, SIDE_NAMES, SPACES, STABILITY
from dawn_native.exports import EXPORTS, RECORDS, build_digest, named
from dawn_native.games import Code

_MEMORIES = {"heuristic": "dawn_heuristic", "family_heuristic": "dawn_family_heuristic", "sparse": "dawn_sparse"}
_CODES = {
    Code.BAD_OPTIONS: "bad options", Code.BAD_SIZE: "bad size", Code.ILLEGAL: "illegal", Code.OVER: "the game is over",
    Code.STOPPED: "the rules found an error", Code.BAD_STATE: "not a state of a game",
}  # fmt: skip


def _field(record: np.dtype, name: str) -> tuple[int, str, tuple[int, ...]]:
    """Offset, type and shape."""
    kind, offset = record.fields[name][:2]
    return offset, kind.base.str[1:], kind.shape


def javascript() -> str:
    """The module ``layout.js``."""
    fields = {name: _field(STATE, name) for name in STATE.names if name != "frames"}
    columns = [(name, *_field(FRAME, name)) for name in FRAME.names]
    constants = {
        "STATE_SIZE": STATE.itemsize,
        "STATE_LAYOUT": STATE_LAYOUT,
        "FIELDS": fields,
        "FRAME": {"offset": STATE.fields["frames"][1], "size": FRAME.itemsize, "count": MAX_FRAMES, "columns": columns},
        "VIEWS": {layout.name: (layout.size, layout.actions) for layout in LAYOUTS},
        "PARTS": {layout.name: {name: (s.start, s.stop) for name, s in layout.slices.items()} for layout in LAYOUTS},
        "MEMORIES": {name: named(RECORDS[record]).itemsize for name, record in _MEMORIES.items()},
        "ACTIONS": list(ACTIONS), "DECISIONS": DECISIONS, "MODES": MODES, "REASONS": REASONS, "RESULTS": RESULTS,
        "CODES": {int(code): text for code, text in _CODES.items()},
        "SIDES": SIDE_NAMES, "FACES": FACES, "DICE": int(Chance.DICE),
        "PRETRAINED": [{"start": start, "shape": shape} for start, shape in pretrained_weights()[1]],
        "MAP": _map(), "SOURCES": build_digest(),
    }  # fmt: skip
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in constants.items())


def _map() -> dict:
    """Map data for the JavaScript package: position, stability, battleground and neighbours of each space."""
    names = zip(SPACES, COUNTRY_OF.tolist(), MAP.spaces, STABILITY.tolist(), BATTLEGROUND.tolist(), strict=True)
    return {
        "width": MAP.width, "height": MAP.board_height,
        "countries": [(name, *panel) for name, panel in zip(COUNTRIES, MAP.panels, strict=True)],
        "spaces": [(name, country, *box, stability, ground) for name, country, box, stability, ground in names],
        "links": [(a, int(b)) for a in range(len(SPACES)) for b in NEIGHBOURS[0, a] if b > a],
    }  # fmt: skip


def pretrained_weights() -> tuple[np.ndarray, list]:
    """Weights of the networks of kind sparse, float32, and by side where they begin and the numbers of their shape."""
    weights, shapes, start = [], [], 0
    for side in SIDE_NAMES:
        network, _ = SparseWeights.read(PRETRAINED / f"{side}.zip")
        weights.append(network.flat)
        shapes.append((start, network.shape[0].tolist()))
        start += len(network.flat)
    return np.concatenate(weights), shapes


_C_TYPES = {"i1": "int8_t", "i2": "int16_t", "i4": "int32_t", "i8": "int64_t", "u4": "uint32_t"}


def header() -> str:
    """The C header ``dawn.h``."""
    lines = [_HEAD.rstrip(), "", f'#define DAWN_SOURCES "{build_digest()}"', ""]
    lines += [f"#define DAWN_STATE_SIZE {STATE.itemsize}", f"#define DAWN_ACTIONS {ALL_ACTIONS}"]
    for layout in LAYOUTS:
        lines += [f"#define DAWN_{layout.name.upper()}_{what} {size}" for what, size in
                  (("VIEW", layout.size), ("MASK", layout.actions), ("DRAWS", layout.size // 4))]  # fmt: skip
    lines += [
        f"#define DAWN_{name.upper()}_MEMORY {named(RECORDS[record]).itemsize}" for name, record in _MEMORIES.items()
    ]
    lines += [f"#define DAWN_{code.name} {int(code)}" for code in Code]
    lines += ["", "/* A game: one record without padding; the fields are those of dawn_env.state. */",
              "#pragma pack(push, 1)", "typedef struct dawn_frame {"]  # fmt: skip
    lines += [_member(FRAME, name) for name in FRAME.names] + ["} dawn_frame;", "", "typedef struct dawn_state {"]
    lines += [_member(STATE, name) for name in STATE.names] + ["} dawn_state;", "#pragma pack(pop)"]
    lines += [f"typedef struct {record} {record};" for record in RECORDS if record != "dawn_state"] + ["", ""]
    for export in EXPORTS:
        lines += [
            "",
            f"/* {export.meaning or export.source} */",
            f"{export.prototype};",
            f"int64_t {export.name}_pointer(void);",
        ]
    return "\n".join([*lines, _TAIL])


def _member(record: np.dtype, name: str) -> str:
    kind = record.fields[name][0]
    c = "dawn_frame" if kind.base == FRAME else _C_TYPES[kind.base.str[1:]]
    return f"  {c} {name}{''.join(f'[{length}]' for length in kind.shape)};"


_HEAD = """
/* The engine of 1989: Dawn of Freedom, compiled ahead. Generated by packages/native.
 *
 * Functions keep no state: everything is in the records and arrays they are given, so they may be called from any
 * thread. Each returns 0 or its result, or -1 where it failed. dawn_new_game, dawn_step, dawn_observe and dawn_check
 * check their arguments and return a DAWN_ code; the others trust them. They trust records, too: pass a record from
 * outside to dawn_check first, which says whether it can be played on safely. It checks the bounds of every field and
 * of every frame of the stack, that cards lie where they can, that what is left of a struggle fits, and that the game
 * would ask just the pending decision, with the same legal actions. It does not check that a game could have led there.
 *
 * Players: a function dawn_begin_... fills a player's memory, which one thread uses at a time. A function
 * dawn_..._answer writes the player's action in a view to action[0]: 0 where no action is legal, -1 where the player
 * does not know the decision. draws stand for the seed of a player: any integers from -2**20 to 2**20 - 1. For the
 * choices of Python's player of a seed they are numpy.random.default_rng(seed).integers(-2**20, 2**20, n), with
 * n = DAWN_STANDARD_DRAWS, or DAWN_FAMILY_DRAWS in family mode.
 *
 * A function's name_pointer gives its address for the loops, such as dawn_play_out(dawn_advance_pointer(), ...). Of
 * loops and what serves Python's packages only, the name in Python is given: the docstring says more.
 */
#ifndef DAWN_H
#define DAWN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
"""
_TAIL = """
#ifdef __cplusplus
}
#endif

#endif
"""


def complete_package(folder: Path, module: Path) -> None:
    """Add to the JavaScript package what is built: module, constants and weights."""
    (folder / "dawn.wasm").write_bytes(module.read_bytes())
    (folder / "layout.js").write_text(javascript())
    (folder / "pretrained.bin").write_bytes(pretrained_weights()[0].tobytes())
