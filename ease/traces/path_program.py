"""Make the code that regenerates the traces of a program (`cache_sim.traces.regeneration`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from cache_sim.traces.regeneration import RECORD, Op, Records
from ease.host.translation.ir_builder import SIZE
from ease.host.translation.stack_walks import walks_stack
from ease.traces.address_plan import Access, AddressPlanner, FunctionPlan, Move
from ease.traces.register_values import RegisterValues
from vpo.analysis.cfg import Cfg, build_cfg, delay_slots
from vpo.analysis.register_summaries import RegisterSummaries
from vpo.analysis.transfers import INDIRECT, address_taken, callee_of, context_savers
from vpo.il.routine_names import RESUME_CONTEXT, SAVE_CONTEXT
from vpo.program import Program
from vpo.rtl import Branch, Call, IndirectJump, Jump, Return, Rtl
from vpo.rtl.function import Function

_Row = tuple[int, int, int, int, int, int, int]


@dataclass(slots=True)
class PathProgram:
    """The code of a program, its jump table (address, record) and the entries of its functions (address, record).

    `plans` tell for each function which addresses are recorded; `notes` the blocks at whose end a control byte tells
    nothing but that control came there, and `noted` the functions of which one tells that they were called.
    """

    code: Records
    jumps: list[tuple[int, int]]
    entries: list[tuple[int, int]]
    start: int
    plans: dict[str, FunctionPlan]
    notes: dict[str, frozenset[int]]
    noted: frozenset[str]


def path_program(program: Program, data: bool = True) -> PathProgram:
    """Return the code for the traces of a program, without references to data if they are not wanted."""
    return _Builder(program, data).build()


@dataclass(slots=True)
class _Fetch:
    """Instructions that were fetched one behind the other."""

    op: Op
    site: int
    address: int
    size: int
    count: int = 1

    @property
    def next(self) -> tuple[Op, int, int, int]:
        """What the next one has that goes on here: record, size, site, address."""
        return self.op, self.size, self.site + self.count, self.address + self.count * self.size


@dataclass(slots=True)
class _Builder:
    program: Program
    data: bool
    rows: list[_Row] = field(default_factory=list)
    jumps: list[tuple[int, int]] = field(default_factory=list)
    labels: dict[object, int] = field(default_factory=dict)
    patches: list[tuple[int, object]] = field(default_factory=list)  # records whose `a` is the place of a label
    tables: list[tuple[int, object]] = field(default_factory=list)  # addresses in the jump table and their labels
    fetch: _Fetch | None = None

    def build(self) -> PathProgram:
        program = self.program
        summaries = RegisterSummaries(program)
        if walks_stack(program, summaries):
            summaries = RegisterSummaries(program, trust=False)
        again = frozenset(context_savers(program))
        plans: dict[str, FunctionPlan] = {}
        notes: dict[str, frozenset[int]] = {}
        noted = recursive_functions(program)
        for number, (name, function) in enumerate(program.functions.items()):
            if self.data:
                plans[name] = AddressPlanner(RegisterValues(program, function, summaries, again)).plan()
            else:
                plans[name] = FunctionPlan()
            notes[name] = blocks_to_note(function)
            _FunctionCode(self, function, number, plans[name], notes[name], name in noted).write()
        for row, label in self.patches:
            op, kind, size, _, value, site, b = self.rows[row]
            self.rows[row] = op, kind, size, self.labels[label], value, site, b
        jumps = [(address, self.labels[label]) for address, label in self.tables]
        entries = sorted((program.symbols[name], self.labels[name]) for name in program.functions)
        code = np.array(self.rows, dtype=RECORD)
        return PathProgram(code, jumps, entries, self.labels[program.entry], plans, notes, noted)

    def row(self, op: Op, a: int = 0, value: int = 0, kind: int = 0, size: int = 0, site: int = 0, b: int = 0) -> None:
        """Append a record."""
        self.flush()
        self.rows.append((op, kind, size, a, value, site, b))

    def go(self, op: Op, label: object, site: int = 0) -> None:
        """Append a record that goes to a label."""
        self.flush()
        self.patches.append((len(self.rows), label))
        self.row(op, site=site)

    def place(self, label: object) -> None:
        """Put a label before the next record."""
        self.flush()
        self.labels[label] = len(self.rows)

    def fetched(self, op: Op, site: int, address: int, size: int) -> None:
        """Append the fetch of an instruction, to the last one's record if it goes on there."""
        fetch = self.fetch
        if fetch is not None and (op, size, site, address) == fetch.next:
            fetch.count += 1
            return
        self.flush()
        self.fetch = _Fetch(op, site, address, size)

    def flush(self) -> None:
        """Append the record of the last fetches."""
        fetch, self.fetch = self.fetch, None
        if fetch is not None:
            self.rows.append((fetch.op, 2, fetch.size, fetch.count, fetch.address, fetch.site, 0))


