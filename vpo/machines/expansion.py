"""A description's expansions: RTLs that the machine has not, rewritten as several that it has.

Tried after the generic strategies of the expander.  Variables that only stand in `into` are new pseudo-registers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vpo.algebra import apply, binary, set_
from vpo.machines.binding import bind_operands, pattern_variables
from vpo.machines.pattern import (
    Alternative,
    OperandForm,
    compile_condition,
    number_of,
)
from vpo.machines.patterns import read_effects
from vpo.machines.registers import Classes
from vpo.machines.schema import expect, text, texts
from vpo.machines.source import DescriptionError, Map, Place, Seq
from vpo.rtl import Branch, Call, Const, Effect, Half, IndirectJump, Jump, Mem, Op, Register, Return, Set
from vpo.text import RegisterVariable, Variable

KEYS = {"rtl", "into", "when"}


@dataclass(eq=False)
class Expansion:
    """`match` binds the variables of an RTL's effects; `into` are effect patterns to instantiate in order."""

    match: Callable[[tuple[Effect, ...]], dict[str, Any] | None]
    into: list[tuple[Any, ...]]
    condition: Callable[[dict[str, Any]], Any] | None
    text: str

    def apply(
        self,
        effects: tuple[Effect, ...],
        fresh: Callable[[str, str], Register],
        half: Callable[[str, int], int],
    ) -> list[tuple[Effect, ...]] | None:
        """Return the effects of the RTLs that replace one, or None if this expansion is not for it.

        `fresh(class, type)` hands out registers, `half` splits constants.
        """
        bindings = self.match(effects)
        if bindings is None:
            return None
        if self.condition and not self.condition({k: number_of(v) for k, v in bindings.items()}):
            return None
        instance = Instance(dict(bindings), fresh, half)
        return [tuple(instance.effect(e) for e in pattern) for pattern in self.into]


@dataclass(eq=False)
class Instance:
    """Builds concrete effects from patterns and bindings."""

    bindings: dict[str, Any]
    fresh: Callable[[str, str], Register]
    half: Callable[[str, int], int]

    def node(self, pattern: Any) -> Any:
        """Instantiate an expression."""
        match pattern:
            case RegisterVariable():
                if pattern.name not in self.bindings:
                    self.bindings[pattern.name] = self.fresh(pattern.cls, pattern.type)
                return self.bindings[pattern.name]
            case Variable():
                return self.bindings[pattern.name]
            case Half():
                of = self.node(pattern.of)
                return Const(self.half(pattern.which, of.value)) if isinstance(of, Const) else Half(pattern.which, of)
            case Mem():
                return Mem(pattern.type, self.node(pattern.address), pattern.volatile)
            case Op():
                args = tuple(self.node(arg) for arg in pattern.args)
                return binary(pattern.op, *args) if len(args) == 2 else apply(pattern.op, pattern.type, args)
        return pattern

    def effect(self, pattern: Any) -> Effect:
        """Instantiate an effect."""
        match pattern:
            case Set():
                return set_(self.node(pattern.target), self.node(pattern.source))
            case Branch():
                return Branch(self.node(pattern.condition), self.bindings.get(pattern.label, pattern.label))
            case Jump():
                return Jump(self.bindings.get(pattern.label, pattern.label))
            case Call():
                return Call(self.node(pattern.target), pattern.arguments)
            case Return():
                return Return(self.node(pattern.target), pattern.results)
            case IndirectJump():
                return IndirectJump(self.node(pattern.target), pattern.labels)
        raise TypeError(pattern)


def load_expansions(d: Map, classes: Classes, operands: dict[str, list[OperandForm]]) -> list[Expansion]:
    """Read the `expansions:` section.

    Raises DescriptionError.
    """
    from vpo.machines.recognizer import Recognizer  # only its operand matching is wanted

    if d.get("expansions") is None:
        return []
    spec = expect(d, "expansions", Seq)
    helper = Recognizer({}, operands, [], str, {})
    result: list[Expansion] = []
    for item, place in spec.located():
        if not isinstance(item, Map):
            raise DescriptionError(place, "an expansion is {rtl: ..., into: [...]}")
        rtl = expect(item, "rtl", str)
        bound: dict[str, str] = {}
        pattern = _pattern(rtl, item.where("rtl"), classes)
        variables = bind_operands(item, KEYS, pattern, set(operands), bound)
        into = _into(item, rtl, variables, classes)
        condition = compile_condition(text(item, "when"), variables, item.where("when")) if "when" in item else None
        alternative = Alternative("", place, pattern, False, bound, "", 0, 0, 0, (), None, None)
        result.append(Expansion(helper.matcher(alternative), into, condition, rtl))
    return result


def _pattern(rtl: str, place: Place, classes: Classes) -> tuple[Any, ...]:
    effects, repeated = read_effects(rtl, place, classes, f"expansion `{rtl}`: ")
    if repeated:
        raise DescriptionError(place, f"expansion `{rtl}`: '...' cannot stand here")
    return effects


def _into(item: Map, rtl: str, variables: set[str], classes: Classes) -> list[tuple[Any, ...]]:
    lines = texts(item, "into")
    if not lines:
        raise DescriptionError(item.where("into"), "'into:' must be a list of RTLs")
    result = []
    for line, place in zip(lines, item["into"].places, strict=True):
        effects = _pattern(line, place, classes)
        for name, kind, _ in pattern_variables(effects):
            if kind != "register" and name not in variables:
                raise DescriptionError(place, f"'{name}' does not stand in `{rtl}`")
        result.append(effects)
    return result
