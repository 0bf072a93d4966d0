"""Changes at random of bytes, of JSON values and of records of numbers; everything follows from the ``Random``."""

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np

_EDGES = (
    -1, 0, 1, 2, 3, 7, 8, 9, 10, 19, 20, 21, 100, 110, 111, 127, 128, -128, -129, 255, 256, 32767, -32768, 2**31 - 1,
    2**31, 2**53, 2**63 - 1, 2**63, -(2**63), 10**30, 10**400, 0.5, 1.0, -0.5, 1e-300, 1e300, float("nan"),
    float("inf"), -float("inf"),
)  # fmt: skip
_OTHERS = (
    None, True, False, "", "x", "D", "Berlin", "\x1b[31m[b]", "\ud800", "9" * 5000, [], {}, [[]], [1, 2], {"x": 1},
)  # fmt: skip
_BYTES = (0, 1, 2, 4, 8, 9, 10, 15, 16, 32, 64, 126, 127, 128, 254, 255)
_NEST = "@nest@"  # stands for brackets within brackets until the value is a text
_DEPTHS = (10, 65, 1_000, 100_000)


def times(random: Random) -> int:
    """Draw the number of changes to combine: often one, at most six."""
    count = 1
    while count < 6 and random.random() < 0.4:
        count += 1
    return count


# --- bytes ----------------------------------------------------------------------------------------


def mutate_bytes(random: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(times(random)):
        random.choice(_BYTE_CHANGES)(random, changed)
    return bytes(changed)


def _span(random: Random, data: bytearray, most: int = 64) -> slice:
    start = random.randrange(len(data) + 1)
    return slice(start, start + random.randint(1, most))


def _flip(random: Random, data: bytearray) -> None:
    if data:
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def _overwrite(random: Random, data: bytearray) -> None:
    span = _span(random, data, random.choice((1, 64)))
    count = len(data[span])
    data[span] = random.choice((random.randbytes(count), bytes([random.choice(_BYTES)]) * count))


def _delete(random: Random, data: bytearray) -> None:
    del data[_span(random, data)]


def _insert(random: Random, data: bytearray) -> None:
    at = random.randrange(len(data) + 1)
    data[at:at] = random.randbytes(random.randint(1, 16))


def _double(random: Random, data: bytearray) -> None:
    span = _span(random, data, 400)
    data[span] = data[span] * 2


def _truncate(random: Random, data: bytearray) -> None:
    del data[random.randrange(len(data) + 1) :]


_BYTE_CHANGES = (_flip, _flip, _overwrite, _overwrite, _overwrite, _delete, _insert, _double, _truncate)


# --- values of JSON and of settings -----------------------------------------------------------------


def mutate_value(random: Random, value: Any, others: tuple = _OTHERS) -> Any:
    """A copy with some numbers, types, keys and entries changed; ``others``: values to put in place of some."""
    holder = [deepcopy(value)]
    for _ in range(times(random)):
        outer, key = random.choice(list(_places(holder)))
        random.choice(_VALUE_CHANGES)(random, outer, key, others)
    return holder[0] if holder else None


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _number(random: Random, outer: Any, key: Any, others: tuple) -> None:
    old = outer[key]
    near = [old - 1, old + 1, -old] if type(old) in (int, float) else []
    outer[key] = random.choice([*near * 8, *_EDGES])


def _other(random: Random, outer: Any, key: Any, others: tuple) -> None:
    outer[key] = deepcopy(random.choice(others))


def _nest(random: Random, outer: Any, key: Any, others: tuple) -> None:
    outer[key] = f"{_NEST}{random.choice(_DEPTHS)}"


def _wrap(random: Random, outer: Any, key: Any, others: tuple) -> None:
    outer[key] = random.choice([[outer[key]], {"x": outer[key]}])


def _drop(random: Random, outer: Any, key: Any, others: tuple) -> None:
    if len(outer) > 1:
        del outer[key]


def _copy_from(random: Random, outer: Any, key: Any, others: tuple) -> None:
    other = random.choice(list(outer) if isinstance(outer, dict) else range(len(outer)))
    if random.random() < 0.5:
        outer[key], outer[other] = outer[other], outer[key]
    else:
        outer[key] = deepcopy(outer[other])


def _add(random: Random, outer: Any, key: Any, others: tuple) -> None:
    if isinstance(outer, dict):
        outer[random.choice(["x", "", f"{key}s", "__array__"])] = deepcopy(outer[key])
    else:
        outer.insert(key, deepcopy(outer[key]))


def _cut(random: Random, outer: Any, key: Any, others: tuple) -> None:
    value = outer[key]
    if isinstance(value, list | str | dict):
        kept = slice(random.randrange(len(value) + 1))
        outer[key] = dict(list(value.items())[kept]) if isinstance(value, dict) else value[kept]


_VALUE_CHANGES = (_number, _number, _number, _other, _other, _nest, _wrap, _drop, _copy_from, _copy_from, _add, _cut)


def open_nests(text: str) -> str:
    """``text`` with brackets within brackets where the changed value has a sign for them."""
    head, *tails = text.split(f'"{_NEST}')
    return head + "".join(map(_opened, tails))


def _opened(tail: str) -> str:
    depth, _, rest = tail.partition('"')
    return "[" * int(depth or 0) + "]" * int(depth or 0) + rest


def mutate_json(random: Random, value: Any) -> bytes:
    """``value`` as JSON or what comes near it, changed as a value, as bytes, or both."""
    way = random.random()
    data = open_nests(json.dumps(mutate_value(random, value) if way < 0.85 else value)).encode()
    return data if way < 0.8 else mutate_bytes(random, data)


# --- numpy ------------------------------------------------------------------------------------------


def mutate_record(random: Random, record: np.ndarray) -> np.ndarray:
    """A copy of an array ``[1]`` of records with some numbers changed."""
    changed = record.copy()
    for _ in range(times(random)):
        numbers = _numbers(random, changed)
        place = random.randrange(len(numbers))
        random.choice(_NUMBER_CHANGES)(random, numbers, place)
    return changed


def _numbers(random: Random, records: np.ndarray) -> np.ndarray:
    """One of the fields of records, or of the records within them, as a flat view."""
    field = records[random.choice(records.dtype.names)]
    return _numbers(random, field) if field.dtype.names else field.reshape(-1)


def _step(random: Random, numbers: np.ndarray, place: int) -> None:
    numbers[place : place + 1] += np.array(random.choice([-1, 1])).astype(numbers.dtype)


def _small(random: Random, numbers: np.ndarray, place: int) -> None:
    numbers[place] = random.randrange(12)


def _edge(random: Random, numbers: np.ndarray, place: int) -> None:
    bounds = np.iinfo(numbers.dtype)
    numbers[place] = random.choice([bounds.min, bounds.max, *range(max(-1, bounds.min), 2), random.randrange(127)])


def _exchange(random: Random, numbers: np.ndarray, place: int) -> None:
    other = random.randrange(len(numbers))
    numbers[[place, other]] = numbers[[other, place]]


_NUMBER_CHANGES = (_step, _step, _small, _small, _edge, _exchange)
