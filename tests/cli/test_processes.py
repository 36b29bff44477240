"""Processes: interrupts at awkward moments, kills, limits of the host: nothing goes on, nothing stays, no traceback."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.covering import some

HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 3; }\n'
LOOP = '#include <stdio.h>\nint main(void) { puts("go"); fflush(stdout); for (;;) ; }\n'
LONG = 300  # seconds: a test that takes so long has failed


# ------------------------------------------------------------------------------------ awkward moments

CHANGED = """\
import os, signal, subprocess, sys
import vpo.build.compiler
from ease.start import easecc

what, number, *sys.argv = sys.argv[1:]

def strike():
    os.kill(os.getpid(), int(number))

class Late:
    def __del__(self):
        strike()

def before(function, action):
    def changed(*arguments, **options):
        action()
        return function(*arguments, **options)
    return changed

def swallow():
    try:
        strike()
    except:
        pass

def start(child, *arguments, **options):
    begin(child, *arguments, **options)
    strike()

Compiler = vpo.build.compiler.Compiler
if what == "destructor":
    Compiler.program = before(Compiler.program, Late)
elif what == "library":
    Compiler.program = before(Compiler.program, swallow)
else:
    begin, subprocess.Popen.__init__ = subprocess.Popen.__init__, start
sys.exit(easecc())
"""


@pytest.fixture
def struck(folder, tmp_path):
    """Run `easecc` on a program without end, with a signal where `what` says; its temporary folder is `temporary`."""
    folder(loop=LOOP)
    (tmp_path / "temporary").mkdir()

    def run(what, number):
        return subprocess.run(
            [sys.executable, "-c", CHANGED, what, str(int(number)), "easecc", "loop.c"],
            capture_output=True, text=True, timeout=LONG, check=False,
            env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
        )  # fmt: skip

    return run


@pytest.mark.parametrize(("number", "message"), some([(signal.SIGINT, "easecc: interrupted\n"), (signal.SIGTERM, "")], 1))
@pytest.mark.parametrize("what", ["destructor", "library", "start"])
def test_signal_that_nobody_can_catch_or_somebody_swallows(struck, what, number, message):
    result = struck(what, number)
    assert (result.returncode, result.stderr) == (128 + number, message)


def test_killed_right_after_the_child_started(struck, tmp_path):
    result = struck("start", signal.SIGKILL)  # the pipes are closed: nothing runs any more
    assert (result.returncode, result.stdout, result.stderr) == (-signal.SIGKILL, "", "")
    assert list((tmp_path / "temporary").iterdir()) == []


def test_killed_while_the_program_runs(folder, start, tmp_path, monkeypatch):
    folder(loop=LOOP)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    child = start("easecc", "loop.c")
    assert child.stdout.readline() == b"go\n"
    child.kill()
    assert child.communicate(timeout=LONG) == (b"", b"")
    assert list((tmp_path / "temporary").iterdir()) == []


def test_process_whose_parent_has_ended():
    script = "from vpo.base.parallel import end_with; end_with({}); print('alive')"
    for parent, status in ((os.getpid(), 0), (os.getppid(), 137)):
        done = subprocess.run([sys.executable, "-c", script.format(parent)], capture_output=True, check=False, timeout=LONG)
        assert (done.returncode, done.stdout) == (status, b"alive\n" if status == 0 else b"")


WORKING = """\
import time
from vpo.base.parallel import workers
from ease.start import shielded

def command():
    with workers(2) as pool:
        waiting = [pool.submit(time.sleep, 100) for _ in range(2)]
        print("go", flush=True)
        return waiting[0].result()

if __name__ == "__main__":
    raise SystemExit(shielded("waiting", command))
