"""Let calls of the system fail, each once and from then on: a command gives the right result, or a message and status 1.

`python -m tests.fuzz.failing_calls` runs some commands under strace, once as they are, which tells their calls, and then with
failing ones: of each kind of call and of each kind of file one, or all with `--all`.  Nothing half-written stays under a final
name, nothing stays that was not there, and the command works when it is run again.  With `--kill` the command is killed in
these calls instead, and no process of it goes on.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE = """\
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int bound = argc > 1 ? atoi(argv[1]) : 7, sum = 0;
    FILE *file = fopen("written", "w");
    for (int i = 0; i < bound; i++)
        sum += i * i;
    if (file && (fprintf(file, "%d\\n", sum) < 0 || fclose(file)))
        perror("written");
    if (printf("%d\\n", sum) < 0 || fflush(stdout))
        perror("printed");
    return 0;
}
"""
SMALL = """\
#include <unistd.h>
int main(void)
{
    char text[3] = "0 ";
    for (int i = 0; i < 7; i++)
        text[0] += i / 2 + i * i % 2;
    return write(1, text, 2) != 2;
}
"""
FAILURES = {
    "write": "ENOSPC", "pwrite64": "EIO", "openat": "EMFILE", "rename": "EACCES", "renameat2": "EACCES", "linkat": "EIO",
    "fsync": "EIO", "fdatasync": "EIO", "ftruncate": "ENOSPC", "memfd_create": "ENFILE", "pipe2": "EMFILE", "vfork": "EAGAIN",
    "clone3": "EAGAIN", "mkdir": "ENOSPC", "unlink": "EACCES", "chmod": "EPERM", "mmap": "ENOMEM",
}  # fmt: skip
COMMANDS = {
    "compile": "easecc -m riscv32 -O1 -c program.c -o program.o",
    "link": "easecc -m riscv32 -O1 program.c -o program",
    "measure": "easecc -m riscv32 -O1 -measure -report report.json -save -db kept.ease program.c",
    "record": "easecc -m riscv32 -O1 -record run.record program.c",
    "trace": "easecc -m riscv32 -O1 -trace execution -trace-to run.trace program.c",
    "replay": "ease replay given.record -report replayed.json",
    "report": "ease report -db given.ease -1 -show functions",
    "sweep": "ease sweep -m riscv32 --set registers.r.count=16,32 program.c -o sweep.csv",
    "compare": "ease compare -m riscv32 -m proposed small.c -o difference.html --json difference.json",
    "dossier": "ease dossier -m riscv32 -m proposed -o dossier small.c",
    "page": "ease page -db given.ease -1 -o page.html",
    "ablation": "ease experiment ablation -m riscv32 --only MUL,DIV --json worth.json program.c",
}
GIVEN = {  # commands, by files that others want to be there
    "given.record": "easecc -m riscv32 -O1 -record given.record program.c",
    "given.ease": "easecc -m riscv32 -O1 -save -db given.ease program.c",
}
BEGINS = re.compile(r"(program|small)\.c|given\.|/cache")  # a call that says that the command, and not only Python, has begun
CALL = re.compile(r"(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)")
VARIES = re.compile(r"(?<=cache/)entries/[^\"]*|tmp\w{8}|ease-\w+-\w{8}|\bsem\.[\w-]+|#\d+|pipe:.*")  # from run to run
HERE = re.compile(r"AT_FDCWD<[^>]*>")
OPEN = re.compile(r"\d+<([^>]*)>")  # a file, as strace -y tells it, by its descriptor
TOLD = re.compile(r"^(written|printed): ", re.MULTILINE)  # by the program, whose own call has failed
SECONDS = 1200  # that a command may take on a busy machine
PATIENCE = 60  # for processes that end because the command has
STORE, JOURNAL = ".ease", "-journal"  # ends of names; who opens a store next undoes what is in its journal
TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True)
class Failing:
    """A call that is to fail: the `number`-th of its `name`; `role` tells what it is for."""

    name: str
    number: int
    role: str
    always: bool = False
    kill: bool = False

    @property
    def words(self) -> list[str]:
        """The words that tell strace."""
        return ["-e", f"trace={self.name}", "-e", f"inject={self.name}:{self.how}:when={self.number}{'+' * self.always}"]

    @property
    def how(self) -> str:
        """What happens in the call."""
        return "signal=KILL" if self.kill else f"error={FAILURES[self.name]}"

    def __str__(self) -> str:
        return f"{self.name} {self.number}{'+' * self.always} {self.how} ({self.role})"


class Place:
    """A folder with the program, and a cache that has the library where `warm` was called."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.kept = root / "cache"
        self.kept.mkdir()
        self.number = 0
        self.given: dict[str, bytes] = {}

    def warm(self, command: str) -> None:
        """Keep what a command compiles of the library: it runs with another program that has the same functions."""
        folder, _ = self.run(command, [], "i + i")
        shutil.copytree(folder / "cache", self.kept, dirs_exist_ok=True)
        shutil.rmtree(folder)

    def run(self, command: str, words: list[str], term: str = "i * i") -> tuple[Path, subprocess.CompletedProcess[str]]:
        """Run a command under strace in a fresh folder with a copy of the cache."""
        self.number += 1
        folder = self.root / f"try{self.number}"
        folder.mkdir()
        (folder / "program.c").write_text(SOURCE.replace("i * i", term))
        (folder / "small.c").write_text(SMALL.replace("i * i", term))
        for name in GIVEN.keys() & set(command.split()) if command not in GIVEN.values() else ():
            if name not in self.given:
                made, _ = self.run(GIVEN[name], [])
                self.given[name] = (made / name).read_bytes()
            (folder / name).write_bytes(self.given[name])
        shutil.copytree(self.kept, folder / "cache")
        return folder, self.again(folder, command, ["strace", "-o", "calls", *words])

    def again(self, folder: Path, command: str, before: list[str]) -> subprocess.CompletedProcess[str]:
        """Run a command in a folder."""
        name, *words = command.split()
        own = {"EASE_CACHE": "cache", "TMPDIR": str(folder / "temporary"), "PYTHONDONTWRITEBYTECODE": "1"}
        environment = {**os.environ, **own}
        (folder / "temporary").mkdir(exist_ok=True)
        line = [*before, str(Path(sys.executable).parent / name), *words]
        return subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS)


