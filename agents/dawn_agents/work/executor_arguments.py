"""The arguments of command lines that say where work is done."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from dawn_agents.command_line import COUNT
from dawn_agents.work.executor import Executor, LocalExecutor
from dawn_agents.work.process_pool import Processes
from dawn_env.support.thread_pool import cores


def add_executor_arguments(parser: argparse._ActionsContainer) -> None:
    """``--workers`` and ``--cluster``; ``executor_of`` takes them."""
    parser.add_argument(
        "--workers", type=COUNT, metavar="N", help=f"processes, where there is no --cluster (all cores: {cores()})"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="do the work on a Ray cluster: local, auto or HOST:PORT (docs/how-to/cluster.md)",
    )


def executor_of(options: argparse.Namespace, files: Iterable[Path] = ()) -> Executor:
    """The executor that a command line asks for; ``files`` as for ``RayCluster``. Says which on stderr.

    Raises ``ExecutorError``, and ``MissingExtra`` where Ray is asked for and not installed.
    """
    return open_executor(options.cluster, options.workers, files)


def open_executor(cluster: str | None, workers: int | None, files: Iterable[Path] = ()) -> Executor:
    """A Ray cluster, if an address is given, or so many processes, all cores by default."""
    if cluster is not None:
        from dawn_agents.work.ray_executor import RayCluster  # takes long to import

        return RayCluster(cluster, files)
    size = workers or cores()
    told = "one process" if size == 1 else f"{size} processes"
    print(f"work is done by {told}{'' if workers else ', a core each; --workers N limits them'}", file=sys.stderr)
    return LocalExecutor() if size == 1 else Processes(size)
