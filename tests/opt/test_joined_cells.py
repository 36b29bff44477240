"""Bytes that programs put together and take apart, in random ways: the same with the phases that join cells and without."""

import random

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.opt.driver import LEVELS, without

MACHINES = ("riscv32", "x86_64", "powerpc", "m68020", "aarch64", "i386", "vax", "s390x", "thumb2")
HEAD = """
typedef unsigned char u8; typedef signed char s8; typedef unsigned short u16; typedef unsigned u32;
typedef unsigned long long u64; typedef long long s64;
static u8 memory[64];
static unsigned sum;
static void add(u64 x) { sum = sum * 31 + (unsigned)x + (unsigned)(x >> 32) * 7; }
"""
MAIN = """
int main(void)
{{
    int i, j;
    for (j = 0; j < 3; j++) {{
        for (i = 0; i < 64; i++)
            memory[i] = i * 37 + j * 101;
{calls}
        for (i = 0; i < 64; i++)
            add(memory[i]);
    }}
    return (sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 24) & 127;
}}
"""


def reading(chance, number):
    """Return a function that puts a number together of bytes, mostly of neighbours in one order or the other."""
    size = chance.choice((2, 3, 4, 4, 8))
    places = [*range(size)]
    if chance.random() < 0.4:
        places.reverse()
    if chance.random() < 0.15:
        chance.shuffle(places)
    wide = "u64" if size == 8 else chance.choice(("u32", "u64", "u32"))
    first = chance.randrange(4)
    parts = []
    for shift, place in enumerate(places):
        at = f"p[n + {first + place}]" if chance.random() < 0.2 else f"p[{first + place}]"
        byte = f"(s8){at}" if chance.random() < 0.08 else at
        parts.append(f"({wide}){byte} << {8 * shift}" if shift or chance.random() < 0.5 else f"({wide}){byte}")
    chance.shuffle(parts)
    between = "    q[1] += 3;\n" if chance.random() < 0.2 else ""
    joined = chance.choice((" | ", " + ", " ^ ")).join(f"({part})" for part in parts[1:])
    ends = chance.choice(("", "(short)", "(u16)", "(int)"))
    return (f"static u64 f{number}(const u8 *p, u8 *q, int n)\n{{\n    {wide} x = {parts[0]};\n{between}"
            f"    x = x | ({joined});\n    return {ends}x;\n}}\n")  # fmt: skip


def writing(chance, number):
    """Return a function that stores the bytes of a number, or of some, mostly at neighbouring places."""
    size = chance.choice((2, 3, 4, 8))
    places = [*range(size)]
    if chance.random() < 0.4:
        places.reverse()
    constant = chance.random() < 0.3
    lines = []
    for shift, place in enumerate(places):
        at = f"p[n + {place}]" if chance.random() < 0.1 else f"p[{place}]"
        value = str(chance.choice((0, 0, 1, 255, 0x80))) if constant else f"x >> {8 * shift}"
        lines.append(f"    {at} = {value};\n")
    if chance.random() < 0.3:
        chance.shuffle(lines)
    if chance.random() < 0.2:
        other = chance.choice(("    add(q[2]);\n", "    q[1] = 9;\n", "    __builtin_memcpy(p, q, 2);\n"))
        lines.insert(chance.randrange(len(lines)), other)
    begin = "    u64 x;\n    __builtin_memcpy(&x, q, 8);\n"
    return f"static u64 f{number}(u8 *p, u8 *q, int n)\n{{\n{begin}{''.join(lines)}    return x;\n}}\n"


def program(seed):
    """Return a program of such functions, each called at two places that may overlap."""
    chance = random.Random(seed)
    functions = [(writing if chance.random() < 0.5 else reading)(chance, number) for number in range(24)]
    calls = [
        f"        add(f{number}(memory + {8 * chance.randrange(5)}, memory + {8 * chance.randrange(5)}, 0));"
        for number in range(len(functions))
    ]
    return HEAD + "".join(functions) + MAIN.format(calls="\n".join(calls))


@pytest.mark.parametrize("seed", some(range(20), 2))
@pytest.mark.parametrize("name", MACHINES)
def test_the_same_is_computed(name, seed, tmp_path):
    (tmp_path / "a.c").write_text(program(f"{name} {seed}"))
    machine, level = load(name), ("s", 2, 1)[seed % 3]
    found = []
    for phases in (LEVELS[level], without(LEVELS[level], ["join-loads", "join-stores"])):
        result = interpret(Compiler(machine, Settings(level=level, phases=phases)).program([str(tmp_path / "a.c")]))
        found.append((result.fault, result.exit_status))
    assert found[0] == found[1] == (None, found[0][1])
