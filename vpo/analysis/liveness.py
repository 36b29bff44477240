"""What each RTL reads and changes, and which registers are live where, as bit sets.

Registers that share a bank are one: hard registers are numbered by bank and index, so a set of f[10] ends e[10].
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType

from vpo.analysis.cfg import Cfg, annulled_slots, transfer_of
from vpo.base.kept import kept as remembered
from vpo.machines.machine import Machine
from vpo.rtl import Call, Const, Effect, Expr, Op, Register, Return, Rtl, Set
from vpo.rtl.function import Block, Function

# ----------------------------------------------------------------------------------------------------------------------
# Sets of small numbers as the bits of an integer.


FEW = 8  # members that are found one by one, which takes as long as a set is wide


def bits(mask: int) -> list[int]:
    """Return the numbers in a bit set, in ascending order."""
    found: list[int] = []
    if mask.bit_count() <= FEW or mask < 1 << 256:
        while mask:
            low = mask & -mask
            found.append(low.bit_length() - 1)
            mask ^= low
        return found
    words = memoryview(mask.to_bytes((mask.bit_length() + 63) // 64 * 8, sys.byteorder)).cast("Q")
    for position, word in enumerate(words if sys.byteorder == "little" else reversed(words)):
        while word:
            low = word & -word
            found.append(64 * position + low.bit_length() - 1)
            word ^= low
    return found


# ----------------------------------------------------------------------------------------------------------------------


class Numbering:
    """Gives registers small numbers, for bit sets.

    Views of one hard register share a number; a pair of registers has none of its own, its bit set is that of both.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        first = _first_numbers(machine)
        self.numbers: dict[Register, int] = first.numbers.copy()
        self.registers: list[Register] = first.registers[:]
        self.pairs: dict[Register, int] = {}  # bit sets of pairs
        self.masks: dict[Register, int] = {}  # bit sets of registers: none of what is not tracked
        self.partial = False  # whether an access keeps bits of what it sets
        self.untracked = machine.zero | {machine.stack_pointer}
        self.accesses: dict[tuple[Effect, ...], Access] = {}  # what RTLs with these effects do
        self.scratch, self.state = first.scratch, first.state

    def canonical(self, register: Register) -> Register:
        """Return the register of the bank that a hard register is a view of."""
        return _canonical(register, self.machine)

    def number(self, register: Register) -> int:
        """Return a register's number."""
        number = self.numbers.get(register)
        if number is None:
            canonical = self.canonical(register)
            number = self.numbers.get(canonical)
            if number is None:
                number = self.numbers[canonical] = len(self.registers)
                self.registers.append(canonical)
            self.numbers[register] = number
        return number

    def mask(self, registers: frozenset[Register] | tuple[Register, ...]) -> int:
        """Return the bit set of some registers."""
        result, masks = 0, self.masks
        for register in registers:
            mask = masks.get(register)
            result |= self._mask(register) if mask is None else mask
        return result

    def _mask(self, register: Register) -> int:
        if register.pseudo:
            number = self.numbers.get(register)
            if number is None:
                number = self.numbers[register] = len(self.registers)
                self.registers.append(register)
            mask = 1 << number
        elif register in self.untracked:
            mask = 0
        elif self.is_pair(register):
            mask = self.pair(register)
        else:
            self.machine.role(self.canonical(register))  # who has other ones has other bit sets: it is asked
            mask = 1 << self.number(register)
        self.masks[register] = mask
        return mask

    def is_pair(self, register: Register) -> bool:
        """Whether this is a hard register that consists of several."""
        return not register.pseudo and self.machine.classes[register.cls].width > 1

    def pair(self, register: Register) -> int:
        """Return the bit set of a register that consists of several."""
        result = self.pairs.get(register)
        if result is None:
            storage = self.machine.storage(register)
            types = self.machine.classes
            result = self.pairs[register] = self.mask(tuple(Register(b, i, types[b].type) for b, i in storage))
        return result

    def members(self, mask: int) -> list[Register]:
        """Return the registers of a bit set."""
        return [self.registers[number] for number in bits(mask)]


