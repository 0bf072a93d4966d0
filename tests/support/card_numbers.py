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
    """The syntax tree of every Python file below some folders."""
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


def _given(name: str, value: Node) -> Iterator[int]:
    """Card numbers in a value that is given a name."""
    for number in _numbers(value):
        if _names_card(name) or _words(name) & _words(CARD_TITLES[number]):
            yield number


def _indexed(node: ast.Subscript) -> Iterator[int]:
    """Card numbers that index an array of cards, alone, as the last of several axes, or as the end of a slice."""
    if _called(node.value) not in BY_CARD:
        return
    axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    match axes[-1]:
        case ast.Slice(lower=lower, upper=upper):
            yield from (number for bound in (lower, upper) for number in _numbers(bound) if number > 1)
        case index:
            yield from _numbers(index)


def _compared(node: ast.Compare) -> Iterator[int]:
    """Numbers compared with a card, 1 as the lower bound of all of them aside; or large ones that something equals."""
    sides = [node.left, *node.comparators]
    card = any(_names_card(_called(side)) for side in sides)
    equal = all(isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in node.ops)
    for number in (number for side in sides for number in _numbers(side)):
        if (card and number > (0 if equal else 1)) or (equal and number > SMALL):
            yield number


def _passed(node: ast.Call, takes: dict[str, set[int | str]]) -> Iterator[int]:
    cards = takes.get(_called(node.func), set())
    for place, argument in enumerate(node.args):
        if place in cards:
            yield from _numbers(argument)
    for keyword in node.keywords:
        yield from _given(keyword.arg or "", keyword.value)


def _assigned(targets: Iterable[Node], value: Node) -> Iterator[int]:
    for target in targets:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, its in zip(target.elts, value.elts, strict=False):
                yield from _given(_called(one), its)
        else:
            yield from _given(_called(target), value)


def _looped(target: Node, over: Node) -> Iterator[int]:
    """All cards may be counted from 1, but not others from or up to a number."""
    match over:
        case ast.Call(func=ast.Name(id="range"), args=bounds):
            yield from (number for bound in bounds for number in _given(_called(target), bound) if number > 1)
        case _:
            yield from _given(_called(target), over)


def _defaults(node: ast.FunctionDef) -> Iterator[int]:
    places = [*node.args.posonlyargs, *node.args.args]
    with_default = [*places[len(places) - len(node.args.defaults) :], *node.args.kwonlyargs]
    for parameter, default in zip(with_default, [*node.args.defaults, *node.args.kw_defaults], strict=True):
        yield from _given(parameter.arg, default)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Return):
            yield from _given(node.name, inner.value)


def _keyed(node: ast.Dict) -> Iterator[int]:
    for key, value in zip(node.keys, node.values, strict=True):
        yield from (number for number in _numbers(key) if number > SMALL)
        if not isinstance(value, ast.Tuple):  # bounds
            yield from _given(_called(key), value)


def _in_node(node: ast.AST, takes: dict[str, set[int | str]]) -> Iterator[int]:
    match node:
        case ast.Subscript():
            yield from _indexed(node)
        case ast.Compare():
            yield from _compared(node)
        case ast.Call():
            yield from _passed(node, takes)
        case ast.Assign(targets=targets, value=value):
            yield from _assigned(targets, value)
        case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            yield from _assigned([target], value)
        case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
            yield from _looped(target, over)
        case ast.FunctionDef():
            yield from _defaults(node)
        case ast.Dict():
            yield from _keyed(node)
        case ast.BinOp(left=left, right=right) if "CARD0" in (_called(left), _called(right)):
            yield from (number for number in (*_numbers(left), *_numbers(right)) if number > 1)
        case ast.MatchValue(value=value):
            yield from (number for number in _numbers(value) if number > SMALL)
        case ast.Constant(value=str(text)) if found := re.fullmatch(r"card:(\d+)", text):
            yield int(found[1])


def card_numbers(tree: ast.Module, takes: dict[str, set[int | str]]) -> list[tuple[int, int]]:
    """(line, card number) of every bare card number; ``takes`` from ``card_parameters``."""
    nodes = (node for node in ast.walk(tree) if hasattr(node, "lineno") or isinstance(node, ast.comprehension))
    found = {(getattr(node, "lineno", getattr(getattr(node, "iter", None), "lineno", 0)), number)
             for node in nodes for number in _in_node(node, takes)}  # fmt: skip
    return sorted(found)
