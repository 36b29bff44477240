"""Register windows: functions that call others, or need many registers, get a window of their own.

The compiler works on functions as callers see them (arguments in %o registers, say).  Before registers are assigned, a
function that needs a window is rewritten as it sees itself inside (arguments in %i registers); then the RTLs that enter
the window and leave it are put in.  A function that calls nothing and needs few registers does without.

r[t1]=r[8];                         w[0]=r[16]; ... r[24]=r[8]; ... r[14]=r[14]+-96;
ST=_f(r[8]); r[15]=NPC;      =>     ST=_f(r[8]); r[15]=NPC;
r[8]=r[8]+r[t1];                    r[24]=r[8]+r[24];
PC=r[15],RT(r[8]);                  r[8]=r[24]; ... r[16]=w[0]; ...
                                    PC=r[15],RT(r[8]);
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import binary, rebuild_effect
from vpo.analysis.cfg import build_cfg
from vpo.analysis.liveness import Numbering, access, numbering_of
from vpo.lower.legalize import Legalizer
from vpo.machines.calling_convention import Windows
from vpo.machines.machine import Machine
from vpo.opt.state import FunctionState
from vpo.rtl import Const, Effect, Expr, Register, Return, Rtl, Set
from vpo.rtl.function import Block, Function


def windows_of(machine: Machine) -> Windows:
    """Return the register windows of a machine that has some."""
    windows = machine.convention.windows
    assert windows is not None
    return windows


def can_be_leaf(function: Function) -> bool:
    """Whether a function might do without a window: it calls nothing."""
    return not any(rtl.call is not None for rtl in function.rtls())


def kept_by_windows(machine: Machine) -> frozenset[Register]:
    """Return the registers that a function without a window must leave alone."""
    return frozenset(windows_of(machine).kept)


def preserved_by_window(machine: Machine) -> frozenset[Register]:
    """Return the registers that a function with a window need not save."""
    link = machine.convention.link
    return kept_by_windows(machine) | ({link} if link is not None else frozenset())


# ----------------------------------------------------------------------------------- what a function sees inside


def move_into_window(function: Function, machine: Machine) -> frozenset[Register]:
    """Rewrite a function as it sees itself in its window; return the registers that have a role there."""
    mover = _Mover(function, machine)
    mover.rename_arguments()
    mover.rename_results()
    roles = {machine.stack_pointer, machine.convention.link}
    return frozenset(inside for outside, inside in windows_of(machine).inside.items() if outside in roles)


class _Mover:
    """Renames what a function gets from its caller and hands back."""

    def __init__(self, function: Function, machine: Machine) -> None:
        self.function, self.machine = function, machine
        self.numbering: Numbering = numbering_of(function, machine)
        self.inside = windows_of(machine).inside
        carriers = {r for registers in machine.convention.arguments.values() for r in registers}
        carriers.add(machine.convention.hidden.register or machine.stack_pointer)
        self.arguments = self.numbering.mask(tuple(r for r in self.inside if r in carriers))

    def rename_arguments(self) -> None:
        """Read arguments where they are inside; where that is not possible, copy them."""
        from_caller, changed = self._reaching()
        blocks = self.function.blocks
        ambiguous = 0
        for index in range(len(blocks)):
            for rtl, mine, others in self._walk(index, from_caller[index], changed[index]):
                ambiguous |= access(rtl, self.numbering).uses & mine & others
        for index, block in enumerate(blocks):
            rtls: list[Rtl] = []
            for rtl, mine, _ in self._walk(index, from_caller[index], changed[index]):
                wanted = access(rtl, self.numbering).uses & mine & ~ambiguous
                rtls += self._renamed(rtl, self.numbering.members(wanted)) if wanted else [rtl]
            block.rtls = rtls
        copies = [self._copy(register, self.function.line) for register in self.numbering.members(ambiguous)]
        blocks[0].rtls[:0] = copies

    def _copy(self, register: Register, line: int) -> Rtl:
        return Rtl((Set(register, self.inside[register]),), (line,), "argument")

    def _renamed(self, rtl: Rtl, registers: list[Register]) -> list[Rtl]:
        """Return an RTL that reads arguments inside, after copies of those that it can only have where they were."""
        mapping: dict[Expr, Expr] = {register: self.inside[register] for register in registers}
        returns = rtl.transfer is not None and isinstance(rtl.transfer, Return)
        effects = tuple(rebuild_effect(e, mapping.get, targets=returns) for e in rtl.effects)
        if not self.machine.is_legal(effects):
            return [*(self._copy(register, rtl.lines[0]) for register in registers), rtl]
        call = rtl.call
        passed = [register for register in registers if call is not None and register in call.arguments]
        return [*(self._copy(register, rtl.lines[0]) for register in passed), Rtl(effects, rtl.lines, rtl.cause)]

    def _reaching(self) -> tuple[list[int], list[int]]:
        """Return, by block, the arguments that may still be the caller's at its start, and those that may be changed."""
        cfg = build_cfg(self.function)
        count = len(self.function.blocks)
        from_caller, changed = [self.arguments] + [0] * (count - 1), [0] * count
        work = list(range(count))
        while work:
            index = work.pop(0)
            mine, others = from_caller[index], changed[index]
            for rtl in self.function.blocks[index].rtls:
                mine, others = self._behind(rtl, mine, others)
            for successor in cfg.successors[index]:
                new = from_caller[successor] | mine, changed[successor] | others
                if new != (from_caller[successor], changed[successor]):
                    from_caller[successor], changed[successor] = new
                    work.append(successor)
        return from_caller, changed

    def _behind(self, rtl: Rtl, mine: int, others: int) -> tuple[int, int]:
        entry = access(rtl, self.numbering)
        set_ = (entry.sets | entry.clobbers) & self.arguments
        return mine & ~set_, others | set_

    def _walk(self, index: int, mine: int, others: int) -> Iterator[tuple[Rtl, int, int]]:
        """Yield the RTLs of a block with the arguments that may be the caller's before each, and that may be changed."""
        for rtl in self.function.blocks[index].rtls:
            yield rtl, mine, others
            mine, others = self._behind(rtl, mine, others)

    def rename_results(self) -> None:
        """Leave results, and find the return address, where they are inside."""
        for block in self.function.blocks:
            if not block.rtls or not isinstance(block.rtls[-1].transfer, Return):
                continue
            for register in block.rtls[-1].transfer.results:
                if register in self.inside and not self._renamed_result(block, register):
                    move = Rtl((Set(self.inside[register], register),), block.rtls[-1].lines, "linkage")
                    block.rtls.insert(len(block.rtls) - 1, move)
            block.rtls[-1] = _translated(block.rtls[-1], self.inside)

    def _renamed_result(self, block: Block, register: Register) -> bool:
        """Let the RTL that sets a result set it inside, if nothing behind it speaks of either register."""
        inside = self.inside[register]
        for position in range(len(block.rtls) - 2, -1, -1):
            rtl = block.rtls[position]
            if register in rtl.sets and rtl.call is None:
                effects = tuple(
                    Set(inside, e.source) if isinstance(e, Set) and e.target is register else e for e in rtl.effects
                )
                if not self.machine.is_legal(effects):
                    return False
                block.rtls[position] = Rtl(effects, rtl.lines, rtl.cause)
                return True
            entry = access(rtl, self.numbering)
            if (entry.uses | entry.sets | entry.clobbers) & self.numbering.mask((register, inside)):
                return False
        return False


