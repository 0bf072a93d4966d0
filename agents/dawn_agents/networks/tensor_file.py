"""Files of torch, read as data only: no code of theirs is run, and they cannot ask for more memory than their size."""

import io
import pickletools
import zipfile
from typing import IO, Any

import torch

from dawn_env.support.safe_text import first_line, short_repr
from dawn_env.validation.untrusted_json import MAX_DEPTH

_SHARED = 16  # parts of a value for each byte of its pickle, parts of several others counting each time


class DamagedTensors(ValueError):
    """A file that torch did not write, or that has changed since."""


def load_tensors(file: IO[bytes]) -> Any:
    """The value of a file that ``torch.save`` wrote, on the CPU; raises ``DamagedTensors`` in one line."""
    try:
        size = _check_archive(file)
        value = torch.load(file, weights_only=True, map_location="cpu")
        _check_extent(value, size)
        return value
    except OSError:
        raise
    except zipfile.BadZipFile:
        raise DamagedTensors("cut short, or not a file that torch has written") from None
    except Exception as error:  # torch raises many kinds for damaged data
        raise DamagedTensors(first_line(error)) from error


def _check_archive(file: IO[bytes]) -> int:
    """Size of a file in bytes; raise unless it is an archive that is stored as it is, its checksums being right.

    torch itself neither compresses nor looks at the checksums.
    """
    size = file.seek(0, io.SEEK_END)
    with zipfile.ZipFile(file) as archive:
        if sum(part.file_size for part in archive.infolist()) > size:
            raise DamagedTensors("its parts are larger than the file")
        wrong = archive.testzip()
        for part in archive.namelist():
            if part.endswith("data.pkl"):
                _check_tuples(archive.read(part))
    if wrong is not None:
        raise DamagedTensors(f"its part {short_repr(wrong)} has changed")
    file.seek(0)
    return size


def _check_tuples(pickled: bytes) -> None:
    """Raise ``DamagedTensors`` for tuples far larger than the pickle: hashing one takes a step for each part."""
    stack, memo, most = [], {}, _SHARED * len(pickled)
    for opcode, argument, _ in pickletools.genops(pickled):
        if opcode.name in ("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"):
            memo[len(memo) if argument is None else argument] = stack[-1]
        elif opcode.name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(memo[argument])
        else:
            _replace_sizes(stack, opcode)
        if stack and (stack[-1] or 0) > most:
            raise DamagedTensors(f"more than {most:,} values within each other")


def _replace_sizes(stack: list[int | None], opcode: pickletools.OpcodeInfo) -> None:
    """Take what an opcode takes from a stack of sizes, None being a mark, and put what it makes of them."""
    taken, before = [], list(opcode.stack_before)
    if pickletools.markobject in before:
        while stack and (size := stack.pop()) is not None:
            taken.append(size)
        before = before[: before.index(pickletools.markobject)]
    for _ in before:
        taken.append(stack.pop())
    made = [None if kind is pickletools.markobject else 1 + sum(taken) for kind in opcode.stack_after]
    stack += made


def _check_extent(value: Any, size: int) -> None:
    """Raise ``DamagedTensors`` for a value of more than ``size`` parts, or bytes of a tensor, or too deep a nesting.

    Lists that are part of several others count each time: whoever walks through the value meets them each time.
    """
    waiting, count = [(value, 0)], 0
    while waiting:
        part, depth = waiting.pop()
        if isinstance(part, torch.Tensor) and part.numel() * part.element_size() > size:
            raise DamagedTensors(f"a tensor of {part.numel():,} numbers in a file of {size:,} bytes")
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list | tuple | set) else ()
        count += len(inner)
        if count > size or depth > MAX_DEPTH:
            raise DamagedTensors(f"more than {size:,} values or {MAX_DEPTH} lists within each other")
        waiting += [(each, depth + 1) for each in inner]
