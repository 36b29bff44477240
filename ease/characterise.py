"""Join counts with what each instruction is: the characteristics of a program and of a run of it.

They come from the machine's semantic record of each RTL, so whatever a description calls an instruction, an operand field
or an addressing mode is what the reports call it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any

from ease.accesses import accesses
from ease.reference_kinds import IMPLICIT, file_name, kinds_of_references
from ease.results import (
    DATA_TYPES,
    WINDOW,
    Access,
    BranchCount,
    Characteristics,
    Count,
    Counts,
    Line,
    OperandField,
    Reference,
    WindowCount,
    WindowMove,
    total,
)
from vpo.analysis.cfg import transfer_of
from vpo.analysis.delay_slots import delay_slots
from vpo.function import Function
from vpo.machines.machine import Machine
from vpo.machines.record import Field, Record
from vpo.program import Program
from vpo.rtl import TRANSFERS, Branch, Call, Effect, Op, Register, Rtl, Set


def characterise(program: Program, counts: Counts) -> Characteristics:
    """Count everything about a program and a run of it."""
    tables = _Tables(program.machine)
    for name, function in program.functions.items():
        tables.add_function(name, function, counts.rtls[name])
        tables.add_branches(function, counts.rtls[name], counts.taken[name])
        tables.add_window_moves(name, function, counts.rtls[name], counts.traps.get(name, {}))
    return tables.characteristics()


class _Tables:
    """Adds up RTLs; equal ones are put together first, because there are many."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.kinds: dict[tuple[tuple[Effect, ...], str], tuple[Rtl, list[int]]] = {}
        self.branches: dict[str, BranchCount] = {}
        self.runs: dict[int, list[int]] = {}
        self.functions: dict[str, Count] = {}
        self.lines: dict[Line, list[int]] = {}
        self.windows: dict[WindowMove, WindowCount] = {}
        windows = machine.convention.windows
        self.window_moves = frozenset((*windows.enter, *windows.leave)) if windows is not None else frozenset()
        self.tables: dict[str, dict[Any, list[int]]] = {
            name: {} for name in ("types", "sizes", "operands", "references", "registers", "condition_codes")
        }

    def add_function(self, name: str, function: Function, counts: Sequence[int]) -> None:
        """Add the RTLs of a function."""
        rtls = function.rtls()
        file = file_name(function.file)
        counted = [self.machine.record(rtl).counted for rtl in rtls]
        for rtl, count, whole in zip(rtls, counts, counted, strict=True):
            _, numbers = self.kinds.setdefault((rtl.effects, rtl.cause), (rtl, [0, 0]))
            numbers[0] += 1
            numbers[1] += count
            if whole:
                _increase(self.lines, Line(file, rtl.lines[0]), 1, count)
        self.functions[name] = Count(sum(counted), sum(compress(counts, counted)))
        ends = _run_ends(self.machine, function, counted)
        for static, numbers in ((0, [1] * sum(counted)), (1, list(compress(counts, counted)))):
            for length, runs in run_lengths(numbers, ends).items():
                self.runs.setdefault(length, [0, 0])[static] += runs

    def add_branches(self, function: Function, counts: Sequence[int], taken: Sequence[int]) -> None:
        """Add the conditional branches of a function."""
        for block, start, times in zip(function.blocks, function.block_starts(), taken, strict=True):
            rtl = transfer_of(block, function.stage == "final")
            if rtl is not None and isinstance(rtl.transfer, Branch):
                position = start + next(i for i, r in enumerate(block.rtls) if r is rtl)
                name = self.machine.record(rtl).name
                count = BranchCount(1, counts[position], times)
                self.branches[name] = self.branches.get(name, BranchCount()) + count

    def add_window_moves(self, name: str, function: Function, counts: Sequence[int], traps: Mapping[int, int]) -> None:
        """Add the RTLs of a function that move the register window, and what their traps store or load."""
        windows = self.machine.convention.windows
        if windows is None:
            return
        rtls, file = function.rtls(), file_name(function.file)
        for position, trapped in traps.items():
            direction = self.machine.window_move(rtls[position].effects)
            place = WindowMove(direction, name[1:], Line(file, rtls[position].lines[0]))
            count = WindowCount(1, counts[position], trapped)
            self.windows[place] = self.windows.get(place, WindowCount()) + count
            for register in windows.kept if trapped else ():
                kind = Reference("write" if direction == "enter" else "read", WINDOW, DATA_TYPES[register.type], IMPLICIT)
                _increase(self.tables["references"], kind, 0, trapped)

    def characteristics(self) -> Characteristics:
        """Return everything added."""
        transfers = Count()
        for rtl, (static, dynamic) in self.kinds.values():
            record = self.machine.record(rtl)
            self._add(rtl, record, static, dynamic)
            if _is_transfer(rtl):
                transfers += Count(static, dynamic)
        return Characteristics(
            instructions=total(self.functions.values()),
            branches=dict(sorted(self.branches.items())),
            transfers=transfers,
            runs=_frozen(self.runs),
            functions=self.functions,
            lines=_frozen(self.lines),
            windows=dict(sorted(self.windows.items())),
            **{name: _frozen(table) for name, table in self.tables.items()},
        )

    def _add(self, rtl: Rtl, record: Record, static: int, dynamic: int) -> None:
        """Add an RTL that stands `static` times in the program and was executed `dynamic` times."""
        tables = self.tables
        if record.counted:
            _increase(tables["types"], record.name, static, dynamic)
        _increase(tables["sizes"], record.size, static, dynamic)
        for field in record.fields:
            key = OperandField(record.name, field.name.upper(), field.mode, self._type(field, rtl))
            _increase(tables["operands"], key, static, dynamic)
        for _, kind in kinds_of_references(self.machine, rtl, record):
            _increase(tables["references"], kind, static, dynamic)
        for direction, registers in zip(("read", "write"), accesses(rtl, self.window_moves), strict=True):
            for register in registers:
                name = self._register(register)
                if register.type in "CG":
                    _increase(tables["condition_codes"], Access(name, direction, record.name), static, dynamic)
                else:
                    _increase(tables["registers"], Access(name, direction), static, dynamic)

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


