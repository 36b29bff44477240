"""The RTL of an instruction and its source on the same operands: random ones, and those at which mistakes show.

The RTL is executed by the plain interpreter, which defines RTLs; the source by `evaluating`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from ease.exchange.evaluating import Evaluation, Illegal, Outcome
from ease.exchange.trees import Instruction, Unsayable, Variable
from vpo.interpret.plain import PlainInterpreter
from vpo.rtl import BITS, Branch, Effect, IndirectJump, Jump, Mem, Register, Set
from vpo.text import parse_effects

PC = 0x10000
FIELDS = 25  # sets of fields that are tried, each with many values of registers


class _Registers:
    """What an RTL reads: registers by number, and bytes of memory."""

    def __init__(self, registers: Callable[[int], int], byte: Callable[[int], int], word: int) -> None:
        self.registers, self.byte, self.word = registers, byte, word

    def read(self, register: Register) -> int:
        """Return what a register holds."""
        return self.registers(register.index)

    def load(self, type_: str, address: int) -> int:
        """Return what is in memory, the lowest byte first."""
        room = (1 << self.word) - 1
        return sum(self.byte((address + place) & room) << 8 * place for place in range(BITS[type_] // 8))


class _One(PlainInterpreter):
    """The plain interpreter for one RTL, without a program."""

    def __init__(self, state: _Registers, word: str, following: int) -> None:
        self.state = cast(Any, state)
        self.word, self.following = word, following

    def constant(self, node: Any) -> int:
        """Return the value of a constant; the next instruction has an address, too."""
        return self.following if type(node).__name__ == "Next" else super().constant(node)

    def outcome(self, effects: tuple[Effect, ...], label: int) -> Outcome:
        """Execute effects; labels mean an address."""
        result = Outcome()
        for effect in effects:
            match effect:
                case Set(target=Mem() as cell):
                    value, address = self.evaluate(effect.source, cell.type), self.evaluate(cell.address)
                    for place in range(BITS[cell.type] // 8):
                        result.memory[(address + place) & ((1 << BITS[self.word]) - 1)] = value >> 8 * place & 255
                case Set(target=Register() as register):
                    value = self.evaluate(effect.source, register.type)
                    result.registers[register.index] = value & ((1 << BITS[register.type]) - 1)
                case Branch():
                    result.target = label if self.holds(effect.condition) else None
                case Jump():
                    result.target = label
                case IndirectJump():
                    result.target = self.evaluate(effect.target)
                case _:
                    target = cast(Any, effect).target
                    result.target = label if not isinstance(target, Register) else self.evaluate(target)
        return result


class Trial:
    """One instruction with its RTL, ready to be tried; `beside` has registers without fields, and which fields tell."""

    def __init__(self, instruction: Instruction, rtl: str, word: str, cell: str, beside: Mapping[str, str]) -> None:
        self.instruction, self.rtl, self.word, self.cell, self.beside = instruction, rtl, word, cell, beside
        self.registers = set(re.findall(rf"(?<![a-tv-zA-Z0-9_]){cell}\[([a-z_]\w*)\]", rtl))
        self.labels = set(re.findall(r"(?:PC=(?:.*,)?|ST=)([a-z_]\w*)(?:\(\))?;", rtl))

    def difference(self, times: int, signs: Mapping[str, bool], added: Mapping[str, int]) -> str:
        """Return operands with which RTL and source differ, and how; '' if there are none among those that are tried."""
        chance = random.Random(f"{self.instruction.name} {self.rtl}")
        number = 0
        for _ in range(FIELDS):
            fields = {
                each.name: field_value(each, chance, number, each.name in self.registers)
                for each in self.instruction.variables
            }
            effects = self.effects(fields, signs, added)
            for _ in range(times // FIELDS):
                told = self.tried(chance, number, fields, effects)
                number += 1
                if told:
                    return told
        return ""

    def tried(self, chance: random.Random, number: int, fields: Mapping[str, int], effects: tuple[Effect, ...]) -> str:
        """Try one set of operands, of which some are no such instruction; return how source and RTL differ."""
        values = registers(chance, BITS[self.word], number)
        memory: dict[int, int] = {}

        def byte(address: int) -> int:
            return memory.setdefault(address, chance.getrandbits(8))

        bits = BITS[self.word]
        try:
            expected = Evaluation(self.instruction, bits, fields, values.__getitem__, byte, PC).run()
        except Illegal:
            return ""
        except (Unsayable, ValueError, IndexError, KeyError) as error:
            return f"the source cannot be executed: {error}"
        state = _Registers(lambda each: values[each] if each else 0, byte, bits)
        label = PC + self.distance(fields) & ((1 << bits) - 1)
        try:
            found = _One(state, self.word, PC + self.instruction.bits // 8).outcome(effects, label)
        except ZeroDivisionError:  # of which RTLs say nothing
            return ""
        found.registers.pop(0, None)
        for register, value in found.registers.items():  # a register that keeps its value may be set or not
            if value == values[register]:
                expected.registers.setdefault(register, value)
        if found.target is not None and expected.target is not None and not self.labels:
            expected.target = found.target  # compilers know where they jump to
        return "" if found == expected else self.told(fields, values, expected, found)

    def distance(self, fields: Mapping[str, int]) -> int:
        """Return how far a label is."""
        for variable in self.instruction.variables:
            if variable.name in self.labels:
                value = fields[variable.name]
                return (value - (1 << variable.bits) if value >> (variable.bits - 1) else value) << variable.shift
        return 0

    def effects(self, fields: Mapping[str, int], signs: Mapping[str, bool], added: Mapping[str, int]) -> tuple[Effect, ...]:
        """Return the RTL with numbers for its variables."""
        text = self.rtl
        for name in self.registers:
            told = fields[self.beside.get(name, name)] + added.get(name, 0)
            text = text.replace(f"{self.cell}[{name}]", f"{self.cell}[{told}]")
        for name in self.labels:
            text = re.sub(rf"\b{name}\b(?=;|\(\);)", "_there" if f"ST={name}" in text else "L1", text)
        for variable in self.instruction.variables:
            if variable.name not in self.registers | self.labels:
                value = fields[variable.name]
                if signs.get(variable.name) and value >> (variable.bits - 1):
                    value -= 1 << variable.bits
                number = str(value << variable.shift)
                text = re.sub(rf"(?<![\w\[])((?<=[<>=/%])u)?{variable.name}\b(?!\[)", rf"\g<1>{number}", text)
        return parse_effects(text.replace(",{}", ",{L1}"), {self.cell: self.word})

    def told(self, fields: Mapping[str, int], values: list[int], expected: Outcome, found: Outcome) -> str:
        """Say with which operands two outcomes differ."""
        shown = [
            f"{name}={values[number]:#x}" if name in self.registers and number < 32 else f"{name}={number}"
            for name, number in fields.items()
        ]

        def outcome(each: Outcome) -> str:
            parts = [f"register {number} {value:#x}" for number, value in sorted(each.registers.items())]
            parts += [f"byte {value:#x} at {address:#x}" for address, value in sorted(each.memory.items())]
            parts += [f"goes to {each.target:#x}"] if each.target is not None else []
            return ", ".join(parts) or "nothing"

        return f"with {', '.join(shown)} the source sets {outcome(expected)}, the RTL {outcome(found)}"


def registers(chance: random.Random, bits: int, number: int) -> list[int]:
    """Return values of registers: random, small, with few bits, at the ends of ranges, or equal."""
    high = 1 << (bits - 1)
    same = chance.getrandbits(bits)
    special = (0, 1, high, high - 1, (1 << bits) - 1, 2, bits, bits - 1, 255, 128, 0xFF00, 1 << chance.randrange(bits))
    if number < 64:
        return [chance.choice(special) for _ in range(32)]
    kind = number % 4
    if kind == 0:
        return [same + chance.randrange(-1, 2) & (1 << bits) - 1 for _ in range(32)]
    if kind == 1:
        return [chance.getrandbits(bits) & chance.getrandbits(bits) & chance.getrandbits(bits) for _ in range(32)]
    if kind == 2:
        return [
            chance.choice((chance.getrandbits(6), chance.getrandbits(bits), -chance.getrandbits(6) % (1 << bits)))
            for _ in range(32)
        ]
    return [chance.getrandbits(bits) for _ in range(32)]


def field_value(variable: Variable, chance: random.Random, number: int, register: bool) -> int:
    """Return a number of a field."""
    most = (1 << variable.bits) - 1
    while True:
        value = (
            chance.randrange(most + 1) if register or number % 3 else chance.choice((0, 1, most, most >> 1, (most >> 1) + 1))
        )
        if value not in variable.without and not (register and value == 0 and variable.bits == 5):
            return min(value, most)
        number = 1
