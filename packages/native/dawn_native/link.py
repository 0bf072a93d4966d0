"""Shared libraries and the WebAssembly module from object files, linked by LLVM's linker of the package ``ziglang``."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import llvmlite.binding as llvm

from dawn_env.native.library import INDEX
from dawn_env.support.optional_packages import optional_imports
from dawn_native.emit import ALLOWED, TARGETS, BuildError, Target, exported_names, target_machine
from dawn_native.exports import build_digest, library_index

_STACK = 1 << 18  # bytes of WebAssembly's stack: frames of the rules are small
_SIGNATURES = {"memcpy": "ptr, ptr, i64", "memmove": "ptr, ptr, i64", "memset": "ptr, i32, i64"}


def build_missing(names: Iterable[str], folder: Path) -> Iterator[Path]:
    """Libraries of targets under ``folder``; a library that was built from the same sources is reused."""
    for name in names:
        out, index = folder / name / TARGETS[name].file, folder / name / INDEX
        kept = out.exists() and index.exists() and json.loads(index.read_text())["build"] == build_digest()
        yield out if kept else build(engine_code(folder), name, folder)


def build(code: bytes, name: str, folder: Path) -> Path:
    """Library of a target in its folder under ``folder``, from the code of ``emit.engine_module``; its path."""
    out = folder / name / TARGETS[name].file
    out.parent.mkdir(parents=True, exist_ok=True)
    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as work:
        engine = Path(work, "engine.o")
        _emit(engine, _file(work, "engine.bc", code), name)
        objects = [engine]
        if "windows" in name:  # no C library has to be found there
            memory = Path(__file__).with_name("memory.ll").read_text()
            objects.append(_file(work, "memory.o", _assembled(memory, target)))
        _link(name, target, objects, out, Path(work))
    (out.parent / INDEX).write_text(json.dumps(library_index()))
    return out


def _file(folder, name: str, content: bytes) -> Path:
    path = Path(folder, name)
    path.write_bytes(content)
    return path


def _link(name: str, target: Target, objects: list[Path], out: Path, work: Path) -> None:
    """Link; where a symbol is undefined that is not in ``ALLOWED``, the linker fails."""
    exports = exported_names()
    if name == "wasm32":
        flags = [f"--export={symbol}" for symbol in (*exports, "__heap_base")]
        _run("wasm-ld", "--no-entry", "--strip-all", "-z", f"stack-size={_STACK}", *flags, "-o", out, *objects)
    elif "linux" in name:
        libc = work / "libc.so"  # defines what may be needed, to be linked against in place of the C library
        bodies = (f"define ptr @{symbol}({_SIGNATURES[symbol]}) {{ ret ptr null }}" for symbol in sorted(ALLOWED))
        stub = _file(work, "libc.o", _assembled("\n".join(bodies), target))
        _run("ld.lld", "-shared", "-soname", "libc.so.6", "-o", libc, stub)
        flags = ["-shared", "-s", "-z", "defs", "--build-id=none", "--hash-style=gnu", "-soname", out.name]
        _run("ld.lld", *flags, "-o", out, *objects, libc)
    elif "windows" in name:
        flags = ["/dll", "/noentry", "/Brepro", "/nologo", f"/implib:{work / 'dawn.lib'}"]
        _run("lld-link", *flags, *(f"/export:{symbol}" for symbol in exports), f"/out:{out}", *objects)
    else:
        flags = ["-target", "aarch64-macos.11.0", "-shared", "-s", f"-Wl,-install_name,@rpath/{out.name}"]
        _run("cc", *flags, "-o", out, *objects)


def _run(*command) -> None:
    """Run a program of ``ziglang``."""
    with optional_imports():
        import ziglang
    zig = Path(ziglang.__file__).with_name("zig" + (".exe" if os.name == "nt" else ""))
    done = subprocess.run([zig, *map(str, command)], capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"{command[0]}: {done.stderr.strip()[-2000:]}")


def _assembled(text: str, target: Target) -> bytes:
    """Object file of LLVM code in words."""
    machine = target_machine(target)
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    return machine.emit_object(module)


def engine_code(folder: Path) -> bytes:
    """Code of ``emit.engine_module``, compiled in a process of its own with an empty cache, or kept from before."""
    kept = folder / f"engine-{build_digest()}.bc"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as empty:
            part = kept.with_suffix(".part")
            _emit(part, DAWN_ENV_CACHE_DIR=empty)
            part.replace(kept)
    return kept.read_bytes()


def _emit(*arguments, **environment: str) -> None:
    """Run ``emit.main`` in a process of its own: what else a process has compiled changes LLVM's choices."""
    paths = os.pathsep.join(filter(None, sys.path))
    environment |= {"PYTHONHASHSEED": "0", "PYTHONPATH": paths}
    command = [sys.executable, "-m", "dawn_native.emit", *map(str, arguments)]
    done = subprocess.run(command, env=os.environ | environment, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise BuildError(done.stderr.strip()[-2000:])