def traced() -> list[str]:
    """Return the words that let strace note all calls that may be made to fail."""
    return ["-y", "-e", "trace=" + ",".join(FAILURES)]


def files_of(folder: Path) -> dict[str, bytes | None]:
    """Return the files of a folder without its cache; None for a folder."""
    found = (path for path in sorted(folder.rglob("*")) if path.relative_to(folder).parts[0] not in ("cache", "calls"))
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in found}


def calls_of(folder: Path, every: bool, kill: bool = False) -> Iterator[Failing]:
    """Yield the calls to try of those that a run made once it had begun to work in its folder; they fail, or kill it."""
    counts: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()
    began = False
    for line in (folder / "calls").read_text().splitlines():
        match = CALL.match(line)
        if match is None or match[1] not in FAILURES:
            continue
        name, text = match[1], HERE.sub("", match[2])
        counts[name] = counts.get(name, 0) + 1
        began = began or BEGINS.search(text) is not None
        if not began or (name == "openat" and str(folder) not in text and '"cache' not in text):
            continue  # of Python, which imports modules
        file = OPEN.match(text)
        told = file[1] if file else text if '"' in text else text.split(",")[0]
        if name == "mmap":  # one library, and memory of each size
            told = "a library" if ".so" in text else text.partition(", ")[2]
        role = VARIES.sub("H", told.replace(str(folder), "."))[:90]
        if every or (name, role) not in seen:
            first = not any(known == name for known, _ in seen)
            seen.add((name, role))
            yield Failing(name, counts[name], role, kill=kill)
            if name not in ("openat", "mmap") and (every or first) and not kill:  # else Python imports nothing any more
                yield Failing(name, counts[name], role, True)


