"""Global value numbers of a function in SSA form: registers with one value number hold the same value.

    r[t1]=r[t9]+r[t8];
    r[t2]=r[t8]+r[t9];      the value of r[t2] is r[t1]
    r[t3]=r[t2]+0;          and so is that of r[t3]

The value of a register is a constant, an address or the register that was found to hold the value first.  Numbering is
optimistic: sources of phis that come around a loop are taken to be equal to the others until they are not, so that loop
variables that run alike are found.  A load is numbered by its address and the last RTL that may have changed what it
reads; what a store wrote is known to be there.

Simpson, "Value-Driven Redundancy Elimination" (thesis, Rice University, 1996), the algorithm in reverse postorder.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from types import MappingProxyType

from vpo.algebra import CONSTANTS, extended, rebuild, wrap
from vpo.analysis.cfg import Cfg
from vpo.analysis.routine_calls import RoutineCalls
from vpo.analysis.ssa import Definition, MemorySsa
from vpo.machines.machine import Machine
from vpo.rtl import BITS, COMMUTATIVE, FLOAT_TYPES, INTEGER_TYPES, Const, Effect, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Function, Phi

Key = Hashable
VALUES = (*CONSTANTS, Register)  # what a value may be, but for keys of tables
MAX_PASSES = 20  # as many as loops are nested, and a few, are enough


class ValueNumbers:
    """The values of the pseudo-registers of a function in SSA form."""

    def __init__(
        self, function: Function, cfg: Cfg, machine: Machine, memory: MemorySsa, routines: RoutineCalls = MappingProxyType({})
    ) -> None:
        """Number the values of a function, of which some calls of routines are known."""
        self.routines = routines
        self.function, self.cfg, self.machine, self.memory = function, cfg, machine, memory
        self.untracked = machine.zero | {machine.stack_pointer}
        self.values: dict[Register, Expr] = {}
        self.table: dict[Key, Expr] = {}  # what is computed -> its value
        self.defined = {phi.target for block in function.blocks for phi in block.phis}
        self.defined.update([register for block in function.blocks for rtl in block.rtls for register in rtl.sets])
        self._setting = [self._set_in(block) for block in function.blocks]
        self._states: dict[Rtl, dict[Mem, Definition]] = {}  # what last may have changed what an RTL reads
        self.places = {
            rtl: (number, position) for number, block in enumerate(function.blocks) for position, rtl in enumerate(block.rtls)
        }
        self._solve()

    def clobber(self, rtl: Rtl, cell: Mem) -> Definition:
        """Return what may last have changed a cell before an RTL that was there when values were numbered."""
        return self.memory.clobber(*self.places[rtl], cell)

    def last_change(self, rtl: Rtl, cell: Mem) -> Definition | None:
        """Return the same for a cell that a numbered RTL reads; None for others."""
        return self._states.get(rtl, {}).get(cell)

    def _solve(self) -> None:
        order = self.cfg.reverse_postorder()
        around = self._around(order)
        for _ in range(MAX_PASSES):
            before = [self.values.get(register) for register in around]
            self._number(order)
            if all(self.values.get(register) is value for register, value in zip(around, before, strict=True)):
                return
        self.values = {register: register for register in self.defined if register.pseudo}
        self.table = {}

    def _number(self, order: list[int]) -> None:
        """Number all blocks once."""
        self.table = {}
        for number in order:
            block = self.function.blocks[number]
            for phi in block.phis:
                self.values[phi.target] = self._value_of_phi(number, phi)
            for rtl, target, effect in self._setting[number]:
                self.values[target] = target if effect is None else self._value_of_rtl(rtl, effect, target)

    def _set_in(self, block: Block) -> list[tuple[Rtl, Register, Set | None]]:
        """Return the RTLs of a block that set pseudo-registers, with each register, and the effect if it computes a value."""
        found: list[tuple[Rtl, Register, Set | None]] = []
        for rtl in block.rtls:
            for effect in self._effects(rtl) if self.routines else rtl.effects:
                target = effect.target if type(effect) is Set else None
                if type(effect) is Set and type(target) is Register and target.pseudo:
                    found.append((rtl, target, effect if self._has_value(effect) else None))
        return found

    def _effects(self, rtl: Rtl) -> tuple[Effect, ...]:
        """Return the effects of an RTL, of which that of a routine is known."""
        known = self.routines.get(rtl)
        return (Set(known.target, known.value),) if known is not None else rtl.effects

    def _around(self, order: list[int]) -> list[Register]:
        """Return the registers that phis read before they are numbered: only through these does a pass depend on the last."""
        place = {self.function.blocks[number].label: position for position, number in enumerate(order)}
        return [
            source
            for number in order
            for phi in self.function.blocks[number].phis
            for label, source in phi.sources.items()
            if place.get(label, -1) >= place[self.function.blocks[number].label]
        ]

    def _value_of_phi(self, number: int, phi: Phi) -> Expr:
        sources = [source for _, source in sorted(phi.sources.items())]
        values = [self.values.get(source) if source in self.defined else source for source in sources]
        known = {value for value in values if value is not None}
        return known.pop() if len(known) == 1 else self.table.setdefault((number, *values), phi.target)

    def _value_of_rtl(self, rtl: Rtl, effect: Set, target: Register) -> Expr:
        """Return the value that an effect of an RTL, perhaps beside others, gives a register."""
        if effect.memory and rtl not in self._states:
            self._states[rtl] = {cell: self.clobber(rtl, cell) for one in rtl.effects for cell in one.memory}
        key = self._key(effect, target, self._states[rtl].__getitem__ if effect.memory else self._no_clobber)
        if isinstance(key, VALUES):
            return key
        return self.table.setdefault(key, target)

    def value_of(self, node: Expr) -> Expr | None:
        """Return the value of a pseudo-register; None for other nodes."""
        return self.values.get(node, node) if type(node) is Register and node.pseudo else None

    def key(self, effect: Set, clobber: Callable[[Mem], Definition]) -> Key | Expr | None:
        """Return what an effect computes in terms of values: a constant, a register or a key of `table`; None if unknown.

        `clobber` tells what last may have changed a cell.
        """
        target = effect.target
        return self._key(effect, target, clobber) if type(target) is Register and self._has_value(effect) else None

    def _has_value(self, effect: Set) -> bool:
        """Whether an effect does nothing but set something to what it computes of values."""
        if effect.acts:
            return False
        for register in effect.uses:
            if not register.pseudo and register not in self.untracked:
                return False
        return True

    def _no_clobber(self, cell: Mem) -> Definition:
        raise AssertionError(f"{cell} is not read")

    def _key(self, effect: Set, target: Register, clobber: Callable[[Mem], Definition]) -> Key | Expr:
        source, values = effect.source, self.values
        for register in effect.uses:
            if values.get(register, register) is not register:
                expr = rebuild(source, self.value_of)
                break
        else:
            expr = source
        if isinstance(expr, CONSTANTS):
            return expr if target.type not in FLOAT_TYPES else (expr, target.type)
        if type(expr) is Register and expr.type == target.type and expr.pseudo:
            return expr
        if type(expr) is Op and expr.op in COMMUTATIVE and type(expr.args[0]) is type(expr.args[1]) is Register:
            expr = Op(expr.op, expr.type, *sorted(expr.args, key=_order))
        if not expr.memory:
            return expr, target.type
        states = tuple(clobber(cell) for cell in source.memory)
        expr = rebuild(expr, _of_any_type)  # what cells hold does not depend on the type that the program reads them as
        if len(states) == 1 and type(states[0]) is Rtl:
            stored = self._loaded(states[0], source, expr, target)
            if stored is not None:
                return stored
        return expr, target.type, states

    def _loaded(self, store: Rtl, source: Expr, expr: Expr, target: Register) -> Expr | None:
        """Return the value of a load, extended or not, from a cell that an RTL has stored; None if it is not known."""
        if type(expr) is Mem and type(source) is Mem:
            value = self._stored(store, expr)
            return value if type(value) is not Register or value.type == target.type else None
        if type(expr) is Op and expr.op in ("sx", "zx") and type(expr.args[0]) is Mem:
            value = self._stored(store, expr.args[0])
            return extended(expr.op, value.value, BITS[expr.args[0].type]) if type(value) is Const else None
        return None

    def _stored(self, store: Rtl, cell: Mem) -> Expr | None:
        """Return the value that an RTL stored in a cell: a number, or an address or a register that is as wide."""
        effect = store.single_set
        if effect is None or type(effect.target) is not Mem or cell.type not in BITS:
            return None
        if rebuild(effect.target.of_any_type, self.value_of) is not cell:
            return None
        value = effect.source if type(effect.source) is Const else self.value_of(effect.source)
        if type(value) is Const:
            return Const(wrap(value.value, BITS[cell.type])) if cell.type in INTEGER_TYPES else None
        fits = type(effect.source) is Register and effect.source.type == cell.type and cell.type in INTEGER_TYPES
        if isinstance(value, CONSTANTS):
            return value if fits else None
        return value if type(value) is Register and effect.source.type == cell.type else None


def _of_any_type(node: Expr) -> Expr | None:
    return node.of_any_type if type(node) is Mem and node.effective else None


def _order(node: Expr) -> tuple[int, int, str]:
    assert type(node) is Register
    return node.index, node.version, node.cls