def _translated(rtl: Rtl, mapping: dict[Register, Register]) -> Rtl:
    """Return a return that names other registers."""
    effects = tuple(rebuild_effect(e, lambda node: mapping.get(node), targets=True) for e in rtl.effects)  # type: ignore[arg-type]
    return Rtl(effects, rtl.lines, rtl.cause)


# ------------------------------------------------------------------------------------------- entering and leaving


def insert_moves(state: FunctionState, code: Legalizer | None = None) -> None:
    """Enter a window at entry and leave it before every return; with `code`, make room for the frame as well.

    These changes are required; what leaving a window may compute besides is an improvement, left to `fold_results`.
    """
    function, machine = state.function, state.machine
    windows = windows_of(machine)
    outside = {inside: register for register, inside in windows.inside.items()}
    entry = list(windows.enter)
    before: list[Rtl] = []
    if code is not None:
        entry.append(_stack_move(function, machine, windows, code))
        before = code.out
    state.insert(function.blocks[0], 0, [*before, Rtl(entry, (function.line,), "save")])
    for block in function.blocks:
        if block.rtls and isinstance(block.rtls[-1].transfer, Return):
            last, end = block.rtls[-1], len(block.rtls)
            state.splice(block, end - 1, end, [Rtl(windows.leave, last.lines, "save"), _translated(last, outside)])


def _stack_move(function: Function, machine: Machine, windows: Windows, code: Legalizer) -> Effect:
    """Return the effect that makes room for the frame, beside those that enter the window."""
    pointer = machine.stack_pointer
    move = Set(pointer, binary("+", pointer, Const(-function.frame)))
    if machine.is_legal((*windows.enter, move)):
        return move
    return Set(pointer, binary("+", pointer, code.reg(Const(-function.frame))))


def fold_results(state: FunctionState) -> None:
    """Let the RTLs that leave a window compute the results that the RTLs before them compute, where they can.

    r[24]=r[16]+1; r[8]=r[24]; r[9]=r[25]; ...    =>    r[8]=r[16]+1; r[9]=r[25]; ...
    """
    for block in state.function.blocks:
        if len(block.rtls) > 2 and isinstance(block.rtls[-1].transfer, Return):
            _fold_into(block, block.rtls[-3], block.rtls[-2], state)


def _fold_into(block: Block, before: Rtl, leaving: Rtl, state: FunctionState) -> None:
    computed = before.single_set
    if computed is None or computed.target not in windows_of(state.machine).kept:
        return
    effects = tuple(
        Set(e.target, computed.source) if isinstance(e, Set) and e.source is computed.target else e for e in leaving.effects
    )
    if effects != leaving.effects:
        lines = tuple(sorted({*before.lines, *leaving.lines}))
        state.splice(block, len(block.rtls) - 3, len(block.rtls) - 1, [Rtl(effects, lines, leaving.cause)])


def remove_moves(state: FunctionState) -> bool:
    """Take out what enters and leaves a window, if the function has one; it is then as it sees itself inside."""
    function, machine = state.function, state.machine
    if machine.convention.windows is None:
        return False
    first = function.blocks[0].rtls[:1]
    if not first or machine.window_move(first[0].effects) != "enter":
        return False
    state.remove(function.blocks[0], 0)
    inside = windows_of(machine).inside
    for block in function.blocks:
        if block.rtls and isinstance(block.rtls[-1].transfer, Return):
            state.splice(block, len(block.rtls) - 2, len(block.rtls), [_translated(block.rtls[-1], inside)])
    return True
