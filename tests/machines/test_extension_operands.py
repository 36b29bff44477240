"""Instructions on many random operands: what ease says that each computes is what the emulator says.

Of extensions, each instruction; of whole machines, each that C can call and that computes from registers.
"""

import subprocess

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from ease.run.verify import ToolMissing, build, emulation, tools_of
from tests.covering import case, some
from tests.kept_machines import NAMES, load
from tests.machines.instruction_calls import C_TYPES, called
from vpo.build.compiler import Compiler, Settings
from vpo.machines.callable import InstructionFunctions
from vpo.rtl import BITS, SHIFTS, Mem, Op, subexpressions

EXTENSIONS = {  # and the same without the extensions
    "riscv32+b+zbkb+zbc": "riscv32", "riscv64+b+zbkb+zbc": "riscv64", "riscv32+zfinx": "riscv32+soft",
}  # fmt: skip
MEMORY = ("FLW", "FSW")
OPERANDS = 1000
MISTAKEN = (  # what may differ
    b"CTZW ",  # qemu before 8.0 counts into the upper half
    b"FINTRZ_X ",  # RTLs have no -0 for what lies between -1 and 0
)
HEAD = r"""
#include <stdint.h>
#include <unistd.h>
static struct { unsigned char bytes[512]; } memory;
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
static union { double d; uint64_t bits; } both8;
static union { float f; uint32_t bits; } both4;
static double number8(void) {   /* of any sign, from 2**-20 to 2**20, a small integer, or zero */
    both8.bits = any() & 0x800fffffffffffffu | (1003 + any() % 40) << 52;
    return any() & 3 ? both8.d : any() & 1 ? (int8_t)any() : -0.0;
}
static float number4(void) {
    both4.bits = any() & 0x807fffffu | (107 + any() % 40) << 23;
    return any() & 3 ? both4.f : any() & 1 ? (int8_t)any() : -0.0f;
}
static uint64_t bits_F8(double x) { both8.d = x; return x == x ? both8.bits : 1; }
static uint64_t bits_F4(float x) { both4.f = x; return x == x ? both4.bits : 1; }
"""


def random_program(machine, known):
    """Return a program that prints a digest of what each instruction makes of random operands, and the instructions."""
    functions = InstructionFunctions(machine, "machine")
    calls = [call for call in called(functions, "__builtin_insn_", set(known), 4) if is_tried(call.form)]
    lines = [HEAD]
    for call in calls:
        words = [operand(call.form, parameter) for parameter in values_of(call.form)]
        result = str(call.form.results[0])
        value = f"{f'bits_{result}' if result in ('F4', 'F8') else ''}({call.function}({', '.join(words)}))"
        more = "".join(f" + memory.bytes[{500 + n}] * {n}u" for n in range(1, len(call.form.results)))
        lines.append(call.text.partition("static void")[0])
        lines.append(f"static void t_{call.function}(void) {{ uint64_t h = 1; for (int i = 0; i < {OPERANDS}; i++) {{ "
                     f"h = h * 31 + {value}; h = h * 31{more}; }} put(\"{call.name}\", h); }}")  # fmt: skip
    lines.append("int main(void) { " + " ".join(f"t_{call.function}();" for call in calls) + " return 0; }")
    return "\n".join(lines), {call.name for call in calls}


def is_tried(form):
    """Whether a form computes of registers, and does not divide numbers of two registers, whose quotients may be too long."""
    memory = any(parameter.kind == "address" for parameter in form.parameters) or any(isinstance(n, Mem) for n in nodes(form))
    return bool(form.results) and not memory and not (divides(form) and len(values_of(form)) > 2)


def nodes(form):
    return [node for effect in form.pattern for part in (effect.target, effect.source) for node in subexpressions(part)]


def values_of(form):
    return [parameter for parameter in form.parameters if parameter.kind != "constant"]


def operand(form, parameter):
    """Return a random argument: none divides by zero, and none is a distance that the machine and RTLs take otherwise."""
    kind = str(parameter.type)
    if kind in ("F4", "F8"):
        return f"number{kind[1]}()"
    operators = [node for node in nodes(form) if isinstance(node, Op)]
    word = f"({C_TYPES[kind]})any()"
    for node in operators if form.machine.distances else ():
        distance = [getattr(part, "name", repr(part)) for part in subexpressions(node.args[-1])]
        if node.op in SHIFTS and parameter.name in distance:
            return f"{'-' if repr(node.args[1]).startswith('neg') else ''}({word} & {BITS[node.type or 'L'] - 1})"
    return f"({word} | 1)" if divides(form) else word


def divides(form):
    return any(isinstance(node, Op) and node.op in ("/", "%", "/u", "%u") for node in nodes(form))


def has_tools(name):
    try:
        tools_of(load(name))
    except ToolMissing:
        return False
    return True


def check(name, known, folder):
    """Compare what the host and the emulator print; return the names of the instructions that were called."""
    text, tried = random_program(load(name), known)
    (folder / "operands.c").write_text(text)
    program = Compiler(load(name), Settings(level=0)).program([str(folder / "operands.c")])
    host, _ = counted_run(program, ["operands"], RunOptions(b"", capture=True, tier="fast"))
    assert host.exit_status == 0
    assert host.output.count(b"\n") >= len(tried)
    if has_tools(name):
        real = subprocess.run(emulation(program, build(program, folder), ["operands"]), capture_output=True, check=True)
        pairs = zip(real.stdout.splitlines(), host.output.splitlines(), strict=True)
        assert [pair for pair in pairs if pair[0] != pair[1] and not pair[0].startswith(MISTAKEN)] == []
    return tried


@pytest.mark.parametrize("name", some(EXTENSIONS, 1))
def test_random_operands(name, tmp_path):
    names = [[form.name for form in load(each).recognizer.alternatives] for each in (EXTENSIONS[name], name)]
    known, all_ = ({each.replace(".", "_") for each in some_} for some_ in names)
    assert {call for call in all_ - known if not call.startswith(MEMORY)} == check(name, known, tmp_path)


@pytest.mark.parametrize("name", [case(name, usual=name == "thumb2") for name in sorted(NAMES)])
def test_random_operands_of_all_instructions(name, tmp_path):
    if not has_tools(name):
        pytest.skip("no emulator")
    assert len(check(name, (), tmp_path)) > 10
