"""The code of a program's own sources, apart from its library's: how it is built, run and counted.

Our compiler and the machine's gcc compile the same source with the same headers.  Both are linked with the same library and
start-up code, which are ours, and run in qemu-user; a plugin counts what is executed within the user's functions.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from ease.run.verify import ToolMissing, build, emulation, tools_of
from vpo.base.parallel import end_with
from vpo.build.compiler import Compiler
from vpo.il import AddressItem
from vpo.libc import HEADERS, SOURCES, defining_file
from vpo.link.assembly import assembly
from vpo.link.link import link
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl.function import Data, Unit

ROOT = Path(__file__).parents[1]
PLUGIN, SCRIPT = (Path(__file__).parent / name for name in ("user_plugin.c", "user_code.ld"))
FLAGS = ("-std=gnu11", "-w", "-fno-pic", "-fno-pie", "-fno-stack-protector", "-fno-asynchronous-unwind-tables",
         "-ffunction-sections",
         "-fno-builtin-sin", "-fno-builtin-cos")  # which gcc would put together, for a library with `sincos`  # fmt: skip
# libgcc has some of our library's helpers as well, and would call `raise` for a division by zero; ARM's was not compiled for
# floating registers, but no helper that is used has floating arguments
LIBGCC = ("--allow-multiple-definition", "--no-warn-mismatch", "--defsym", "raise=0", "-z", "noexecstack")
THEIRS = "their.o"  # which the script for the linker names
SECONDS = 300  # for a run in the emulator


class Failed(Exception):
    """A program cannot be built, or does not do what it should."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A program and a run of it: `arguments` begin with its name; paths start at the root of the project."""

    name: str
    source: Path
    arguments: list[str]
    stdin: bytes
    expected: bytes
    exit_status: int


@dataclass(frozen=True, slots=True)
class Executable:
    """A program, linked: the addresses of the user's functions, and their bytes together.

    `program` has what belongs to our part of it: the start-up code and the library, perhaps the user's part too.
    """

    file: Path
    program: Program
    first: int
    end: int
    size: int


@dataclass(frozen=True, slots=True)
class Quality:
    """What the user's code costs: instructions and references to memory executed, bytes of text."""

    instructions: int
    references: int
    bytes: int


# ---------------------------------------------------------------------------------------------------------- building


def ours(source: Path, compiler: Compiler, folder: Path) -> Executable:
    """Build a program with our compiler.

    Raises ToolMissing, UserError.
    """
    program = compiler.program([str(source)])
    ranges = [
        (program.addresses[name][0], program.addresses[name][-1])
        for name, function in program.functions.items()
        if function.file and not Path(function.file).is_relative_to(SOURCES)  # the source, and what it includes
    ]
    size = sum(end - first for first, end in ranges)
    return Executable(build(program, folder), program, min(ranges)[0], max(ranges)[1], size)


def theirs(source: Path, compiler: Compiler, level: str, folder: Path) -> Executable:
    """Build a program with the machine's gcc at a level such as 'O2'; `compiler` makes the library.

    Raises ToolMissing, Failed.
    """
    must([*gcc(compiler.machine), *FLAGS, f"-{level}", "-c", "-o", folder / THEIRS, source])
    return linked(compiler, folder)


def linked(compiler: Compiler, folder: Path) -> Executable:
    """Link the object THEIRS in a folder, which another compiler made, with our library.

    Raises ToolMissing, Failed.
    """
    machine = compiler.machine
    theirs_object, our_source, our_object, file = (folder / name for name in (THEIRS, "our.s", "our.o", "program"))
    defined, undefined = _symbols(machine, theirs_object)
    program = library(compiler, defined, undefined)
    our_source.write_text(assembly(machine, program.functions.values(), program.data))
    must([*machine.toolchain.assembler, "-o", our_object, our_source])
    # our objects forbid what the linker does to shorten calls; in theirs it is part of the toolchain
    linker = [word for word in machine.toolchain.linker if word != "--no-relax"]
    helpers = [name for name in must([*gcc(machine), "-print-libgcc-file-name"]).split() if Path(name).is_file()]
    must([*linker, "--gc-sections", *LIBGCC, "-T", SCRIPT, "-o", file, theirs_object, our_object, *helpers])
    first, end, size = _user_text(machine, file)
    return Executable(file, program, first, end, size)


def library(compiler: Compiler, defined: Sequence[str], undefined: Sequence[str]) -> Program:
    """Return the start-up code and what an object file needs of the library; the object defines `main`."""
    wanted = [f"_{name}" for name in undefined if defining_file(name)]
    items = [AddressItem(4 * number, name, 0) for number, name in enumerate(wanted)]
    main = Data("_main", 4 * len(wanted), 4, [*items], False, False, False)  # stands for the object
    elsewhere = frozenset(f"_{name}" for name in defined if name != "main")
    program = link([Unit(compiler.machine.name, [], [main])], compiler.machine, compiler.library, elsewhere)
    program.data[:] = [data for data in program.data if data.name != main.name]  # linking may have made another one of it
    return program