class _FunctionCode:
    """Writes the code of one function."""

    def __init__(
        self, builder: _Builder, function: Function, number: int, plan: FunctionPlan, notes: frozenset[int], noted: bool
    ) -> None:
        self.builder, self.function, self.number = builder, function, number
        self.plan, self.notes, self.noted = plan, notes, noted
        self.program, self.machine = builder.program, builder.program.machine
        self.first = self.program.first(function.name)
        self.fetched = self.program.fetched[function.name]
        self.starts = function.block_starts()
        self.blocks = {block.label: number for number, block in enumerate(function.blocks)}
        self.stubs: list[tuple[object, Sequence[Move], int]] = []  # code on edges that stands behind the blocks

    def write(self) -> None:
        """Write all blocks."""
        builder, name = self.builder, self.function.name
        builder.place(name)
        builder.row(Op.ENTER, self.plan.slots, site=self.number)
        if self.noted:
            builder.row(Op.NOTE)
        for number, block in enumerate(self.function.blocks):
            builder.place((name, number))
            if block.rtls:
                start = self.starts[number]
                builder.row(Op.BLOCK, number, self.fetched[start][0], 3, len(block.rtls), self.first + start)
            self._block(number, block.rtls)
        for label, moves, target in self.stubs:
            builder.place(label)
            self._moves(moves)
            builder.go(Op.JUMP, (name, target))

    def _block(self, number: int, rtls: Sequence[Rtl]) -> None:
        index = 0
        while index < len(rtls):
            rtl = rtls[index]
            slots = delay_slots(self.machine, self.function, rtl)
            self._execute(number, index, rtl)
            effect = rtl.transfer or rtl.call
            if effect is None:
                index += 1
                continue
            site = self.first + self.starts[number] + index
            if rtl.annuls:
                self._annulling(number, index, slots, site)
                return
            delayed = bool(slots)
            match effect:
                case Branch() if delayed:
                    self.builder.row(Op.TEST)
                case IndirectJump():
                    self.builder.row(Op.TARGET)
                case Call() if callee_of(self.program, effect) == INDIRECT:
                    self.builder.row(Op.TARGET)
            for extra in range(1, slots + 1):
                self._execute(number, index + extra, rtls[index + extra])
            index += 1 + slots
            if self._transfer(number, effect, site, delayed):
                return
        self._fall(number)

    def _execute(self, number: int, index: int, rtl: Rtl) -> None:
        """Write the fetch and the references of an RTL."""
        position = self.starts[number] + index
        address, end = self.fetched[position]
        site = self.first + position
        counted = self.machine.record(rtl).counted
        if end > address or counted:
            self.builder.fetched(Op.FETCH if counted else Op.PART, site, address, end - address)
        for access in self.plan.accesses.get(position, ()):
            if access.reference.guards:
                self.builder.row(Op.GUARD, 1)
            self._access(access, site)
        if rtl.system_call is not None:
            self.builder.row(Op.SYSTEM, site=site)

    def _access(self, access: Access, site: int) -> None:
        op = Op.DERIVED
        if access.recorded:
            op = Op.KEPT if access.slot >= 0 else Op.RECORDED
        elif access.slot < 0:
            op = Op.REFER
        kind, size = int(access.reference.write), SIZE[access.reference.cell.type]
        value = 0 if op == Op.RECORDED else access.offset
        self.builder.row(op, max(access.slot, 0), value, kind, size, site)

    def _transfer(self, number: int, effect: object, site: int, delayed: bool) -> bool:
        """Write a transfer of control; return whether nothing of the block comes behind it."""
        builder, name = self.builder, self.function.name
        match effect:
            case Jump(label=label):
                self._note(number)
                self._go(number, self.blocks[label])
            case Branch(label=label):
                target = self.blocks[label]
                builder.go(Op.DECIDE if delayed else Op.BRANCH, self._edge(number, target), site)
                self._fall(number)
            case IndirectJump(labels=labels):
                self._switch(number, labels, site)
            case Call():
                callee = callee_of(self.program, effect)
                if callee == INDIRECT:
                    builder.row(Op.CALL_INDIRECT, site=site)
                else:
                    builder.go(Op.CALL, callee, site)
                return False
            case Return():
                op = {SAVE_CONTEXT: Op.SAVE, RESUME_CONTEXT: Op.RESUME}.get(name, Op.RETURN)
                builder.row(op, site=site)
        return True

    def _switch(self, number: int, labels: Sequence[str], site: int) -> None:
        first = len(self.builder.tables)
        for label in dict.fromkeys(labels):
            address = self.program.labels[self.function.name, label]
            self.builder.tables.append((address, self._edge(number, self.blocks[label])))
        self.builder.row(Op.JUMP_INDIRECT, first, site=site, b=len(self.builder.tables) - first)

    def _annulling(self, number: int, index: int, slots: int, site: int) -> None:
        """Write a branch whose slots are executed only if it is taken."""
        builder, rtls = self.builder, self.function.blocks[number].rtls
        branch = rtls[index].transfer
        assert isinstance(branch, Branch)
        taken = object()
        builder.go(Op.BRANCH, taken, site)
        self._fall(number)
        builder.place(taken)
        for extra in range(1, slots + 1):
            self._execute(number, index + extra, rtls[index + extra])
        self._go(number, self.blocks[branch.label])

    def _edge(self, number: int, target: int) -> object:
        """Return the label to which a branch goes that goes to a block."""
        moves = self.plan.moves.get((number, target))
        if not moves:
            return self.function.name, target
        label = self.function.name, number, target
        if all(stub[0] != label for stub in self.stubs):
            self.stubs.append((label, moves, target))
        return label

    def _go(self, number: int, target: int) -> None:
        self._moves(self.plan.moves.get((number, target), ()))
        self.builder.go(Op.JUMP, (self.function.name, target))

    def _fall(self, number: int) -> None:
        self._note(number)
        if number + 1 < len(self.function.blocks):
            self._go(number, number + 1)
        else:
            self.builder.row(Op.END)

    def _note(self, number: int) -> None:
        if number in self.notes:
            self.builder.row(Op.NOTE)

    def _moves(self, moves: Sequence[Move]) -> None:
        for move in moves:
            if move.recorded:
                self.builder.row(Op.LOAD, move.slot)
            elif move.source < 0:
                self.builder.row(Op.SET, move.slot, move.offset)
            elif move.stride >= 0:
                self.builder.row(Op.ADD, move.slot, b=move.stride)
                if move.offset:
                    self.builder.row(Op.COPY, move.slot, move.offset, b=move.slot)
            else:
                self.builder.row(Op.COPY, move.slot, move.offset, b=move.source)


