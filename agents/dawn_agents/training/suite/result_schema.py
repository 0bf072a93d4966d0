"""Schema of a result's file, as types that ``dawn_env.validation.checked_input`` checks."""

from typing import Annotated, Any, Literal

from annotated_types import Ge, Interval, Len

from dawn_agents.training.environments import TRACKS
from dawn_agents.training.suite.task_declarations import LANGUAGE
from dawn_env.validation.checked_input import keyed

Number = Annotated[int | float, Interval(ge=-(10**12), le=10**12)]
Count = Annotated[int, Interval(ge=0, le=10**12)]
Digest = Annotated[str, Len(64, 64)]
_SCORE = {
    **dict.fromkeys(("value", "low", "high"), Number | None),
    "beyond": Literal["", "below", "above", "above and below"],
}
_BY_SIDE = dict.fromkeys(("democrat", "communist"), keyed(_SCORE))
Opponent = keyed({"name": str, "version": str, "games": Count})
Played = keyed(
    {
        **_SCORE,
        "games": Annotated[int, Ge(2)],
        "forfeits": Count,
        "milliseconds": Annotated[Number, Ge(0)],
        "opponents": list[Opponent],
    },
    {**_BY_SIDE, "legal": Annotated[Number, Interval(ge=0, le=1)], "tokens": Annotated[Number, Ge(0)] | None},
)
"""A score with the games that it comes from."""
Scores = Annotated[dict[str, Played], Len(1)]
"""By way of playing."""
Point = keyed({"decisions": Count, "seconds": Number, "scores": Scores})
Run = keyed(
    {
        "seed": Count,
        "decisions": Count | None,
        "seconds": Annotated[Number, Ge(0)] | None,
        "players": Annotated[dict[str, str], Len(1)],
        "files": list[keyed({"path": str, "sha256": Digest})],
        "scores": Scores,
        "curve": list[Point],
    }
)
"""Training and scores of one seed."""
Result = keyed(
    {
        "format": int,
        "task": str,
        "task_version": Annotated[int, Ge(1)],
        "score": Literal["elo", "percent"],
        "agent": Annotated[str, Len(1)],
        "label": Annotated[str, Len(1)],
        "track": Literal[(*TRACKS, LANGUAGE, "none")],
        "looks_ahead": bool,
        "model_based": bool,
        "trial": bool,
        "summary": Annotated[dict[str, keyed(_SCORE)], Len(1)],
        "runs": Annotated[list[Run], Len(1)],
        "scale": dict[str, Any],
        "versions": dict[str, str],
        "machine": dict[str, str | Number],
    }
)
"""A whole result."""
