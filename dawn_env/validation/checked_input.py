"""Input from outside, checked by pydantic against the types that frozen dataclasses declare.

A class of input derives from ``Checked``. Bounds stand beside its fields (``annotated_types``), and what several fields
must fulfil together in ``__post_init__``, which raises ``ValueError``. The first ``read`` imports pydantic.
"""

import difflib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NotRequired, TypeVar

from typing_extensions import TypedDict  # pydantic needs this one up to Python 3.11

from dawn_env.support.safe_text import escape_text, short_repr

Kind = TypeVar("Kind")
_CONFIG = {"strict": True, "extra": "forbid", "allow_inf_nan": False}
_EXPECTED, _RAISED = "Input should be ", "Value error, "
_WORDS = {
    "dataclass_type": "Input should be an object",
    "dict_type": "Input should be an object",
    "bool_type": "Input should be true or false",
    "tuple_type": "Input should be a list",
    "list_type": "Input should be a list",
    "string_type": "Input should be a text",
    "bytes_type": "Input should be bytes",
    "int_parsing": "Input should be a whole number",
    "missing": "missing",
    "extra_forbidden": "unknown key",
}
"""In place of pydantic's words, by type of the problem, where those are about Python."""


class Checked:
    """Base of dataclasses that are read from input: exact types, no unknown keys, finite numbers."""

    __pydantic_config__ = _CONFIG

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Callable) -> Any:
        """Schema that takes dictionaries too, which pydantic refuses for strict dataclasses."""
        from pydantic_core import core_schema

        schema = handler(source)
        schema["strict"] = False
        return core_schema.no_info_before_validator_function(cls._refuse_unknown, schema)

    @classmethod
    def _refuse_unknown(cls, value: Any) -> Any:
        if isinstance(value, dict):
            refuse_unknown("key", value, list(getattr(cls, "__dataclass_fields__", ())))
        return value


class _Lax:
    """Mark of a type that also takes what converts to it without loss."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable) -> Any:
        schema = handler(source)
        schema["strict"] = False
        return schema


FROM_LIST = _Lax()
"""Beside a type of tuples (``Annotated``), since JSON has lists only."""


def keyed(kinds: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> Any:
    """Type of dictionaries with these keys, each with a value of its kind; the ``optional`` ones may be missing."""
    more = {name: NotRequired[kind] for name, kind in (optional or {}).items()}
    made = TypedDict("made", {**kinds, **more})  # type: ignore[misc]
    made.__pydantic_config__ = _CONFIG  # type: ignore[attr-defined]
    return made


def refuse_unknown(what: str, given: Sequence[str] | dict, known: Sequence[str]) -> None:
    """Raise ``ValueError`` for the first name that is not known, with the one that was perhaps meant."""
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(str(name)[:100], known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known) or 'none'}"
            raise ValueError(f"unknown {what} {short_repr(name)}; {hint}")


@cache
def _validator(kind: Any) -> Any:
    from pydantic import TypeAdapter
    from pydantic_core import SchemaValidator

    config = None if hasattr(kind, "__pydantic_config__") else _CONFIG
    schema = _failing_fast(TypeAdapter(kind, config=config).core_schema)
    return SchemaValidator(schema, {"strict": True, "allow_inf_nan": False})


def _failing_fast(schema: Any) -> Any:
    """Copy of a schema with lists that stop at their first problem; problems of all items would fill the memory."""
    if isinstance(schema, list):
        return [_failing_fast(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    more = {"fail_fast": True} if schema.get("type") in ("list", "tuple") else {}
    return {key: _failing_fast(part) for key, part in schema.items()} | more


def read(kind: type[Kind], value: Any, name: str = "") -> Kind:
    """``value``, as of JSON or TOML, as a ``kind``; raises ``ValueError``, one line that begins with the field.

    ``name``: of the whole value, before the names of fields.
    """
    from pydantic import ValidationError

    try:
        return _validator(kind).validate_python(value)
    except ValidationError as error:
        raise ValueError(problem_line(error.errors(include_url=False)[0], name)) from None


def problem_line(problem: Mapping, name: str = "") -> str:
    """A problem that pydantic has found (``ValidationError.errors``): place, what is expected, what was given."""
    keys = [key for key in problem["loc"] if key != "[key]"]
    where = ".".join(map(escape_text, [*filter(None, [name]), *keys]))
    said = _WORDS.get(problem["type"], problem["msg"])
    if said.startswith(_EXPECTED):
        said = f"{said.removeprefix(_EXPECTED)} expected, not {short_repr(problem['input'])}"
    return f"{where}{': ' if where else ''}{said.removeprefix(_RAISED)}"