def blocks_to_note(function: Function) -> frozenset[int]:
    """Return the blocks that go around a cycle in which nothing is decided: a trace must tell how often they do."""
    cfg = build_cfg(function)
    undecided = {block for block, targets in enumerate(cfg.successors) if len(targets) == 1}
    order = cfg.reverse_postorder()
    place = {block: number for number, block in enumerate(order)}
    return frozenset(
        block
        for block in order
        if block in undecided
        for target in cfg.successors[block]
        if place[target] <= place[block] and _closes(cfg, target, block, undecided)
    )


def _closes(cfg: Cfg, start: int, end: int, undecided: set[int]) -> bool:
    """Whether control gets from one block to another without a decision."""
    seen: set[int] = set()
    block = start
    while block in undecided and block not in seen:
        if block == end:
            return True
        seen.add(block)
        block = cfg.successors[block][0]
    return False


def recursive_functions(program: Program) -> frozenset[str]:
    """Return the functions that may call themselves, perhaps through others."""
    taken = address_taken(program)
    called: dict[str, set[str]] = {}
    for name, function in program.functions.items():
        callees: set[str] = set()
        for rtl in function.rtls():
            if rtl.call is not None:
                callee = callee_of(program, rtl.call)
                callees.update(taken if callee == INDIRECT else [callee])
        called[name] = callees
    return frozenset(name for name in called if name in set(_reached(called, name)))


def _reached(called: dict[str, set[str]], name: str) -> Iterator[str]:
    """Yield the functions that calls of a function lead to."""
    seen: set[str] = set()
    waiting = list(called[name])
    while waiting:
        callee = waiting.pop()
        if callee not in seen:
            seen.add(callee)
            yield callee
            waiting += called[callee]