def _canonical(register: Register, machine: Machine) -> Register:
    """Return the register of the bank that a hard register is a view of."""
    if register.pseudo:
        return register
    cls = machine.classes[register.cls]
    if cls.bank == register.cls:
        return register
    bank = machine.classes[cls.bank]
    return Register(bank.name, register.index, bank.type)


@dataclass(slots=True)
class _First:
    """The numbers with which every numbering begins: what calls may change, and what outlives them."""

    numbers: dict[Register, int] = field(default_factory=dict)
    registers: list[Register] = field(default_factory=list)
    scratch: int = 0
    state: int = 0

    def number(self, register: Register, machine: Machine) -> int:
        """Return a register's number."""
        canonical = _canonical(register, machine)
        if canonical not in self.numbers:
            self.numbers[canonical] = len(self.registers)
            self.registers.append(canonical)
        self.numbers[register] = self.numbers[canonical]
        return self.numbers[register]


@remembered
def _first_numbers(machine: Machine) -> _First:
    """Return the numbers with which every numbering for a machine begins."""
    first = _First()
    scratch, lasting = machine.numbered
    for register in scratch:
        first.scratch |= 1 << first.number(register, machine)
    for register in lasting:
        first.state |= 1 << first.number(register, machine)
    return first


def numbering_of(function: Function, machine: Machine) -> Numbering:
    """Return the numbering of a function's registers, the same one from phase to phase."""
    numbering: Numbering | None = function.numberings.get(id(machine))
    if numbering is None:
        numbering = function.numberings[id(machine)] = Numbering(machine)
    return numbering


def forget_numbering(function: Function) -> None:
    """Number a function's registers anew from here on: many of those that have numbers are gone."""
    function.numberings.clear()


@dataclass(slots=True)  # frozen ones take three times as long to make, and there are many
class Access:
    """Bit sets of the registers that one RTL reads, sets, and changes beside (clobbers); whether it keeps bits of one.

    RTLs with the same effects share one: nobody changes it.
    """

    uses: int
    sets: int
    clobbers: int
    partial: bool = False


def access(rtl: Rtl, numbering: Numbering) -> Access:
    """Return what an RTL does to registers (an illegal one: what it states)."""
    effects = rtl.effects
    known = numbering.accesses.get(effects)
    if known is None:
        known = numbering.accesses[effects] = _access(rtl, numbering)
    return known


def _access(rtl: Rtl, numbering: Numbering) -> Access:
    uses = sets = clobbers = 0
    partial = False
    for effect in rtl.effects:
        if effect.uses:
            uses |= numbering.mask(effect.uses)
        if type(effect) is Set:
            if effect.sets:
                sets |= numbering.mask(effect.sets)
                if effect.sets[0] in effect.uses and kept_bits(effect) is not None:
                    partial = numbering.partial = True
        elif type(effect) is Call:
            clobbers |= numbering.scratch
    unstated = numbering.machine.record(rtl).clobbers if rtl.form else numbering.machine.clobbers(rtl.effects)
    if unstated:
        clobbers |= numbering.mask(unstated)
    return Access(uses, sets, clobbers & ~sets, partial)


