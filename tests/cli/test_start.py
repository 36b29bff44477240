"""What needs no compiler starts without one."""

import os
import subprocess
import sys

import pytest

from ease.start import shielded

HEAVY = ("cache_sim", "jinja2", "lark", "llvmlite", "rich", "vpo.opt")
SCRIPT = """
import sys
from ease.start import ease, easecc

for command, status, *words in {quick}:
    sys.argv = [command, *words]
    assert {{"ease": ease, "easecc": easecc}}[command]() == status, words
    loaded = [name for name in {heavy} if name in sys.modules]
    assert not loaded, (words, loaded)
"""
QUICK = (  # with the exit status; those that may read descriptions at the end
    ("easecc", 0, "-V"), ("easecc", 0, "--version"), ("ease", 0, "-V"), ("ease", 0, "--version"),
    ("easecc", 2), ("easecc", 2, "-nonsense"), ("easecc", 2, "x.d"), ("easecc", 1, "missing.c"),
    ("easecc", 2, "-measure", "-S", "x.c"), ("ease", 2, "nonsense"), ("easecc", 0, "-help"), ("ease", 0, "-help"),
)  # fmt: skip
READING = (("ease", 0, "machine", "list"), ("ease", 2, "machine"), ("ease", 1, "machine", "show", "nonsense"))


def start(quick, heavy):
    script = SCRIPT.format(quick=quick, heavy=heavy)
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_quick_commands_import_little():
    lines = start(QUICK, (*HEAVY, "yaml")).splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["easecc", "easecc", "ease", "ease"]
    assert len({line.split()[1] for line in lines[:4]}) == 1


def test_quick_commands_about_machines_import_little():
    assert "riscv32" in start(READING, HEAVY)


def test_measuring_imports_no_numpy():
    """It takes longer to import than hello world to run."""
    script = "import sys, ease.run.measuring, ease.commands.compile.compile_command; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], timeout=120, check=True)


REPEATED = """
import sys
from ease.start import easecc
sys.argv = ["easecc", "-m", "riscv32", *{words}, "hello.c"]
easecc()
print([name for name in {heavy} if name in sys.modules])
"""


@pytest.mark.parametrize("words", [[], ["-measure"]], ids=["run", "measured"])
def test_a_run_that_is_known_needs_no_compiler(tmp_path, words):
    (tmp_path / "hello.c").write_text("int main(void) { return 0; }\n")
    heavy = [
        "lark", "llvmlite", "yaml", "jinja2", "email", "decimal", "vpo.machines.machine", "vpo.rtl", "vpo.il", "vpo.analysis",
        "cache_sim.native", "cache_sim.reference", *([] if words else ["cache_sim"]),
    ]  # fmt: skip
    command = [sys.executable, "-c", REPEATED.format(words=words, heavy=heavy)]
    for _ in range(3):  # compiled, remembered, again
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True)
    assert result.stdout.splitlines()[-1] == "[]"


def test_the_process_of_a_program_imports_little():
    script = "import sys, ease.host.process.child\nprint([n for n in ('cache_sim', 'yaml', 'vpo.rtl') if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_numpy_starts_no_threads():
    """Where they cannot be started, the process would be interrupted."""
    load = "shielded('ease', lambda: __import__('numpy') and 0)"
    code = f"import os; from ease.start import shielded; {load}; print(len(os.listdir('/proc/self/task')))"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout == "1\n"


def test_a_library_for_which_there_is_no_memory_is_told(capfd):
    def command():
        try:
            raise ImportError("libffi.so.8: failed to map segment from shared object", path="/lib/python/_ctypes.so")
        except ImportError as error:
            raise ImportError("IMPORTANT: PLEASE READ THIS") from error

    def other():
        raise ImportError("no such name", path="/lib/python/module.py")

    assert shielded("easecc", command) == 1
    assert capfd.readouterr().err == "easecc: libffi.so.8: failed to map segment from shared object\n"
    with pytest.raises(ImportError):
        shielded("easecc", other)


def test_no_cycles_are_looked_for_at_the_end():
    """Python does so for all that there is, a quarter of the time of a compilation."""
    script = """
import atexit, gc, sys
atexit.register(lambda: print(gc.get_freeze_count() > 0))
from ease.start import ease
sys.argv = ["ease", "-V"]
ease()
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert result.stdout.splitlines()[-1] == "True"
