"""Feed changed states, positions, records and files to everything that reads them; report what is not refused clearly.

Every mutant must be refused with a clear error, or be accepted and then played on legally to the end. Exit status: 0
when all were, 1 when one ended in a traceback, a crash, a hang or a broken rule.
"""

import argparse
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "support")]  # where the fuzzer is

from dawn_agents.command_line import seed  # noqa: E402
from fuzzing import databases, game_files, policies, states, training  # noqa: E402
from fuzzing.child import try_all  # noqa: E402
from fuzzing.target import findings, report  # noqa: E402

from dawn_env.support.progress_bars import with_progress  # noqa: E402

_ALL = "all"
TARGETS = {
    target.name: target
    for target in (
        states.TARGET, game_files.POSITIONS, game_files.RECORDS, policies.TARGET, training.TARGET, databases.TARGET,
    )
}  # fmt: skip


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    counts = ", ".join(f"{target.count:,} {name}" for name, target in TARGETS.items())
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", choices=(*TARGETS, _ALL), default=_ALL, help="what is fed (%(default)s)")
    parser.add_argument("--count", type=int, metavar="N", help=f"mutants of each target (default: {counts})")
    parser.add_argument("--seed", type=seed, default=1, help="same seed, same mutants (%(default)s)")
    parser.add_argument(
        "--only", type=int, metavar="NUMBER", help="repeat one mutant of the target, with all it prints"
    )
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="folder to work in, which keeps the last mutant's files"
    )
    options = parser.parse_args(arguments)
    if options.count is not None and options.count < 1:
        parser.error(f"--count must be at least 1, not {options.count}")
    if options.only is not None and options.target == _ALL:
        parser.error("--only repeats a mutant of one --target")
    return options


def run(options: argparse.Namespace, folder: Path) -> bool:
    """Try the mutants of the targets and report; whether all was well."""
    wrong = False
    for name in TARGETS if options.target == _ALL else [options.target]:
        target, once = TARGETS[name], options.only is not None
        count = 1 if once else options.count or target.count
        numbers = [options.only] if once else range(count)
        tried = try_all(target, options.seed, numbers, options.work or folder, quiet=not once)
        outcomes = list(with_progress(tried, name, count, "mutants"))
        print("\n".join(report(name, outcomes, options.seed)), flush=True)
        wrong = wrong or bool(findings(outcomes))
    return not wrong


def main(arguments: list[str] | None = None) -> int:
    """Entry point; see the top for the exit status, 130 after Ctrl-C."""
    options = parse(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            return 0 if run(options, Path(folder)) else 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