@dataclass(slots=True)
class Liveness:
    """Bit sets by block index: registers live at entry and at exit; `numbering` tells which is which.

    A block needs `gen` at its entry whatever comes behind it, sets `kill`, and needs `base` at its end beside what its
    successors need at their entries.
    """

    numbering: Numbering
    live_in: list[int] = field(default_factory=list)
    live_out: list[int] = field(default_factory=list)
    accesses: list[list[Access]] = field(default_factory=list)
    gen: list[int] = field(default_factory=list)
    kill: list[int] = field(default_factory=list)
    base: list[int] = field(default_factory=list)
    partial: bool = False  # whether some RTL keeps bits of the register that it sets

    def copy(self) -> Liveness:
        """Return a copy whose accesses a phase may bring up to date while it changes a block."""
        accesses = [list(accesses) for accesses in self.accesses]
        return replace(self, accesses=accesses)

    def backward(self, block: int) -> list[int]:
        """Return, for each RTL of a block, the registers live after it."""
        live = self.live_out[block]
        after = []
        for entry in reversed(self.accesses[block]):
            after.append(live)
            live = (live & ~(entry.sets | entry.clobbers)) | entry.uses
        after.reverse()
        return after

    def solve(self, cfg: Cfg, work: list[int]) -> None:
        """Let the blocks of a worklist, and those before them, have what comes behind them."""
        live_in, live_out, gen, kill, base = self.live_in, self.live_out, self.gen, self.kill, self.base
        pending = [False] * len(gen)
        for index in work:
            pending[index] = True
        tables: dict[int, int] = {}  # what is live at the targets of jump tables, which many blocks may share
        while work:
            index = work.pop()
            pending[index] = False
            targets = cfg.successors[index]
            joined = tables.get(id(targets))
            if joined is None:
                joined = 0
                for successor in targets:
                    joined |= live_in[successor]
                if len(targets) > 2:
                    tables[id(targets)] = joined
            out = base[index] | joined
            live_out[index] = out
            new = gen[index] | (out & ~kill[index])
            if new != live_in[index]:
                live_in[index] = new
                tables.clear()
                for predecessor in cfg.predecessors[index]:
                    if not pending[predecessor]:
                        pending[predecessor] = True
                        work.append(predecessor)


def compute_liveness(
    function: Function,
    cfg: Cfg,
    machine: Machine,
    numbering: Numbering | None = None,
    instead: Mapping[Rtl, Access] = MappingProxyType({}),
) -> Liveness:
    """Solve liveness for a function of legal RTLs.  Callers need what is saved, once entry and exit code are there.

    What `instead` says of an RTL replaces what it does.  A phi reads its sources at the ends of the predecessors, and sets
    its target before the first RTL: neither is live at the block's entry.
    """
    numbering = numbering or numbering_of(function, machine)
    kept = kept_at_returns(function, numbering)
    accesses, partial = _accesses(function, numbering, instead)
    result = Liveness(numbering, accesses=accesses, partial=partial)
    for block, entries in zip(function.blocks, accesses, strict=True):
        gen, kill, base = summary(function, block, entries, kept, numbering)
        result.gen.append(gen)
        result.kill.append(kill)
        result.base.append(base)
    for block in function.blocks:
        for phi in block.phis:
            for label, source in phi.sources.items():
                result.base[cfg.labels[label]] |= numbering.mask((source,))
    result.live_in, result.live_out = result.gen[:], result.base[:]
    result.solve(cfg, list(range(len(function.blocks))))
    return result


def kept_at_returns(function: Function, numbering: Numbering) -> int:
    """Return the registers that must have their values when a function returns."""
    framed = function.stage in ("framed", "final")
    return numbering.state | (numbering.mask(numbering.machine.convention.saved) if framed else 0)


def summary(function: Function, block: Block, accesses: list[Access], kept: int, numbering: Numbering) -> tuple[int, int, int]:
    """Return what a block needs at its entry, what it sets, and what is needed at its end if it returns."""
    for rtl in range(len(accesses) - annulled_slots(block), len(accesses)):
        accesses[rtl] = Access(accesses[rtl].uses, 0, 0)  # perhaps not executed
    transfer = transfer_of(block, function.stage == "final")
    live = base = kept if transfer is not None and type(transfer.transfer) is Return else 0
    killed = 0
    for entry in reversed(accesses):
        changed = entry.sets | entry.clobbers
        live = (live & ~changed) | entry.uses
        killed |= changed
    if block.phis:
        targets = numbering.mask(tuple(phi.target for phi in block.phis))
        live &= ~targets
        killed |= targets
    return live, killed, base