def _increase(table: dict[Any, list[int]], key: Any, static: int, dynamic: int) -> None:
    numbers = table.get(key)
    if numbers is None:
        table[key] = [static, dynamic]
    else:
        numbers[0] += static
        numbers[1] += dynamic


def _frozen(table: Mapping[Any, Sequence[int]]) -> dict[Any, Count]:
    return {key: Count(*table[key]) for key in sorted(table)}


# ------------------------------------------------------------------------- instructions between transfers of control


def _run_ends(machine: Machine, function: Function, counted: Sequence[bool]) -> set[int]:
    """Return the positions, among counted RTLs, behind which a transfer of control, with its delay slots, is over."""
    ends = set()
    for position, rtl in enumerate(compress(function.rtls(), counted)):
        if _is_transfer(rtl):
            ends.add(position + delay_slots(machine, function, rtl))
            if rtl.annuls:
                ends.add(position)
    return ends


def run_lengths(counts: Sequence[int], ends: set[int]) -> dict[int, int]:
    """Return how many stretches of each length were executed between transfers of control.

    Control leaves a function only at `ends`, so where an RTL is executed more often than the one before it, the
    difference are arrivals; where less often, the program ended there.  Lengths times numbers sum to the counts.
    """
    lengths: dict[int, int] = {}
    under_way: list[list[int]] = []  # [first RTL, number], outermost first
    having = 0

    def close(number: int, end: int) -> None:
        while number:
            first, available = under_way[-1]
            done = min(number, available)
            lengths[end - first] = lengths.get(end - first, 0) + done
            number -= done
            under_way[-1][1] -= done
            if not under_way[-1][1]:
                under_way.pop()

    for position, count in enumerate(counts):
        if count > having:
            under_way.append([position, count - having])
        elif count < having:
            close(having - count, position)
        having = count
        if position in ends:
            close(having, position + 1)
            having = 0
    close(having, len(counts))
    return lengths
