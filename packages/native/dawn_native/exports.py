"""The functions of the compiled library: the only place to add one.

Each entry names a compiled function, ``module:function``, and declares it as C sees it. A record is passed by address,
an array by the address of its first element followed by its length in each dimension. Every exported function returns
0 or the function's own result, an int32 of 0 or more, and -1 where it failed.
"""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Annotated, get_args, get_origin, get_type_hints

import numpy as np

from dawn_env.native.library import named_dtype
from dawn_env.native.sources import modules_digest

RECORDS = {
    "dawn_state": "dawn_env.state:STATE",
    "dawn_heuristic": "dawn_agents.players.heuristic.action_scores:MEMORY",
    "dawn_family_heuristic": "dawn_agents.players.heuristic.family_entry_points:MEMORY",
    "dawn_sparse": "dawn_agents.players.sparse_player:MEMORY",
    "dawn_slot": "dawn_env.host.host_loop:SLOT",
    "dawn_traits": "dawn_env.host.host_loop:TRAITS",
    "dawn_ending": "dawn_env.host.host_loop:ENDING",
}
"""C names of records, and the dtypes that they stand for."""

TUPLES = {
    "dawn_loop": "dawn_env.host.host_loop:LoopArguments",
    "dawn_regression": "dawn_agents.players.win_probability.win_probability_regression:RegressionWeights",
    "dawn_regression_buffers": "dawn_agents.players.win_probability.win_probability_regression:RegressionBuffers",
    "dawn_network": "dawn_agents.players.win_probability.win_probability_network:NetworkWeights",
    "dawn_network_buffers": "dawn_agents.players.win_probability.win_probability_network:FeatureBuffers",
    "dawn_evaluation": "dawn_agents.players.win_probability.win_probability_network:NetworkEvaluator",
    "dawn_guide": "dawn_agents.players.search.rollout_policy:Guide",
}
"""C names of named tuples that functions take; their annotations tell the parameters that C passes for the fields."""

_SCALARS = {
    "int8_t": "i1", "uint8_t": "u1", "bool": "?", "int16_t": "i2", "int32_t": "i4", "int64_t": "i8", "float": "f4",
    "double": "f8",
}  # fmt: skip
_NUMBERS = {int: "int64_t", float: "double", bool: "bool"}
_PARAMETER = re.compile(r"(?:const )?(\w+) (\*?)(\w+)((?:\[\])*)$")


@dataclass(frozen=True)
class Parameter:
    """A parameter: the C name of its type, whether it is the address of one record, and dimensions of an array.

    ``fields``: of a named tuple, which C passes one by one.
    """

    kind: str
    name: str
    is_record: bool = False
    dimensions: int = 0
    fields: tuple["Parameter", ...] = ()

    @property
    def dtype(self) -> np.dtype:
        """Type of a value or element."""
        return named_dtype(self._dtype_name)

    @property
    def _dtype_name(self) -> str:
        return "" if self.fields else _SCALARS.get(self.kind) or RECORDS[self.kind]

    def declarations(self, prefix: str = "") -> list[str]:
        """Declarations in C."""
        name = f"{prefix}{self.name}"
        if self.fields:
            return [text for field in self.fields for text in field.declarations(f"{name}_")]
        pointed = f"{self.kind} *{name}" if self.is_record or self.dimensions else f"{self.kind} {name}"
        return [pointed, *(f"int32_t {name}_{n}" for n in range(self.dimensions))]

    def described(self) -> dict:
        """Return the entry of ``library.json``, which ``dawn_env.native.library`` reads."""
        return {
            "name": self.name, "dtype": self._dtype_name, "is_record": self.is_record, "dimensions": self.dimensions,
            "fields": [field.described() for field in self.fields],
        }  # fmt: skip