def _accesses(function: Function, numbering: Numbering, instead: Mapping[Rtl, Access]) -> tuple[list[list[Access]], bool]:
    """Return what each RTL does, by block, and whether some are partial: reading bits that do not matter is no use."""
    result: list[list[Access]] = []
    known = numbering.accesses.get
    for block in function.blocks:
        if instead:
            result.append([instead.get(rtl) or access(rtl, numbering) for rtl in block.rtls])
        else:
            result.append([known(rtl.effects) or access(rtl, numbering) for rtl in block.rtls])
        if block.phis:
            numbering.mask(tuple([phi.target for phi in block.phis]))  # numbers are given out in the order of blocks
    if not numbering.partial:
        return result, False
    partial = [True in [entry.partial for entry in accesses] for accesses in result]
    if not any(partial):
        return result, False
    undefined = _reads_undefined(function)
    for block, accesses, keeps in zip(function.blocks, result, partial, strict=True):
        for rtl, register in (*undefined.get(block.label, ()), *_reads_overwritten(block)) if keeps else ():
            old = accesses[rtl]
            accesses[rtl] = Access(old.uses & ~numbering.mask((register,)), old.sets, old.clobbers)
    return result, True


def _reads_undefined(function: Function) -> dict[str, list[tuple[int, Register]]]:
    """Find, by block, RTLs that read only bits that nobody defines of the pseudo-register they set: no use of it.

    `r[t1]=(r[t1]&-256)|zxL(B[r[2]]);` loads low bits; the others are undefined if r[t1] is set in no other way.
    """
    found: dict[Register, tuple[int, list[tuple[str, int]]] | None] = {}
    for block in function.blocks:
        for position, rtl in enumerate(block.rtls):
            for effect in rtl.effects:
                if type(effect) is not Set or type(effect.target) is not Register or not effect.target.pseudo:
                    continue
                register, mask = effect.target, kept_bits(effect)
                entry = found.setdefault(register, None if mask is None else (mask, []))
                if entry is None or mask != entry[0]:
                    found[register] = None
                else:
                    entry[1].append((block.label, position))
    result: dict[str, list[tuple[int, Register]]] = {}
    for register, known in found.items():
        for label, position in known[1] if known is not None else ():
            result.setdefault(label, []).append((position, register))
    return result


def _reads_overwritten(block: Block) -> list[tuple[int, Register]]:
    """Find RTLs that set a part of a register whose other part the next RTL with that register sets: no use of it.

    f[1]=bitsD((bitsQ(f[1])&-4294967296)|zxQ(L[r[2]+4]));     low half: this is the one
    f[1]=bitsD((bitsQ(f[1])&4294967295)|(zxQ(L[r[2]])<<32));  high half
    """
    result: list[tuple[int, Register]] = []
    pending: dict[Register, tuple[int, int]] = {}
    for position, rtl in enumerate(block.rtls):
        parts = _sets_parts(rtl)
        for register in [r for r in pending if r not in parts and (r in rtl.uses or r in rtl.sets or rtl.call is not None)]:
            del pending[register]
        for register, mask in parts.items():
            before = pending.get(register)
            if before is not None and not before[1] & mask:
                result.append((before[0], register))
            pending[register] = position, mask
    return result


def _sets_parts(rtl: Rtl) -> dict[Register, int]:
    """Return the registers of which an RTL sets only parts, with the bits that it keeps; no other effect concerns them."""
    result: dict[Register, int] = {}
    for effect in rtl.effects:
        mask = kept_bits(effect) if type(effect) is Set and effect.sets and effect.sets[0] in effect.uses else None
        if mask is not None:
            result[effect.sets[0]] = mask
    if result and len(rtl.effects) > 1:
        mentioned = Counter(chain.from_iterable({*effect.uses, *effect.sets} for effect in rtl.effects))
        result = {register: mask for register, mask in result.items() if mentioned[register] == 1}
    return result


