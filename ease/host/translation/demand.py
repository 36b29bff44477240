"""Find the reads of memory that LLVM could remove, and with them the fault of a wild address.

LLVM removes a load if nothing needs its value, and moves a load to the one path that needs it.  So a read is safe if its
value is demanded: on every path, an action that host code always performs (a store, a branch, a system call) depends on the
value.  Two data-flow problems over the whole program decide.  The greatest solution of the first has the values that are
demanded on all paths.  The least solution of the second has those that are demanded on some path; it leaves out values that
only feed themselves, as in `for (;;) p = *p;`.  A branch without a choice demands nothing: both its edges lead to one block,
or it belongs to a loop that LLVM may delete.

In doubt, a read is called removable; that only costs time.  Addresses that are symbols, or the stack pointer plus a number,
are assumed to be mapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from vpo.algebra import CONSTANTS
from vpo.analysis.cfg import build_cfg, delay_slots
from vpo.analysis.dominators import dominators, natural_loops
from vpo.analysis.register_summaries import RegisterSummaries, is_cell, is_saving
from vpo.analysis.transfers import INDIRECT, callee_of
from vpo.rtl import (
    RELATIONS,
    Branch,
    By,
    Call,
    Const,
    Delay,
    Effect,
    Expr,
    IndirectJump,
    Mem,
    Op,
    Register,
    Return,
    Rtl,
    Set,
    Slot,
    Symbol,
)
from vpo.rtl.function import Function

EVERYTHING = -1  # the set of all registers
_CANCELLING = frozenset({"-", "^", "/", "%", "/u", "%u", "?", *RELATIONS})  # known without its operands if they are equal
_ABSORBING = {("*", 0), ("&", 0), ("|", -1), ("%", 1), ("%u", 1), (">=u", 0), ("<u", 0)}

Place = tuple[str, int]  # function, and index of the RTL in it


@dataclass(slots=True)
class _Step:
    """The effect of one RTL, as sets of registers."""

    addresses: int = 0  # parts of addresses
    uses: int = 0  # needed by actions that are always performed
    tests: int = 0  # a branch depends on them
    weak: int = 0  # stored where they may be overwritten
    moves: list[tuple[int, int, int]] = field(default_factory=list)  # target, registers it depends on, all in its expression
    callee: str | None = None  # called behind this RTL
    acts: bool = False  # the RTL stores, calls or returns
    annullable: bool = False  # the RTL stands in a delay slot that may be annulled
    tests_cell: bool = False  # its branch reads memory at an unknown address
    unsure: bool = False  # it reads an unknown address, and the value is unused or may be overwritten
    reads: int = 0  # targets of the moves that read memory at unknown addresses

    def ignore_test(self) -> None:
        """Make the branch demand nothing, because it has no choice."""
        self.tests, self.unsure = 0, self.unsure or self.tests_cell


class _Values:
    """Value numbers within a block: expressions with one number are equal, unless a store comes between them."""

    def __init__(self) -> None:
        self.numbers: dict[object, int] = {}
        self.registers: dict[Register, int] = {}
        self.cancels = False  # whether the value of the last expression may not depend on its operands

    def of(self, node: Expr) -> int:
        """Return the number of a value."""
        match node:
            case Register() if node in self.registers:
                return self.registers[node]
            case Mem():
                return self._number(("cell", node.type, self.of(node.address)))
            case Op():
                numbers = [self.of(arg) for arg in node.args]
                self.cancels |= node.op in _CANCELLING and len(set(numbers)) == 1
                self.cancels |= any(type(arg) is Const and (node.op, arg.value) in _ABSORBING for arg in node.args)
                self.cancels |= node.op == "SEL"
                return self._number((node.op, node.type, *numbers))
        return self._number(node)

    def _number(self, key: object) -> int:
        return self.numbers.setdefault(key, len(self.numbers))

    def depends(self, node: Expr) -> bool:
        """True if a value depends on all registers and cells in its expression."""
        self.cancels = False
        self.of(node)
        return not self.cancels

    def restores(self, cell: Mem, source: Expr) -> bool:
        """True if a store writes a value that was read from the same cell."""
        return self.of(cell) == self.of(source)

    def step(self, rtl: Rtl) -> None:
        """Update the value numbers for an RTL."""
        if rtl.call is not None:
            self.registers.clear()
            self.numbers.clear()
        new = {e.target: self.of(e.source) for e in rtl.effects if isinstance(e, Set) and isinstance(e.target, Register)}
        self.registers.update(new)


def removable_reads(summaries: RegisterSummaries) -> frozenset[Place]:
    """Return the RTLs whose reads of memory LLVM could remove.

    This takes time proportional to the size of the program, times the few passes until nothing changes.
    """
    steps = {name: list(_steps(summaries, function)) for name, function in summaries.program.functions.items()}
    ever = _Demand(summaries, steps, always=False)
    idle = [_drop_idle_loops(function, steps[name], ever) for name, function in summaries.program.functions.items()]
    if any(idle):
        ever = _Demand(summaries, steps, always=False)
    always = _Demand(summaries, steps, always=True)
    found = set()
    for name, blocks in steps.items():
        starts = summaries.program.functions[name].block_starts()
        for number, block in enumerate(blocks):
            sets = zip(always.behind(name, number), ever.behind(name, number), strict=True)
            for position, (step, (surely, possibly)) in enumerate(zip(block, sets, strict=True), starts[number]):
                if step.unsure or step.reads & ~(surely & possibly):
                    found.add((name, position))
    return frozenset(found)


def _steps(summaries: RegisterSummaries, function: Function) -> Iterator[list[_Step]]:
    """Reduce each block of a function to steps."""
    once = _written_once(function)
    for number, block in enumerate(function.blocks):
        successors = summaries.outlines[function.name].successors[number]
        values, steps = _Values(), []
        pending: str | None = None
        wait = 0
        annulled = False
        for rtl in block.rtls:
            step = _step(summaries, function, rtl, values, once)
            step.annullable = annulled
            if len(set(successors)) == 1:
                step.ignore_test()
            annulled |= rtl.annuls
            values.step(rtl)
            if rtl.call is not None:
                pending, wait = callee_of(summaries.program, rtl.call), delay_slots(summaries.program.machine, function, rtl)
            elif wait:
                wait -= 1
            if pending is not None and not wait:
                step.callee, pending = pending, None
            steps.append(step)
        yield steps


def _drop_idle_loops(function: Function, blocks: list[list[_Step]], ever: _Demand) -> bool:
    """Make the branches of loops without effect demand nothing; return whether there are any.

    Such a loop stores and calls nothing, and no value that it computes is demanded behind it.
    """
    if not any(step.tests for block in blocks for step in block):
        return False
    cfg = build_cfg(function)
    found = False
    for loop in natural_loops(cfg, dominators(cfg)):
        steps = [step for number in loop.blocks for step in blocks[number]]
        if any(step.acts for step in steps):
            continue
        exits = {successor for number in loop.blocks for successor in cfg.successors[number]} - loop.blocks
        computed = reduce(or_, (target for step in steps for target, _, _ in step.moves), 0)
        if exits and not any(ever.entry[function.name][block] & computed for block in exits):
            found = True
            for step in steps:
                step.ignore_test()
    return found


def _written_once(function: Function) -> frozenset[Expr]:
    """Return the addresses to which exactly one RTL stores, so that nothing overwrites them."""
    seen: set[Expr] = set()
    repeated: set[Expr] = set()
    for rtl in function.rtls():
        for cell in rtl.stores:
            (repeated if cell.address in seen else seen).add(cell.address)
    return frozenset(seen - repeated)


def _step(summaries: RegisterSummaries, function: Function, rtl: Rtl, values: _Values, once: frozenset[Expr]) -> _Step:
    step = _Step(acts=bool(rtl.stores) or rtl.call is not None or rtl.system_call is not None or _leaves(rtl))
    machine, saved = summaries.program.machine, summaries.saved[function.name]
    for effect in rtl.effects:
        for cell in effect.memory:
            step.addresses |= _bits(summaries, cell.address.uses)
        if is_saving(rtl, effect, saved, machine):
            assert isinstance(effect, Set)
            cell = effect.target if is_cell(effect.target, machine) else effect.source  # type: ignore[assignment]
            step.addresses |= _bits(summaries, cell.address.uses) if isinstance(cell, Mem) else 0
        elif isinstance(effect, Set):
            _assign(summaries, step, effect, values, once)
        elif not isinstance(effect, Delay | By):
            _use(summaries, step, effect, values)
    return step


def _leaves(rtl: Rtl) -> bool:
    return isinstance(rtl.transfer, Return | IndirectJump)


def _assign(summaries: RegisterSummaries, step: _Step, effect: Set, values: _Values, once: frozenset[Expr]) -> None:
    """Add an assignment to a step."""
    source, target = effect.source, effect.target
    uses, wild = _bits(summaries, source.uses), _reads_unknown(summaries, source)
    depends = values.depends(source)
    if isinstance(source, Op) and source.op == "SYS":
        step.uses |= uses
    elif isinstance(target, Mem):
        step.addresses |= _bits(summaries, target.address.uses)
        if depends and target.address in once and not values.restores(target, source):
            step.uses |= uses
        else:
            step.weak |= uses
            step.unsure |= wild
    else:
        bits = _bits(summaries, effect.sets)
        step.moves.append((bits, uses if depends else 0, uses))
        if wild:
            step.reads |= bits
            step.unsure |= not depends or not bits


def _use(summaries: RegisterSummaries, step: _Step, effect: Effect, values: _Values) -> None:
    """Add a transfer of control to a step."""
    match effect:
        case Branch(condition=node) if not values.depends(node):
            step.unsure |= _reads_unknown(summaries, node)
        case Branch(condition=node):
            step.tests |= _bits(summaries, node.uses)
            step.tests_cell = _reads_unknown(summaries, node)
        case IndirectJump(target=node) | Return(target=node) | Call(target=node):
            step.uses |= _bits(summaries, node.uses)


def _bits(summaries: RegisterSummaries, registers: tuple[Register, ...]) -> int:
    result = 0
    for register in registers:
        result |= summaries.registers.bits(register)
    return result


def _reads_unknown(summaries: RegisterSummaries, node: Expr) -> bool:
    """Whether an expression reads memory at an address that is not known to be mapped."""
    return any(not _is_known(summaries, cell.address) for cell in node.memory)


def _is_known(summaries: RegisterSummaries, address: Expr) -> bool:
    if isinstance(address, Op) and address.op == "+" and isinstance(address.args[1], CONSTANTS):
        address = address.args[0]
    return isinstance(address, Symbol | Slot) or address is summaries.program.machine.stack_pointer


class _Demand:
    """The registers that are demanded before each block: on all paths if `always`, else on some path."""

    def __init__(self, summaries: RegisterSummaries, steps: dict[str, list[list[_Step]]], always: bool) -> None:
        self.summaries, self.steps, self.always = summaries, steps, always
        start = EVERYTHING if always else 0
        self.entry = {name: [start] * len(blocks) for name, blocks in steps.items()}
        self.keys = {name: INDIRECT if name in summaries.taken else name for name in steps}
        self.returned = dict.fromkeys([*steps, INDIRECT], start)
        self.indirect = start if summaries.taken else 0  # what is demanded before any of the functions called indirectly
        self.pending = {name: set(range(len(blocks))) for name, blocks in steps.items()}
        self.waiting = dict.fromkeys(name for name, blocks in steps.items() if blocks)  # functions with pending blocks
        self._index()
        while self.waiting:
            name = next(iter(self.waiting))
            del self.waiting[name]
            self._function(name)

    def _index(self) -> None:
        """Record the blocks to process again: when the entry of a block, of a callee, or a demand of callers changes."""
        self.predecessors: dict[tuple[str, int], list[tuple[str, int]]] = {}
        self.calls: dict[str, list[tuple[str, int]]] = {}
        self.returns: dict[str, list[tuple[str, int]]] = {}
        for name, blocks in self.steps.items():
            summary = self.summaries.outlines[name]
            for number, block in enumerate(blocks):
                place = name, number
                for successor in summary.successors[number]:
                    self.predecessors.setdefault((name, successor), []).append(place)
                for step in block:
                    if step.callee is not None:
                        self.calls.setdefault(self._key(step.callee), []).append(place)
                if summary.returns[number]:
                    self.returns.setdefault(self.keys[name], []).append(place)

    def _key(self, callee: str) -> str:
        return self.keys.get(callee, INDIRECT)

    def _function(self, name: str) -> None:
        """Work on the pending blocks of a function, the last first, until none is left."""
        pending = self.pending[name]
        while pending:
            for number in sorted(pending, reverse=True):
                pending.discard(number)
                self._block(name, number)

    def _await(self, places: Iterable[tuple[str, int]]) -> None:
        for name, number in places:
            self.pending[name].add(number)
            self.waiting[name] = None

    def _block(self, name: str, number: int) -> None:
        """Compute the demand before a block again; if it changes, the blocks that depend on it are pending."""
        demanded = self.behind(name, number, first=True)[0]
        if demanded != self.entry[name][number]:
            self.entry[name][number] = demanded
            dependent = self.predecessors.get((name, number), [])
            if number == 0 and self._entered(self.keys[name], demanded):
                dependent = [*dependent, *self.calls.get(self.keys[name], [])]
            self._await(dependent)

    def _entered(self, key: str, demanded: int) -> bool:
        """Note what is demanded at the entry of a function; return whether that changes something for its callers."""
        if key != INDIRECT:
            return True
        before = self.indirect
        self.indirect = self._meet([before, demanded])
        return self.indirect != before

    def behind(self, name: str, number: int, first: bool = False) -> list[int]:
        """Return what is demanded behind each step of a block; with `first`, what is demanded before the first step."""
        demanded = self._end(name, number)
        result = []
        for step in reversed(self.steps[name][number]):
            if step.callee is not None:
                demanded = self._before_call(step.callee, demanded)
            result.append(demanded)
            demanded = self._before(step, demanded)
        return [demanded] if first else result[::-1]

    def _end(self, name: str, number: int) -> int:
        summary = self.summaries.outlines[name]
        if summary.returns[number]:
            return self.returned[self.keys[name]]
        return self._meet([self.entry[name][successor] for successor in summary.successors[number]])

    def _meet(self, sets: list[int]) -> int:
        result = EVERYTHING if self.always and sets else 0
        for demanded in sets:
            result = result & demanded if self.always else result | demanded
        return result

    def _before_call(self, callee: str, demanded: int) -> int:
        signature = self.summaries.signatures[callee]
        key = self._key(callee)
        before = self.returned[key]
        after = before & (demanded | ~signature.changed) if self.always else before | (demanded & signature.changed)
        if after != before:
            self.returned[key] = after
            self._await(self.returns.get(key, []))
        entered = self.indirect if key == INDIRECT else self.entry[callee][0]
        return (demanded & ~signature.changed) | (entered & signature.read)

    def _before(self, step: _Step, demanded: int) -> int:
        targets = gained = 0
        for target, depends, uses in step.moves:
            targets |= target
            if target & demanded:
                gained |= depends if self.always else uses
        if self.always:
            rest = demanded & ~targets
            return rest if step.annullable else rest | gained | step.uses | step.tests | step.addresses
        rest = demanded if step.annullable else demanded & ~targets
        return rest | gained | step.uses | step.tests | step.weak
