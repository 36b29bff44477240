"""Every form of every instruction of a machine that has a real assembler: it assembles, to the size declared.

Instances are made from the patterns: each operand in each of its forms, constants at the ends of their ranges.
"""

import os
import subprocess

import pytest
from elftools.elf.elffile import ELFFile

from ease.run.verify import ToolMissing, tools_of
from tests.covering import some
from tests.kept_machines import load
from vpo.algebra import binary
from vpo.analysis.pools import literals_of
from vpo.link.assembly import Printer
from vpo.machines.advice.examples import example
from vpo.machines.match.instantiation import Instance
from vpo.machines.names import machine_names
from vpo.rtl import BITS, Branch, Const, Jump, Mem, Register, Rtl, Set, Slot, Symbol
from vpo.rtl.function import FAR
from vpo.text import parse_effects

REAL = [name for name in machine_names() if load(name).toolchain.assembler]
LABEL = "L1"


class Forms:
    """Makes RTLs from the patterns of one machine."""

    def __init__(self, machine):
        self.machine = machine
        self.recognizer = machine.recognizer

    def operand(self, name, depth=0):
        """Return nodes of every form of an operand."""
        nodes = []
        for form in (form for form in self.recognizer.operands[name] if not form.steps):
            if form.pattern is not None:
                nodes += self.patterns(form, depth)
            elif form.symbol:
                nodes += [Symbol("_x"), Symbol("_x", 4)]
            elif form.far:
                nodes.append(Slot(FAR))
            else:
                nodes += [Const(value) for value in self.constants(form)]
        return nodes

    def constants(self, form):
        """Return the ends of a range and what lies between, within what the machine can hold."""
        bits = BITS[self.machine.address_type]
        if form.values:
            return sorted({form.values[0], form.values[-1]})
        low, high = max(form.low, -(1 << (bits - 1))), min(form.high, (1 << (bits - 1)) - 1)
        values = {low, high, -12, -1, 1, 5, 12, 16, 27, 100, 200, 1000, -1000, 40000, 100000, 0xFFFF1234}
        return sorted(v // form.multiple * form.multiple for v in values if low <= v // form.multiple * form.multiple <= high)

    def patterns(self, form, depth):
        choices = [(name, self.operand(operand, depth + 1)) for name, operand in form.operands.items()]
        return [self.instance(bindings).node(form.pattern) for bindings in product(choices)]

    def instance(self, bindings, avoid=0):
        """Return a builder that hands out hard registers."""
        used = []

        def fresh(cls, type_):
            registers = self.machine.allocable_in(cls) or [Register(cls, 0, type_)]
            used.append(cls)
            return Register(cls, registers[(len(used) + avoid) % len(registers)].index, type_)

        return Instance(dict(bindings), fresh, self.machine.half)

    def effects(self, alternative):
        """Yield the effects of every instance of an instruction."""
        choices = [(name, self.operand(operand)) for name, operand in alternative.operands.items()]
        for bindings in product(choices):
            instance = self.instance(bindings, avoid=3)
            effects = [instance.effect(self.labelled(part)) for part in alternative.effects]
            if alternative.repeated:
                effects += self.following(effects[-1])
            yield tuple(effects)

    def labelled(self, effect):
        match effect:
            case Jump():
                return Jump(LABEL)
            case Branch(condition=condition):
                return Branch(condition, LABEL)
        return effect

    def following(self, effect):
        """Return the rest of a block move that begins so."""
        cell, register = (effect.target, effect.source) if isinstance(effect.target, Mem) else (effect.source, effect.target)
        result = []
        for step in (1, 2):
            other = Register(register.cls, register.index + step, register.type)
            where = Instance({}, lambda c, t: None, self.machine.half)
            moved = where.node(_plus(cell, step * BITS[cell.type] // 8))
            result.append(Set(moved, other) if isinstance(effect.target, Mem) else Set(other, moved))
        return result


def _plus(cell, distance):
    return Mem(cell.type, binary("+", cell.address, Const(distance)))


def product(choices):
    """Yield bindings in which every node of every choice occurs, without all combinations."""
    if not choices:
        yield {}
        return
    longest = max(len(nodes) for _, nodes in choices)
    for index in range(longest):
        yield {name: nodes[(index + 3 * number * (index // len(nodes))) % len(nodes)]
               for number, (name, nodes) in enumerate(choices)}  # fmt: skip


def instances(machine):
    """Return (record, effects) of every form that the machine recognises, and the alternatives that occur."""
    forms = Forms(machine)
    found, occurring = {}, set()
    for alternative in forms.recognizer.alternatives:
        shown = () if alternative.pseudo else example(machine, alternative) or ()
        for effects in (*forms.effects(alternative), *(parse_effects(text, machine.cells) for text in shown[:1])):
            for match in forms.recognizer.all_matches(effects):
                record = forms.recognizer.record(match)
                first = machine.recognize(effects)
                if match.alternative.reach is None and record.alternative != first.alternative and first.reach is None:
                    continue  # an earlier alternative takes it
                occurring.add(match.alternative.order)
                if FAR not in record.assembly:  # not before the frame is laid out
                    found[record.assembly] = (record, effects)
    return found, occurring


@pytest.fixture(params=REAL)
def machine(request):
    machine = load(request.param)
    try:
        tools_of(machine)
    except ToolMissing as missing:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            raise
        pytest.skip(str(missing))
    return machine


@pytest.mark.tools
def test_sizes_are_those_of_the_assembler(machine, tmp_path):
    found, _ = instances(machine)
    lines = [*machine.syntax.header, machine.syntax.text]
    if machine.syntax.literal:
        lines.append(f"{Printer(machine).symbol('_x')}:")  # there is no linker's stub for what is far away, either
    before = machine.capabilities.literals_before
    literal = [machine.syntax.align.replace("$bytes", "4"), "literal:", machine.syntax.word.replace("$value", "1")]
    lines += literal if before else ()
    forms = sorted(found.values(), key=lambda form: bool(literals_of(Rtl(form[1]))) != before)  # literals are in reach
    for number, (record, _) in enumerate(forms):
        forward = record.reach is not None and record.reach[0] > 0 and not record.literal
        place = min(number + 2 * forward, len(found))
        lines += [f"i{number}:", "\t" + record.assemble(lambda label, n=place: f"i{n}", "literal" * bool(record.literal))]
    lines.append(f"i{len(found)}:")
    if machine.syntax.literal and not before:
        lines += literal
    (tmp_path / "forms.s").write_text("\n".join(lines) + "\n")
    command = [*tools_of(machine)["assembler"], "-o", tmp_path / "forms.o", tmp_path / "forms.s"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]
    with (tmp_path / "forms.o").open("rb") as file:
        symbols = {s.name: s["st_value"] for s in ELFFile(file).get_section_by_name(".symtab").iter_symbols()}
    wrong = [
        f"`{record.assembly}` ({effects}): {size} bytes, declared {record.size}"
        for number, (record, effects) in enumerate(forms)
        if (size := symbols[f"i{number + 1}"] - symbols[f"i{number}"]) != record.size
    ]
    assert not wrong, "\n".join(wrong[:40])


@pytest.mark.parametrize("name", some(REAL, 4, first=1))
def test_parts_are_instructions(name):
    machine = load(name)
    if not any(alternative.into for alternative in machine.recognizer.alternatives):
        return
    for record, effects in instances(machine)[0].values():
        parts = [machine.recognize(part) for part in record.into]
        assert None not in parts, effects
        assert all(not part.into for part in parts), effects
        assert not parts or sum(part.size for part in parts) == record.size, effects


@pytest.mark.parametrize("name", some(REAL, 4))
def test_every_alternative_is_some_instruction(name):
    machine = load(name)
    _, occurring = instances(machine)
    unused = [a for a in machine.recognizer.alternatives if not a.pseudo and a.order not in occurring]
    assert not [f"{a.name} `{a.text}`" for a in unused]
