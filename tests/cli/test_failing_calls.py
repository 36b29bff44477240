"""Failing calls of the system: a command gives the right result, or a message and status 1 (tests/fuzz/failing_calls.py)."""

import shutil
import subprocess

import pytest

from tests.fuzz.failing_calls import COMMANDS, Place, calls_of, faults_of, files_of, traced

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_no_failing_call_is_hidden(tmp_path, command):
    if not shutil.which("strace") or subprocess.run(["strace", "true"], capture_output=True, check=False).returncode:
        pytest.skip("strace cannot be used here")
    place = Place(tmp_path)
    place.warm(command)
    folder, done = place.run(command, traced())
    assert done.returncode == 0, done.stderr
    clean = files_of(folder)
    for failing in calls_of(folder, False):
        assert not faults_of(place, command, failing, clean, done.stdout), failing
