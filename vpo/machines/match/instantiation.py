"""Concrete effects out of patterns: with what variables are bound to, and with one form of each operand in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from vpo.algebra import apply, binary, branch, operand_type, set_
from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.read.operands import Operands
from vpo.rtl import (
    Branch,
    By,
    Call,
    Const,
    Delay,
    Effect,
    Half,
    IndirectJump,
    Jump,
    LabelAddress,
    Mem,
    Op,
    Register,
    Return,
    Set,
    Slot,
)
from vpo.text import RegisterVariable, Variable

# ----------------------------------------------------------------------------------------------------------------------
# Concrete effects out of patterns and what their variables are bound to.


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
            case LabelAddress():
                return LabelAddress(self.bindings.get(pattern.label, pattern.label))
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
            case By():
                return By(self.node(pattern.register))
        raise TypeError(pattern)


# ----------------------------------------------------------------------------------------------------------------------
# The forms of an instruction with one form of each operand in the place of the operand.


MOST = 256  # combinations


@dataclass(frozen=True, slots=True)
class Chosen:
    """An alternative whose operands have one form each; `operands` has what these are called."""

    form: Alternative
    operands: Operands


def chosen_forms(form: Alternative, operands: Operands) -> Iterator[Chosen]:
    """Yield an alternative with each combination of forms of its operands; as it is if they are too many.

    Forms with a pattern stand in the place of the operand, others are an operand of their own.
    """
    names = list(form.operands)
    rows = list(product(*(operands[form.operands[name]] for name in names)))
    if len(rows) > MOST or not _is_plain(form.effects):
        yield Chosen(form, {})
        return
    for row in rows:
        chosen = _Choice(dict(zip(names, row, strict=True)))
        effects = tuple(map(chosen.effect, form.effects))
        yield Chosen(replace(form, effects=effects, operands=chosen.bound), chosen.operands)


def _is_plain(effects: tuple[Any, ...]) -> bool:
    return all(isinstance(effect, Set | Branch | IndirectJump) for effect in effects)


class _Choice:
    """Puts forms in the place of operands."""

    def __init__(self, forms: dict[str, OperandForm]) -> None:
        self.forms = forms
        self.bound: dict[str, str] = {}
        self.operands: Operands = {}

    def effect(self, effect: Any) -> Any:
        """Return an effect with forms in it."""
        match effect:
            case Set():
                return Set(self.node(effect.target, ""), self.node(effect.source, ""))
            case Branch():
                return Branch(self.node(effect.condition, ""), effect.label)
        return IndirectJump(self.node(effect.target, ""), effect.labels)

    def node(self, node: Any, within: str) -> Any:
        """Return an expression with forms in it; `within` is the variable of whose form it is a part."""
        match node:
            case RegisterVariable():
                return RegisterVariable(node.cls, within + node.name, node.type)
            case Variable() if not within:
                return self._form(node)
            case Variable():
                self.bound[within + node.name] = self.forms[within[:-1]].operands[node.name]
                return Variable(within + node.name)
            case Op():
                return Op(node.op, node.type, *(self.node(arg, within) for arg in node.args))
            case Mem():
                return node.at(self.node(node.address, within))
            case Half():
                return Half(node.which, self.node(node.of, within))
        return node

    def _form(self, variable: Variable) -> Any:
        form = self.forms[variable.name]
        if form.pattern is not None:
            return self.node(form.pattern, f"{variable.name}.")
        name = f"{variable.name} of {id(form)}"
        self.bound[variable.name] = name
        self.operands[name] = [form]
        return variable