@dataclass(frozen=True)
class Export:
    """An exported function: where it stands in Python, its C name, parameters and, if callers need it, its meaning."""

    source: str
    declaration: str
    meaning: str = ""

    @property
    def name(self) -> str:
        """Name in C."""
        return self.declaration.partition("(")[0]

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Parameters in order."""
        return [_parameter(text) for text in self.declaration[len(self.name) + 1 : -1].split(", ")]

    @property
    def prototype(self) -> str:
        """Declaration in C."""
        return f"int32_t {self.name}({', '.join(text for p in self.parameters for text in p.declarations())})"


def _parameter(text: str) -> Parameter:
    found = _PARAMETER.match(text)
    if found is None:
        raise ValueError(f"parameter {text!r}: a C type and a name expected")
    kind, star, name, brackets = found.groups()
    if kind in TUPLES:
        return _tuple_parameter(kind, name)
    return Parameter(kind, name, bool(star), len(brackets) // 2)


def _tuple_parameter(kind: str, name: str) -> Parameter:
    """Parameter that is a named tuple: numbers, other tuples, and ``Annotated[np.ndarray, dtype, "axes"]``."""
    fields = []
    for field, hint in get_type_hints(named(TUPLES[kind]), include_extras=True).items():
        if hint in _NUMBERS:
            fields.append(Parameter(_NUMBERS[hint], field))
        elif get_origin(hint) is Annotated:
            _, dtype, axes = get_args(hint)
            fields.append(Parameter(_c_name(np.dtype(dtype)), field, dimensions=len(axes.split())))
        else:
            (inner,) = (other for other, place in TUPLES.items() if named(place) is hint)
            fields.append(_tuple_parameter(inner, field))
    return Parameter(kind, name, fields=tuple(fields))


def _c_name(dtype: np.dtype) -> str:
    """C name of a dtype: that of a number, or of one of ``RECORDS``."""
    types = {np.dtype(code): name for name, code in _SCALARS.items()}
    return types.get(dtype) or next(name for name, place in RECORDS.items() if named(place) is dtype)


def named(place: str):
    """Object of a ``module:name``."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


_VIEW = "dawn_state *game, int64_t side, int8_t view[], int8_t mask[]"
_ANSWER = "int64_t memory, int8_t view[], int8_t mask[], int64_t action[]"
_SCORES = "int64_t memory, int8_t view[], int8_t mask[], float scores[]"
_SIMULATED = "dawn_state deals[][], int64_t candidates[][]"

