"""Locks of files between processes, and where a system or a file system has none."""

import os

import pytest
from processes import python

from dawn_env.support.file_lock import lock_file

TAKE = """
import sys
from pathlib import Path
if "elsewhere" in sys.argv:
    sys.modules["fcntl"] = None  # as on Windows
from dawn_env.support.file_lock import lock_file
held = lock_file(Path(sys.argv[1]))
try:
    lock_file(Path(sys.argv[1]))
except TimeoutError:
    held.release()
    lock_file(Path(sys.argv[1]))
    print("one at a time")
"""


@pytest.mark.parametrize("system", ["here", "elsewhere"])
def test_one_holds_a_lock_at_a_time(tmp_path, system):
    done = python("-c", TAKE, tmp_path / "new" / "file.lock", system)
    assert done.stdout == "one at a time\n", done.stderr


@pytest.mark.skipif(os.name == "nt", reason="uses a folder of Linux that nobody can write")
def test_where_nothing_can_be_locked_the_work_goes_on(tmp_path):
    (tmp_path / "file").touch()
    lock_file(tmp_path / "file" / "below.lock").release()  # no folder can be made there
