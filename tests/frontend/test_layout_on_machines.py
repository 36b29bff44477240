"""Structs lie on each machine as the compiler that its ABI comes from lays them out, bit-fields of all kinds included."""

import os
import random
import shutil
import subprocess

import pytest

from tests.covering import some
from vpo import il
from vpo.frontend import compile_c
from vpo.machines.read.load import load

COMPILERS = {
    "riscv32": "riscv64-linux-gnu-gcc -march=rv32gc -mabi=ilp32d",
    "riscv64": "riscv64-linux-gnu-gcc",
    "mips": "mips-linux-gnu-gcc",
    "m68020": "m68k-linux-gnu-gcc",
    "arm": "arm-linux-gnueabi-gcc",
    "sparc": "sparc64-linux-gnu-gcc -m32",
    "parisc": "hppa-linux-gnu-gcc",
}
COUNT = 120
FIELDS = [
    *(("signed char", 8), ("unsigned char", 8), ("short", 16), ("unsigned short", 16), ("int", 32), ("unsigned", 32)),
    *(("long", 32), ("unsigned long", 32), ("long long", 64), ("unsigned long long", 64), ("_Bool", 1), ("enum E", 32)),
]
MEMBERS = ("char", "short", "int", "long long", "struct Char", "struct Bits", "union Bit")
HEAD = """enum E { e0, e1, e2 = 100000 };
struct Char { char c; }; struct Bits { int a : 3; unsigned b : 4; }; union Bit { int i : 1; };
"""
PACKINGS = ("packed", "aligned(2)", "aligned(4)", "aligned(8)", "packed, aligned(2)")
IN_DATA = '__attribute__((section(".data")))'


def attribute(generator, often):
    """An attribute that changes alignments, or none."""
    return f" __attribute__(({generator.choice(PACKINGS)}))" if generator.random() < often else ""


def member(generator, number, often):
    """A member as text, and its initialiser if it has one."""
    choice = generator.random()
    kind, bits = generator.choice(FIELDS)
    if choice < 0.2:
        return f"{kind} : {generator.choice([0, generator.randrange(1, bits + 1)])};", None
    if choice < 0.75:
        width = generator.choice([generator.randrange(1, bits + 1), bits])
        value = generator.choice([-1, generator.randrange(-(2**30), 2**30)]) if bits > 1 else 1
        return f"{kind} m{number} : {width}{attribute(generator, often)};", str(value)
    kind = generator.choice(MEMBERS)
    return f"{kind} m{number}{attribute(generator, often)};", "{1}" if " " in kind and "long" not in kind else "-29"


def declarations(generator, number):
    """Declare a random struct or union, an object of it, and an array with its size, alignment and an offset."""
    often = generator.choice([0, 0, 0.2])
    members = [member(generator, index, often) for index in range(generator.randrange(1, 8))]
    if all(value is None for _, value in members):
        members.append(("char last;", "1"))
    keyword, tag = generator.choice(["struct"] * 6 + ["union"]), f"S{number}"
    name = f"{keyword} {tag}"
    values = [value for _, value in members if value is not None][: 1 if keyword == "union" else None]
    text = f"{keyword}{attribute(generator, often)} {tag} {{ {' '.join(text for text, _ in members)} }};\n"
    if often and generator.random() < 0.3:
        text = f"#pragma pack(push, {generator.choice([1, 2, 4, 8])})\n{text}#pragma pack(pop)\n"
    text += f"struct X{number} {{ char c; {name} s; }};\n{name} v{number} {IN_DATA} = {{ {', '.join(values)} }};\n"
    offset = f"__builtin_offsetof(struct X{number}, s)"
    return text + f"int z{number}[] {IN_DATA} = {{ sizeof({name}), _Alignof({name}), {offset} }};\n"


def images_of_ours(text, model):
    """The bytes of each object."""
    order, found = "big" if model.big_endian else "little", {}
    for data in compile_c("layout.c", model, source=text).data:
        raw = bytearray(data.size)
        for item in data.items:
            if isinstance(item, il.IntItem):
                part = (item.value & (1 << 8 * item.size) - 1).to_bytes(item.size, order)
            else:
                part = item.data
            raw[item.offset : item.offset + len(part)] = part
        found[data.name] = bytes(raw)
    return found


def images_of_theirs(command, text, folder):
    """The same from the objects that another compiler makes, which need not run."""
    (folder / "a.c").write_text(text)
    tools = command[0].removesuffix("gcc")
    subprocess.run([*command, "-w", "-c", "-fno-pic", "a.c", "-o", "a.o"], cwd=folder, check=True, capture_output=True)
    subprocess.run([f"{tools}objcopy", "-O", "binary", "-j", ".data", "a.o", "a.bin"], cwd=folder, check=True)
    listing = subprocess.run([f"{tools}nm", "-S", "a.o"], cwd=folder, check=True, capture_output=True, text=True).stdout
    data = (folder / "a.bin").read_bytes()
    symbols = [line.split() for line in listing.splitlines()]
    return {words[3]: data[int(words[0], 16) :][: int(words[1], 16)] for words in symbols if len(words) == 4}


@pytest.mark.tools
@pytest.mark.parametrize("machine", some(COMPILERS, 3))
def test_random_structs_lie_as_their_abi_says(machine, tmp_path):
    command = COMPILERS[machine].split()
    if shutil.which(command[0]) is None:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            pytest.fail(f"{command[0]} is missing")
        pytest.skip(f"{command[0]} is missing")
    generator = random.Random(37)
    texts = [declarations(generator, number) for number in range(COUNT)]
    whole = HEAD + "".join(texts)
    theirs, ours = images_of_theirs(command, whole, tmp_path), images_of_ours(whole, load(machine).model)
    for number, text in enumerate(texts):
        for name in (f"z{number}", f"v{number}"):
            assert ours[name].hex() == theirs[name].hex(), text