"""


def test_a_signal_that_is_sent_twice_leaves_nothing(tmp_path):
    """`timeout` sends it to the process, and to the group of the process: that is no second one, which kills."""
    (tmp_path / "waiting.py").write_text(WORKING)
    command = [sys.executable, str(tmp_path / "waiting.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as child:
        assert child.stdout.readline() == b"go\n"
        for _ in range(40):
            child.terminate()
            time.sleep(0.005)
        assert child.communicate(timeout=LONG)[1] == b""  # of semaphores, say, that are left
    assert child.returncode in (128 + signal.SIGTERM, -signal.SIGTERM)  # the last one may come when Python has ended


def test_second_interrupt_kills(folder, start):
    folder(loop=LOOP)
    child = start("easecc", "-measure", "loop.c")
    assert child.stdout.readline() == b"go\n"
    while child.poll() is None:
        child.send_signal(signal.SIGINT)
    assert child.returncode in (130, -signal.SIGINT)
    assert b"Traceback" not in child.communicate(timeout=LONG)[1]


def runs(session):
    """Find the processes of a session in which programs run."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words, status = (process / "cmdline").read_bytes(), (process / "stat").read_text()
        except OSError:
            continue
        if b"ease.host.process.child" in words and status.rpartition(") ")[2].split()[3] == str(session):
            found.append(int(process.name))
    return found


@pytest.mark.parametrize("number", some((signal.SIGINT, signal.SIGKILL), 1))
def test_experiments_end_with_all_their_processes(folder, start, number):
    folder(loop=LOOP)
    child = start("ease", "experiment", "machines", "-m", "riscv32", "-j", "1", "loop.c")
    end = time.monotonic() + LONG
    while not runs(child.pid):
        assert time.monotonic() < end
        time.sleep(0.05)
    if number == signal.SIGINT:
        os.killpg(child.pid, number)  # as the terminal does
        assert child.communicate(timeout=LONG) == (b"", b"ease experiment: interrupted\n")
    else:
        child.kill()
        child.communicate(timeout=LONG)  # the pipes are closed: nothing runs any more
    assert child.returncode == (130 if number == signal.SIGINT else -number)


def test_an_experiment_tells_that_one_of_its_processes_was_killed(folder, start):
    folder(loop=LOOP)
    child = start("ease", "experiment", "machines", "-m", "riscv32", "-j", "1", "loop.c")
    end = time.monotonic() + LONG
    while not (running := runs(child.pid)):
        assert time.monotonic() < end
        time.sleep(0.05)
    worker = int(Path(f"/proc/{running[0]}/stat").read_text().rpartition(") ")[2].split()[1])
    assert worker != child.pid
    os.kill(worker, signal.SIGKILL)
    said = child.communicate(timeout=LONG)
    assert said == (b"", b"ease experiment: a process was killed, perhaps for lack of memory (-j 1 needs least)\n")
    assert child.returncode == 1


# ---------------------------------------------------------------------------------- what hosts refuse


@pytest.fixture
def shell(folder):
    """Run a line of a shell in which `easecc` and `ease` are the commands."""
    folder(hello=HELLO)

    def run(line, **environment):
        commands = Path(sys.executable).parent
        variables = {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}", **environment}
        result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=LONG, check=False, env=variables)
        return result.returncode, result.stdout, result.stderr

    return run


def test_too_little_address_space(shell):
    status, output, errors = shell("ulimit -v 3000000; easecc hello.c")
    assert (status, output) == (1, "")
    message = r"the measured program needs 5\.\d GiB of address space; the limit is 2\.9 GiB \(`(ulimit -v \d+)` is enough\)"
    match = re.fullmatch(f"easecc: {message}\n", errors)
    assert match, errors
    assert shell(f"{match.group(1)}; easecc hello.c") == (3, "hello\n", "")


@pytest.mark.parametrize(
    ("limit", "message"),
    some([
        ("ulimit -f 1", "no memory to share with the program's process: File too large"),
        ("ulimit -n 6", "(no memory to share with the program's process: )?Too many open files"),
        ("ulimit -d 60000", "the program cannot be run: no room for the host's stack"),
    ], 1),
)
def test_other_limits(shell, limit, message):
    status, output, errors = shell(f"{limit}; easecc hello.c")
    assert (status, output) == (1, "")
    assert re.fullmatch(f"easecc: {message}\n", errors)


