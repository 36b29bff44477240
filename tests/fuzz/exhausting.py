"""Programs that want all there is, in each way of measuring: each ends by itself or by a limit, and the host is unharmed.

    python -m tests.fuzz.exhausting --modes counts,trace --every 1

`exhausting.c` has the programs.  With a limit of time, output, files and heap, the command must end in time, within 2 GB, with
the program's status or that of a limit; it leaves no process, no file beside those that were allowed, and no traceback.
With `--every 7`, every seventh pair of a program and a way is tried.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.failing_calls import processes_in

SOURCE = Path(__file__).with_suffix(".c")
PROGRAMS = [(kind, which) for kind, count in enumerate((24, 16, 12, 12)) for which in range(count)]
KINDS = ("time", "memory", "output", "files")
TOOL = """\
from ease.tools import Program, Table

calls = 0


def instrument(program: Program) -> None:
    for reference in program.references:
        reference.before(count)


def count() -> None:
    global calls
    calls += 1


def report() -> Table:
    return Table("references", ["references"], [[calls]])
"""
HEAP = ("-limit-memory", "64m")
MODES = {
    "counts": ("-measure", *HEAP), "caches": ("-cache", "I:1k,16,1+D:1k,16,2", *HEAP),
    "trace": ("-trace", "execution", "-trace-to", "run.trace", "-limit", "20000000", *HEAP),
    "samples": ("-sample", "every=100k,length=1k,warm=2k", *HEAP), "tool": ("-tool", "tool.py", *HEAP),
    "record": ("-record", "run.record"), "limits": ("-measure", "-limit", "5000000", *HEAP),
    "saved": ("-save", "-db", "kept.ease", *HEAP),
}  # fmt: skip
SECONDS, OUTPUT, FILES = 2, 1 << 20, 20
PATIENCE = 300  # seconds on a busy machine
MEMORY = 2 << 30
BESIDE = 512 << 20  # bytes of what the command itself may write: traces, records
STATUSES = {0, 3, 124, *(128 + number for number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGUSR1, signal.SIGFPE))}
TEMPORARY = Path("/tmp")  # where programs make files


def fault(mode: str, kind: int, which: int, folder: Path) -> str:
    """Run a program in a way of measuring in an empty folder; return what is wrong about it, '' if nothing is."""
    (folder / "tool.py").write_text(TOOL)
    before = set(folder.rglob("*"))
    command = [str(Path(sys.executable).parent / "easecc"), "-m", "riscv32", "-w", *MODES[mode], "-timeout", str(SECONDS)]
    command += ["-limit-output", str(OUTPUT), "-limit-files", str(FILES), str(SOURCE), "--", str(kind), str(which)]
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        streams = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": said}
        process = subprocess.Popen(command, cwd=folder, start_new_session=True, **streams)  # type: ignore[call-overload]
        status, used = _wait(process)
        written, seconds = os.fstat(out.fileno()).st_size, time.monotonic() - start
        said.seek(0)
        messages = said.read(1 << 20).decode(errors="replace")
    wrong = []
    if status is None:
        wrong.append(f"does not end within {seconds:.0f} s")
    elif "Traceback" in messages or (status not in STATUSES and not (kind == 0 and status > 128)):
        wrong.append(f"exit status {status}: {messages[-300:]}")
    if used.ru_maxrss << 10 > MEMORY:
        wrong.append(f"takes {used.ru_maxrss >> 10} MB")
    if written > OUTPUT + (1 << 20):
        wrong.append(f"prints {written} bytes")
    made = [path for path in folder.rglob("*") if path not in before]
    size = sum(path.lstat().st_blocks * 512 for path in made)
    if size > BESIDE or len(made) > FILES + 3:
        wrong.append(f"leaves {len(made)} files of {size >> 20} MB")
    wrong += [f"goes on: {line}" for line in processes_in(folder)]
    return "; ".join(wrong)


def _wait(process: subprocess.Popen[bytes]) -> tuple[int | None, resource.struct_rusage]:
    """Return the exit status of a process, None if it does not end, and what it used."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode if process.returncode >= 0 else 128 - process.returncode, used
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = -signal.SIGKILL
    return None, used


def pairs(modes: Sequence[str], every: int) -> list[tuple[str, int, int]]:
    """Return ways of measuring and programs: all, or one of so many."""
    found = [(mode, kind, which) for kind, which in PROGRAMS for mode in modes]
    return found[::every]


def main() -> int:
    """Try programs; returns 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.exhausting", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    tried = wrong = 0
    for mode, kind, which in pairs(given.modes.split(","), given.every):
        with tempfile.TemporaryDirectory() as name:
            found = fault(mode, kind, which, Path(name))
        tried += 1
        if found:
            wrong += 1
            print(f"{mode}: {KINDS[kind]} {which}: {found}", flush=True)
    for path in TEMPORARY.glob("denial-*"):
        with contextlib.suppress(OSError):
            path.unlink()
    print(f"{tried} tried, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
