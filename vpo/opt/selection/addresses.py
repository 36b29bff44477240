"""The computation of addresses: folded into the RTLs that use them, or shared where constants cost instructions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeGuard

from vpo.algebra import binary, rebuild, rebuild_effect, set_, substitute_in
from vpo.analysis.dominators import dominates
from vpo.analysis.liveness import does_more_than_set
from vpo.machines.machine import Machine
from vpo.opt.selection.combine import MAX_SIZE
from vpo.opt.state import CFG, DOMINATORS, FREQUENCIES, FunctionState
from vpo.rtl import Cell, Const, Effect, Expr, Half, Mem, Op, Register, Rtl, Set, Symbol
from vpo.rtl.function import Block

# ----------------------------------------------------------------------------------------------------------------------
# Fold the computation of addresses into the RTLs that use them, across blocks, on SSA form.
#
#     d[t1.2]=d[t1.1]<<2;
#     a[t2]=a[t3]+d[t1.2];                 d[t4]=L[a[t3]+(d[t5]<<2)+8];
#     d[t4]=L[a[t2]+8];              =>    d[t6]=L[a[t3]+(d[t5]<<2)+12];
#     d[t6]=L[a[t2]+12];
#
# What was computed once for several users is computed by each of them if the machine's addressing modes do it in the same
# instruction: then the computation itself is dead.  Values do not change in SSA form, so only what is legal decides, and that
# nothing is computed in a loop that was computed before it, unless it becomes a displacement.  Where instructions have the
# symbol of an address, that is put in the place of a register that its halves were joined in:
#
#     r[t1]=HI[_table];
#     r[t2]=r[t1]+LO[_table];              =>    r[t4]=L[_table+(r[t5]<<2)];
#     r[t3]=r[t5]<<2;
#     r[t4]=L[r[t2]+r[t3]];
#
# Of a chain of steps whose values are only used in addresses, the last one takes all, where no instruction steps by the way:
#
#     W[r[t1]]=r[t7];                            W[r[t1]]=r[t7];
#     r[t2]=r[t1]+2;                   =>        W[r[t1]+2]=r[t8];
#     W[r[t2]]=r[t8];                            r[t3]=r[t1]+4;
#     r[t3]=r[t2]+2;


DEPTH = 4  # definitions that one address is made of
TRIES = 16  # forms of one RTL
STEPPING = 1 << 40  # the number of a register that no function has
RARER = 0.9  # how often a definition is executed for each use, at least
Effects = tuple[Effect, ...]


def fold_addresses(state: FunctionState) -> None:
    """Let RTLs compute the addresses that they use, where the machine has such addressing modes."""
    if state.function.stage == "ssa":
        _Folding(state).run()


class _Folding:
    """What addresses of one function are made of: `definitions` has sources, and how often they are computed."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.machine = state, state.machine
        self.untracked = state.machine.zero | {state.machine.stack_pointer}
        self.frequencies = state.get(FREQUENCIES)
        self.definitions: dict[Register, tuple[Expr, float]] = {}
        self.sums: list[tuple[Block, Rtl, Register, Op]] = []  # of a register and a number
        self.accesses: dict[Expr, list[tuple[Rtl, Expr]]] | None = None  # by their addresses, once that is asked
        self.highs = high_halves(state.function.blocks)
        if self.highs and not self.machine.sought[2].has_symbols:
            self.highs = {}
        for block, frequency in zip(state.function.blocks, self.frequencies, strict=True):
            for rtl in block.rtls:
                effect = rtl.single_set
                if effect is not None and isinstance(effect.target, Register) and self._is_pure(effect):
                    if effect.target.pseudo:  # others are set anew
                        self.definitions[effect.target] = effect.source, frequency
                    if _is_displaced(effect.source):
                        self.sums.append((block, rtl, effect.target, effect.source))

    def _is_pure(self, effect: Set) -> bool:
        """Whether an effect computes the same wherever it stands."""
        if effect.memory or does_more_than_set(effect) or not isinstance(effect.source, Op | Register):
            return False
        return all(register.pseudo or register in self.untracked for register in effect.uses)

    def run(self) -> None:
        """Fold the addresses that all of their users can compute."""
        found: dict[Rtl, tuple[Block, Effects]] = {}
        for block, rtl, target, first in self.sums:
            if (whole := self._whole_step(target, first)) is not None:
                found[rtl] = block, (set_(target, whole),)
                if (known := self.definitions.get(target)) is not None:
                    self.definitions[target] = whole, known[1]
        for block, frequency in zip(self.state.function.blocks, self.frequencies, strict=True):
            for rtl in block.rtls:
                if (rtl.stores or rtl.loads) and (best := self._best(rtl, frequency)) is not None:
                    found[rtl] = block, best
        kept = self._kept(found)
        for rtl, (block, effects) in found.items():
            if kept.isdisjoint(rtl.uses) or kept.intersection(rtl.uses) <= {r for e in effects for r in e.uses}:
                self.state.replace(block, rtl, effects)

    def _whole_step(self, target: Register, step: Expr) -> Expr | None:
        """Return a step as one from where a chain of steps began; None if there is none before, or one is made by the way."""
        whole: Expr | None = None
        distance: Expr = Const(0)
        source = step
        while _is_displaced(source):
            register, number = source.args
            base = self._original(register) or register
            assert isinstance(base, Register)
            distance = binary("+", distance, number)
            if source is not step:
                new = binary("+", base, distance)
                if not base.pseudo or not _is_displaced(new) or not self.machine.is_legal((set_(target, new),)):
                    break
                whole = new
            source, _ = self.definitions.get(base, (base, 0.0))
            if (whole is not None or _is_displaced(source)) and self._is_by_the_way(base, number):
                return None
        return whole

    def _is_by_the_way(self, register: Register, distance: Expr) -> bool:
        """Whether an instruction that reads or sets the cell at a register may step that by a distance."""
        if self.accesses is None:
            self.accesses = defaultdict(list)
            for rtl in self.state.function.rtls():
                for cell in (*rtl.loads, *rtl.stores):
                    if isinstance(address := cell.address, Register):
                        original = self._original(address) or address
                        self.accesses[original].append((rtl, address))
        stepping = Register(register.cls, STEPPING, register.type, True)
        step = Set(stepping, binary("+", stepping, distance))
        return any(
            self.machine.is_legal((*(substitute_in(effect, {address: stepping}) for effect in rtl.effects), step))
            for rtl, address in self.accesses.get(register, ())
        )

    def _kept(self, found: Mapping[Rtl, tuple[Block, Effects]]) -> set[Register]:
        """Return the registers that are computed in any case, since somebody reads them."""
        kept = {source for block in self.state.function.blocks for phi in block.phis for source in phi.sources.values()}
        for block in self.state.function.blocks:
            for rtl in block.rtls:
                effects = found[rtl][1] if rtl in found else rtl.effects
                kept.update(register for effect in effects for register in effect.uses)
        return kept

    def _best(self, rtl: Rtl, frequency: float) -> Effects | None:
        """Return the legal form of an RTL in which most definitions are folded."""
        best: Effects | None = None
        level = [rtl.effects]
        tries = TRIES
        for _ in range(DEPTH):
            following: dict[Effects, None] = {}
            for effects in level:
                for new in self._folded(effects, frequency):
                    tries -= 1
                    if tries < 0 or sum(effect.size for effect in new) > MAX_SIZE:
                        continue
                    following[new] = None
            level = list(following)
            best = next((new for new in level if is_form(new, self.machine)), best)
        return best

    def _folded(self, effects: Effects, frequency: float) -> Iterator[Effects]:
        """Yield effects in which one register of an address is replaced by what it is computed from."""
        registers = dict.fromkeys(r for effect in effects for cell in _cells(effect) for r in cell.uses)
        for register in registers:
            source, computed = self.definitions.get(register, (register, 0.0))
            symbol = joined(source, self.highs) if self.highs and isinstance(source, Op) else None
            ways = [symbol] if symbol is not None else []  # a constant, wherever it was computed
            if computed >= frequency * RARER or _is_displaced(source):
                ways += dict.fromkeys((rebuild(source, self._original), source))
            for way in ways:
                new = tuple(rebuild_effect(effect, partial(_placed, register, way)) for effect in effects)
                if not any(register in effect.uses for effect in new):
                    yield new

    def _original(self, node: Expr) -> Expr | None:
        """Return the register that one is a copy of, in however many steps."""
        found = None
        while isinstance(node, Register) and isinstance(source := self.definitions.get(node, (node, 0.0))[0], Register):
            if source is node:
                break
            found = node = source
        return found


