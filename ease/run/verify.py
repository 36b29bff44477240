"""Ground truth: our assembly text through the real assembler and linker, run by the real emulator, compared with us.

The description's `toolchain:` section names the programs.  The emulator must be qemu-user with plugins: a plugin of a
few lines, compiled with the host's C compiler, counts the instructions that it executes.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from pathlib import Path
from typing import IO

from ease.model.results import Counts
from vpo.analysis.pools import literal_pools
from vpo.base import cache
from vpo.base.parallel import end_with
from vpo.link.assembly import Printer, assembly
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import TAKEN, Delay

KEYS = ("assembler", "linker", "emulator", "disassembler")
HIGH = 500  # a descriptor that programs do not come to


class ToolMissing(Exception):
    """A program that ground truth needs is not installed, or the machine has none."""


@dataclass
class Truth:
    """What the real tools say of a program."""

    output: bytes
    errors: bytes
    exit_status: int
    instructions: int
    sizes: dict[str, list[int]]  # by function: the address of each instruction, and of the end, from its start


@dataclass
class Comparison:
    """The differences between the truth and us, in words; none: verified."""

    differences: list[str] = field(default_factory=list)

    def check(self, what: str, real: object, ours: object) -> None:
        """Note a difference."""
        if real != ours:
            self.differences.append(f"{what}: the real machine has {_short(real)}, ease has {_short(ours)}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) < 200 else text[:200] + "..."


def tools_of(machine: Machine) -> dict[str, list[str]]:
    """Return the machine's tools.

    Raises ToolMissing with what to install.
    """
    tools = {key: list(getattr(machine.toolchain, key)) for key in KEYS}
    if not all(tools.values()):
        raise ToolMissing(f"machine '{machine.name}' names no toolchain ({', '.join(KEYS)}): there is nothing to compare with")
    for key, command in {**tools, "C compiler for the counting plugin": ["cc"]}.items():
        if shutil.which(command[0]) is None:
            raise ToolMissing(f"'{command[0]}' ({key}) is not installed")
    return tools


def run(command: Sequence[str], **options: object) -> subprocess.CompletedProcess[bytes]:
    """Run a tool and return what it printed."""
    return subprocess.run(list(command), capture_output=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


def _must(command: Sequence[str]) -> bytes:
    result = run(command)
    if result.returncode:
        raise ToolMissing(f"{' '.join(command)} failed:\n{result.stderr.decode(errors='replace')[:3000]}")
    return bytes(result.stdout)


def plugin(temporary: Path) -> Path:
    """Return the counting plugin: from the cache, compiled into the folder `temporary` if there is none.

    Raises ToolMissing.
    """
    source = resources.files("ease").joinpath("count_plugin.c").read_text(encoding="utf-8")
    kept = cache.folder("plugins")
    library = (kept or temporary) / f"count-{zlib.crc32(source.encode()):x}.so"
    if not library.exists():
        path, built = temporary / "plugin.c", temporary / "plugin.so"
        path.write_text(source, encoding="utf-8")
        _must(["cc", "-shared", "-fPIC", "-O2", "-o", str(built), str(path)])
        try:
            cache.write(library, built.read_bytes())
        except OSError:
            return built
    return library


def build(program: Program, folder: Path) -> Path:
    """Assemble and link a program; return the executable.

    Raises ToolMissing, also when a tool rejects our text.
    """
    machine = program.machine
    tools = tools_of(machine)
    source, object_file, executable = folder / "a.s", folder / "a.o", _executable(folder)
    text = assembly(machine, program.functions.values(), program.data, section="data")
    source.write_text(text, encoding="utf-8")
    _must([*tools["assembler"], "-o", str(object_file), str(source)])
    places = [f"-Ttext={machine.layout.text:#x}", f"-Tdata={program.data_start:#x}"]
    places += [f"--section-start=.{space.name}={space.at:#x}" for space in machine.layout.spaces]
    _must([*tools["linker"], *places, "-o", str(executable), str(object_file)])
    return executable


def emulation(program: Program, executable: Path, arguments: Sequence[str], plugins: Sequence[str] = ()) -> list[str]:
    """Return the command that runs a program in the emulator.

    It wants an empty environment, which would move the arguments.  A plugin is told which addresses are not what the
    emulator has instead of a kernel: `from`, `to`.
    """
    command = tools_of(program.machine)["emulator"]
    own = f"from={program.machine.layout.text},to={program.end}"
    options = [word for name in plugins for word in ("-plugin", f"{name},{own}")]
    emulator = [shutil.which(command[0]) or command[0], *command[1:]]
    return [*emulator, *options, "-0", arguments[0], str(executable), *arguments[1:]]


def truth(
    program: Program, arguments: Sequence[str], stdin: bytes | None = None, timeout: float | None = None,
    watch: Callable[[IO[bytes]], None] | None = None, kept: str | None = None,
) -> Truth:  # fmt: skip
    """Assemble, link and run a program with the real tools; `watch` reads what it refers to, meanwhile.

    `kept` is the file in which the executable is kept.

    Raises ToolMissing, also when a tool rejects our text, and subprocess.TimeoutExpired when the emulator does not end
    within `timeout` seconds.
    """
    tools = tools_of(program.machine)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        library = plugin(folder)
        executable = build(program, folder)
        if kept is not None:
            shutil.copyfile(executable, kept)
        count = folder / "count"
        descriptor, watching = _watched(watch)
        command = emulation(program, executable, arguments, [f"{library},out={count},references={descriptor}"])
        given, output, errors = (folder / name for name in ("stdin", "stdout", "stderr"))
        given.write_bytes(stdin or b"")
        # Files, not pipes, as in our runs: reads are never short, and a program may ask where it stands in its output.
        with given.open("rb") as stream, output.open("wb") as written, errors.open("wb") as said:
            own = partial(end_with, os.getpid())
            with watching:
                ended = subprocess.run(
                    command, stdin=stream, stdout=written, stderr=said, env={}, timeout=timeout, preexec_fn=own, check=False,
                    pass_fds=[descriptor] if watch else [],
                )  # fmt: skip
        listing = _must([*tools["disassembler"], str(executable)]).decode(errors="replace")
        instructions = int.from_bytes(count.read_bytes(), sys.byteorder) if count.exists() else -1
        status = 128 - ended.returncode if ended.returncode < 0 else ended.returncode  # as a shell tells a signal
        return Truth(output.read_bytes(), errors.read_bytes(), status, instructions, _addresses(listing, program))


def _watched(watch: Callable[[IO[bytes]], None] | None) -> tuple[int, AbstractContextManager[None]]:
    """Return the descriptor that the emulator writes references to, and the context in which somebody reads them.

    The descriptor is a high one, so that those of the program's files are the usual ones.
    """
    if watch is None:
        return -1, nullcontext()
    reading, writing = os.pipe()
    high = fcntl.fcntl(writing, fcntl.F_DUPFD_CLOEXEC, HIGH)
    os.close(writing)
    return high, _reader(reading, high, watch)


@contextmanager
def _reader(reading: int, writing: int, watch: Callable[[IO[bytes]], None]) -> Iterator[None]:
    """Let a thread read a pipe until both the emulator and this process have closed its other end."""

    def read() -> None:
        with open(reading, "rb") as stream:
            watch(stream)
            while stream.read(1 << 20):
                pass

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(read)
        try:
            yield
        finally:
            os.close(writing)
        done.result()


def _executable(folder: Path) -> Path:
    """Return a path so long that qemu's stack has the arguments at the same addresses, modulo 16, as ours.

    qemu puts this path, 8 bytes below the top, behind the arguments; instructions may depend on their alignment.
    """
    length = len(str(folder)) + 1 + 1 + 8
    return folder / ("x" * (16 - length % 16 or 16))


_SYMBOL = re.compile(r"^([0-9a-f]+) <(.+)>:$")
_INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2,8} )+) *(\t?)(\.?)")


def _addresses(listing: str, program: Program) -> dict[str, list[int]]:
    """Read the address of every instruction of our functions from a disassembly."""
    printer = Printer(program.machine)
    names = {printer.symbol(name): name for name in program.functions}
    labels = {printer.label(name, block.label) for name, f in program.functions.items() for block in f.blocks}
    pools = _pools(program)
    found: dict[str, list[int]] = {}
    current: list[int] | None = None
    start = end = 0
    for line in listing.splitlines():
        if match := _SYMBOL.match(line):
            if match.group(2) in labels:
                continue
            if current is not None:
                current.append(end - start)
            name = names.get(match.group(2))
            start = int(match.group(1), 16)
            current = found.setdefault(name, []) if name is not None else None
        elif current is not None and (match := _INSTRUCTION.match(line)):
            address = int(match.group(1), 16)
            # a line with bytes only continues the one above; `.word` is a literal, `.byte` filler
            if match.group(4) if address not in pools else program.machine.capabilities.literals_before:
                continue
            if address not in pools and match.group(3):
                current.append(address - start)
            end = address + len(match.group(2).replace(" ", "")) // 2
    if current is not None:
        current.append(end - start)
    return found


def _pools(program: Program) -> set[int]:
    """Return the addresses of literals and of the filler before them, which a disassembler may take for instructions."""
    machine = program.machine
    return {
        program.symbols[name] + offset
        for name, function in program.functions.items()
        for pool in literal_pools(function, machine)
        for offset in pool.span(machine)
    }


def emulated(program: Program, counts: Counts) -> int:
    """Return how many instructions the emulator should count: one that traps for want of a register window begins twice."""
    machine, total = program.machine, sum(sum(traps.values()) for traps in counts.traps.values())
    page = machine.toolchain.annulled_page  # behind a branch, the emulator does not skip what is on another page
    for name, function in program.functions.items():
        position = 0
        for block, times in zip(function.blocks, counts.taken[name], strict=True):
            for rtl in block.rtls:
                count = counts.rtls[name][position]
                total += count * machine.record(rtl).counted
                delay = next((effect for effect in rtl.effects if isinstance(effect, Delay)), None)
                if delay is not None and page and program.addresses[name][position + 1] % page == 0:
                    total += count - times if delay is TAKEN else times
                position += 1
    return total


def compare_sizes(program: Program, real: Truth, comparison: Comparison) -> None:
    """Compare the size of every instruction, and of every function."""
    starts = [*(addresses[0] for addresses in program.addresses.values()), program.data_start]
    for (name, function), behind in zip(program.functions.items(), starts[1:], strict=True):
        ours = [address - program.addresses[name][0] for address in program.addresses[name]]
        theirs = real.sizes.get(name, [])
        rtls = function.rtls()
        for position, rtl in enumerate(rtls):
            if position + 1 >= len(theirs) or theirs[position + 1] - theirs[position] != ours[position + 1] - ours[position]:
                size = theirs[position + 1] - theirs[position] if position + 1 < len(theirs) else "no"
                text = program.machine.record(rtl).assembly
                comparison.differences.append(
                    f"{name[1:]}: `{text}` ({rtl!r}): the assembler made {size} bytes, the description says "
                    f"{ours[position + 1] - ours[position]}"
                )
                break
        else:
            if theirs[-1] > behind - program.addresses[name][0]:
                comparison.differences.append(
                    f"{name[1:]}: the assembler made {theirs[-1]} bytes, the description says {ours[-1]}"
                )