@cache
def gcc(machine: Machine) -> tuple[str, ...]:
    """Return the command of the machine's gcc, with our headers; those that its compiler needs, as <stdarg.h>, are its own.

    Raises ToolMissing.
    """
    tools_of(machine)
    command = machine.toolchain.compiler
    if not command or shutil.which(command[0]) is None:
        raise ToolMissing(f"'{command[0]}' is not installed" if command else f"machine '{machine.name}' names no compiler")
    own = must([*command, "-print-file-name=include"]).strip()
    return (*command, "-nostdinc", "-isystem", own, "-isystem", str(HEADERS))


def _nm(machine: Machine, *words: str | Path) -> list[list[str]]:
    """Return the fields of the lines that `nm` prints."""
    return [line.split() for line in must([tool(machine, "nm"), *words]).splitlines()]


def tool(machine: Machine, name: str) -> str:
    """Return the command of a tool that goes with the machine's gcc."""
    return must([*gcc(machine), f"-print-prog-name={name}"]).strip()


def _symbols(machine: Machine, object_file: Path) -> tuple[list[str], list[str]]:
    """Return the external symbols that an object file defines, and those that it lacks."""
    lines = _nm(machine, "-g", object_file)
    return [line[2] for line in lines if len(line) == 3], [line[1] for line in lines if len(line) == 2]


def _user_text(machine: Machine, file: Path) -> tuple[int, int, int]:
    """Return the first address of the user's text, its end, and the bytes of its functions."""
    symbols = {line[-1]: int(line[0], 16) for line in _nm(machine, file)}
    first, end = symbols["__user_text"], symbols["__user_end"]
    sizes = {
        int(line[0], 16): int(line[1], 16)
        for line in _nm(machine, "-S", file)
        if len(line) == 4 and first <= int(line[0], 16) < end
    }
    return first, end, sum(sizes.values())


def user_text(machine: Machine, executable: Executable) -> bytes:
    """Return the user's code, which the linker's script puts first of all."""
    with tempfile.NamedTemporaryFile() as made:
        must([tool(machine, "objcopy"), "-O", "binary", "--only-section=.text", executable.file, made.name])
        return Path(made.name).read_bytes()[: executable.end - executable.first]


def must(command: Sequence[str | Path]) -> str:
    """Run a tool and return what it printed.

    Raises Failed if it fails.
    """
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if result.returncode:
        raise Failed(f"{' '.join(map(str, command))} failed:\n{result.stderr[-1000:]}")
    return result.stdout


# ---------------------------------------------------------------------------------------------------------- counting


def plugin(folder: Path) -> Path:
    """Compile the counting plugin.

    Raises ToolMissing.
    """
    if shutil.which("cc") is None:
        raise ToolMissing("'cc' (C compiler for the plugin) is not installed")
    library_file = folder / "user_plugin.so"
    must(["cc", "-O2", "-shared", "-fPIC", "-o", library_file, PLUGIN])
    return library_file


def quality(executable: Executable, subject: Subject, plugin_file: Path) -> Quality:
    """Run a program and count.

    Raises Failed if it does not print what it should.
    """
    totals, *_ = counted(executable, subject, plugin_file)
    return Quality(*totals, executable.size)


def counted(executable: Executable, subject: Subject, plugin_file: Path, more: str = "") -> list[tuple[int, int]]:
    """Run a program; return instructions and references, and what `more` makes the plugin write: words with counts.

    Raises Failed if it does not print what it should.
    """
    with tempfile.TemporaryDirectory() as temporary:
        counts, given = Path(temporary) / "counts", Path(temporary) / "stdin"
        given.write_bytes(subject.stdin)
        options = f"{plugin_file},out={counts},first={executable.first},end={executable.end}{more}"
        command = emulation(executable.program, executable.file, subject.arguments, [options])
        with given.open("rb") as stream:  # a file, not a pipe: reads are never short
            try:
                result = subprocess.run(
                    command, stdin=stream, capture_output=True, cwd=ROOT, env={}, timeout=SECONDS, check=False,
                    preexec_fn=partial(end_with, os.getpid()),
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                raise Failed(f"{subject.name}: does not end within {SECONDS} seconds") from None
        if (result.returncode, result.stdout) != (subject.exit_status, subject.expected):
            raise Failed(f"{subject.name}: exit status {result.returncode}, or it prints something else than expected")
        (totals, *words) = (line.split() for line in counts.read_text().splitlines())
        return [(int(totals[0]), int(totals[1])), *((int(word, 16), int(times)) for word, times in words)]


def measured(subject: Subject, compiler: Compiler, plugin_file: Path, level: str = "") -> Quality:
    """Build a program with our compiler, or with gcc at a level, and count.

    Raises ToolMissing, Failed, UserError.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        made = theirs(subject.source, compiler, level, folder) if level else ours(subject.source, compiler, folder)
        return quality(made, subject, plugin_file)