def _placed(register: Register, source: Expr, node: Expr) -> Expr | None:
    """Return what stands in the place of a node if a register does not; what is added to an index becomes a displacement."""
    if node is register:
        return source
    if isinstance(node, Op) and node.op == "<<" and node.args[0] is register and _is_displaced(source):
        (index, distance), by = source.args, node.args[1]
        if isinstance(distance, Const) and isinstance(by, Const):
            return binary("+", binary("<<", index, by), Const(distance.value << by.value))
    return None


def _is_displaced(source: Expr) -> TypeGuard[Op]:
    """Whether an address is one at a distance from a register: as a displacement it takes no time."""
    return (
        isinstance(source, Op)
        and source.op == "+"
        and isinstance(source.args[0], Register)
        and isinstance(source.args[1], Const)
    )


def _cells(effect: Effect) -> Iterator[Expr]:
    """Yield the addresses of the memory that an effect reads and sets."""
    for cell in effect.memory:
        yield cell.address
    if isinstance(effect, Set) and isinstance(effect.target, Mem):
        yield effect.target.address


def is_form(effects: Effects, machine: Machine) -> bool:
    """Whether effects are an instruction; asked with other names for pseudo-registers, so that most answers are known."""
    names: dict[Expr, Register] = {}
    for effect in effects:
        for register in (*effect.uses, *([effect.target] if isinstance(effect, Set) else [])):
            if isinstance(register, Register) and register.pseudo and register not in names:
                if register.version:
                    return machine.is_legal(effects)  # what is tied depends on the names
                names[register] = Register(register.cls, len(names) + 1, register.type, True)
    return machine.is_legal(tuple(rebuild_effect(effect, names.get, targets=True) for effect in effects))


