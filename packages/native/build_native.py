"""Compile the engine ahead: shared libraries for Python and C, the WebAssembly module of the JavaScript package."""

import argparse
import sys
from pathlib import Path

from dawn_agents.command_line import entry_point

_OUT = Path("build") / "native"
_TARGETS = ("linux-x86-64-v2", "linux-x86-64-v3", "linux-arm64", "macos-arm64", "windows-x86-64", "wasm32")


def make_parser() -> argparse.ArgumentParser:
    """Parser of the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--target", nargs="+", choices=_TARGETS, default=list(_TARGETS), help="machines to compile for (all)"
    )
    parser.add_argument("--out", type=Path, default=_OUT, metavar="FOLDER", help=f"folder of the results ({_OUT})")
    parser.add_argument("--js", type=Path, metavar="FOLDER", help="JavaScript package to complete")
    return parser


def run(options: argparse.Namespace) -> int | None:
    """Build, and write the header; 1 when a library cannot be built."""
    from dawn_native import interfaces, link

    print(
        "compiling the exported functions, a minute, unless they are compiled already ...", file=sys.stderr, flush=True
    )
    try:
        names = dict.fromkeys([*options.target, *(["wasm32"] if options.js else [])])
        for path in link.build_missing(names, options.out):
            print(f"{path}: {path.stat().st_size:,} bytes", flush=True)
    except link.BuildError as error:
        print(f"build_native: {error}", file=sys.stderr)
        return 1
    (options.out / "dawn.h").write_text(interfaces.header())
    if options.js:
        interfaces.complete_package(options.js, options.out / "wasm32" / "dawn.wasm")
    return None


main = entry_point(make_parser, run, extra="native")

if __name__ == "__main__":
    sys.exit(main())
