"""Calling conventions as another compiler understands them: one half of each program is compiled by that, the other by us.

For every machine whose description names a `compiler` in its `toolchain:` section, both ways round: one part of the
functions on each machine, the way round by turns; thorough: all functions both ways.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ease.run.verify import ToolMissing, tools_of
from tests.covering import case
from tests.kept_machines import load
from tests.machines.conformance import generate
from vpo.build.compiler import Compiler, Settings
from vpo.link.assembly import assembly
from vpo.link.link import link
from vpo.machines.names import machine_names

OPTIONS = ("-std=c99", "-O1", "-c", "-w", "-ffreestanding", "-fno-pic", "-fno-pie", "-fno-stack-protector",
           "-fno-asynchronous-unwind-tables")  # fmt: skip
SEED = 1
REAL = [name for name in machine_names() if load(name).toolchain.compiler]

pytestmark = pytest.mark.tools


def tools(machine):
    """The machine's tools, with a compiler; without them the test is skipped, or fails if EASE_REQUIRE_TOOLS is 1."""
    command = machine.toolchain.compiler
    try:
        if shutil.which(command[0]) is None:
            raise ToolMissing(f"'{command[0]}' (compiler) is not installed")
        return {**tools_of(machine), "compiler": command}
    except ToolMissing as missing:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            raise
        pytest.skip(str(missing))


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stderr[:3000]}"
    return done.stdout


def build(machine, commands, folder, ours, theirs, some):
    """Make a program of one half compiled by us, with the main program and library, and one compiled by the other compiler."""
    variadic = machine.toolchain.variadic
    for name, text in generate.program(SEED, some, variadic).items():
        (folder / name).write_text(text)
    names = [(f"_call{f.number}", f"_{f.name}") for f in generate.part(generate.signatures(SEED), some, variadic)]
    elsewhere = {"_callees"}.union(callee for _, callee in names) if theirs == "callees.c" else {caller for caller, _ in names}
    compiler = Compiler(machine, Settings(level=1))
    units = [compiler.unit(str(folder / file)) for file in (ours, "driver.c")]
    program = link(units, machine, compiler.library, frozenset(elsewhere))
    (folder / "ours.s").write_text(assembly(machine, program.functions.values(), program.data))
    run([*commands["assembler"], "-o", folder / "ours.o", folder / "ours.s"])
    run([*commands["compiler"], *OPTIONS, "-o", folder / "theirs.o", folder / theirs])
    helpers = [file for file in run([*commands["compiler"], "-print-libgcc-file-name"]).split() if Path(file).is_file()]
    run([*commands["linker"], "-o", folder / "program", folder / "ours.o", folder / "theirs.o", *helpers])
    return folder / "program"


WAYS = [("callees.c", "callers.c"), ("callers.c", "callees.c")]


def runs():
    for number, name in enumerate(REAL):
        yield case(name, *WAYS[number % 2], 7 * number % generate.PARTS, usual=True)
        yield from (case(name, *way, None, usual=False) for way in WAYS)


@pytest.mark.parametrize(("name", "ours", "theirs", "some"), list(runs()))
def test_convention(name, ours, theirs, some, tmp_path):
    machine = load(name)
    commands = tools(machine)
    executable = build(machine, commands, tmp_path, ours, theirs, some)
    done = subprocess.run([*commands["emulator"], executable], capture_output=True, check=False)
    if done.returncode or done.stdout != b"differences: 0\n":
        told = subprocess.run([*commands["emulator"], executable, "aloud"], capture_output=True, check=False).stdout
        last = told.decode(errors="replace").splitlines()[-1:]
        pytest.fail(f"exit status {done.returncode}, last {last}:\n{done.stdout.decode(errors='replace')[:4000]}")


def test_every_type_follows_every_other():
    pairs = {(a.name, b.name) for f in generate.signatures(SEED) for a, b in zip(f.parameters, f.parameters[1:], strict=False)}
    for types in (generate.SCALARS, generate.CORE, generate.VARIABLE):
        assert {(a.name, b.name) for a in types for b in types} <= pairs


def test_programs_are_the_same_every_time():
    assert generate.program(SEED) == generate.program(SEED)