def kept_bits(effect: Set) -> int | None:
    """Return the bits that an effect of the form `r=(r&bits)|x` or `r=r&bits` keeps of its register, or None.

    The bits of a floating register may be meant: `f=bitsD((bitsQ(f)&bits)|x)`.
    """
    source = effect.source
    old: Expr = effect.target
    if type(source) is Op and source.op == "bits":
        source = source.args[0]
        old = Op("bits", source.type, effect.target)
    if type(source) is not Op or source.op not in ("|", "&"):
        return None
    kept, new = source.args if source.op == "|" else (source, Const(0))
    if type(kept) is Op and kept.op == "&" and kept.args[0] is old and type(kept.args[1]) is Const:
        return None if effect.target in new.uses else kept.args[1].value
    return None


def has_side_effect(rtl: Rtl) -> bool:
    """Whether an RTL does anything beside setting registers: stores, transfers, calls, volatile reads, system calls."""
    return rtl.acts


def does_more_than_set(effect: Effect) -> bool:
    """Whether an effect is anything but setting a register to what registers and memory hold."""
    return effect.acts


# ----------------------------------------------------------------------------------------------------------------------
# Bring liveness up to date after changes of some blocks, without looking at the others.
#
# What may be needed less is taken back, against the flow of control, up to where it is needed in any case; then what is needed
# is followed from there and from the changed blocks.  It takes as long as the live ranges of the registers concerned are.


def renewed(old: Liveness, function: Function, cfg: Cfg, changed: Iterable[Block]) -> Liveness | None:
    """Return the liveness of a function after changes of blocks, but not of control flow; None if it must be computed anew.

    Where parts of registers are set, an RTL may concern what others do, whatever block they are in.
    """
    numbers = [cfg.labels[block.label] for block in changed]
    if old.partial or 2 * len(numbers) > len(function.blocks):
        return None
    new = Liveness(old.numbering, old.live_in[:], old.live_out[:], old.accesses[:], old.gen[:], old.kill[:], old.base[:])
    kept = kept_at_returns(function, new.numbering)
    ends: dict[int, int] = {}  # the blocks that may need something else at their ends
    for number in numbers:
        block = function.blocks[number]
        accesses = new.accesses[number] = [access(rtl, new.numbering) for rtl in block.rtls]
        if any(entry.partial for entry in accesses):
            return None
        new.gen[number], new.kill[number], ends[number] = summary(function, block, accesses, kept, new.numbering)
    if function.stage == "ssa":
        ends = {predecessor: 0 for number in numbers for predecessor in cfg.predecessors[number]} | ends
    for number, end in ends.items():
        new.base[number] = end | _read_by_phis(function, cfg, number, new)
    work = _take_back(old, new, cfg, [number for number in ends if _summary(old, number) != _summary(new, number)])
    new.solve(cfg, work)
    return new


def _summary(liveness: Liveness, number: int) -> tuple[int, int, int]:
    return liveness.gen[number], liveness.kill[number], liveness.base[number]


def _read_by_phis(function: Function, cfg: Cfg, number: int, liveness: Liveness) -> int:
    """Return what the phis of its successors read at the end of a block."""
    label, result = function.blocks[number].label, 0
    for successor in cfg.successors[number]:
        for phi in function.blocks[successor].phis:
            result |= liveness.numbering.mask((phi.sources[label],))
    return result


def _take_back(old: Liveness, new: Liveness, cfg: Cfg, numbers: list[int]) -> list[int]:
    """Remove what may not be live any more because some blocks have changed; return the blocks to be looked at again."""
    less = 0
    for number in numbers:
        less |= old.gen[number] & ~new.gen[number]
        less |= new.kill[number] & ~old.kill[number]
        less |= old.base[number] & ~new.base[number]
    again = set(numbers)
    stack = [(number, less) for number in numbers] if less else []
    live_in, gen = new.live_in, new.gen
    while stack:
        number, mask = stack.pop()
        mask &= live_in[number] & ~gen[number]
        if mask:
            live_in[number] &= ~mask
            again.add(number)
            again.update(cfg.predecessors[number])
            stack += [(predecessor, mask) for predecessor in cfg.predecessors[number]]
    return sorted(again)
