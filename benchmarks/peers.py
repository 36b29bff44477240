"""Other tools on the same programs: what they are run on is built here, and their time is that of a process.

Starting a process takes time, of some tools much: that of a program which does nothing is taken off.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from emulated import cache_plugin, counting_plugin
from modes import LARGE, SMALL
from programs import Subject

from cache_sim.config import MemorySystem
from ease.run.verify import ToolMissing, build, emulation
from vpo.build.compiler import Compiler

NOTHING = "int main(void) { return 0; }\n"


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool.  `command` makes the command that runs a program, in a folder of its own.

    `rivals`: the modes that do as much; 'plain' is host code without measuring.
    """

    name: str
    what: str
    rivals: tuple[str, ...]
    command: Callable[[Subject, Path], list[str]]


def _native(subject: Subject, folder: Path) -> list[str]:
    executable = folder / "native"
    if shutil.which("gcc") is None:
        raise ToolMissing("'gcc' is not installed")
    if not executable.exists():
        subprocess.run(["gcc", "-O2", "-w", "-o", executable, subject.source, "-lm"], check=True)
    return [str(executable), *subject.arguments[1:]]


def _cachegrind(subject: Subject, folder: Path) -> list[str]:
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise ToolMissing("'valgrind' is not installed")
    options = ["--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null", "--I1=1024,1,32", "--D1=1024,1,32"]
    return [valgrind, "-q", *options, *_native(subject, folder)]


def _emulated(subject: Subject, folder: Path, *plugins: str) -> list[str]:
    kept = folder / "emulated"
    if not kept.exists():
        kept.mkdir()
        build(subject.program, kept)
    executable = next(path for path in kept.iterdir() if path.suffix not in (".s", ".o"))
    return emulation(subject.program, executable, subject.arguments, plugins)


def _counting(subject: Subject, folder: Path) -> list[str]:
    return _emulated(subject, folder, counting_plugin(folder))


def _simulating(system: MemorySystem) -> Callable[[Subject, Path], list[str]]:
    def command(subject: Subject, folder: Path) -> list[str]:
        return _emulated(subject, folder, f"{cache_plugin(system, folder)},out={folder / 'misses'}")

    return command


PEERS = (
    Peer("gcc", "native code, gcc -O2", ("plain", "counts"), _native),
    Peer("cachegrind", "valgrind, native code, I and D 1 KiB, 32 bytes", ("unified",), _cachegrind),
    Peer("qemu", "qemu-user", ("plain", "counts"), _emulated),
    Peer("qemu-counts", "qemu-user, counts instructions", ("counts",), _counting),
    Peer("qemu-icache", "I-cache 1 KiB", ("icache", "icache-still"), _simulating(MemorySystem(instruction=SMALL))),
    Peer("qemu-dcache", "D-cache 1 KiB", ("dcache", "dcache-still"), _simulating(MemorySystem(data=SMALL))),
    Peer("qemu-unified", "unified 1 KiB", ("unified",), _simulating(MemorySystem(instruction=SMALL, data=SMALL))),
    Peer("qemu-dcache4", "D-cache 8 KiB 4-way LRU", ("dcache4",), _simulating(MemorySystem(data=LARGE))),
)


class Process:
    """A program under a tool, ready to run."""

    def __init__(self, peer: Peer, subject: Subject, folder: Path) -> None:
        """Build what is missing.

        Raises ToolMissing.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.command = folder, peer.command(subject, folder)
        (folder / "stdin").write_bytes(subject.stdin)

    def seconds(self) -> float:
        """Run it; files, not pipes, and an empty environment, which would move the arguments."""
        with open(self.folder / "stdin", "rb") as given, open(self.folder / "stdout", "wb") as printed:
            start = time.perf_counter()
            subprocess.run(self.command, stdin=given, stdout=printed, stderr=subprocess.DEVNULL, env={}, check=False)
            return time.perf_counter() - start

    @property
    def output(self) -> bytes:
        """What the last run printed."""
        return (self.folder / "stdout").read_bytes()


def start_seconds(peer: Peer, compiler: Compiler, folder: Path, repeat: int) -> float:
    """Return the time of a process that does nothing.

    Raises ToolMissing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "nothing.c"
    source.write_text(NOTHING)
    process = Process(peer, Subject("nothing", source, ["nothing"], b"", compiler.program([str(source)])), folder)
    return min(process.seconds() for _ in range(repeat))
