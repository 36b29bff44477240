"""Branch registers: the addresses of targets are computed before loops, where there are registers to keep them.

L4: ...                                     b[2]=AT[L4];
    b[1]=AT[L4];                       =>   L4: ...
    PC=r[1]<r[2],L4; BY=b[1];               PC=r[1]<r[2],L4; BY=b[2];

Until now each transfer computes its target itself (`into`).  A target that a loop goes to more often than the loop is
entered is computed where control comes into the outermost such loop, if a register is free in all of it: the targets that
save most come first.  A register that callers rely on keeps its address across calls; before the frame is laid out, it is
planned which of these shall be saved (`targets_to_keep`).  Functions of a machine without such transfers are left as they
are (part of `delay`).  After Davidson and Whalley, "Reducing the Cost of Branches by Using Registers" (ISCA 1990).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vpo.analysis.cfg import transfer_of
from vpo.machines.machine import Machine
from vpo.opt.frame.regions import returns
from vpo.opt.state import CFG, FREQUENCIES, LOOPS, FunctionState
from vpo.rtl import By, Effect, Expr, Register, Return, Rtl, Set
from vpo.rtl.function import Block


@dataclass(frozen=True, slots=True)
class _Transfer:
    """A transfer or call that computes its target: where it is, what is computed, and what then goes there."""

    block: int
    rtl: Rtl
    target: Expr
    register: Register
    going: tuple[Effect, ...]

    def by(self, register: Register) -> tuple[Effect, ...]:
        """Return the effects of the transfer when another register has the address of its target."""
        return tuple(By(register) if type(effect) is By else effect for effect in self.going)


@dataclass(frozen=True, slots=True)
class _Region:
    """Blocks in which a register may keep an address, and the blocks at the end of which control comes into them."""

    blocks: frozenset[int]
    entries: tuple[int, ...]


SAVING = 2  # instructions that save and restore a register, each time the function is entered


def hoist_targets(state: FunctionState) -> None:
    """Compute the addresses of targets before loops."""
    if state.machine.capabilities.goes_by_registers and any(_transfers(state)):
        kept = [r for r in state.machine.convention.preserved if _is_kept(r, state.function.blocks)]
        hoisting = _Hoisting(state, dict.fromkeys(kept, 0))
        hoisting.plan()
        hoisting.change()


def targets_to_keep(state: FunctionState) -> list[Register]:
    """Return registers that callers rely on which pay if they are saved, and addresses of targets computed in them."""
    if not state.machine.capabilities.goes_by_registers or not any(_transfers(state)):
        return []
    hoisting = _Hoisting(state, dict.fromkeys(state.machine.convention.preserved, SAVING))
    hoisting.plan()
    return [register for register in state.machine.convention.preserved if hoisting.busy.get(register)]


def _is_kept(register: Register, blocks: Sequence[Block]) -> bool:
    """Return whether a register is saved where the function begins, and restored before each return."""
    begins = any(rtl.cause == "save" and register in rtl.uses for rtl in blocks[0].rtls)
    ends = (any(rtl.cause == "save" and register in rtl.sets for rtl in block.rtls) for block in blocks if returns(block))
    return begins and all(ends)


def _transfers(state: FunctionState) -> Iterator[_Transfer]:
    """Yield the transfers and calls that compute their target themselves."""
    for number, block in enumerate(state.function.blocks):
        for rtl in block.rtls:
            found = _transfer(state.machine, number, rtl)
            if found is not None:
                yield found


def _transfer(machine: Machine, number: int, rtl: Rtl) -> _Transfer | None:
    into = machine.record(rtl).into
    if len(into) != 2 or len(into[0]) != 1:
        return None
    computed, going = into[0][0], into[1]
    by = next((effect for effect in going if type(effect) is By), None)
    if by is None or type(computed) is not Set or computed.target is not by.register:
        return None
    return _Transfer(number, rtl, computed.source, by.register, going)


class _Hoisting:
    """The registers of one function that hold addresses of targets.

    `kept` are those that calls preserve and that may be used, each with the instructions that its first use costs.
    """

    def __init__(self, state: FunctionState, kept: Mapping[Register, int]) -> None:
        self.state, self.function, self.machine, self.kept = state, state.function, state.machine, kept
        self.cfg, self.weights = state.get(CFG), state.get(FREQUENCIES)
        self.transfers = list(_transfers(state))
        self.calling = {n for n, block in enumerate(self.function.blocks) if any(rtl.call is not None for rtl in block.rtls)}
        self.busy: dict[Register, set[int]] = {register: set() for register in self._free()}
        self.computed: dict[int, list[Rtl]] = {}  # by block: what is computed at its end
        self.changed: dict[Rtl, Rtl] = {}

    def _free(self) -> list[Register]:
        """Return the registers that nothing else uses; those that hold targets for one transfer only are not among them."""
        rtls = (rtl for rtl in self.function.rtls() if rtl.cause != "save" and type(rtl.transfer) is not Return)
        used = {register for rtl in rtls for register in (*rtl.uses, *rtl.sets)}
        used.update(transfer.register for transfer in self.transfers)
        classes = dict.fromkeys(transfer.register.cls for transfer in self.transfers)
        preserved = {*self.machine.convention.preserved}
        allocable = [r for name in classes for r in self.machine.allocable.get(name, ()) if r not in used]
        free = [r for r in allocable if r not in preserved or r in self.kept]
        return sorted(free, key=lambda register: register in self.kept)  # those that cost nothing first

    def plan(self) -> None:
        """Choose what is computed where, the targets that save most first."""
        choices = [
            (gain, -len(region.blocks), target, region)
            for target in dict.fromkeys(transfer.target for transfer in self.transfers)
            for region in self._regions()
            if (gain := self._gain(target, region)) > 0
        ]
        choices.sort(key=lambda choice: choice[:2], reverse=True)
        for _, _, target, region in choices:
            gain = self._gain(target, region)
            if gain > 0:
                self._hoist(target, region, gain)

    def change(self) -> None:
        """Change the function as it was planned."""
        contents: dict[Block, list[Rtl]] = {}
        for number, block in enumerate(self.function.blocks):
            rtls = [self.changed.get(rtl, rtl) for rtl in block.rtls]
            place = len(rtls) - (transfer_of(block) is not None)
            new = [*rtls[:place], *self.computed.get(number, []), *rtls[place:]]
            if len(new) > len(rtls) or any(rtl not in self.changed.values() for rtl in rtls):
                contents[block] = new
        if self.changed:
            self.state.change(contents)

    def _regions(self) -> Iterator[_Region]:
        """Yield the loops into which control comes from somewhere."""
        for loop in self.state.get(LOOPS):
            entries = tuple(n for n in self.cfg.predecessors[loop.header] if n not in loop.blocks)
            if entries and loop.header:
                yield _Region(loop.blocks, entries)

    def _gain(self, target: Expr, region: _Region) -> float:
        """Return how many instructions it saves to compute a target before a region, where that is not done yet."""
        return sum(self.weights[t.block] for t in self._uses(target, region)) - sum(self.weights[n] for n in region.entries)

    def _uses(self, target: Expr, region: _Region) -> list[_Transfer]:
        """Return the transfers of a region that compute a target themselves."""
        return [t for t in self.transfers if t.target is target and t.block in region.blocks and t.rtl not in self.changed]

    def _hoist(self, target: Expr, region: _Region, gain: float) -> None:
        """Plan to compute a target before a region, which saves so many instructions, if there is a register for it."""
        calls, uses = bool(region.blocks & self.calling), self._uses(target, region)
        needed = {*region.blocks, *region.entries}
        for register, busy in self.busy.items():
            going = [transfer.by(register) for transfer in uses]
            computing = (Set(register, target),)
            cost = 0 if busy else self.kept.get(register, 0) * self.weights[0]
            if (calls and register not in self.kept) or gain <= cost:
                continue
            if busy & needed or not all(map(self.machine.is_legal, (computing, *going))):
                continue
            busy |= needed
            lines = tuple(sorted({line for transfer in uses for line in transfer.rtl.lines}))
            for number in region.entries:
                self.computed.setdefault(number, []).append(Rtl(computing, lines, "control"))
            for transfer, effects in zip(uses, going, strict=True):
                self.changed[transfer.rtl] = Rtl(effects, transfer.rtl.lines, transfer.rtl.cause)
            return
