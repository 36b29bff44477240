"""Callee saves: the registers that callers rely on are saved before a function changes them, and restored.

Simple: at entry, and before every return.  By data flow (shrink-wrapping): around the part of the function in which the
register is used, which is every block between two that use it, so that no path saves it twice, perhaps from where all ways
to them go through; paths that need no such register then pay nothing.  What one instruction can save stays together.
After Chow, "Minimizing Register Usage Penalty at Procedure Calls" (PLDI 1988).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial

from vpo.algebra import binary
from vpo.analysis.liveness import access
from vpo.base.errors import CannotExpress
from vpo.machines.machine import Machine
from vpo.opt.frame.lazy_code_motion import Edge, insert_on_edges, isolate_entry, live_on, remove_empty_entry, tables_differ
from vpo.opt.frame.regions import (
    Paths,
    edges_across,
    entry_of,
    gain,
    is_closed,
    only_behind,
    return_early,
    returns,
    touched,
    users,
    users_of_frame,
)
from vpo.opt.frame.save_instructions import (
    free_registers,
    in_order,
    pushes_several,
    save_cell,
    saves_together,
    scavenger,
    storage,
    transfer,
)
from vpo.opt.late.hoist_targets import targets_to_keep
from vpo.opt.state import CFG, DOMINATORS, LIVENESS, FunctionState
from vpo.rtl import BITS, Const, Mem, Register, Rtl, Set
from vpo.rtl.function import Block, Function


def save_registers(state: FunctionState, preserved: frozenset[Register] = frozenset()) -> list[Register]:
    """Save and restore the registers that the function has to preserve, but for those preserved anyway.

    Returns those that only get a cell: they are saved by the instruction that calls the function, which finds a mask of
    them at its entry.
    """
    function, machine = state.function, state.machine
    targets = [register for register in targets_to_keep(state) if register not in preserved]
    changed = [register for register in _registers_to_save(function, machine) if register not in preserved]
    saved = in_order({*changed, *targets}, machine)
    if state.wraps_saves and not machine.convention.enter:
        return_early(state, saved)
    for register in saved:
        save_cell(register, function, machine)
    masked = [register for register in saved if _is_masked(register, machine)]
    _save_by_instructions(state, [register for register in saved if register not in masked], targets)
    return masked


def _is_masked(register: Register, machine: Machine) -> bool:
    """Whether calls save a register, and returns restore it, if a function's mask says so."""
    convention = machine.convention
    cell = Mem(register.type, binary("+", machine.stack_pointer, Const(-BITS[register.type] // 8)))
    return convention.save_with == "mask" and machine.is_legal((*convention.enter, Set(cell, register)))


def _save_by_instructions(state: FunctionState, saved: list[Register], targets: list[Register]) -> None:
    by_flow = state.machine.convention.by_flow
    if not saved or ((by_flow or state.wraps_saves) and _shrink_wrap(state, saved, targets, always=by_flow)):
        return
    function, machine = state.function, state.machine
    code = scavenger(function, machine, free_at_entry(machine), function.line, "save")
    transfer(code, saved, save=True)
    with state.required():
        state.insert(function.blocks[0], 0, code.out)
        for block in function.blocks:
            if returns(block):
                _restore_before_return(block, state, saved)


def _registers_to_save(function: Function, machine: Machine) -> list[Register]:
    """Return the callee-saved registers, and the link register, that the function changes."""
    changed = storage(machine, (r for rtl in function.rtls() for r in (*rtl.sets, *machine.clobbers(rtl.effects))))
    return in_order((r for r in machine.convention.preserved if not changed.isdisjoint(machine.storage(r))), machine)


def free_at_entry(machine: Machine) -> list[Register]:
    """Return the scratch registers that carry neither an argument nor the return address."""
    taken = [r for registers in machine.convention.arguments.values() for r in registers] + list(machine.convention.preserved)
    hidden = machine.convention.hidden.register
    return free_registers(machine, [*taken, hidden] if hidden else taken)


def _restore_before_return(block: Block, state: FunctionState, saved: Iterable[Register]) -> None:
    last = block.rtls[-1]
    pool = free_registers(state.machine, (*last.uses, *saved))
    code = scavenger(state.function, state.machine, pool, last.lines[0], "save")
    transfer(code, saved, save=False)
    state.insert(block, len(block.rtls) - 1, code.out)


# ------------------------------------------------------------------------------------------------------ shrink-wrapping


def _shrink_wrap(state: FunctionState, saved: list[Register], targets: list[Register], always: bool) -> bool:
    """Save registers around the parts of the function that use them; False if that would hurt or is not permitted.

    Where it is not to be done `always`, it must pay.  All of the function counts as using those for `targets`, which are
    chosen later.
    """
    with state.required():
        isolated = isolate_entry(state)
    wrapper = _Wrapper(state, saved, targets, always)
    done = bool(wrapper.edges or always) and not wrapper.hurts() and state.permits()
    with state.required():
        if done:
            wrapper.wrap()
        if isolated:
            remove_empty_entry(state)
    return done


class _Wrapper:
    """Finds for each register the region that uses it, and puts saves and restores on the edges of the region."""

    def __init__(self, state: FunctionState, saved: list[Register], targets: list[Register], always: bool) -> None:
        self.state, self.function, self.machine, self.saved = state, state.function, state.machine, saved
        self.cfg, self.liveness = state.get(CFG), state.get(LIVENESS)
        self.numbering = self.liveness.numbering
        paths = Paths(self.cfg)
        several = pushes_several(self.machine)
        together = saves_together(saved, self.machine)
        everything = (1 << len(self.function.blocks)) - 1
        self.regions: dict[Register, int] = {}
        by_block = touched(state)
        self.places = {block: place for place, block in enumerate(self.cfg.reverse_postorder())}
        for group in [saved] if together else [[register] for register in saved]:
            using = everything if not {*group}.isdisjoint(targets) else users(state, group, by_block)
            regions = [paths.between(using), paths.between(using | 1 << self._dominator(using))]
            if several:
                regions = [region | only_behind(region, self.cfg) for region in regions]
                possible = [region for region in regions if self._is_pushed(region)]
            else:
                possible = regions
            best = max(possible, key=partial(gain, state), default=everything)
            region = regions[0] if always else best if possible and gain(state, best) > 0 else everything
            self.regions.update(dict.fromkeys(group, region))
        self.edges = self._edges()

    def _dominator(self, using: int) -> int:
        """Return the nearest block through which all ways to some blocks go."""
        dominators, place = self.state.get(DOMINATORS), self.places
        blocks = [index for index in self.cfg.reachable() if using >> index & 1]
        found = blocks[0] if blocks else 0
        for index in blocks:
            while found != index:  # the one that comes later is dominated by nothing behind the other
                if place[found] > place[index]:
                    found = dominators[found]
                else:
                    index = dominators[index]
        return found

    def _is_pushed(self, region: int) -> bool:
        """Return whether one push, and pops of returns, save what a region needs: it is the part that has a frame, too."""
        inside = users_of_frame(self.state) & ~region == 0
        return inside and is_closed(region, self.cfg) and entry_of(region, self.cfg) is not None

    def hurts(self) -> bool:
        """Whether the code would change something live, such as a condition code, or differ between jump tables.

        It also hurts where it needs a register and none is free.
        """
        if tables_differ(self.function, self.cfg, self.edges):
            return True
        for edge, (saves, restores) in self.edges.items():
            live = live_on(self.function, self.cfg, self.liveness, edge)
            try:
                code = self._code(saves, restores, live, 0)
            except CannotExpress:
                return True
            if any(access(rtl, self.numbering).clobbers & live for rtl in code):
                return True
        return False

    def wrap(self) -> None:
        """Insert the code."""
        blocks = self.function.blocks
        lines = [block.rtls[0].lines[0] if block.rtls else self.function.line for block in blocks]
        makers: dict[tuple[int, tuple[Register, ...], tuple[Register, ...]], Callable[[], list[Rtl]]] = {}
        code = {}
        for edge, (saves, restores) in self.edges.items():
            key = edge[1], tuple(saves), tuple(restores)
            live, line = live_on(self.function, self.cfg, self.liveness, edge), lines[edge[1]]
            makers.setdefault(key, lambda s=saves, r=restores, v=live, n=line: self._code(s, r, v, n))  # type: ignore[misc]
            code[edge] = makers[key]
        for index, block in enumerate(blocks):
            inside = [r for r in self.saved if self.regions[r] >> index & 1]
            if inside and returns(block):
                _restore_before_return(block, self.state, inside)
        at_entry = [r for r in self.saved if self.regions[r] & 1]
        insert_on_edges(self.state, self.cfg, code)
        entry = scavenger(self.function, self.machine, free_at_entry(self.machine), self.function.line, "save")
        transfer(entry, at_entry, save=True)
        self.state.insert(blocks[0], 0, entry.out)

    def _edges(self) -> dict[Edge, tuple[list[Register], list[Register]]]:
        """Return what to save and what to restore on each edge."""
        edges: dict[Edge, tuple[list[Register], list[Register]]] = defaultdict(lambda: ([], []))
        for register in self.saved:
            region = self.regions[register]
            for i, j in edges_across(self.cfg, region):
                edges[i, j][region >> i & 1].append(register)
        return edges

    def _code(self, saves: list[Register], restores: list[Register], live: int, line: int) -> list[Rtl]:
        pool = free_registers(self.machine, [*self.numbering.members(live), *self.saved])
        code = scavenger(self.function, self.machine, pool, line, "save")
        transfer(code, saves, save=True)
        transfer(code, restores, save=False)
        return code.out
