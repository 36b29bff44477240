"""Structs, unions and bit-fields lie where the System V ABI puts them."""

import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo import il
from vpo.frontend import compile_c

ILP32_BIG = replace(
    LP64,
    big_endian=True,
    sizes={**LP64.sizes, "long": 4, "pointer": 4},
    aligns={**LP64.aligns, "long": 4, "pointer": 4},
)


def image(data):
    """The bytes of a data definition without addresses."""
    raw = bytearray(data.size)
    for item in data.items:
        match item:
            case il.IntItem(offset=offset, size=size, value=value):
                raw[offset : offset + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
            case il.BytesItem(offset=offset, data=part):
                raw[offset : offset + len(part)] = part
    return bytes(raw)


def compiled(text, model=LP64):
    return {data.name: data for data in compile_c("layout.c", model, source=text).data}


def random_struct(generator, number):
    """A struct of bit-fields and plain members with an initialiser of all ones and of random values."""
    kinds = [("signed char", 8), ("unsigned char", 8), ("short", 16), ("unsigned", 32), ("int", 32), ("long", 64)]
    members, values = [], []
    for index in range(generator.randrange(1, 9)):
        kind, bits = generator.choice(kinds)
        choice = generator.random()
        if choice < 0.1:
            members.append(f"{kind} : {generator.randrange(0, bits + 1)};")
        elif choice < 0.75:
            members.append(f"{kind} m{index} : {generator.randrange(1, bits + 1)};")
            values.append(str(generator.choice([-1, generator.randrange(-(2**30), 2**30)])))
        else:
            members.append(f"{kind} m{index};")
            values.append(str(generator.randrange(-100, 100)))
    if not values:
        members.append("int last;")
        values.append("1")
    keyword = "union" if generator.random() < 0.15 else "struct"
    shown = values[:1] if keyword == "union" else values
    return f"{keyword} S{number} {{ {' '.join(members)} }} v{number} = {{ {', '.join(shown)} }};\n"


@pytest.mark.tools
def test_random_structs_lie_as_with_gcc(tmp_path):
    if shutil.which("gcc") is None:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            pytest.fail("gcc is missing")
        pytest.skip("gcc is missing")
    generator = random.Random(20)
    text = "".join(random_struct(generator, number) for number in range(200))
    ours = compiled(text)
    main = "int printf(const char *, ...);\nstatic void show(void *p, int n, int a)"
    main += '{ unsigned char *c = p; printf("%d %d ", n, a); while (n--) printf("%02x", *c++); printf("\\n"); }\n'
    shows = "".join(f"show(&v{n}, sizeof v{n}, _Alignof(v{n}));\n" for n in range(200))
    (tmp_path / "a.c").write_text(text + main + "int main(void) {" + shows + "}")
    subprocess.run(["gcc", "-w", tmp_path / "a.c", "-o", tmp_path / "a"], check=True)
    lines = subprocess.run([tmp_path / "a"], capture_output=True, text=True, check=True).stdout.splitlines()
    for number, (line, declaration) in enumerate(zip(lines, text.splitlines(), strict=True)):
        data = ours[f"v{number}"]
        size, align, content = line.split()
        assert (data.size, data.align) == (int(size), int(align)), declaration
        assert image(data).hex() == content, declaration


def test_big_endian_fields_start_at_the_most_significant_bit():
    text = "struct { unsigned a : 4, b : 12, c : 16; } v = { 0xA, 0xBCD, 0xEF01 };\n"
    text += "struct { signed char x : 3; int y : 7; unsigned z : 1; } w = { -1, 1, 1 };\n"
    data = compiled(text, ILP32_BIG)
    assert image(data["v"]).hex() == "abcdef01"
    assert (data["w"].size, image(data["w"]).hex()) == (4, "e0600000")
    assert data["w"].align == 4


def test_big_endian_strings_of_wide_characters():
    data = compiled('int v[] = L"ab";', ILP32_BIG)["v"]
    assert data.items == [il.BytesItem(0, bytes.fromhex("000000610000006200000000"))]


def test_anonymous_members_and_flexible_arrays():
    text = "struct S { char c; union { int i; struct { short a, b; }; }; double d[]; };\n"
    text += "int size = sizeof(struct S), b = __builtin_offsetof(struct S, b), d = __builtin_offsetof(struct S, d);"
    data = compiled(text)
    assert [item.value for name in ("size", "b", "d") for item in data[name].items] == [8, 6, 8]


def test_least_alignment_of_structs():
    model = replace(LP64, struct_align=2)
    data = compiled("struct { char c; } v[2]; int size = sizeof v;", model)
    assert (data["v"].align, data["size"].items[0].value) == (2, 4)
