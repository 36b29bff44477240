"""Each instruction of an extension on many random operands: what ease says it computes is what the emulator says."""

import subprocess

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from ease.run.verify import ToolMissing, build, emulation, tools_of
from tests.covering import some
from tests.kept_machines import load
from tests.machines.instruction_calls import C_TYPES, called
from vpo.build.compiler import Compiler, Settings
from vpo.machines.callable import InstructionFunctions

MACHINES = {"riscv32+b+zbkb+zbc": "riscv32", "riscv64+b+zbkb+zbc": "riscv64"}  # and without the extensions
OPERANDS = 1000
MISTAKEN = b"CTZW "  # by qemu before 8.0, which counts into the upper half
HEAD = r"""
#include <stdint.h>
#include <unistd.h>
static void put(const char *name, uint64_t value) {
    static char line[80];
    int n = 0;
    while (*name) line[n++] = *name++;
    line[n++] = ' ';
    for (int i = 60; i >= 0; i -= 4) line[n++] = "0123456789abcdef"[value >> i & 15];
    line[n++] = '\n';
    write(1, line, n);
}
static uint64_t seed = 88172645463325252u;
static uint64_t any(void) {
    seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
    switch (seed >> 3 & 7) {
    case 0: return (int8_t)seed;
    case 1: return 1ull << (seed >> 8 & 63);
    case 2: return seed & seed >> 9 & seed >> 23;
    default: return seed;
    }
}
"""


def random_program(machine, known):
    """Return a program that prints a digest of what each instruction makes of random operands."""
    functions = InstructionFunctions(machine, "machine")
    calls = called(functions, "__builtin_insn_", skipped=set(known))
    lines = [HEAD]
    for call in calls:
        given = [parameter for parameter in call.form.parameters if parameter.kind != "constant"]
        words = ", ".join(f"({C_TYPES[str(parameter.type)]})any()" for parameter in given)
        lines.append(call.text.partition("static void")[0])
        lines.append(f"static void t_{call.function}(void) {{ uint64_t h = 1; for (int i = 0; i < {OPERANDS}; i++) "
                     f"h = h * 31 + {call.function}({words}); put(\"{call.name}\", h); }}")  # fmt: skip
    lines.append("int main(void) { " + " ".join(f"t_{call.function}();" for call in calls) + " return 0; }")
    return "\n".join(lines), {call.name for call in calls}


def has_tools(name):
    try:
        tools_of(load(name))
    except ToolMissing:
        return False
    return True


@pytest.mark.parametrize("name", some(MACHINES, 1))
def test_random_operands(name, tmp_path):
    machine = load(name)
    known = {form.name.replace(".", "_") for form in load(MACHINES[name]).recognizer.alternatives}
    new = {form.name.replace(".", "_") for form in machine.recognizer.alternatives} - known
    text, tried = random_program(machine, known)
    assert tried == new
    (tmp_path / "operands.c").write_text(text)
    program = Compiler(machine, Settings(level=0)).program([str(tmp_path / "operands.c")])
    host, _ = counted_run(program, ["operands"], RunOptions(b"", capture=True, tier="fast"))
    assert host.exit_status == 0
    assert host.output.count(b"\n") >= len(new)
    if has_tools(name):
        real = subprocess.run(emulation(program, build(program, tmp_path), ["operands"]), capture_output=True, check=True)
        pairs = zip(real.stdout.splitlines(), host.output.splitlines(), strict=True)
        assert [pair for pair in pairs if pair[0] != pair[1] and not pair[0].startswith(MISTAKEN)] == []
