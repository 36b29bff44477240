"""Caller saves: registers that calls do not preserve are saved before calls and restored behind them.

    r[10]=r[10]+1;                    r[10]=r[10]+1;
    ST=_f();              =>          L[r[2]+.save.r10]=r[10];
    ST=_g();                          ST=_f();
    PC=r[10]==0,L2;                   ST=_g();
                                      r[10]=L[r[2]+.save.r10];
                                      PC=r[10]==0,L2;

Simple: every such register in which a value outlives a call (if callees save none: every one that the function uses),
around every call.  By data flow: a register is saved before a call
only if it is live behind it and its cell does not hold its value already, and restored only before it is read, both
as rarely as `vpo.opt.frame.lazy_code_motion` can arrange.  The methods are those of Davidson and Whalley, "Methods for Saving
and Restoring Register Values across Function Calls" (SP&E 21(2), 1991), as the project reads the literature.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from vpo.analysis.cfg import Cfg
from vpo.analysis.frequency import frequencies
from vpo.analysis.liveness import Access, Liveness, Numbering, access, compute_liveness, numbering_of
from vpo.opt.frame.lazy_code_motion import Edge, Facts, insert_on_edges, isolate_entry, live_on, place, remove_empty_entry
from vpo.opt.frame.save_instructions import free_registers, in_order, savable_registers, save_cell, scavenger, transfer
from vpo.opt.state import CFG, FunctionState
from vpo.rtl import Rtl


def save_around_calls(state: FunctionState, results: dict[Rtl, int]) -> None:
    """Save and restore the scratch registers in which values outlive calls; these changes are required.

    `results` says for each call which registers it sets that are read behind it (bits of `numbering_of(function)`).
    """
    isolated = isolate_entry(state)
    saver = CallSaver(state, results)
    convention = state.machine.convention
    if saver.crossing:
        if convention.by_flow:
            saver.save_by_flow()
        else:
            saver.save_simply(saver.crossing if convention.saved else saver.allocated())
    if isolated:
        remove_empty_entry(state)


@dataclass(eq=False)
class CallSaver:
    """The state of the phase for one function.  `crossing` are the registers that outlive some call."""

    state: FunctionState
    results: dict[Rtl, int]
    calls: dict[Rtl, Access] = field(default_factory=dict)  # what calls do, if nothing were lost that can be saved
    crossing: int = 0

    def __post_init__(self) -> None:
        self.function, self.machine = self.state.function, self.state.machine
        numbering: Numbering = numbering_of(self.function, self.machine)
        self.numbering = numbering
        self.savable = numbering.mask(tuple(savable_registers(self.machine)))
        for rtl, results in self.results.items():
            entry = access(rtl, numbering)
            self.calls[rtl] = Access(entry.uses, entry.sets | results, entry.clobbers & ~self.savable & ~results)
        self.cfg: Cfg = self.state.get(CFG)
        self.liveness: Liveness = compute_liveness(self.function, self.cfg, self.machine, numbering, self.calls)
        self.after = [self.liveness.backward(index) for index in range(len(self.function.blocks))]
        for rtl, live in self._each_call():
            self.crossing |= self.lost(rtl) & live

    def _each_call(self) -> list[tuple[Rtl, int]]:
        """Return the calls, and the registers live behind each."""
        return [
            (rtl, live)
            for block, after in zip(self.function.blocks, self.after, strict=True)
            for rtl, live in zip(block.rtls, after, strict=True)
            if rtl in self.calls
        ]

    def lost(self, call: Rtl) -> int:
        """Return the registers that a call may change without setting them."""
        return access(call, self.numbering).clobbers & self.savable & ~self.calls[call].sets

    def allocated(self) -> int:
        """Return the scratch registers that hold any value of the function: not only arguments or results of calls."""
        used = 0
        for accesses in self.liveness.accesses:
            for entry in accesses:
                used |= entry.uses | entry.sets
        return used & self.savable

    # ------------------------------------------------------------------------------------------------------- code

    def move(self, mask: int, *, save: bool, live: int, line: int) -> list[Rtl]:
        """Return code that saves or restores registers where others are live."""
        registers = in_order(self.numbering.members(mask), self.machine)
        pool = free_registers(self.machine, self.numbering.members(live | mask))
        code = scavenger(self.function, self.machine, pool, line, "callsave")
        transfer(code, registers, save=save)
        return code.out

    def harms(self, code: list[Rtl], live: int) -> bool:
        """Whether code changes a register, such as a condition code, that is live."""
        return any(access(rtl, self.numbering).clobbers & live for rtl in code)

    # ----------------------------------------------------------------------------------------------------- simple

    def save_simply(self, registers: int, around: Callable[[int], int] = lambda live: -1) -> None:
        """Save registers right before each call, and restore them right behind; `around` chooses by what is live."""
        self._cells(registers)
        for block, after in zip(self.function.blocks, self.after, strict=True):
            rtls: list[Rtl] = []
            for rtl, live in zip(block.rtls, after, strict=True):
                chosen = registers & self.lost(rtl) & around(live) if rtl in self.calls else 0
                if not chosen:
                    rtls.append(rtl)
                    continue
                line, entry = rtl.lines[0], self.calls[rtl]
                rtls += self.move(chosen, save=True, live=live | entry.uses, line=line)
                rtls.append(rtl)
                rtls += self.move(chosen, save=False, live=live | entry.sets, line=line)
            self.state.change({block: rtls})

    def _cells(self, registers: int) -> None:
        """Make the cells, so that those of registers that follow one another are adjacent."""
        for register in in_order(self.numbering.members(registers), self.machine):
            save_cell(register, self.function, self.machine)

    # --------------------------------------------------------------------------------------------------- by flow

    def save_by_flow(self) -> None:
        """Place saves and restores by data flow; registers for which a place would hurt are treated simply."""
        self._cells(self.crossing)
        flow = Flow(self)
        hurt = flow.hurt()
        if hurt:
            flow = Flow(self, self.crossing & ~hurt)
        flow.rewrite()
        if hurt:
            cfg = self.state.get(CFG)
            self.liveness = compute_liveness(self.function, cfg, self.machine, self.numbering, self.calls)
            self.after = [self.liveness.backward(index) for index in range(len(self.function.blocks))]
            self.save_simply(hurt, lambda live: live)


class Flow:
    """Saves and restores of some registers by data flow.

    In front of every RTL, the value of each register that is live there is in its cell on every path, or in the register
    on every path: where paths meet that differ in both, those on which it is in the cell restore it.
    """

    def __init__(self, saver: CallSaver, registers: int | None = None) -> None:
        self.saver = saver
        self.registers = saver.crossing if registers is None else registers
        self.blocks = saver.function.blocks
        self.restores, self.saves = Facts(), Facts()
        self.lost: list[int] = []
        for index in range(len(self.blocks)):
            self._scan(index)
        cfg, everything = saver.cfg, self.registers
        self.saving = place(cfg, self.saves, everything, 0)
        self._restore_where_paths_differ()
        self.restoring = place(cfg, self.restores, everything, everything)

    def _events(self, index: int) -> list[tuple[Rtl, int, int, int, int]]:
        """Return for each RTL of a block what it reads, what it needs saved, what it loses and what it sets."""
        saver, mask = self.saver, self.registers
        result = []
        entries = zip(self.blocks[index].rtls, saver.liveness.accesses[index], saver.after[index], strict=True)
        for rtl, entry, live in entries:
            lost = saver.lost(rtl) & mask if rtl in saver.calls else 0
            result.append((rtl, entry.uses & mask, lost & live, lost, (entry.sets | entry.clobbers) & mask))
        return result

    def _scan(self, index: int) -> None:
        """Reduce a block to the facts about it."""
        read = valid = touched = needed = current = settled = lost_here = set_here = 0
        for _, uses, need, lost, sets in self._events(index):
            read |= uses & ~touched
            valid = ((valid | uses) & ~lost) | sets
            touched |= uses | lost | sets
            needed |= need & ~settled
            current = (current | need) & ~sets
            settled |= need | sets
            lost_here |= lost
            set_here |= sets
        mask = self.registers
        self.restores.needs.append(read)
        self.restores.makes.append(valid)
        self.restores.keeps.append(mask & ~lost_here & ~set_here)
        self.saves.needs.append(needed)
        self.saves.makes.append(current)
        self.saves.keeps.append(mask & ~set_here)
        self.lost.append(lost_here)

    def _restore_where_paths_differ(self) -> None:
        """Let blocks need, at their entries, the live registers that hold their values on some paths only.

        Not if the cell holds it on all paths, and more of them come without the register than with it.
        """
        cfg, live_in, facts = self.saver.cfg, self.saver.liveness.live_in, self.restores
        order = cfg.reverse_postorder()
        often = frequencies(self.saver.function)
        weights = [often[b] / max(1, len(cfg.successors[b])) for b in range(len(self.blocks))]
        changed = True
        while changed:
            changed = False
            (some, left), (every, _) = self._valid(order, every=False), self._valid(order, every=True)
            for b in order:
                mixed = some[b] & ~every[b] & live_in[b] & ~facts.needs[b]
                mixed &= ~self.saving.holds[b] | self._mostly(left, weights, b)
                if mixed:
                    facts.needs[b] |= mixed
                    facts.makes[b] |= mixed & ~self.lost[b]
                    changed = True

    def _mostly(self, left: list[int], weights: list[float], block: int) -> int:
        """Return the registers that hold their values on at least half the arrivals at a block."""
        result, mask = 0, self.registers
        predecessors = self.saver.cfg.predecessors[block]
        while mask:
            bit = mask & -mask
            mask ^= bit
            holding = sum(weights[p] for p in predecessors if left[p] & bit)
            if 2 * holding >= sum(weights[p] for p in predecessors):
                result |= bit
        return result

    def _valid(self, order: list[int], *, every: bool) -> tuple[list[int], list[int]]:
        """Return what registers hold their values at entry and exit of each block, on every path or some, unrestored."""
        cfg, facts, mask = self.saver.cfg, self.restores, self.registers
        start = mask if every else 0
        into = [start] * len(self.blocks)
        out = [start] * len(self.blocks)
        reachable = set(order)
        changed = True
        while changed:
            changed = False
            for b in order:
                new = mask if b == 0 or every else 0
                for p in cfg.predecessors[b]:
                    if p in reachable:
                        new = new & out[p] if every else new | out[p]
                into[b] = new
                leaving = facts.makes[b] | (new & ~self.lost[b])
                if leaving != out[b]:
                    out[b] = leaving
                    changed = True
        return into, out

    # ------------------------------------------------------------------------------------------------------- code

    def _edge_code(self) -> dict[Edge, tuple[int, int]]:
        """Return by edge which registers to save and which to restore."""
        edges = {edge: (mask, 0) for edge, mask in self.saving.edges.items()}
        for edge, mask in self.restoring.edges.items():
            edges[edge] = (edges.get(edge, (0, 0))[0], mask)
        return edges

    def _code(self, saves: int, restores: int, live: int, line: int) -> list[Rtl]:
        move = self.saver.move
        live |= saves | restores
        code = move(saves, save=True, live=live, line=line) if saves else []
        return code + (move(restores, save=False, live=live, line=line) if restores else [])

    def _line(self, index: int) -> int:
        rtls = self.blocks[index].rtls
        return rtls[0].lines[0] if rtls else self.saver.function.line

    def _live_on(self, edge: Edge) -> int:
        return live_on(self.saver.function, self.saver.cfg, self.saver.liveness, edge)

    def hurt(self) -> int:
        """Return the registers whose saves or restores would change something live, such as a condition code."""
        saver, result = self.saver, 0
        for edge, (saves, restores) in self._edge_code().items():
            live = self._live_on(edge)
            if saver.harms(self._code(saves, restores, live, 0), live):
                result |= saves | restores
        for index in range(len(self.blocks)):
            for (saves, restores), before in self._within(index):
                if saves | restores and saver.harms(self._code(saves, restores, before, 0), before):
                    result |= saves | restores
        return result

    def _within(self, index: int) -> list[tuple[tuple[int, int], int]]:
        """Return for each RTL of a block what to save and to restore before it, and what is live there."""
        invalid, stale = self.restoring.within[index], self.saving.within[index]
        result = []
        forced = invalid & ~self._reads_first(index)
        for (_, uses, need, lost, sets), entry, live in zip(
            self._events(index), self.saver.liveness.accesses[index], self.saver.after[index], strict=True
        ):
            before = (live & ~(entry.sets | entry.clobbers)) | entry.uses
            restores, saves = (invalid & uses) | forced, stale & need
            forced = 0
            invalid = ((invalid & ~restores) | lost) & ~sets
            stale = (stale & ~saves) | sets
            result.append(((saves, restores), before))
        return result

    def _reads_first(self, index: int) -> int:
        """Return the registers that a block reads before it loses or sets them."""
        read = touched = 0
        for _, uses, _, lost, sets in self._events(index):
            read |= uses & ~touched
            touched |= uses | lost | sets
        return read

    def rewrite(self) -> None:
        """Insert the code."""
        state = self.saver.state
        within = [self._within(index) for index in range(len(self.blocks))]
        lines = [self._line(index) for index in range(len(self.blocks))]
        edges = self._edge_code()
        makers: dict[tuple[int, int, int], Callable[[], list[Rtl]]] = {}
        code = {}
        for edge, (saves, restores) in edges.items():
            live, line = self._live_on(edge), lines[edge[1]]
            key = edge[1], saves, restores
            if key not in makers:
                makers[key] = lambda s=saves, r=restores, v=live, n=line: self._code(s, r, v, n)  # type: ignore[misc]
            code[edge] = makers[key]
        for block, inserted in zip(self.blocks, within, strict=True):
            rtls: list[Rtl] = []
            for rtl, ((saves, restores), before) in zip(block.rtls, inserted, strict=True):
                if saves | restores:
                    rtls += self._code(saves, restores, before, rtl.lines[0])
                rtls.append(rtl)
            state.change({block: rtls})
        for index, block in enumerate(self.blocks):
            if not block.rtls and self.restoring.within[index]:
                live = self.saver.liveness.live_in[index]
                state.change({block: self._code(0, self.restoring.within[index], live, lines[index])})
        insert_on_edges(state, self.saver.cfg, code)
