"""Finds bare card numbers in Python source: integers 1 to 110 where a card is meant, and action texts like ``card:97``.

A card is meant where an array with an axis of cards is indexed, where a function takes a card, and where a name that
ends in ``card`` or ``source``, or that shares a word with the title of that card, is compared or given a value. A
number above ``SMALL`` that anything is compared with for equality, or that is a key, counts as well.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from dawn_agents.heuristic_values import position_record

from dawn_env import state, tables
from dawn_env.cards import declarations, event_tables
from dawn_env.tables import CARD_TITLES, SOURCES, C

SMALL = 20
_HOLDERS = ("int", "int8", "int64", "array", "tuple", "list", "set", "frozenset")
Node = ast.AST | None


def _has_cards_axis(value: object) -> bool:
    shape = value.shape if isinstance(value, np.ndarray) else (len(value),) if isinstance(value, tuple) else ()
    return value is declarations.EVENTS or C in shape or SOURCES in shape


_RECORDS = (state.STATE, position_record.POSITION)
BY_CARD = {name for module in (tables, event_tables, declarations) for name, value in vars(module).items()
           if _has_cards_axis(value)}  # fmt: skip
BY_CARD |= {name for record in _RECORDS for name, (kind, *_) in record.fields.items() if C in kind.shape}
"""Names of arrays and fields with an axis of cards."""


def trees(*folders: Path) -> dict[Path, ast.Module]:
    files = sorted(file for folder in folders for file in folder.rglob("*.py"))
    return {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}


def card_parameters(parsed: Iterable[ast.Module]) -> dict[str, set[int | str]]:
    """Function -> places and names of those of its parameters that are cards."""
    found: dict[str, set[int | str]] = {}
    for node in (node for tree in parsed for node in ast.walk(tree)):
        if isinstance(node, ast.FunctionDef):
            given = [a.arg for a in (*node.args.posonlyargs, *node.args.args) if a.arg not in ("self", "cls")]
        elif isinstance(node, ast.ClassDef):
            given = [field.target.id for field in node.body if isinstance(field, ast.AnnAssign)]
        else:
            continue
        for place, name in enumerate(given):
            if _names_card(name):
                found.setdefault(node.name, set()).update({place, name})
    return found


def _names_card(name: str) -> bool:
    return name.lower().split("_")[-1] in ("card", "source")


def _words(text: str) -> set[str]:
    return {word for word in re.findall("[a-z]{4,}", text.lower()) if word not in ("card", "cards")}


def _called(node: Node) -> str:
    """The name that says what an expression is."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)) | ast.arg(arg=name):
            return name
        case ast.Subscript(slice=ast.Name(id=column)) if column.isupper():
            return column
        case ast.Subscript(slice=ast.Constant(value=str(field))):
            return field
        case ast.Subscript(value=value):
            return _called(value)
        case ast.Call(func=ast.Name(id="int"), args=[argument]):
            return _called(argument)
        case ast.BinOp(op=ast.Sub(), right=ast.Name(id="CARD0")):
            return "card"
    return ""


def _numbers(node: Node) -> Iterator[int]:
    """Card numbers among the values an expression may have, or may hold."""
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool) and 1 <= number < C:
            yield number
        case ast.IfExp(body=one, orelse=other):
            yield from (*_numbers(one), *_numbers(other))
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) | ast.BoolOp(values=parts):
            yield from (number for part in parts for number in _numbers(part))
        case ast.Call(args=parts) if _called(node.func) in _HOLDERS:
            yield from (number for part in parts for number in _numbers(part))


def _pairs(node: ast.AST, takes: dict[str, set[int | str]]) -> Iterator[tuple[str, Node, int]]:
    """(name, value that goes with it, number up to which the value is no card); ``card`` where a card is meant."""
    match node:
        case ast.Subscript(value=array, slice=index) if _called(array) in BY_CARD:
            last = index.elts[-1] if isinstance(index, ast.Tuple) else index
            bounds = (last.lower, last.upper) if isinstance(last, ast.Slice) else (last,)
            yield from (("card", bound, len(bounds) - 1) for bound in bounds)
        case ast.Compare(left=left, ops=operators, comparators=others):
            equal = all(isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in operators)
            named = any(_names_card(_called(side)) for side in (left, *others))
            if named or equal:
                yield from (("card", side, (0 if named else SMALL) if equal else 1) for side in (left, *others))
        case ast.Call(func=function, args=arguments, keywords=keywords):
            cards = takes.get(_called(function), set())
            yield from (("card", argument, 0) for place, argument in enumerate(arguments) if place in cards)
            yield from ((keyword.arg or "", keyword.value, 0) for keyword in keywords)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            yield from ((_called(target), value, 0) for target, value in zip(targets, values, strict=False))
        case ast.Assign(targets=targets, value=value):
            yield from ((_called(target), value, 0) for target in targets)
        case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            yield _called(target), value, 0
        case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
            if isinstance(over, ast.Call) and _called(over.func) == "range":  # all cards may be counted from 1
                yield from ((_called(target), bound, 1) for bound in over.args)
            else:
                yield _called(target), over, 0
        case ast.FunctionDef(name=name, args=given):
            places = [*given.posonlyargs, *given.args]
            with_default = [*places[len(places) - len(given.defaults) :], *given.kwonlyargs]
            defaults = [*given.defaults, *given.kw_defaults]
            yield from ((place.arg, default, 0) for place, default in zip(with_default, defaults, strict=True))
            yield from ((name, inner.value, 0) for inner in ast.walk(node) if isinstance(inner, ast.Return))
        case ast.Dict(keys=keys, values=values):
            yield from (("card", key, SMALL) for key in keys)
            known = zip(keys, values, strict=True)
            yield from ((_called(key), value, 0) for key, value in known if not isinstance(value, ast.Tuple))  # bounds
        case ast.BinOp(left=left, right=right) if "CARD0" in (_called(left), _called(right)):
            yield from (("card", side, 1) for side in (left, right))
        case ast.MatchValue(value=value):
            yield "card", value, SMALL


def _in_node(node: ast.AST, takes: dict[str, set[int | str]]) -> Iterator[int]:
    for name, value, least in _pairs(node, takes):
        for number in _numbers(value):
            if number > least and (_names_card(name) or _words(name) & _words(CARD_TITLES[number])):
                yield number
    if isinstance(node, ast.Constant) and (found := re.fullmatch(r"card:(\d+)", str(node.value))):
        yield int(found[1])


def card_numbers(tree: ast.Module, takes: dict[str, set[int | str]]) -> list[tuple[int, int]]:
    """(line, card number) of every bare card number; ``takes`` from ``card_parameters``."""
    nodes = (node for node in ast.walk(tree) if hasattr(node, "lineno") or isinstance(node, ast.comprehension))
    found = {(getattr(node, "lineno", getattr(getattr(node, "iter", None), "lineno", 0)), number)
             for node in nodes for number in _in_node(node, takes)}  # fmt: skip
    return sorted(found)