def faults_of(place: Place, command: str, failing: Failing, clean: dict[str, bytes | None], output: str) -> list[str]:
    """Run a command with a failing call; return what is wrong about how it ended."""
    folder, done = place.run(command, failing.words)
    left, wrong = files_of(folder), []
    silent = failing.name == "write" and failing.always  # nothing can be told
    if TRACEBACK in done.stderr:
        wrong.append("a traceback:\n" + done.stderr)
    if done.returncode == 0:
        if done.stdout != output and not TOLD.search(done.stderr):
            wrong.append(f"prints {done.stdout!r}")
        wrong += [f"{name} is missing" for name in sorted(clean.keys() - left.keys()) if name != "written"]
    elif done.returncode != 1 or not (done.stderr.strip() or silent):
        wrong.append(f"status {done.returncode}, {done.stderr!r}")
    stays = JOURNAL if failing.name == "unlink" else ()  # nobody can remove it
    wrong += [f"left {name}" for name in sorted(left.keys() - clean.keys()) if not name.endswith(stays)]
    second = place.again(folder, command, [])
    if (second.returncode, second.stdout) != (0, output):
        wrong.append(f"again: status {second.returncode}, {second.stdout!r} {second.stderr!r}")
    shutil.rmtree(folder)
    return wrong


def faults_of_kill(place: Place, command: str, failing: Failing, clean: dict[str, bytes | None], output: str) -> list[str]:
    """Run a command that is killed in a call; return what is wrong about what it leaves."""
    folder, done = place.run(command, failing.words)
    left, wrong = files_of(folder), []
    if done.returncode != -signal.SIGKILL:
        wrong.append(f"status {done.returncode}, {done.stderr!r}")
    wrong += [f"left {name}" for name in sorted(left.keys() - clean.keys()) if not name.endswith(JOURNAL)]
    wrong += [f"left a part of {name}" for name in sorted(left.keys() & clean.keys())
              if left[name] != clean[name] and not name.endswith(STORE) and name != "written"]  # fmt: skip
    end = time.monotonic() + PATIENCE
    while (alive := processes_in(folder)) and time.monotonic() < end:
        time.sleep(0.1)
    wrong += [f"goes on: {words}" for words in alive]
    second = place.again(folder, command, [])
    if (second.returncode, second.stdout) != (0, output):
        wrong.append(f"again: status {second.returncode}, {second.stdout!r} {second.stderr!r}")
    wrong += [f"left {name} for ever" for name in sorted(files_of(folder).keys() - clean.keys())]
    shutil.rmtree(folder)
    return wrong


def processes_in(folder: Path) -> list[str]:
    """Return the command lines of processes whose working directory is a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if Path(os.readlink(process / "cwd")) == folder:
                found.append((process / "cmdline").read_bytes().decode(errors="replace").replace("\0", " "))
    return found


def main() -> int:
    """Try some commands; returns 1 if something was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--all", action="store_true", help="each call, not one of each kind")
    parser.add_argument("--kill", action="store_true", help="kill the command in the call, in place of an error")
    options = parser.parse_args()
    tried = bad = 0
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        place = Place(Path(name))
        for command in map(COMMANDS.__getitem__, options.commands.split(",")):
            place.warm(command)
            folder, first = place.run(command, traced())
            if first.returncode:
                print(command, first.stderr)
                return 1
            clean = files_of(folder)
            faults = faults_of_kill if options.kill else faults_of
            for failing in calls_of(folder, options.all, options.kill):
                tried += 1
                for wrong in faults(place, command, failing, clean, first.stdout):
                    bad += 1
                    print(f"{command}: {failing}: {wrong}", flush=True)
            print(f"{command}: {tried} tried, {bad} wrong", flush=True)
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main())
