"""The memory of a tool in a run: where its arrays and numbers are, and what its code may fail by."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from cache_sim.native.code import Field, State
from ease.host.translation.runtime import HOST
from ease.tools.analysis import READABLE, Analysis, Array, mistake
from ease.tools.requests import Value
from vpo import il
from vpo.algebra import binary
from vpo.expand.argument_passing import Assigner
from vpo.machines.machine import Machine
from vpo.rtl import BITS, Const, Expr, Mem, Register

# ----------------------------------------------------------------------------------------------------------------------
# Where values are that the machine keeps in registers and on the stack: RTL expressions.


def registers_of(machine: Machine) -> dict[str, Register]:
    """Return the registers that tools can look at, by the names that assembly gives them, without `%` and the like."""
    found: dict[str, Register] = {}
    for cls in machine.classes.values():
        if cls.width == 1 and cls.type not in "CG":
            for index in range(cls.count):
                register = Register(cls.name, index, cls.type)
                name = cls.names[index].lstrip("%$") if index < len(cls.names) else repr(register)
                found.setdefault(name, register)
    return found


class Lookups:
    """The values of one machine that are looked at where a call is made."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.registers = machine, registers_of(machine)
        self.word = il.Type("I", BITS[machine.address_type] // 8)

    def expression(self, value: Value) -> Expr | None:
        """Return the place of a value at the begin or end of a function or anywhere; None if it is no such value."""
        match value.name:
            case "register":
                return self.registers[str(value.detail)]
            case "parameter":
                return self._parameter(int(value.detail))
            case "RETURNED":
                return self.machine.convention.results["integer"][0]
        return None

    def _parameter(self, number: int) -> Expr:
        """Return a parameter of a function whose parameters are words, at its begin."""
        assigner, convention = Assigner(self.machine), self.machine.convention
        place = [assigner.scalar(self.word) for _ in range(number + 1)][-1]
        if place.registers:
            return place.registers[0]
        distance = convention.first_argument + abs(convention.pushed) + place.offset
        pointer, offset = self.machine.stack_pointer, convention.offset(distance, self.word.size)
        return Mem(self.machine.address_type, binary("+", pointer, Const(offset)))


# ----------------------------------------------------------------------------------------------------------------------


ROUNDS = 100_000_000  # of the loops in one call of an analysis function; more are taken for a loop without end
_TAGS = 2_000_000_000  # numbers of metadata that nobody else uses


@dataclass(frozen=True, slots=True)
class Storage:
    """An array of elements of an LLVM type, or a number, which is an array of one; `tag` tells its accesses apart."""

    field: Field
    tag: int

    @property
    def access(self) -> str:
        """The end of an instruction that reads or writes it."""
        return f", !tbaa !{self.tag}"


@dataclass(slots=True)
class Unit:
    """An analysis that is laid out; `prefix` begins the names of its code.

    `failures` has a line and a message for each place that can fail; `failed` tells which of them failed first, from 1 (0:
    none), and with which value; `rounds` how many rounds the loops of a call may make.
    """

    analysis: Analysis
    prefix: str
    failed: Field
    rounds: Field
    lookups: Lookups
    storages: dict[str, Storage] = field(default_factory=dict)
    failures: list[tuple[int, str]] = field(default_factory=list)

    def failure(self, node: ast.stmt | ast.expr, message: str) -> int:
        """Return the number of a failure at a place of the tool's file; `{}` in its message stands for a value."""
        if (node.lineno, message) not in self.failures:
            self.failures.append((node.lineno, message))
        return self.failures.index((node.lineno, message)) + 1

    def text(self) -> str:
        """Return the function that notes a failure, after which loops end at once, and the tags of accesses."""
        lines = [
            f"define internal void @{self.prefix}.fail(i64 %number, i64 %value) cold noinline {HOST} {{",
            f"%failed = load i64, ptr {self.failed.element(0)}",
            "%first = icmp eq i64 %failed, 0",
            "br i1 %first, label %note, label %done",
            "note:",
            f"store i64 %number, ptr {self.failed.element(0)}",
            f"store i64 %value, ptr {self.failed.element(1)}",
            f"store i64 0, ptr {self.rounds.pointer}",
            "br label %done",
            "done:",
            "ret void",
            "}",
        ]
        for name, storage in self.storages.items():
            lines += [
                f'!{storage.tag + 1} = !{{!"{self.prefix}.{name}", !0}}',
                f"!{storage.tag} = !{{!{storage.tag + 1}, !{storage.tag + 1}, i64 0}}",
            ]
        return "\n".join(lines)


def lay_out(analysis: Analysis, number: int, state: State, large: State, lookups: Lookups) -> Unit:
    """Give an analysis memory."""
    unit = Unit(analysis, f"ease.tool{number}", state.array("i64", 2), state.array("i64", 1, ROUNDS), lookups)
    first = _TAGS + 1_000_000 * number
    for index, (name, array) in enumerate(analysis.arrays.items()):
        unit.storages[name] = Storage(_placed(analysis.file, name, array, state, large), first + 2 * index)
    for index, (name, value) in enumerate(analysis.scalars.items(), len(analysis.arrays)):
        unit.storages[name] = Storage(state.array("i64", 1, value), first + 2 * index)
    return unit


def _placed(file: str, name: str, array: Array, state: State, large: State) -> Field:
    """Give an array memory, with what it holds at the start."""
    if array.bytes > READABLE and (array.fill or array.changed):
        raise mistake(file, 1, f"`{name}` has {array.bytes >> 20} MiB, and so can hold zeros only at the start")
    where = state if array.bytes <= READABLE else large
    return where.array(f"i{array.bits}", max(array.length, 1), array.fill, tuple(sorted(array.changed.items())))
