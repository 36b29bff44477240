"""A child that ends before the program begins, or has no memory, is an error of the host: nothing of it is kept."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.covering import some

FIRST = "contextlib"  # a module that the child imports early, and does not need otherwise
WITH_CHANGE = f"""
import sys
sys.path.remove({{folder!r}})
del sys.modules["{FIRST}"]
import {FIRST}
"""
TINY = "int main(void) { return 3; }\n"
STARTED = "import os, sys\nif 'ease.host.process.child' in ' '.join(sys.orig_argv):\n"
DYING = STARTED + "    {}\n"
LATER = (
    STARTED
    + """
    import _thread, resource, ctypes, time
    def late(*_):
        import ease.host.process.child as child
        {}
    begin = _thread.start_new_thread
    _thread.start_new_thread = late
"""
)
NOTHING = "child._LONGEST_START = 0.2"  # the thread gets no memory for its first call, and says nothing
NO_MEMORY = """
        def fail(*_):
            raise MemoryError
        child._catch_signals = fail
        begin(*_)"""
HELD = "the process in which the program is to run {} before the program began"


@pytest.fixture
def run(tmp_path):
    """Keep and record a run whose child begins with some lines; return what became of it and the files that it left."""
    (tmp_path / "tiny.c").write_text(TINY)
    command = [str(Path(sys.executable).parent / "easecc")]
    command += ["-save", "-db", "kept.ease", "-record", "r.run", "-report", "r.json", "tiny.c"]

    def run(change):
        (folder := tmp_path / "site").mkdir(exist_ok=True)
        (folder / f"{FIRST}.py").write_text(WITH_CHANGE.format(folder=str(folder)) + change)
        for name in ("r.run", "r.json", "kept.ease"):
            (tmp_path / name).unlink(missing_ok=True)
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=100)
        return done, {path.name for path in tmp_path.iterdir()} - {"tiny.c", "site"}

    return run


@pytest.mark.parametrize(
    ("change", "told"),
    some([
        (DYING.format("os._exit(1)"), HELD.format("ended with status 1")),
        (DYING.format("os._exit(0)"), HELD.format("ended with status 0")),
        (DYING.format("os.kill(os.getpid(), 9)"), HELD.format("was killed by SIGKILL")),
        (DYING.format("sys.modules['ctypes'] = None"), "the program cannot be run: import of ctypes halted; .*"),
        (LATER.format(NOTHING), "the program cannot be run: the program's thread does not begin"),
        (LATER.format(NO_MEMORY), "the program cannot be run: out of memory"),
    ], 2),
)
def test_nothing_is_kept_of_a_run_that_never_began(run, change, told):
    done, left = run(change)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(f"easecc: {told}\n", done.stderr)
    assert left <= {"kept.ease"}


def test_nothing_is_kept_where_the_command_was_remembered(run):
    assert run("")[0].returncode == 3
    done, left = run(DYING.format("os._exit(1)"))
    assert (done.returncode, done.stderr) == (1, f"easecc: {HELD.format('ended with status 1')}\n")
    assert left <= {"kept.ease"}
