"""Registers for pairs of loads or stores: one for each value, and linked as a description says, such as `e == d + 1`.

    r[15]=L[r[10]];                   r[14]=L[r[10]];
    r[14]=L[r[10]+4];          =>     r[15]=L[r[10]+4];         which is one instruction
    r[10]=r[15]*r[14];                r[10]=r[14]*r[15];

Values that live within one block get other registers, which are free as long as they live.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, product

from vpo.algebra import substitute_in
from vpo.algebra.equivalents import is_run
from vpo.analysis.liveness import access
from vpo.opt.state import LIVENESS, FunctionState
from vpo.rtl import Branch, Mem, Register, Rtl, Set
from vpo.rtl.function import Block

WINDOW = 8  # how far apart the two may stand


def link_registers(state: FunctionState) -> None:
    """Rename values of a block so that pairs of loads or stores side by side may be one instruction."""
    for index, block in enumerate(state.function.blocks):
        for _ in block.rtls:
            if not _Block(state, block, index).link():
                break


@dataclass(frozen=True, slots=True)
class _Value:
    """A value of a block in a register: set at one place, and last used at another one."""

    register: Register
    start: int
    end: int


class _Block:
    """The work on one block: one pair."""

    def __init__(self, state: FunctionState, block: Block, index: int) -> None:
        self.state, self.machine, self.block, self.rtls = state, state.machine, block, block.rtls
        liveness = state.get(LIVENESS).copy()
        self.numbering = liveness.numbering
        self.accesses = liveness.accesses[index] = [access(rtl, self.numbering) for rtl in self.rtls]
        self.after = liveness.backward(index)

    def link(self) -> bool:
        """Give a pair registers with which it is one instruction; return whether there was such."""
        effects = [rtl.single_set for rtl in self.rtls]
        for second, later in enumerate(effects):
            for first in range(max(second - WINDOW, 0), second):
                earlier = effects[first]
                if earlier is not None and later is not None and _are_side_by_side(earlier, later):
                    if self._is_pair(earlier, later) and not self._is_taken(first, second):
                        break
                    if self._try(first, second, earlier, later):
                        return True
        return False

    def _is_pair(self, a: Set, b: Set) -> bool:
        return self.machine.is_legal((a, b)) or self.machine.is_legal((b, a))

    def _is_taken(self, first: int, second: int) -> bool:
        """Whether the register of the first value holds another one before both are moved."""
        effect = self.rtls[first].single_set
        one = effect.target if effect is not None and isinstance(effect.target, Register) else getattr(effect, "source", None)
        later = self.rtls[first + 1 : second + bool(self.rtls[second].sets)]
        return any(one in rtl.sets for rtl in later)

    def _try(self, first: int, second: int, earlier: Set, later: Set) -> bool:
        one, other = self._value(first, earlier), self._value(second, later)
        if one is None or other is None:
            return False
        free = [*self._free(one, second)], [*self._free(other, second)]
        kept = () if any(one.register in rtl.sets for rtl in self.rtls[one.start + 1 : second]) else (one.register,)
        choices = chain(product(kept, free[1]), product(free[0], (other.register,)), product(*free))
        for p, q in choices:
            if p is not q and self._is_pair(_with(earlier, p), _with(later, q)):
                return self._rename(one, p) and _Block(self.state, self.block, self._index())._rename(other, q)
        return False

    def _index(self) -> int:
        return self.state.function.blocks.index(self.block)

    def _value(self, place: int, effect: Set) -> _Value | None:
        """Return the value that a place loads or stores, if it lives within the block and others than calls use it."""
        register = effect.target if isinstance(effect.target, Register) else effect.source
        if not isinstance(register, Register) or register.pseudo:
            return None
        start: int | None = place
        if register is effect.source:
            start = next((k for k in range(place - 1, -1, -1) if register in self.rtls[k].sets), None)
        effect_there = self.rtls[start].single_set if start is not None else None
        if start is None or effect_there is None or effect_there.target is not register:
            return None
        bit, end = self.numbering.mask((register,)), start
        for k in range(start + 1, len(self.rtls)):
            entry = self.accesses[k]
            if entry.uses & bit:
                end = k
                if self.rtls[k].single_set is None and not isinstance(self.rtls[k].transfer, Branch):
                    return None
            if (entry.sets | entry.clobbers) & bit:
                return _Value(register, start, end)
        return None if self.after[-1] & bit else _Value(register, start, end)

    def _free(self, value: _Value, last: int) -> Iterator[Register]:
        """Yield registers that nobody wants while a value lives, or until a place, and that need not be saved."""
        taken = self.after[value.start] | self.accesses[value.start].clobbers  # also of a value that nobody uses
        for k in range(value.start, max(value.end, last)):
            taken |= self.after[k] | self.accesses[k].sets | self.accesses[k].clobbers
            taken |= self.accesses[k + 1].uses
        for register in self.machine.allocable_in(value.register.cls):
            bits = self.numbering.mask((register,))
            if bits & self.numbering.scratch == bits and not bits & taken:
                yield register

    def _rename(self, value: _Value, new: Register) -> bool:
        """Keep a value in another register."""
        if value.register is new:
            return True
        contents = list(self.rtls)
        for k in range(value.start, value.end + 1):
            old = contents[k]
            if k == value.start:
                effect = old.single_set
                assert effect is not None
                contents[k] = Rtl((Set(new, effect.source),), old.lines, old.cause)
            elif self.accesses[k].uses & self.numbering.mask((value.register,)):
                effects = tuple(substitute_in(e, {value.register: new}) for e in old.effects)
                contents[k] = Rtl(effects, old.lines, old.cause)
        return self.state.change({self.block: contents})


def _with(effect: Set, register: Register) -> Set:
    """Return a load or store with another register."""
    return Set(register, effect.source) if isinstance(effect.target, Register) else Set(effect.target, register)


def _are_side_by_side(a: Set, b: Set) -> bool:
    """Whether both load, or both store, and their cells lie side by side."""
    match a, b:
        case Set(target=Register() as one, source=Mem() as first), Set(target=Register(), source=Mem() as second):
            return one not in second.uses and (is_run((first, second)) or is_run((second, first)))
        case Set(target=Mem() as first, source=Register()), Set(target=Mem() as second, source=Register()):
            return is_run((first, second)) or is_run((second, first))
    return False
