"""Executors of tasks: all of them once, in order where that is asked for, few at a time."""

import os
import signal
from argparse import Namespace
from functools import partial

import pytest
from dawn_agents.command_line import executor_of
from dawn_agents.players.registry import files_of
from dawn_agents.work import environment_fingerprint
from dawn_agents.work.executor import AHEAD, LocalExecutor, WorkerDied
from dawn_agents.work.process_pool import Processes

TASKS = list(range(12))


def square(number):
    return number * number


def add(more, number):
    return more + number


def fail_at(wrong, number):
    if number == wrong:
        raise KeyError(number)
    return number


def die_at(wrong, number):
    if number == wrong:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.fixture(scope="module")
def two():
    with Processes(2) as executor:
        yield executor


@pytest.fixture(params=["here", "two"])
def executor(request):
    return LocalExecutor() if request.param == "here" else request.getfixturevalue("two")


def test_every_task_is_done_once(executor):
    assert sorted(executor.done(square, TASKS)) == [square(number) for number in TASKS]
    assert list(executor.done(partial(add, 100), TASKS, in_order=True)) == [100 + number for number in TASKS]
    assert list(executor.done(square, [])) == []


def test_what_a_task_raises_arrives_and_others_can_follow(executor):
    with pytest.raises(KeyError, match="3"):
        list(executor.done(partial(fail_at, 3), TASKS))
    assert list(executor.done(square, TASKS[:2], in_order=True)) == [0, 1]


class Counted(list):
    """Tasks that know how many have been handed out."""

    taken = 0

    def __getitem__(self, index):
        self.taken += 1
        return super().__getitem__(index)


def test_results_do_not_pile_up(executor):
    tasks = Counted(TASKS)
    results = executor.done(square, tasks, in_order=True)
    for number in range(4):
        assert next(results) == square(number)
        assert tasks.taken <= number + 1 + executor.size * AHEAD
    results.close()


@pytest.mark.parametrize("task", [0, 7])
def test_a_process_that_is_killed_is_told_of_with_the_tasks_that_were_being_done(task):
    with Processes(2) as executor, pytest.raises(WorkerDied, match="a process has died") as died:
        list(executor.done(partial(die_at, task), TASKS))
    assert task in died.value.tasks and len(died.value.tasks) <= 2


def test_an_executor_says_what_it_is(capsys):
    with executor_of(Namespace(cluster=None, workers=1)) as executor:
        assert isinstance(executor, LocalExecutor)
    with executor_of(Namespace(cluster=None, workers=3)) as executor:
        assert isinstance(executor, Processes) and executor.size == 3
    assert capsys.readouterr().err == "work is done by one process\nwork is done by 3 processes\n"


def test_files_below_the_working_directory_are_found(tmp_path, monkeypatch):
    (tmp_path / "runs").mkdir()
    for name in ("runs/model.zip", "bot.py", "other.zip"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    specs = ["policy:runs/model.zip", "process:seconds=5,python3 bot.py --x", "heuristic:level=3", "policy:/etc/passwd"]
    assert [path.as_posix() for path in files_of(specs)] == ["bot.py", "runs/model.zip"]


def test_other_weights_are_another_version(tmp_path, monkeypatch):
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(environment_fingerprint, "PACKAGES", ("installed",))
    before = environment_fingerprint.fingerprint_function()()
    (tmp_path / "installed" / "network.json").write_bytes(b"other")
    after = environment_fingerprint.fingerprint_function()()
    assert environment_fingerprint.difference(before, after).startswith("has other versions: installed ")
