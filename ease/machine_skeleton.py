"""A description to begin with: it extends a machine, compiles C at once, and has examples to take the `#` away from."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from vpo.machines.doubts import latency_of, operations_of
from vpo.machines.extends import merge
from vpo.machines.load import build, read_description
from vpo.machines.machine import Machine
from vpo.machines.source import DescriptionError, Map, parse
from vpo.rtl import BITS, INTEGER_TYPES

NAME = re.compile(r"[A-Za-z_][\w-]*")
FEW = 8  # registers in an example
PRODUCT = 7  # cycles of a product on a machine that has none
HEAD = """\
# {name}: what is new beside {base}.  Everything else is as there: `ease machine show {base}`.
# Take the '#' away from what you want to try, and change it; docs/machines.md explains every key.  Then:
#   ease machine check {name}.yaml
#   ease compare -m {base} -m {name}.yaml prog.c
machine: {name}
extends: {base}
description: {base} with changes
"""


def skeleton(name: str, base: str) -> str:
    """Return the text of a description that extends `base`, with examples that fit it.

    Raises DescriptionError, OSError.
    """
    machine = build(read_description(base))
    text = HEAD.format(name=name, base=base)
    if machine.toolchain is not None:
        text += "toolchain: null        # no assembler or emulator knows this machine\n"
    shown: list[str] = []
    for about, section, change in examples(machine):
        if loads(f"{text}{section}: {{{change}}}\n", base):
            if section not in shown:
                text += f"\n# {section}:\n"
                shown.append(section)
            text += f"#   # {about}\n#   {change}\n"
    return text


def loads(text: str, base: str) -> bool:
    """Return whether a description that extends `base` is right."""
    description = read_description(base)
    try:
        changes: Map = parse(text, "example")
        changes.pop("extends", None)
        merge(description, changes)
        build(description)
    except DescriptionError:
        return False
    return True


def examples(machine: Machine) -> Iterator[tuple[str, str, str]]:
    """Yield changes of a machine to try, section by section: what each does, its section, its line.

    Not all of them can be on every machine.
    """
    cls = max(
        (name for name in machine.allocable if machine.classes[name].type in INTEGER_TYPES),
        key=lambda name: len(machine.allocable[name]),
        default=next(iter(machine.classes)),
    )
    width, registers = machine.classes[cls].type, machine.allocable.get(cls, ())
    a, b, d, product = f"{cls}[a]", f"{cls}[b]", f"{cls}[d]", _product(machine, width)
    yield (
        "A new one: what it does, as a register transfer list, and how it is printed; the compiler uses it where it fits.",
        "instructions", f'MAC: {{rtl: "{d}={d}+({a}*{b});", asm: "mac $d,$a,$b", size: 4, latency: {product}}}',
    )  # fmt: skip
    yield (
        "A load that steps its address: two effects, which happen at once.", "instructions",
        f'LOADSTEP: {{rtl: "{d}={width}[{b}]; {b}={b}+{BITS[width] // 8};", asm: "loadstep $d,($b)", size: 4, latency: 2}}',
    )  # fmt: skip
    names = list(dict.fromkeys(form.name for form in machine.recognizer.alternatives if "*" in form.text))
    for name in names[:1]:
        yield f"Without {name}: what C needs is made of other instructions.", "instructions", f"{flow(name)}: null"
    for name in names[1:2] or names[:1]:
        yield f"{name} takes longer.", "instructions", f"{flow(name)}: {{latency: 10}}"
    if len(registers) > FEW:
        listed = ", ".join(f'"{register!r}"' for register in registers[:FEW])
        yield f"Only {FEW} registers for the compiler, the most welcome first.", "allocable", f"{cls}: [{listed}]"
    yield "Callers save all registers that they need after a call.", "calls", "save: caller"
    if machine.timing.stated:
        yield "A taken branch costs more cycles.", "timing", f"taken: {machine.timing.taken + 2}"


def _product(machine: Machine, width: str) -> int:
    """Return the cycles that a product of words takes: those of the machine's multiplication, if it has one."""
    forms = [form for form in machine.recognizer.alternatives if operations_of(form) == [("*", width)]]
    return min(map(latency_of, forms), default=PRODUCT)


def flow(word: str) -> str:
    """Return a word as YAML has it within braces."""
    return yaml.safe_dump(word, default_flow_style=True).split("\n", 1)[0]
