"""`ease machine new`: a description to begin with."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Sequence

import yaml

from ease.commands.guard import guarded
from vpo.machines.advice.doubts import latency_of, operations_of
from vpo.machines.machine import Machine
from vpo.machines.names import default_machine
from vpo.machines.read.extends import merge
from vpo.machines.read.load import build, read_description
from vpo.machines.read.source import DescriptionError, Map, parse
from vpo.rtl import BITS, INTEGER_TYPES


def new(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, 2: wrong usage."""
    parser = argparse.ArgumentParser(
        "ease machine new", description="Write NAME.yaml, which extends a machine, with examples of changes."
    )
    parser.add_argument("name", metavar="NAME", help="name of the new machine")
    like = default_machine()
    parser.add_argument("--like", default=like, metavar="M", help="the machine that it extends (default: %(default)s)")
    options = parser.parse_args(words)
    return guarded("ease machine new", lambda: _new(options.name, options.like))


def _new(name: str, like: str) -> int:
    from ease.base.files import write_atomically
    from vpo.base.errors import UserError

    file = f"{name}.yaml"
    if not NAME.fullmatch(name):
        raise UserError([f"'{name}' cannot be the name of a machine: letters, digits, '_' and '-'"])
    if os.path.lexists(file):
        raise UserError([f"{file}: there is such a file already"])
    write_atomically(file, skeleton(name, like))
    print(f"{file} is a machine like {like}; next: ease machine check {file}")
    return 0


# ----------------------------------------------------------------------------------------------------------------------
# A description to begin with: it extends a machine, compiles C at once, and has examples to take the `#` away from.


NAME = re.compile(r"[A-Za-z_][\w-]*")
FEW = 8  # registers in an example
PRODUCT = 7  # cycles of a product on a machine that has none
HEAD = """\
# {name}: what is new beside {base}.  Everything else is as there: `ease machine show {base}`.
# Take the '#' away from what you want to try, and change it; docs/machine-keys.md explains every key.  Then:
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
