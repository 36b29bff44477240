"""Other compilers for a machine, with an extension or without: the same source, the same headers, our library.

What they make of a source is assembly text, from which an object is made and linked with the library of the machine without
the extension, which ours made; so only the user's code differs, and only that is counted (user_code.py).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from user_code import FLAGS, THEIRS, Executable, Subject, counted, linked, must, tool, user_text

from ease.run.verify import ToolMissing
from vpo.build.compiler import Compiler, Settings
from vpo.libc import HEADERS
from vpo.machines.machine import Machine
from vpo.machines.read.load import load
from vpo.opt.driver import LEVELS


@dataclass(frozen=True, slots=True)
class Twin:
    """Another instruction that does the same, for emulators and assemblers that do not know one yet."""

    text: str  # what begins its assembly, instead of the name
    mask: int  # the bits of its words that are fixed, and what they are
    value: int


# Zicond came to qemu 8.0 and binutils 2.41; XVentanaCondOps has the same instructions
TWINS = {
    "CZERO.EQZ": Twin(".insn r 0x7b, 6, 0,", 0xFE00707F, 0x0000607B),
    "CZERO.NEZ": Twin(".insn r 0x7b, 7, 0,", 0xFE00707F, 0x0000707B),
}
EMULATOR = 'abbreviations.cpu.twins=",xventanacondops=on"'


@dataclass(frozen=True, slots=True)
class Cost:
    """What the user's code executes and takes; how often each instruction of the extension is executed, or bytes of it."""

    instructions: int
    bytes: int
    by: dict[str, int]


def compilers(machine: Machine) -> list[tuple[str, ...]]:
    """Return the commands of the compilers that there are: the machine's own, and the newest clang."""
    own = machine.toolchain.compiler
    if own is None or shutil.which(own[0]) is None:
        raise ToolMissing(f"'{own[0]}' is not installed" if own else f"machine '{machine.name}' names no compiler")
    clangs = (f"clang-{version}" for version in range(40, 13, -1))
    clang = next((each for each in clangs if shutil.which(each)), None)
    if clang is None:
        return [own]
    bits = re.search(r"rv(\d+)", " ".join(own))
    return [own, (clang, f"--target=riscv{bits[1] if bits else ''}-unknown-elf", *own[1:])]


def name_of(command: Sequence[str]) -> str:
    """Return what a compiler is called in tables."""
    return f"{'clang' if 'clang' in command[0] else 'gcc'} {version_of(command[0])}"


@cache
def version_of(command: str) -> str:
    """Return a compiler's version."""
    return must([command, "-dumpversion"]).strip()


def knows(command: Sequence[str]) -> bool:
    """Whether a compiler, with its assembler, knows the extension that its command names."""
    words = [*command, "-c", "-x", "c", "-o", "/dev/null", "/dev/null"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


@cache
def full(command: tuple[str, ...], level: str) -> tuple[str, ...]:
    """Return the command that compiles with our headers, but for those that a compiler needs of its own."""
    own = must([*command, "-print-file-name=include"]).strip()
    return (*command, "-nostdinc", "-isystem", own, "-isystem", str(HEADERS), *FLAGS, f"-{level}")


def new_instructions(base: str, machine: str) -> list[str]:
    """Return the names that an extended machine has and its base has not."""
    known = {form.name for form in load(base).recognizer.alternatives}
    return list(dict.fromkeys(form.name for form in load(machine).recognizer.alternatives if form.name not in known))


def theirs(source: Path, command: Sequence[str], level: str, library: Compiler, folder: Path) -> Executable:
    """Build a program with another compiler; `library` makes the library.

    Raises ToolMissing, Failed.
    """
    text, made = folder / "their.s", folder / THEIRS
    must([*full(tuple(command), level), "-S", "-o", text, source])
    lines = [line for line in text.read_text().splitlines() if not re.match(r"\s*\.attribute\s", line)]
    twins = {name.lower(): twin for name, twin in TWINS.items()}
    pattern = re.compile(rf"^(\s*)({'|'.join(map(re.escape, twins))})(?=\s)")
    replaced = [pattern.sub(lambda found: found[1] + twins[found[2]].text, line) for line in lines]
    text.write_text("\n".join(replaced) + "\n")
    must([*command, "-c", "-o", made, text])  # its own assembler knows what it knows; the linker need not
    must([tool(library.machine, "objcopy"), "--remove-section=.riscv.attributes", made])
    return linked(library, folder)


def their_cost(
    subject: Subject, command: Sequence[str], level: str, base: str, names: Sequence[str], machine: str, plugin: Path | None
) -> Cost:
    """Return what a program costs as another compiler makes it; without a plugin it is not run.

    Raises ToolMissing, Failed.
    """
    library = compiler(base, "O1", (EMULATOR,))
    with tempfile.TemporaryDirectory() as temporary:
        made = theirs(subject.source, command, level, library, Path(temporary))
        if plugin is None:
            return Cost(0, made.size, bytes_of(user_text(library.machine, made), codes(machine, tuple(names))))
        (executed, _), *words = counted(made, subject, plugin, ",words=on")
    by = Counter[str]()
    for name, mask, value in codes(machine, tuple(names)):
        by[name] += sum(times for word, times in words if word & mask == value)
    return Cost(executed, made.size, {name: times for name, times in by.items() if times})


def bytes_of(text: bytes, known: Sequence[tuple[str, int, int]]) -> dict[str, int]:
    """Return how many bytes of some code are instructions of these names; others have 2 or 4, as RISC-V's."""
    by, place = Counter[str](), 0
    while place < len(text):
        size = 4 if text[place] & 3 == 3 else 2
        word = int.from_bytes(text[place : place + size], "little")
        fitting = [name for name, mask, value in known if word & mask == value and (value & 3 == 3) == (size == 4)]
        by.update(dict.fromkeys(fitting, size))
        place += size
    return dict(by)


@cache
def codes(machine: str, names: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """Return masks and values of the words of some instructions, and of their twins, each once."""
    forms = load(machine).recognizer.alternatives
    found = [(form.name, form.code.mask, form.code.value) for form in forms if form.name in names and form.code]
    twins = [(name, TWINS[name].mask, TWINS[name].value) for name in names if name in TWINS]
    return list({(mask, value): (name, mask, value) for name, mask, value in [*found, *twins]}.values())


@cache
def compiler(machine: str, level: str, settings: tuple[str, ...] = ()) -> Compiler:
    """Return our compiler at a level such as 'O2'."""
    return Compiler(load(machine, settings), Settings(level={f"O{name}": name for name in LEVELS}[level]))
