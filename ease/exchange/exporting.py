"""Instructions of a machine in the languages of those who build it next: each target is one template.

Templates are given the name of an instruction, its encoding field by field, its operands, and its RTL in the target's words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import cache
from itertools import product
from math import gcd
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from ease.exchange.exported import Exported, Operand, read_by
from ease.exchange.saying_coredsl import behavior
from ease.exchange.saying_cpp import body
from ease.exchange.saying_dag import pattern
from ease.exchange.saying_idl import operation
from ease.exchange.trees import Unsayable
from vpo.base.errors import UserError
from vpo.machines.callable import c_name
from vpo.machines.machine import Machine
from vpo.machines.match.pattern import Alternative
from vpo.machines.read.encoding import OPCODE, Field, variables_in
from vpo.rtl import BITS, Branch, Mem, Register, Set, subexpressions
from vpo.text import RegisterVariable

TEMPLATES = {
    "header": "header.h.j2", "coredsl": "core_desc.j2", "udb": "inst.yaml.j2", "spike": "spike.cc.j2", "llvm": "llvm.td.j2",
    "qemu": "decodetree.j2", "systemverilog": "decoder.sv.j2",
}  # fmt: skip
NEXT = "\n---\n"  # between the files of the Unified Database, which are one an instruction
WHOLE = ("coredsl", "udb", "spike", "llvm", "qemu")  # languages that have branches, and numbers in parts
REGISTER, NUMBER = 5, 12  # bits of fields in the formats of `.insn`


def export(machine: Machine, name: str, only: Collection[str], target: str) -> tuple[str, list[str]]:
    """Return instructions in the language of a target, and what it has no words for, with the reason.

    Raises UserError.
    """
    forms = [form for form in machine.recognizer.alternatives if not form.implied and not form.pseudo]
    missing = sorted(set(only) - {form.name for form in forms})
    if missing:
        raise UserError([f"{name} has no instruction {', '.join(missing)}"])
    chosen: dict[str, Exported] = {}
    problems: dict[str, str] = {}
    for form in forms:
        if form.name not in only or form.name in chosen:
            continue
        try:
            exported = read(machine, form, target in WHOLE)
            SAYING[target](exported, machine)
            chosen[form.name] = exported
        except Unsayable as error:
            problems[form.name] = str(error)
    told = [f"{key}: {why}" for key, why in problems.items() if key not in chosen]
    if not chosen:
        raise UserError(told)
    template = _templates().get_template(TEMPLATES[target])
    longest = max(each.code.bits for each in chosen.values())
    own = c_name(Path(name.split("+")[-1]).stem)
    rendered = template.render(instructions=[*chosen.values()], name=own, word=BITS[machine.address_type], longest=longest)
    return rendered, told


def files(text: str, folder: Path) -> dict[Path, str]:
    """Return the files of the Unified Database that an export for it is: one an instruction, in a folder of its extension."""
    found: dict[Path, str] = {}
    for document in text.split(NEXT):
        name, extension = re.findall(r"^(?:    )?name: (.*)$", document, re.MULTILINE)
        found[folder / "inst" / extension / f"{name}.yaml"] = document.rstrip("\n") + "\n"
    return found


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("ease.exchange"), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, autoescape=False,
    )  # fmt: skip
    made.filters["binary"] = lambda value, bits: f"{value:0{bits}b}"
    made.filters["width"] = lambda number: max(1, int(number).bit_length())
    return made


def read(machine: Machine, form: Alternative, whole: bool) -> Exported:
    """Return one form of an instruction; with `whole`, also with branches and with numbers in parts.  Raises Unsayable."""
    if form.code is None:
        raise Unsayable("its encoding is not known to the bit (encoding: with the bits of the opcode)")
    if form.repeated or (form.condition is not None and "count" in form.text):
        raise Unsayable("it moves a list of registers")
    names = [each.name for each in form.code.fields if each.name != OPCODE]
    several = {each.name: each.low for each in form.code.fields if names.count(each.name) > 1}
    if several and not whole:
        raise Unsayable(f"field {min(several)} is in several parts")
    if None in several.values():
        name = next(name for name, low in several.items() if low is None)
        raise Unsayable(f"field {name} is in several parts, and which bits each has is not said ({name}:6@4)")
    if not all(isinstance(effect, (Set, Branch) if whole else Set) for effect in form.effects):
        raise Unsayable("it transfers control")
    sets = [effect for effect in form.effects if isinstance(effect, Set)]
    written = {effect.target.name for effect in sets if isinstance(effect.target, RegisterVariable)}
    if len(form.effects) > 1:
        raise Unsayable("it has several effects")
    memory = any(isinstance(node, Mem) for effect in form.effects for node in _nodes(effect))
    exported = Exported(form.name, form.text, form.code, [], memory, form)
    low = form.code.bits
    kinds = {variable: kind for variable, kind, _ in form.variables}
    used = {node.name for effect in form.effects for node in read_by(effect) if isinstance(node, RegisterVariable)}
    for each in form.code.fields:
        low -= each.bits
        known = next((place for place, other in enumerate(exported.operands) if other.name == each.name), None)
        if known is not None:
            exported.operands[known] = _joined(exported.operands[known], each, low)
        elif each.name != OPCODE:
            found = _operand(machine, form, each, low, kinds, written, used)
            exported.operands.append(replace(found, pieces=((each.bits, low, each.low or 0),), without=each.without))
    exported.operands.sort(key=lambda operand: form.asm.find(f"${operand.name}"))
    if any(isinstance(node, Register) for effect in form.effects for node in _nodes(effect)):
        raise Unsayable("it uses a register that is none of its fields")
    return exported


def _joined(operand: Operand, part: Field, low: int) -> Operand:
    """Return an operand with one more part of it."""
    pieces = sorted((*operand.pieces, (part.bits, low, part.low or 0)), key=lambda piece: -piece[2])
    return replace(operand, bits=operand.bits + part.bits, pieces=tuple(pieces))


def _operand(
    machine: Machine, form: Alternative, part: Field, low: int, kinds: dict[str, str], written: set[str], used: set[str]
) -> Operand:  # fmt: skip
    if kinds.get(part.name) == "register":
        first = _first(machine, form, part)
        return Operand(part.name, part.bits, low, True, read=part.name in used, written=part.name in written, first=first)
    if kinds.get(part.name) == "label" and form.reach is not None:
        return Operand(part.name, part.bits, low, False, True, gcd(*form.reach).bit_length() - 1, is_label=True)
    operand = form.operands.get(part.name)
    if operand is None:
        raise Unsayable(f"field {part.name} is none of its operands")
    notations = machine.recognizer.operands[operand]
    if len(notations) != 1 or notations[0].pattern is not None or notations[0].values or notations[0].symbol:
        raise Unsayable(f"operand {part.name} has other notations than a number")
    shift = notations[0].multiple.bit_length() - 1
    return Operand(part.name, part.bits, low, False, notations[0].low < 0, shift)


def _first(machine: Machine, form: Alternative, part: Field) -> int:
    """Return the register that number 0 of a field means, which is as narrow as the condition on its register allows."""
    classes = {each.name: each.cls for each in variables_in(form.effects) if isinstance(each, RegisterVariable)}
    count = machine.classes[classes[part.name]].count
    if form.condition is None or 1 << part.bits >= count:
        return 0
    others = sorted(form.condition.names - {part.name})
    if not all(name in classes for name in others):
        raise Unsayable(f"which registers field {part.name} means depends on numbers")
    ranges = [range(machine.classes[classes[name]].count) for name in others]
    allowed = [
        number for number in range(count)
        if any(form.condition({part.name: number, **dict(zip(others, rest, strict=True))}) for rest in product(*ranges))
    ]  # fmt: skip
    if allowed != [*range(allowed[0], allowed[0] + (1 << part.bits))]:
        raise Unsayable(f"field {part.name} means registers that do not follow each other")
    return allowed[0]


def _nodes(effect: Set | Branch) -> Iterable[object]:
    if isinstance(effect, Branch):
        yield from subexpressions(effect.condition)
        return
    yield from subexpressions(effect.source)
    yield effect.target
    if isinstance(effect.target, Mem):
        yield from subexpressions(effect.target.address)


# ----------------------------------------------------------------------------------------------------------------------
# What each target needs beside the encoding.


def _insn(exported: Exported, machine: Machine) -> None:
    """Find the format in which `.insn` takes the instruction."""
    fields = exported.fields
    shape = [bits for _, bits, _ in fields]
    spread = _spread(exported)
    if exported.code.bits != 32 or spread is None:
        raise Unsayable(f"`.insn` has no format with fields of {', '.join(map(str, shape))} bits")
    kind, opcode, rest = spread
    exported.texts["insn"] = f".insn {kind} {opcode:#x}, {', '.join(rest)}"


def _spread(exported: Exported) -> tuple[str, int, list[str]] | None:
    """Return format, opcode and operands of `.insn`: registers as %[name] or by number."""
    word, at = exported.code, {each.low: each for each in exported.operands}

    def fixed(low: int, bits: int) -> int | None:
        mask = (1 << bits) - 1
        return word.value >> low & mask if word.mask >> low & mask == mask else None

    def register(low: int) -> str | None:
        operand, number = at.get(low), fixed(low, REGISTER)
        if operand is not None and operand.bits == REGISTER and operand.is_register:
            return f"%[{operand.name}]"
        return f"x{number}" if number is not None else None

    opcode, funct = fixed(0, 7), fixed(12, 3)
    if opcode is None or funct is None:
        return None
    target, first = register(7), register(15)
    high, second = fixed(25, 7), register(20)
    if high is not None and None not in (target, first, second):
        return "r", opcode, [f"{funct:#x}", f"{high:#x}", str(target), str(first), str(second)]
    number = at.get(20)
    if number is not None and not number.is_register and number.shift == 0 and target and first:
        above = fixed(20 + number.bits, NUMBER - number.bits) if number.bits < NUMBER else 0
        if number.bits <= NUMBER and above is not None:
            text = f"%[{number.name}]" if number.signed else f"{above << number.bits:#x} + %[{number.name}]"
            return "i", opcode, [f"{funct:#x}", target, first, text]
    return None


def _core(exported: Exported, machine: Machine) -> None:
    exported.texts["behavior"] = behavior(exported.form.effects[0], exported, BITS[machine.address_type])


def _database(exported: Exported, machine: Machine) -> None:
    exported.texts["operation"] = "\n".join(operation(exported.form.effects[0], exported, BITS[machine.address_type]))


def _spike(exported: Exported, machine: Machine) -> None:
    lines = body(exported.form.effects[0], exported, BITS[machine.address_type])
    for operand in exported.operands:
        lines[:0] = [
            f"if (part(insn, {operand.low}, {operand.bits}) == {number}) return ::illegal_instruction(p, insn, pc);"
            for number in operand.without
        ]
    exported.texts["body"] = "\n".join(lines)


def _llvm(exported: Exported, machine: Machine) -> None:
    """Find what selection matches, and which bits of the word are which."""
    if exported.code.bits != 32:
        raise Unsayable("LLVM makes instructions of 16 bits from longer ones (CompressPat)")
    for operand in exported.operands:
        if operand.is_label and (operand.bits, operand.shift) != (12, 1):
            raise Unsayable("LLVM's RISC-V target has no operand for its distance")
    exported.texts["pattern"] = pattern(exported.form.effects[0], exported, BITS[machine.address_type])
    rows, low = [], exported.code.bits
    for name, bits, value in exported.fields:
        low -= bits
        counted = not name or exported.operand(name).is_label  # from its lowest bit, zeros below are no bits of it
        lowest = value if counted else value + exported.operand(name).shift
        text = f"{name}{{{lowest + bits - 1}-{lowest}}}" if name else f"0b{value:0{bits}b}"
        rows.append(f"let Inst{{{low + bits - 1}-{low}}} = {text};")
    exported.texts["bits"] = "\n".join(rows)


def _qemu(exported: Exported, machine: Machine) -> None:
    if exported.code.bits != 32:
        raise Unsayable("QEMU decodes words of other lengths by a file of their own")
    if any(operand.without for operand in exported.operands):
        raise Unsayable("decodetree has no words for fields that are not some number")


def _decoder(exported: Exported, machine: Machine) -> None:
    exported.texts["pattern"] = re.sub(r"(.{4})(?=.)", r"\1_", exported.pattern)


SAYING: dict[str, Callable[[Exported, Machine], None]] = {
    "header": _insn, "coredsl": _core, "udb": _database, "spike": _spike, "llvm": _llvm, "qemu": _qemu,
    "systemverilog": _decoder,
}  # fmt: skip
