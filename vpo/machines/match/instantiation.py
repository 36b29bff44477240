"""Concrete effects out of patterns and what their variables are bound to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from vpo.algebra import apply, binary, branch, operand_type, set_
from vpo.rtl import Branch, Call, Const, Delay, Effect, Half, IndirectJump, Jump, Mem, Op, Register, Return, Set, Slot
from vpo.text import RegisterVariable, Variable


@dataclass(eq=False)
class Instance:
    """Builds concrete effects from patterns and bindings."""

    bindings: dict[str, Any]
    fresh: Callable[[str, str], Register]
    half: Callable[[str, int], int]
    cell: Callable[[str], str] = field(default=str)

    def node(self, pattern: Any) -> Any:
        """Instantiate an expression."""
        match pattern:
            case RegisterVariable():
                if pattern.name not in self.bindings:
                    self.bindings[pattern.name] = self.fresh(pattern.cls, pattern.type)
                bound = self.bindings[pattern.name]
                if type(bound) is Register and bound.cls != pattern.cls:
                    return Register(pattern.cls, bound.index, pattern.type, bound.pseudo)  # another view of it
                return bound
            case Variable():
                return self.bindings[pattern.name]
            case Half():
                of = self.node(pattern.of)
                number = isinstance(of, Const) and not pattern.is_literal
                return Const(self.half(pattern.which, of.value)) if number else Half(pattern.which, of)
            case Slot():
                return Slot(self.cell(pattern.name), pattern.offset)
            case Mem():
                return pattern.at(self.node(pattern.address))
            case Op():
                args = tuple(self.node(arg) for arg in pattern.args)
                if len(args) == 2 and pattern.op != "SYS":
                    return binary(pattern.op, args[0], args[1], operand_type(pattern))
                return apply(pattern.op, pattern.type, args)
        return pattern

    def effect(self, pattern: Any) -> Effect:
        """Instantiate an effect."""
        match pattern:
            case Set():
                return set_(self.node(pattern.target), self.node(pattern.source))
            case Branch():
                return branch(self.node(pattern.condition), self.bindings.get(pattern.label, pattern.label))
            case Jump():
                return Jump(self.bindings.get(pattern.label, pattern.label))
            case Call():
                return Call(self.node(pattern.target), pattern.arguments, pattern.results)
            case Return():
                return Return(self.node(pattern.target), pattern.results)
            case IndirectJump():
                return IndirectJump(self.node(pattern.target), pattern.labels)
            case Delay(when=when):
                return Delay(when)
        raise TypeError(pattern)
