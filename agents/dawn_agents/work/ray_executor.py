"""Tasks done by the machines of a Ray cluster (needs the extra ``ray``).

Ray does a task again, elsewhere, whose process or machine is lost; this process alone takes the results, each once.
"""

import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dawn_agents.work.environment_fingerprint import difference, fingerprint_function
from dawn_agents.work.executor import Executor, ExecutorError, WorkerDied
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import escape_text

with optional_imports():
    import ray
    from ray.exceptions import RayError, RayTaskError
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

LOCAL, AUTO = "local", "auto"
PROGRAMS = "programs"
"""The resource of machines on which programs that play are installed: ``ray start --resources='{"programs": 4}'``."""
_RETRIES = 20  # of a task whose process or machine was lost; then the task is to blame
_REACH_SECONDS, _ANSWER_SECONDS = 5, 120  # until an address answers; until a machine has said what it has
_LOOK_SECONDS = 2  # between looks at how many cores there are


class RayCluster(Executor):
    """The cores of a Ray cluster.

    ``address``: ``HOST:PORT`` of one that runs, ``auto`` for one that runs on this machine, ``local`` for one that is
    made here of this machine's cores. ``files``: those below the working directory that players are made from; every
    machine is given them.
    """

    def __init__(self, address: str, files: Iterable[Path] = ()):
        """Raises ``ExecutorError`` when it cannot be reached, or when a machine has other versions installed."""
        self.address, self._looked = address, 0.0
        self._folder = tempfile.mkdtemp(prefix="dawn_env-")
        try:
            self._connect(files)
            self._check()
        except BaseException:
            self.close()
            raise
        print(f"Ray cluster {address}: {len(self._nodes())} nodes, {self.size} cores", file=sys.stderr)

    def _connect(self, files: Iterable[Path]) -> None:
        if ray.is_initialized():
            raise ExecutorError("this process is connected to a Ray cluster already")
        if self.address not in (LOCAL, AUTO):
            _reach(self.address)
        for file in files:
            copy = Path(self._folder) / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
        try:
            ray.init(
                self.address, runtime_env={"working_dir": self._folder}, log_to_driver=False, logging_level="ERROR",
                include_dashboard=False if self.address == LOCAL else None,
            )  # fmt: skip
        except (RayError, RuntimeError, ConnectionError, ValueError, TimeoutError) as error:
            raise ExecutorError(f"Ray cluster {self.address}: {_why(error)}") from error

    def _check(self) -> None:
        """Raise ``ExecutorError`` unless all machines have what this one has.

        One that is lost meanwhile plays no part.
        """
        tell = fingerprint_function()
        mine, remote, nodes = tell(), ray.remote(num_cpus=0, max_retries=0)(tell), self._nodes()
        there = [NodeAffinitySchedulingStrategy(node["NodeID"], soft=False) for node in nodes]
        answers = [remote.options(scheduling_strategy=strategy).remote() for strategy in there]
        for node, answer in zip(nodes, answers, strict=True):
            try:
                theirs = ray.get(answer, timeout=_ANSWER_SECONDS)
            except (RayError, TimeoutError) as error:
                if all(other["NodeID"] != node["NodeID"] for other in self._nodes()):
                    continue
                raise ExecutorError(f"Ray node {_name(node)}: {_one_line(error)}") from error
            if wrong := difference(mine, theirs):
                raise ExecutorError(f"Ray node {_name(node)} {wrong}")

    def _nodes(self) -> list[dict]:
        """The machines that have cores to give."""
        return [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]

    @property
    def size(self) -> int:
        """Cores of the cluster; machines may come and go."""
        if time.monotonic() - self._looked > _LOOK_SECONDS:
            self._looked, self._cores = time.monotonic(), int(sum(node["Resources"]["CPU"] for node in self._nodes()))
        return max(1, self._cores)

    @contextmanager
    def _session(self, function, tasks, outside, under_way) -> Iterator[Callable[[Any], Future]]:
        if any(map(outside, tasks)) and not any(PROGRAMS in node["Resources"] for node in self._nodes()):
            raise ExecutorError(
                f"programs play only on nodes with the resource {PROGRAMS!r}, and none has it: start one with "
                f"ray start --resources='{{\"{PROGRAMS}\": N}}', N being how many may run at once"
            )
        shared = ray.put(function)

        def submit(task) -> Future:
            where = {"resources": {PROGRAMS: 1}} if outside(task) else {}
            return _do.options(**where).remote(shared, task).future()

        try:
            yield submit
        except RayTaskError as error:
            raise error.cause from None
        except RayError as error:
            lost = [task for future, (_, task) in under_way.items() if future.done() and future.exception()]
            raise WorkerDied(f"a task was lost {_RETRIES} times: {_one_line(error)}", lost) from error
        finally:
            for future in under_way:
                ray.cancel(future.object_ref, force=True)

    def close(self) -> None:
        """Leave the cluster, or end it if it is this process's own."""
        ray.shutdown()
        shutil.rmtree(self._folder, ignore_errors=True)


@ray.remote(num_cpus=1, max_retries=_RETRIES)
def _do(function: Callable, task) -> object:
    return function(task)


def _name(node: dict) -> str:
    return f"{node['NodeManagerHostname']} ({node['NodeManagerAddress']})"


def _reach(address: str) -> None:
    """Raise ``ExecutorError`` unless something listens at ``HOST:PORT``."""
    host, colon, port = address.rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 2**16):
        raise ExecutorError(f"Ray cluster: {LOCAL}, {AUTO} or HOST:PORT expected, not {escape_text(address)!r}")
    try:
        socket.create_connection((host, int(port)), _REACH_SECONDS).close()
    except OSError as error:
        raise ExecutorError(f"Ray cluster {escape_text(address)}: nobody answers there: {error}") from error


def _why(error: BaseException) -> str:
    """Reason why Ray could not connect, in one line."""
    cause: BaseException | None = error
    while cause is not None:
        if "AuthToken" in str(cause):
            return "it asks for a token: set RAY_AUTH_MODE=token, with the token of its head in ~/.ray/auth_token"
        cause = cause.__cause__ or cause.__context__
    return _one_line(error)


def _one_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return escape_text(lines[0] if lines else type(error).__name__)[:300]
