"""Combinations of dependent RTLs in counted programs that one instruction could do instead.

    r[5]=r[5]<<2;
    r[5]=r[10]+r[5];       =>      r[6]=L[r[10]+(r[5]<<2)];        if nobody else reads r[5]
    r[6]=L[r[5]];

The result of an RTL may be computed within another one of its block if that is its only user, and if nothing in between
changes what it is computed from.  A reference to memory and the step of its address are a combination, too.  A register that
holds a constant when control comes to the block stands for itself and, in a second combination, for that constant.  What means
the same is spelled the same: masks before shifts to the left and behind those to the right, extensions as masks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vpo.algebra import is_step, rebuild_effect, substitute
from vpo.analysis.cfg import Cfg, build_cfg
from vpo.analysis.liveness import Access, Numbering, access, compute_liveness
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import BITS, Branch, Const, Effect, Expr, Mem, Op, Register, Rtl, Set, expressions_read, subexpressions
from vpo.rtl.function import Block, Function

Constants = dict[Expr, Expr]  # what registers hold

MOST = 5  # RTLs that are combined, beside those that state constants
WINDOW = 8  # how far a step may be from the reference to memory
MOST_NODES = 16  # of one effect


@dataclass(frozen=True, slots=True, eq=False)
class Combination:
    """RTLs of one block, in order, that are one instruction with some effects.

    The last of `rtls` that is no step makes the result.  `times` tells how often they were executed, `dying` which registers
    nobody reads behind them.
    """

    effects: tuple[Effect, ...]
    rtls: tuple[Rtl, ...]
    root: Rtl
    times: int
    dying: frozenset[Register]


def combinations_of(program: Program, executed: dict[str, list[int]]) -> Iterator[Combination]:
    """Yield the combinations of a program whose RTLs were executed; none is an instruction of the machine."""
    machine = program.machine
    for name, function in program.functions.items():
        counts = executed[name]
        if any(counts):
            yield from _of_function(function, machine, counts)


def _of_function(function: Function, machine: Machine, counts: list[int]) -> Iterator[Combination]:
    cfg = build_cfg(function)
    liveness = compute_liveness(function, cfg, machine, Numbering(machine))
    starts = function.block_starts()
    constants = constants_at_entries(function, cfg, liveness.numbering)
    for index, (block, start) in enumerate(zip(function.blocks, starts, strict=True)):
        times = counts[start : start + len(block.rtls)]
        if len(times) > 1 and any(times):
            after = liveness.backward(index)
            yield from _Miner(block, machine, liveness.numbering, after, times, constants[index]).all()


class _Miner:
    """Finds the combinations of one block."""

    def __init__(
        self, block: Block, machine: Machine, numbering: Numbering, after: list[int], times: list[int], known: Constants
    ) -> None:
        self.rtls, self.machine, self.numbering = block.rtls, machine, numbering
        self.after, self.times = after, times
        self.accesses: list[Access] = [access(rtl, numbering) for rtl in block.rtls]
        self.known = known
        self.stating: set[int] = set()  # the numbers of RTLs that state constants, or parts of these
        for number, rtl in enumerate(block.rtls):
            known = _after_rtl(rtl, known, numbering)
            if any(register in known for register in rtl.sets):
                self.stating.add(number)

    def all(self) -> Iterator[Combination]:
        """Yield all combinations."""
        for number, rtl in enumerate(self.rtls):
            if not self.times[number] or len(rtl.effects) != 1 or type(rtl.effects[0]) not in (Set, Branch):
                continue
            if rtl.system_call is not None:
                continue
            yield from self._grown(number, (number,), (self._versioned(number),))
            yield from self._stepping(number)

    def _grown(self, root: int, members: tuple[int, ...], effects: tuple[Effect, ...]) -> Iterator[Combination]:
        """Yield what comes of computing ever more of what a root reads within it; members are in descending order.

        The version of a register in the effects tells which RTL of the block set its value (number + 2; 1: none did).
        """
        if sum(member not in self.stating for member in members) == MOST:
            return
        for register in dict.fromkeys(r for effect in effects for r in effect.uses):
            setter = register.version - 2
            # members join in descending order, so that each set is found once
            if not 0 <= setter < members[-1] or not self._joins(setter, register, root, members, effects):
                continue
            source = self._versioned(setter).source  # type: ignore[union-attr]
            new = tuple(rebuild_effect(e, lambda n, r=register, s=source: s if n is r else None) for e in effects)  # type: ignore[misc]
            together = (*members, setter)
            if sum(effect.size for effect in new) > MOST_NODES or not self._are_kept(new, root, together):
                continue
            for stated in dict.fromkeys((new, tuple(map(self._with_constants, new)))):
                plain = tuple(map(_without_versions, stated))
                spelled = tuple(map(canonical, plain))
                if any(e.uses for e in plain) and not (self.machine.is_legal(plain) or self.machine.is_legal(spelled)):
                    yield self._combination(spelled, together, root)
            yield from self._grown(root, together, new)

    def _versioned(self, number: int) -> Effect:
        """Return the effect of an RTL in which versions tell where the values of registers were set."""

        def replace(node: Expr) -> Expr | None:
            return self._value(node, number) if type(node) is Register else None

        return rebuild_effect(self.rtls[number].effects[0], replace)

    def _with_constants(self, effect: Effect) -> Effect:
        """Return an effect with the constants that registers hold which the block has not set."""

        def constant(node: Expr) -> Expr | None:
            return self.known.get(node.origin) if isinstance(node, Register) and node.version == 1 else None

        return rebuild_effect(effect, constant)

    def _value(self, register: Register, before: int) -> Register:
        """Return the version of a register that an RTL reads."""
        mask = self.numbering.mask((register,))
        changed = (n for n in range(before - 1, -1, -1) if (self.accesses[n].sets | self.accesses[n].clobbers) & mask)
        return Register(register.cls, register.index, register.type, register.pseudo, next(changed, -1) + 2)

    def _joins(
        self, setter: int, register: Register, root: int, members: tuple[int, ...], effects: tuple[Effect, ...]
    ) -> bool:
        """Whether what an RTL computes can be computed in the root instead: nobody else reads it."""
        effect = self.rtls[setter].single_set
        if effect is None or effect.target is not register.origin or self.times[setter] != self.times[root]:
            return False
        source, mask = effect.source, self.numbering.mask((register.origin,))
        if not isinstance(source, Op | Mem | Const) or getattr(source, "op", "") == "SYS":
            return False
        if any(cell.volatile for cell in source.memory) or not _appears_once(effects, register):
            return False
        if source.memory and any(r.stores or r.call is not None for r in self.rtls[setter + 1 : root]):
            return False
        for number in range(setter + 1, len(self.rtls)):
            entry = self.accesses[number]
            if number not in members and entry.uses & mask:
                return False
            if (entry.sets | entry.clobbers) & mask:
                return True
            if number == root:
                return not self.after[root] & mask
        return False

    def _are_kept(self, effects: tuple[Effect, ...], root: int, members: tuple[int, ...]) -> bool:
        """Whether registers hold at the root the values that effects read, if members change none."""
        for register in {r for effect in effects for r in effect.uses}:
            mask = self.numbering.mask((register.origin,))
            for number in range(max(register.version - 1, members[-1]), root):
                entry = self.accesses[number]
                changed = (entry.sets | entry.clobbers) & mask or register.origin in self.rtls[number].sets
                if changed and number not in members:
                    return False
        return True

    def _stepping(self, number: int) -> Iterator[Combination]:
        """Yield a reference to memory together with a step of the register that is its address."""
        effect = self.rtls[number].effects[0]
        if type(effect) is not Set:
            return
        cells = [*effect.memory, *([effect.target] if type(effect.target) is Mem else [])]
        if len(cells) != 1 or cells[0].volatile:
            return
        for register in cells[0].address.uses:
            for other in range(max(0, number - WINDOW), min(len(self.rtls), number + WINDOW + 1)):
                step = self.rtls[other].single_set
                if step is None or step.target is not register or not is_step(step) or other == number:
                    continue
                seen: Effect = effect
                if other < number:
                    seen = rebuild_effect(effect, lambda n, r=register, s=step.source: s if n is r else None)  # type: ignore[misc]
                if self._steps_beside(number, other, register) and _address(seen) in (register, step.source):
                    effects = (seen, step)
                    if not self.machine.is_legal(effects):
                        yield self._combination(effects, tuple(sorted((number, other), reverse=True)), number)

    def _steps_beside(self, number: int, other: int, register: Register) -> bool:
        mask = self.numbering.mask((register,))
        if not mask or self.accesses[number].sets & mask or self.times[number] != self.times[other]:
            return False
        between = self.accesses[min(number, other) + 1 : max(number, other)]
        return not any((entry.uses | entry.sets | entry.clobbers) & mask for entry in between)

    def _combination(self, effects: tuple[Effect, ...], members: tuple[int, ...], root: int) -> Combination:
        live = self.after[root]
        read = dict.fromkeys(r for effect in effects for r in effect.uses)
        dying = frozenset(r for r in read if not self.numbering.mask((r,)) & live or r in self.rtls[root].sets)
        rtls = tuple(self.rtls[number] for number in reversed(members))
        return Combination(effects, rtls, self.rtls[root], self.times[root], dying)


# ----------------------------------------------------------------------------------------------------------------------
# Which registers hold constants when control comes to a block.


def constants_at_entries(function: Function, cfg: Cfg, numbering: Numbering) -> list[Constants]:
    """Return for each block which registers hold which constants when control comes to it, whichever way it came."""
    order = cfg.reverse_postorder()
    behind: dict[int, Constants] = {}
    before: list[Constants] = [{} for _ in function.blocks]
    changed = True
    while changed:
        changed = False
        for index in order:
            ways = [behind[p] for p in cfg.predecessors[index] if p in behind] if index != order[0] else []
            before[index] = _in_all(ways)
            left = _after(function.blocks[index], before[index], numbering)
            changed |= behind.get(index) != left
            behind[index] = left
    return before


def _in_all(ways: list[Constants]) -> Constants:
    first, *others = ways or [{}]
    return {register: value for register, value in first.items() if all(way.get(register) is value for way in others)}


def _after(block: Block, known: Constants, numbering: Numbering) -> Constants:
    """Return which registers hold constants behind a block."""
    for rtl in block.rtls:
        known = _after_rtl(rtl, known, numbering)
    return known


def _after_rtl(rtl: Rtl, known: Constants, numbering: Numbering) -> Constants:
    """Return which registers hold constants behind an RTL."""
    effect, entry = rtl.single_set, access(rtl, numbering)
    changed = entry.sets | entry.clobbers
    kept: Constants = {
        register: value
        for register, value in known.items()
        if isinstance(register, Register) and register not in rtl.sets and not changed & numbering.mask((register,))
    }
    if effect is not None and type(effect.target) is Register:
        value = substitute(effect.source, known)
        if type(value) is Const:
            kept[effect.target] = value
    return kept


# ----------------------------------------------------------------------------------------------------------------------
# One spelling of what means the same: (x<<4)&496 is (x&31)<<4, (x&496)>>u4 is (x>>u4)&31, zxL(trW(x)) is x&65535.


def canonical(effect: Effect) -> Effect:
    """Return an effect in the one spelling that all with its meaning have."""
    match effect:
        case Set(target=Mem() as cell, source=source):
            return Set(cell.at(_spelled(cell.address)), _spelled(source))
        case Set(target=target, source=source):
            return Set(target, _spelled(source))
        case Branch(condition=condition, label=label):
            spelled = _spelled(condition)
            return Branch(spelled, label) if isinstance(spelled, Op) else effect
    return effect


def _spelled(node: Expr) -> Expr:
    if isinstance(node, Mem):
        return node.at(_spelled(node.address))
    if not isinstance(node, Op):
        return node
    node = Op(node.op, node.type, *map(_spelled, node.args))
    match node:
        case Op(op="zx", type=type_, args=(Op(op="tr", type=narrow, args=(x,)),)) if x.type == type_:
            return Op("&", type_, x, Const((1 << BITS[narrow]) - 1))
        case Op(op="&", type=type_, args=(Op(op="<<", args=(x, Const(value=by))), Const(value=mask))):
            return Op("<<", type_, _masked(type_, x, mask >> by), Const(by))
        case Op(op=">>u", type=type_, args=(Op(op="&", args=(x, Const(value=mask))), Const(value=by))):
            kept = (mask & ((1 << BITS[type_]) - 1)) >> by
            shifted = Op(">>u", type_, x, Const(by))
            return shifted if kept == ((1 << BITS[type_]) - 1) >> by else _masked(type_, shifted, kept)
    return node


def _masked(type_: str, node: Expr, mask: int) -> Expr:
    return node if mask == -1 else Op("&", type_, node, Const(mask))


# ----------------------------------------------------------------------------------------------------------------------


def _without_versions(effect: Effect) -> Effect:
    return rebuild_effect(effect, lambda node: node.origin if type(node) is Register and node.version else None)


def _appears_once(effects: tuple[Effect, ...], register: Register) -> bool:
    roots = (root for effect in effects for root in expressions_read(effect))
    return sum(node is register for root in roots for node in subexpressions(root)) == 1


def _address(effect: Effect) -> Expr | None:
    """Return the address of the one cell that an effect refers to."""
    if not isinstance(effect, Set):
        return None
    cells = [*effect.memory, *([effect.target] if isinstance(effect.target, Mem) else [])]
    return cells[0].address if len(cells) == 1 else None