# ----------------------------------------------------------------------------------------------------------------------
# Compute addresses within an object from each other, where constants of the address cost a machine instructions.
#
#     r[t1]=HI[_s+4]; r[t2]=r[t1]+LO[_s+4]; L[r[t2]]=r[t7];           ...; L[r[t2]]=r[t7];
#     r[t3]=HI[_s+8]; r[t4]=r[t3]+LO[_s+8]; L[r[t4]]=r[t8];      =>   r[t4]=r[t2]+4; L[r[t4]]=r[t8];
#
# Then `fold-addresses` makes the distance the displacement of those who use the address: `L[r[t2]+4]=r[t8]`.  An address that
# is computed first may be one more instruction then, since nobody folds its low half any more; so it has to pay, by how often
# each of them is computed.  A register that has to survive calls costs a place to be saved.  Arguments that are addresses are
# computed so, too, from a register that the first one is copied from.


CONSTANT = 2.0  # the cost of an address in one instruction: a word in it, or one to be read
SAVED = 4.0  # what it costs to save and restore a register, for each time the function is entered
MOST = 64  # addresses in one object that are looked at


@dataclass(frozen=True, slots=True, eq=False)
class _Address:
    """A register that holds an address in an object, and where it is computed."""

    register: Register
    symbol: Symbol
    source: Expr  # as it is computed
    rtl: Rtl
    block: int
    place: int
    frequency: float


def share_within_objects(state: FunctionState) -> None:
    """Compute addresses within an object from each other, on SSA form, where that saves instructions."""
    _Sharing(state).run()


