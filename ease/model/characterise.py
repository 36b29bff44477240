"""Join counts with what each instruction is (`ease.model.static_program`): the characteristics of a program and its run.

The same is done with what branch predictors did.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any

from ease.model import results
from ease.model.static_kinds import Kind, StaticFunction, StaticProgram

TABLES = ("operands", "references", "registers", "condition_codes", "constants", "arguments")  # a kind may have several each
FILLER = "delay"  # the cause of what stands in a delay slot for want of something useful


def characterise(program: StaticProgram, counts: results.Counts) -> results.Characteristics:
    """Count everything about a program and a run of it."""
    tables = _Tables(program)
    for name, function in program.functions.items():
        tables.add_function(function, counts.rtls[name])
        tables.add_blocks(function, counts.rtls[name])
        tables.add_slots(function, counts.rtls[name])
        tables.add_branches(function, counts.rtls[name], counts.taken[name])
        tables.add_window_moves(function, counts.rtls[name], counts.traps.get(name, {}))
    return tables.characteristics()


class _Tables:
    """Adds up RTLs, those of a kind first."""

    def __init__(self, program: StaticProgram) -> None:
        self.program = program
        self.kinds: dict[int, list[int]] = {}
        self.branches: dict[str, results.BranchCount] = {}
        self.runs: dict[int, list[int]] = {}
        self.blocks: dict[int, list[int]] = {}
        self.slots: dict[str, results.SlotCount] = {}
        self.functions: dict[str, results.Count] = {}
        self.lines: dict[results.Line, list[int]] = {}
        self.windows: dict[results.WindowMove, results.WindowCount] = {}
        self.tables: dict[str, dict[Any, list[int]]] = {name: {} for name in ("types", "sizes", *TABLES)}

    def add_function(self, function: StaticFunction, counts: Sequence[int]) -> None:
        """Add the RTLs of a function."""
        counted = [self.program.kinds[kind].counted for kind in function.kinds]
        for kind, line, count, whole in zip(function.kinds, function.lines, counts, counted, strict=True):
            _increase(self.kinds, kind, 1, count)
            if whole:
                _increase(self.lines, results.Line(function.file, line), 1, count)
        self.functions[function.name] = results.Count(sum(counted), sum(compress(counts, counted)))
        for static, numbers in ((0, [1] * sum(counted)), (1, list(compress(counts, counted)))):
            for length, runs in run_lengths(numbers, function.ends).items():
                self.runs.setdefault(length, [0, 0])[static] += runs

    def add_blocks(self, function: StaticFunction, counts: Sequence[int]) -> None:
        """Add the blocks of a function that have instructions."""
        for start, end in zip(function.blocks, (*function.blocks[1:], len(counts)), strict=True):
            size = sum(self.program.kinds[kind].counted for kind in function.kinds[start:end])
            if size:
                _increase(self.blocks, size, 1, counts[start])

    def add_slots(self, function: StaticFunction, counts: Sequence[int]) -> None:
        """Add the delay slots of a function."""
        places = [place for place, kind in enumerate(function.kinds) if self.program.kinds[kind].counted]
        kinds = [self.program.kinds[function.kinds[place]] for place in places]
        for transfer, slots in delay_slots(kinds, function.ends):
            for slot in slots:
                executed = counts[places[slot]]
                name = "" if kinds[slot].cause == FILLER else kinds[slot].instruction
                annulled = counts[places[transfer]] - executed if transfer in function.ends else 0
                self.slots[name] = self.slots.get(name, results.SlotCount()) + results.SlotCount(1, executed, annulled)

    def add_branches(self, function: StaticFunction, counts: Sequence[int], taken: Sequence[int]) -> None:
        """Add the conditional branches of a function."""
        for block, position in function.branches.items():
            name = self.program.kinds[function.kinds[position]].instruction
            count = results.BranchCount(1, counts[position], taken[block])
            self.branches[name] = self.branches.get(name, results.BranchCount()) + count

    def add_window_moves(self, function: StaticFunction, counts: Sequence[int], traps: Mapping[int, int]) -> None:
        """Add the RTLs of a function that move the register window, and what their traps store or load."""
        for position, trapped in traps.items():
            direction = function.windows[position]
            place = results.WindowMove(direction, function.name[1:], results.Line(function.file, function.lines[position]))
            count = results.WindowCount(1, counts[position], trapped)
            self.windows[place] = self.windows.get(place, results.WindowCount()) + count
            for reference in self.program.spilled[direction] if trapped else ():
                _increase(self.tables["references"], reference, 0, trapped)

    def characteristics(self) -> results.Characteristics:
        """Return everything added."""
        transfers = results.Count()
        for number, (static, dynamic) in self.kinds.items():
            kind = self.program.kinds[number]
            self._add(kind, static, dynamic)
            if kind.transfers:
                transfers += results.Count(static, dynamic)
        return results.Characteristics(
            instructions=results.total(self.functions.values()),
            branches=dict(sorted(self.branches.items())),
            transfers=transfers,
            runs=_frozen(self.runs),
            functions=self.functions,
            lines=_frozen(self.lines),
            windows=dict(sorted(self.windows.items())),
            blocks=_frozen(self.blocks),
            slots=dict(sorted(self.slots.items())),
            **{name: _frozen(table) for name, table in self.tables.items()},
        )

    def _add(self, kind: Kind, static: int, dynamic: int) -> None:
        """Add a kind that stands `static` times in the program and was executed `dynamic` times."""
        if kind.counted:
            _increase(self.tables["types"], kind.instruction, static, dynamic)
        _increase(self.tables["sizes"], kind.size, static, dynamic)
        for name in TABLES:
            for entry in getattr(kind, name):
                _increase(self.tables[name], entry, static, dynamic)


def _increase(table: dict[Any, list[int]], key: Any, static: int, dynamic: int) -> None:
    numbers = table.get(key)
    if numbers is None:
        table[key] = [static, dynamic]
    else:
        numbers[0] += static
        numbers[1] += dynamic


def _frozen(table: Mapping[Any, Sequence[int]]) -> dict[Any, results.Count]:
    return {key: results.Count(*table[key]) for key in sorted(table)}


def delay_slots(kinds: Sequence[Kind], ends: Collection[int]) -> Iterator[tuple[int, range]]:
    """Yield the places of transfers of control with delay slots, among the instructions of a function, and of their slots.

    A transfer ends a stretch with its last slot, which transfers nothing itself, and with itself, too, if it may annul slots.
    """
    transfer = 0
    for place, kind in enumerate(kinds):
        if kind.transfers:
            transfer = place
        elif place in ends:
            yield transfer, range(transfer + 1, place + 1)


# ------------------------------------------------------------------------- instructions between transfers of control


def run_lengths(counts: Sequence[int], ends: Collection[int]) -> dict[int, int]:
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
