"""What is known of a program without a run: for each RTL what it is, as the machine's semantic record says.

Whatever a description calls an instruction, an operand field or an addressing mode is what reports call it.  Times counts
(`ease.model.characterise`), this gives every report; a store keeps both.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import compress

from ease.model.operand_kinds import IMPLICIT, constants_of, kinds_of_references
from ease.model.run_identity import file_name
from ease.model.static_kinds import DATA_TYPES, WINDOW, Access, Kind, OperandField, Reference, StaticFunction, StaticProgram
from vpo.analysis.cfg import delay_slots, transfer_of
from vpo.base.kept import kept
from vpo.machines.machine import Machine
from vpo.machines.match.record import Field, Record
from vpo.program import Program
from vpo.rtl import TRANSFERS, Branch, Call, Effect, Op, Register, Return, Rtl, Set
from vpo.rtl.function import Function

# ----------------------------------------------------------------------------------------------------------------------
# Which registers an instruction reads and writes.


def accesses(rtl: Rtl, hidden: Collection[Effect] = ()) -> tuple[set[Register], set[Register]]:
    """Return the registers that an instruction reads and writes.

    What a callee reads does not count, nor do hidden effects.
    """
    read: set[Register] = set()
    written: set[Register] = set()
    for effect in rtl.effects:
        if hidden and effect in hidden:
            continue
        read.update(effect.target.uses if isinstance(effect, Call | Return) else effect.uses)
        if isinstance(effect, Set) and isinstance(effect.target, Register):
            written.add(effect.target)
    return read, written


# ----------------------------------------------------------------------------------------------------------------------


@kept
def describe(program: Program) -> StaticProgram:
    """Return what is known of a program."""
    return _Describer(program).program()


class _Describer:
    """Describes the RTLs of one program; equal ones are described once, because there are many."""

    def __init__(self, program: Program) -> None:
        self.source, self.machine = program, program.machine
        self.numbers: dict[tuple[tuple[Effect, ...], str, str], int] = {}
        self.kinds: list[Kind] = []
        windows = self.machine.convention.windows
        self.window_moves = frozenset((*windows.enter, *windows.leave)) if windows is not None else frozenset()

    def program(self) -> StaticProgram:
        """Return the program."""
        functions = {name: self._function(name, function) for name, function in self.source.functions.items()}
        windows = self.machine.convention.windows
        kept = windows.kept if windows is not None else ()
        spilled = {
            direction: tuple(Reference(way, WINDOW, DATA_TYPES[register.type], IMPLICIT) for register in kept)
            for direction, way in (("enter", "write"), ("leave", "read"))
        }
        return StaticProgram(self.machine.name, self.kinds, functions, spilled)

    def _function(self, name: str, function: Function) -> StaticFunction:
        rtls, starts = function.rtls(), function.block_starts()
        kinds = tuple(map(self._number, rtls))
        branches = {}
        for number, (block, start) in enumerate(zip(function.blocks, starts, strict=True)):
            rtl = transfer_of(block, function.stage == "final")
            if rtl is not None and isinstance(rtl.transfer, Branch):
                branches[number] = start + next(i for i, r in enumerate(block.rtls) if r is rtl)
        counted = [self.kinds[kind].counted for kind in kinds]
        lines = tuple(rtl.lines[0] for rtl in rtls)
        ends = frozenset(_run_ends(self.machine, function, list(compress(rtls, counted))))
        windows = {i: d for i, rtl in enumerate(rtls) if self.window_moves and (d := self.machine.window_move(rtl.effects))}
        labels = tuple(block.label for block in function.blocks)
        return StaticFunction(name, file_name(function.file), kinds, lines, tuple(starts), branches, ends, windows, labels)

    def _number(self, rtl: Rtl) -> int:
        """Return the number of an RTL's kind."""
        record = self.machine.record(rtl)
        key = (rtl.effects, rtl.cause, record.name)  # branches to labels of one name may differ in reach
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.kinds)
            self.kinds.append(self._kind(rtl, record))
        return number

    def _kind(self, rtl: Rtl, record: Record) -> Kind:
        registers: list[Access] = []
        codes: list[Access] = []
        for direction, accessed in zip(("read", "write"), accesses(rtl, self.window_moves), strict=True):
            for register in accessed:
                name = self._register(register)
                if register.type in "CG":
                    codes.append(Access(name, direction, record.name))
                else:
                    registers.append(Access(name, direction))
        return Kind(
            record.name, rtl.cause, record.size, record.latency, record.counted, _is_transfer(rtl),
            tuple(OperandField(record.name, f.name.upper(), f.mode, self._type(f, rtl)) for f in record.fields),
            tuple(kind for _, kind in kinds_of_references(self.machine, rtl, record)),
            tuple(sorted(registers)), tuple(sorted(codes)), constants_of(record),
            () if rtl.call is None else (len(rtl.call.arguments),),
        )  # fmt: skip

    def _type(self, field: Field, rtl: Rtl) -> str:
        """Return the data type of an operand field; CODE for where control goes."""
        if field.type and (field.type not in "CG" or (isinstance(field.value, Register) and field.value.type in "CG")):
            return DATA_TYPES[field.type]
        if field.type:
            return DATA_TYPES[_compared(rtl) or self.machine.address_type]
        return "CODE" if _is_transfer(rtl) else DATA_TYPES[self.machine.address_type]

    def _register(self, register: Register) -> str:
        cls = self.machine.classes.get(register.cls)
        names = cls.names if cls is not None else ()
        return names[register.index] if register.index < len(names) and not register.pseudo else repr(register)


def _compared(rtl: Rtl) -> str:
    """Return the type of what an RTL compares into a condition code."""
    for effect in rtl.effects:
        source = effect.source if isinstance(effect, Set) else None
        if isinstance(source, Op) and source.op == "?":
            return next((arg.type for arg in source.args if arg.type), "")
    return ""


def _is_transfer(rtl: Rtl) -> bool:
    return any(isinstance(effect, (*TRANSFERS, Call)) for effect in rtl.effects)


def _run_ends(machine: Machine, function: Function, counted: Sequence[Rtl]) -> set[int]:
    """Return the positions, among counted RTLs, behind which a transfer of control, with its delay slots, is over."""
    ends = set()
    for position, rtl in enumerate(counted):
        if _is_transfer(rtl):
            ends.add(position + delay_slots(machine, function, rtl))
            if rtl.annuls:
                ends.add(position)
    return ends
