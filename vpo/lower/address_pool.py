"""Addresses of objects and functions, and constants, that a machine cannot build: read from data that a function keeps.

r[5]=_sum;     =>     r[6]=HI[_f.address0]; r[5]=L[r[6]+LO[_f.address0]];
"""

from __future__ import annotations

from vpo import il
from vpo.algebra import binary
from vpo.base.errors import CannotExpress
from vpo.base.kept import kept
from vpo.lower.legalize import Legalizer
from vpo.lower.stated_constants import has_parts
from vpo.machines.machine import Machine
from vpo.rtl import BITS, Const, Effect, Expr, Half, Mem, Register, Set, Symbol
from vpo.rtl.function import Data, Function


@kept
def _known(machine: Machine) -> dict[Expr, bool]:
    """Return which addresses a machine is known to build."""
    return {}


class AddressPool:
    """Loads addresses for the code of a function; adds to `tables` what it reads them from."""

    def __init__(self, code: Legalizer, tables: list[Data]) -> None:
        self.code, self.tables = code, tables
        self.names: dict[Symbol | Const, str] = {}

    def load(self, target: Register, value: Symbol | Const) -> bool:
        """Emit a load of an address that the machine cannot build, or of a constant; return whether there is a way."""
        if isinstance(value, Symbol) and builds(self.code.machine, Symbol("_")):
            return False
        kind = "address" if isinstance(value, Symbol) else "constant"
        name = self.names.get(value, f"{self.code.function.name}.{kind}{len(self.names)}")
        effects = self._reading(target, Symbol(name))
        if not all(self.code.machine.is_legal((effect,)) for effect in effects):
            return False
        for effect in effects:
            self.code.append((effect,))
        if value not in self.names:
            self.names[value] = name
            size = BITS[target.type] // 8
            item: il.Item = il.IntItem(0, size, value.value) if isinstance(value, Const) else _address_item(value)
            self.tables.append(Data(name, size, size, [item], constant=True, static=True))
        return True

    def _reading(self, target: Register, place: Symbol) -> list[Effect]:
        """Return what reads a register from a place: one load, or one by the halves of the place's address."""
        type_ = target.type
        direct = Set(target, Mem(type_, place))
        if self.code.machine.is_legal((direct,)):
            return [direct]
        high = self.code.fresh(self.code.address)
        return [Set(high, Half("HI", place)), Set(target, Mem(type_, binary("+", high, Half("LO", place))))]


def _address_item(address: Symbol) -> il.Item:
    return il.AddressItem(0, address.name, address.offset)


def builds(machine: Machine, address: Expr) -> bool:
    """Whether a machine can have an address in a register without reading it from memory, or putting it together of parts."""
    known = _known(machine)
    if address not in known:
        code = Legalizer(machine, Function("_", "", 0, False))
        try:
            code.emit(Set(code.fresh(code.address), address))
            known[address] = not any(has_parts(rtl) for rtl in code.out)
        except CannotExpress:
            known[address] = False
    return known[address]
