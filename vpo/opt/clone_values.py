"""Compute values that a loop computes, in front of it: for other values of its variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vpo.algebra import rebuild
from vpo.analysis.induction import Induction
from vpo.analysis.routine_calls import RoutineCall
from vpo.opt.state import FunctionState
from vpo.rtl import Const, Effect, Expr, Register, Rtl, Set


class NotExpressible(Exception):
    """The machine has no instructions for what was to be computed."""


class Clones:
    """RTLs, of pseudo-registers of their own, that compute again what RTLs of a loop do."""

    def __init__(self, state: FunctionState, facts: Induction, like: Rtl) -> None:
        """Clone what a loop is known to define; what is computed otherwise has the provenance of `like`."""
        self.state, self.inside, self.constants, self.like = state, facts.inside, facts.constants, like
        self.rtls: list[Rtl] = []
        self.routines = facts.routines
        self.changed: set[Register] = set()  # by calls

    def value(self, register: Register, variable: Register | None = None, instead: Register | None = None) -> Register:
        """Return a register that holds, before the loop, what one has in it where `instead` is the value of a variable."""
        return self._value(register, variable, instead, {})

    def _value(
        self, register: Register, variable: Register | None, instead: Register | None, made: dict[Register, Register]
    ) -> Register:
        if register is variable and instead is not None:
            return instead
        rtl = self.inside.get(register)
        if register not in self.inside:
            return register
        known = made.get(register)
        if known is not None:
            return known
        effect = rtl.single_set() if rtl is not None else None
        if rtl is None or effect is None:
            raise NotExpressible
        call = self.routines.get(rtl)
        computed = effect.source if call is None else call.value
        values = {use: self._value(use, variable, instead, made) for use in computed.uses if use.pseudo}
        source = rebuild(computed, lambda node: values.get(node) if type(node) is Register else None)
        try:
            result = self.compute(register, source, rtl)
        except NotExpressible:
            if call is None:
                raise
            result = self._call(call, values)
        made[register] = result
        return result

    def _call(self, call: RoutineCall, values: Mapping[Register, Register]) -> Register:
        """Append a call with other arguments; return the register that holds its result."""
        target = call.target
        new = self.state.function.pseudo(target.cls, target.type)
        rtls = call.on(values, new)
        if not all(self.state.machine.is_legal(rtl.effects) for rtl in rtls):
            raise NotExpressible
        self.rtls += rtls
        self.changed |= call.changed(self.state.machine)
        return new

    def compute(self, like: Register, source: Expr, rtl: Rtl | None = None) -> Register:
        """Append RTLs that compute an expression; return the register, of the class of `like`, that holds it."""
        if isinstance(source, Register) and (source.cls, source.type, source.pseudo) == (like.cls, like.type, True):
            return source
        machine = self.state.machine
        folded = rebuild(source, lambda node: self._number(node) if isinstance(node, Register) else None)
        if isinstance(folded, Register) and folded.pseudo and not isinstance(source, Register):
            return self.compute(like, folded, rtl)
        new = self.state.function.pseudo(like.cls, like.type)
        if machine.is_legal((Set(new, folded),)):
            source = folded
        found: list[tuple[Effect, ...]] = [(Set(new, source),)]
        if not machine.is_legal(found[0]):
            ways = (way for way in tied(new, source) if all(map(machine.is_legal, way)))
            found = next(ways, [])
        if not found:
            raise NotExpressible
        origin = rtl or self.like
        self.rtls += [Rtl(effects, origin.lines, origin.cause) for effects in found]
        (result,) = self.rtls[-1].sets
        return result

    def _number(self, register: Register) -> Const | None:
        return Const(self.constants[register]) if register in self.constants else None


def tied(new: Register, source: Expr) -> Iterator[list[tuple[Effect, ...]]]:
    """Yield ways to compute a value in the place of one of its operands, of which there is a copy."""
    for operand in source.uses:
        if operand.cls == new.cls and operand.type == new.type:
            copy, result = (Register(new.cls, new.index, new.type, True, version) for version in (1, 2))
            second = rebuild(source, lambda node, old=operand, new=copy: new if node is old else None)  # type: ignore[misc]
            yield [(Set(copy, operand),), (Set(result, second),)]