EXPORTS = (
    # For callers in other languages.
    Export("dawn_native.games:new_game",
           "dawn_new_game(dawn_state *game, int64_t seed, int32_t mode, int32_t bid, int32_t democrat, "
           "int32_t communist)",
           "Start a game; mode 0: standard, 1: family; support points that the sides place after the set-up."),
    Export("dawn_native.games:step", "dawn_step(dawn_state *game, int32_t action)",
           "Take an action if it is legal, and run on to the next decision or the end."),
    Export("dawn_native.games:observe",
           "dawn_observe(dawn_state *game, int32_t side, int8_t view[], int8_t mask[])",
           "Write what a side sees and its legal actions, in the layout of the kind of game."),
    Export("dawn_native.state_check:check", "dawn_check(dawn_state *game, dawn_state work[])",
           "Check a record from outside; work, one record, is overwritten."),
    Export("dawn_agents.players.native_memories:begin_heuristic",
           "dawn_begin_heuristic(int64_t memory, int32_t level, int64_t draws[])",
           "Fill the memory of dawn_heuristic_answer, at an address, zeros before; levels 1 to 10. DAWN_STANDARD_DRAWS "
           "draws; level 10 needs none (NULL, 0)."),
    Export("dawn_agents.players.native_memories:begin_family_heuristic",
           "dawn_begin_family_heuristic(int64_t memory, int32_t level, int64_t draws[])",
           "Fill the memory of dawn_family_heuristic_answer in the same way; DAWN_FAMILY_DRAWS draws."),
    Export("dawn_agents.players.native_memories:begin_sparse",
           "dawn_begin_sparse(int64_t memory, int64_t weights[], int64_t shapes[], int64_t draws[], "
           "double temperature)",
           "Fill the memory of dawn_sparse_answer: addresses of the weights and the shapes by side. Without draws "
           "(NULL, 0) it answers with the likeliest action."),
    # Called by address from compiled loops.
    Export("dawn_env.rules.flow:advance", "dawn_advance(dawn_state *game, int64_t action)",
           "Take an action that is legal; -1 only runs on, -2 poses the pending decision again, below: one piece."),
    Export("dawn_env.rules.flow:begin", "dawn_begin(dawn_state *game, int64_t seed)",
           "Start a game with the options that the record holds."),
    Export("dawn_env.observation.view_layouts:write_standard_view", f"dawn_standard_view({_VIEW})",
           "Observation and mask of a side in the standard game."),
    Export("dawn_env.observation.bid_observation:write_bid_view", f"dawn_bid_view({_VIEW})",
           "Observation and mask of a side in a game with a bid."),
    Export("dawn_env.observation.family_observation:write_family_view", f"dawn_family_view({_VIEW})",
           "Observation and mask of a side in family mode."),
    Export("dawn_env.players:_answer", f"dawn_random_answer({_ANSWER})",
           "Action of the random player; its memory are the draws, one for every four numbers of the view."),
    Export("dawn_agents.players.heuristic.play_levels:_answer", f"dawn_heuristic_answer({_ANSWER})",
           "Action of the rule-based player."),
    Export("dawn_agents.players.heuristic.play_levels:_answer", f"dawn_family_heuristic_answer({_ANSWER})",
           "Action of the rule-based player in family mode."),
    Export("dawn_agents.players.sparse_player:_answer", f"dawn_sparse_answer({_ANSWER})",
           "Action of the networks of kind sparse."),
    Export("dawn_agents.players.heuristic.action_scores:score_row", f"dawn_score_row({_SCORES})",
           "Scores of the legal actions by the rule-based player; NaN where it does not know the decision."),
    Export("dawn_agents.players.heuristic.family_entry_points:score_row", f"dawn_score_family_row({_SCORES})",
           "Scores of the legal actions by the rule-based player in family mode."),
    Export("dawn_agents.players.heuristic.action_scores:_advise_row",
           f"dawn_advise_row(int64_t scorer, {_SCORES}, int8_t advice[])",
           "Advice of the rule-based player, an input of the networks of kind sparse."),
    Export("dawn_agents.players.heuristic.family_entry_points:_advise_row",
           f"dawn_advise_family_row(int64_t scorer, {_SCORES}, int8_t advice[])",
           "Advice of the rule-based player in family mode."),
    # Loops over many games.
    Export("dawn_env.rules.flow:begin_rows", "dawn_begin_rows(int64_t begin, dawn_state games[], int64_t seeds[])"),
    Export("dawn_env.rules.flow:advance_rows",
           "dawn_advance_rows(int64_t step, dawn_state games[], int64_t actions[])"),
    Export("dawn_env.observation.view_layouts:_write_rows",
           "dawn_write_rows(int64_t view, dawn_state games[], int8_t sides[], int8_t views[][], int8_t masks[][])"),
    Export("dawn_env.batch:_all_legal", "dawn_all_legal(int64_t actions[], int8_t masks[][], int64_t rows[])"),
    Export("dawn_env.batch:_play_rows",
           "dawn_play_rows(int64_t first, int64_t last, int64_t number, int64_t step, int64_t view, int64_t begin, "
           "bool again, int64_t rows[], int64_t actions[], dawn_state games[], int8_t actors[], int8_t views[][], "
           "int8_t masks[][], float rewards[][], bool ended[], int8_t final_views[][][], int16_t vp[], "
           "int8_t result[], int8_t reason[], int8_t turn[], int32_t length[], int64_t seed[])"),
    Export("dawn_env.rules.redeal:redeal_rows",
           "dawn_redeal_rows(int64_t step, dawn_state games[], dawn_state dealt[], int64_t side, int64_t seeds[])"),
    Export("dawn_env.host.random_play:random_actions",
           "dawn_random_actions(dawn_state games[], int8_t masks[][], int64_t actions[])"),
    Export("dawn_env.host.random_play:play_out", "dawn_play_out(int64_t step, dawn_state games[], int64_t seeds[])"),
    Export("dawn_env.host.host_loop:claim_rows",
           "dawn_claim_rows(int64_t rows[], int64_t actions[], dawn_state games[], int64_t count, int8_t status[], "
           "bool ended[])"),
    Export("dawn_env.host.host_loop:queue_games",
           "dawn_queue_games(int64_t rows[], int64_t seeds[], int64_t seated[][], dawn_traits traits[], "
           "dawn_slot slots[])"),
    Export("dawn_env.host.host_loop:read_ticks", "dawn_read_ticks(int64_t now[])"),
    Export("dawn_env.envs.seat_draws:draw_seats",
           "dawn_draw_seats(int64_t seeds[], int64_t side, double bounds[], int64_t pool[], int64_t seated[][])"),
    Export("dawn_env.envs.seat_draws:collect_ended",
           "dawn_collect_ended(dawn_ending endings[], bool ended[], float rewards[], int64_t sides[], "
           "int64_t counts[][][], dawn_state games[], int64_t rows[], int64_t seeds[])"),
    Export("dawn_env.host.host_loop:play_rows",
           "dawn_host_rows(int64_t first, int64_t last, int64_t number, int64_t rows[], int64_t actions[], "
           "dawn_loop t)"),
    Export("dawn_env.players:_choose_rows",
           "dawn_choose_rows(int64_t first, int64_t last, int64_t number, int64_t answer, int64_t memories[], "
           "int8_t views[][], int8_t masks[][], int64_t actions[])"),
    # What pages tell of a game.
    Export("dawn_env.views.choice_costs:_assess",
           "dawn_assess(dawn_state games[], int64_t side, bool occurs[], int64_t values[], int64_t costs[], "
           "int64_t check_values[], int64_t modifiers[][], int64_t payments[])"),
    # Advice, scores and values of positions.
    Export("dawn_agents.players.heuristic.play_levels:_advise_rows",
           "dawn_advise_rows(int64_t adviser, int64_t scorer, int64_t work, int8_t advised[][], int8_t masks[][], "
           "float scores[])"),
    Export("dawn_agents.players.heuristic.family_entry_points:evaluate_rows",
           "dawn_evaluate_family_rows(dawn_state games[], double values[])"),
    Export("dawn_agents.players.win_probability.static_evaluation:evaluate_rows",
           "dawn_evaluate_rows(dawn_state games[], double values[])"),
    Export("dawn_agents.players.win_probability.win_probability_regression:_fill",
           "dawn_regression_win_probabilities(dawn_state games[], dawn_regression tables, "
           "dawn_regression_buffers work, double probabilities[])"),
    Export("dawn_agents.players.win_probability.win_probability_network:_fill",
           "dawn_network_win_probabilities(dawn_state games[], dawn_evaluation evaluation, double probabilities[])"),
    Export("dawn_agents.players.search.family_simulations:_fill",
           "dawn_family_win_probabilities(dawn_state games[], double probabilities[])"),
    Export("dawn_agents.players.sparse_player:_write_rows",
           "dawn_sparse_rows(int64_t memory, int8_t views[][], int8_t masks[][], float logits[][])"),
    Export("dawn_agents.players.search.rollout_policy:_score_by_network", f"dawn_score_by_network({_SCORES})"),
    # Searches and luck.
    Export("dawn_agents.players.search.rollout_policy:_score",
           "dawn_guide_scores(dawn_guide guide, int8_t view[], int8_t mask[])"),
    Export("dawn_agents.players.search.simulator:simulate",
           f"dawn_simulate(int64_t step, {_SIMULATED}, int64_t plays, dawn_evaluation evaluation, "
           "dawn_state work[], dawn_guide guide, double values[][][])"),
    Export("dawn_agents.players.search.family_simulations:simulate_family",
           f"dawn_simulate_family(int64_t step, {_SIMULATED}, int64_t turns, dawn_state work[], float scores[], "
           "double values[][][])"),
    Export("dawn_agents.tournaments.rating.chance_resampling:_repeat",
           "dawn_resample_chance(int64_t step, dawn_state games[], dawn_state copies[], int64_t actions[], "
           "int64_t repeats[], dawn_regression tables, dawn_regression_buffers work, double corrections[][])"),
)  # fmt: skip
"""All exported functions."""


@cache
def engine_modules() -> list[str]:
    """Modules of ``dawn_env`` and ``dawn_agents`` in which exported functions and their records stand."""
    places = [*(export.source for export in EXPORTS), *RECORDS.values(), *TUPLES.values()]
    modules = {place.partition(":")[0] for place in places}
    return sorted(module for module in modules if not module.startswith("dawn_native."))


@cache
def build_digest() -> str:
    """Digest of the sources of all exported functions and of what builds them, 16 hexadecimal digits."""
    return modules_digest([*engine_modules(), *(f"dawn_native.{name}" for name in ("games", "state_check", "link"))])


def library_index() -> dict:
    """Content of ``library.json`` beside a library: what it was made from, by what, and its functions."""
    functions = {
        export.name: {"source": export.source, "parameters": [parameter.described() for parameter in export.parameters]}
        for export in EXPORTS
    }
    return {
        "build": build_digest(), "modules": engine_modules(), "sources": modules_digest(engine_modules()),
        "functions": functions,
    }  # fmt: skip