def test_no_memory_for_the_command_itself(shell):
    script = "from ease import start; from ease.commands import easecc; "
    script += "easecc.main = lambda: bytes(1 << 62); sys.exit(start.easecc())"
    assert shell(f"python -c 'import sys; {script}'") == (1, "", "easecc: out of memory\n")


def test_few_open_files_and_no_temporary_folder_are_enough(shell):
    assert shell("ulimit -n 16; easecc hello.c", TMPDIR="/nonexistent") == (3, "hello\n", "")


CLOSED = [("<&-", "hello\n"), (">&-", ""), ("2>&-", "hello\n"), ("<&- >&- 2>&-", "")]


@pytest.mark.parametrize(("streams", "output"), some(CLOSED, 2))
def test_closed_streams(shell, streams, output):
    assert shell(f"easecc hello.c {streams}") == (3, output, "")
    status, output, errors = shell(f"easecc nothing.c {streams}")
    assert (status, output, "No such file" in errors) == (1, "", "2>&-" not in streams)


def test_closed_output_that_the_command_needs(shell):
    for words in ("-help", "-S -o - hello.c"):
        status, _, errors = shell(f"easecc {words} >&-")
        assert status == 1
        assert errors.endswith("Bad file descriptor\n")
        assert "Traceback" not in errors


WRITES_WHERE_IT_CAN = """\
#include <stdio.h>
int main(void) { return fputs("text", stdout) < 0 || fflush(stdout) != 0 ? 5 : 0; }
"""


def test_program_cannot_use_what_has_the_number_of_a_closed_stream(shell, folder):
    folder(x=WRITES_WHERE_IT_CAN)
    assert shell("easecc x.c >&-") == (5, "", "")


def test_user_without_a_home(shell, folder):
    script = "import pwd, sys; pwd.getpwuid = {}.__getitem__; from ease.start import easecc; sys.exit(easecc())"
    assert shell(f"unset HOME EASE_CACHE XDG_CACHE_HOME; python -c '{script}' hello.c") == (3, "hello\n", "")
    assert shell("unset EASE_CACHE XDG_CACHE_HOME; HOME=/nonexistent easecc hello.c") == (3, "hello\n", "")
    assert [path.name for path in folder().iterdir()] == ["hello.c"]


# ---------------------------------------------------------------------------------------- ease verify


@pytest.fixture
def tools():
    """Skip the test where riscv32's tools are not installed."""
    if shutil.which("qemu-riscv32") is None or shutil.which("riscv64-linux-gnu-as") is None:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            pytest.fail("no tools for riscv32")
        pytest.skip("no tools for riscv32")


@pytest.mark.thorough
def test_verify_lets_programs_ask_where_they_stand_in_their_output(shell, folder, tools):
    folder(place='#include <unistd.h>\nint main(void) { write(1, "a", 1); return lseek(1, 0, SEEK_CUR) == 1; }')
    status, output, errors = shell("ease verify -m riscv32 -fetches place.c -- -fetches < /dev/null")
    assert (status, errors) == (0, "")
    assert output.startswith("riscv32: the same output and exit status")
    assert output.endswith("writes are equal\n")


@pytest.mark.thorough
def test_verify_lets_programs_use_the_files_that_it_names(shell, folder, tools, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "a").write_text("a")
    folder(reads='#include <fcntl.h>\nint main(int n, char **words) { return open(words[1], O_RDONLY) < 0; }')
    status, _, errors = shell(f"ease verify -m riscv32 -files {elsewhere} reads.c -- {elsewhere}/a < /dev/null")
    assert (status, errors) == (0, "")


def test_verify_tells_which_run_did_not_end(shell, folder, tools):
    folder(loop=LOOP)
    expected = "ease verify: the emulator (qemu-riscv32) and ease did not end within 0.5 seconds (-timeout)\n"
    assert shell("ease verify -m riscv32 -timeout 0.5 loop.c < /dev/null") == (1, "", expected)