class _Sharing:
    """The addresses of one function, and the RTLs that use each register."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.blocks = state, state.function.blocks
        self.dominators, self.cfg = state.get(DOMINATORS), state.get(CFG)
        self.users: dict[Register, list[Rtl]] = defaultdict(list)
        self.in_phis = {source for block in self.blocks for phi in block.phis for source in phi.sources.values()}
        self.objects = self._find()

    def _find(self) -> dict[str, list[_Address]]:
        """Return the addresses in each object, those first that come first in the dominator tree."""
        frequencies = self.state.get(FREQUENCIES)
        found: dict[str, list[_Address]] = defaultdict(list)
        highs = high_halves(self.blocks)
        for number in self.dominators:
            for place, rtl in enumerate(self.blocks[number].rtls):
                for register in rtl.uses:
                    self.users[register].append(rtl)
                effect = rtl.single_set
                if effect is None or not isinstance(effect.target, Register):
                    continue
                symbol: Expr | None = effect.source
                if isinstance(symbol, Op):
                    symbol = joined(symbol, highs)
                elif isinstance(whole := literal_of(effect.source), Symbol) and not effect.target.pseudo and self.state.small:
                    symbol = whole
                elif not effect.target.pseudo and not self.state.small:
                    continue  # an argument in one instruction
                if isinstance(symbol, Symbol):
                    address = _Address(effect.target, symbol, effect.source, rtl, number, place, frequencies[number])
                    found[symbol.name].append(address)
        return found

    def run(self) -> None:
        """Share what pays, in each object."""
        for addresses in self.objects.values():
            rest = addresses[:MOST]
            while len(rest) > 1:
                base, *others = rest
                shared = self._shared(base, others)
                if shared and not base.register.pseudo:
                    copied = self._copied(base)
                    base, shared = (copied, shared) if copied is not None else (base, [])
                for address in shared:
                    self.state.replace(
                        self.blocks[address.block], address.rtl, (set_(address.register, _distance(base, address)),)
                    )
                rest = [address for address in others if address not in shared]

    def _copied(self, base: _Address) -> _Address | None:
        """Compute an address into a register of its own, and copy it to where it is wanted; None if that may not be."""
        register = self.state.function.pseudo(base.register.cls, base.register.type)
        block, lines = self.blocks[base.block], base.rtl.lines
        first = Rtl((set_(register, base.source),), lines, base.rtl.cause)
        place = next(place for place, rtl in enumerate(block.rtls) if rtl is base.rtl)
        copy = Rtl((set_(base.register, register),), lines, base.rtl.cause)
        done = self.state.splice(block, place, place + 1, [first, copy])
        return replace(base, register=register, rtl=first) if done else None

    def _shared(self, base: _Address, others: Sequence[_Address]) -> list[_Address]:
        """Return the addresses that are to be computed from a base."""
        near: dict[_Address, float] = {}
        far: dict[_Address, float] = {}
        for address in others:
            if address.register.cls == base.register.cls and self._comes_before(base, address):
                gain = (
                    self._cost(address, address.source) - self._cost(address, _distance(base, address))
                ) * address.frequency
                if gain > 0:
                    (far if self._calls_between(base, address) else near)[address] = gain
        folds = self._cost(base, base.source) < CONSTANT and self._all_fold(base, base.source)
        loss = base.frequency if folds or not base.register.pseudo else 0.0
        gain = sum(near.values())
        if sum(far.values()) + gain > loss + SAVED and sum(far.values()) > SAVED:
            return [*near, *far]
        return [*near] if gain > loss else []

    def _cost(self, address: _Address, source: Expr) -> float:
        """Return how many instructions an address costs, if it is computed in some way."""
        if isinstance(source, Symbol) or literal_of(source) is not None:
            return CONSTANT
        if not self._all_fold(address, source):
            if not self.state.machine.is_legal((set_(address.register, source),)):
                return 2 * CONSTANT
            folded = 1.0
        else:
            folded = 0.0
        return folded + (1.0 if source is address.source else 0.0)  # the high half

    def _all_fold(self, address: _Address, source: Expr) -> bool:
        """Whether all that use an address can compute it themselves."""
        register = address.register
        if not isinstance(source, Op) or register in self.in_phis or not register.pseudo:
            return False
        for rtl in self.users[register]:
            effects = tuple(substitute_in(e, {register: source}) for e in rtl.effects)
            in_cells = any(register in cell.address.uses for cell in (*rtl.loads, *rtl.stores))
            if not in_cells or not is_form(effects, self.state.machine):
                return False
        return True

    def _comes_before(self, base: _Address, address: _Address) -> bool:
        if base.block == address.block:
            return base.place < address.place
        return dominates(self.dominators, base.block, address.block)

    def _calls_between(self, base: _Address, address: _Address) -> bool:
        """Whether a call is on some way from one address to the other."""
        start, end = self.blocks[base.block].rtls, self.blocks[address.block].rtls
        if base.block == address.block:
            return _has_call(start[base.place : address.place])
        if _has_call(start[base.place :]) or _has_call(end[: address.place]):
            return True
        seen, pending = {base.block, address.block}, [address.block]
        while pending:
            for before in self.cfg.predecessors[pending.pop()]:
                if before not in seen:
                    if _has_call(self.blocks[before].rtls):
                        return True
                    seen.add(before)
                    pending.append(before)
        return False


def literal_of(source: Expr) -> Expr | None:
    """Return what is read from a literal pool."""
    address = source.address if isinstance(source, Mem) else None
    return address.of if isinstance(address, Half) and address.is_literal else None


def high_halves(blocks: Iterable[Block]) -> dict[Cell, Expr]:
    """Return of which addresses registers hold the high halves."""
    return {
        effect.target: effect.source.of
        for block in blocks
        for rtl in block.rtls
        if (effect := rtl.single_set) is not None and isinstance(effect.source, Half) and effect.source.which == "HI"
    }


def joined(source: Op, highs: Mapping[Cell, Expr]) -> Expr | None:
    """Return the symbol whose halves an operation joins."""
    if source.op != "+" or not isinstance(low := source.args[1], Half) or low.which != "LO":
        return None
    high = source.args[0]
    return low.of if isinstance(high, Register) and highs.get(high) is low.of else None


def _distance(base: _Address, address: _Address) -> Expr:
    """Return an address as a distance from another."""
    return binary("+", base.register, Const(address.symbol.offset - base.symbol.offset))


def _has_call(rtls: Sequence[Rtl]) -> bool:
    return any(rtl.call is not None for rtl in rtls)
