"""A description's expansions: RTLs that the machine has not, rewritten as several that it has.

Tried after the generic strategies of the expander.  Variables that only stand in `into` are new pseudo-registers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vpo.algebra import apply, binary, set_
from vpo.machines.pattern import NAMESPACE, Alternative, OperandForm, compile_condition, matcher_source, number_of
from vpo.machines.schema import bind_operands, pattern_variables, text_place
from vpo.machines.source import DescriptionError, Map, Seq
from vpo.rtl import Branch, Call, Const, Effect, Half, IndirectJump, Jump, Mem, Op, Register, Return, Set
from vpo.text import RegisterVariable, TextError, Variable, parse_pattern

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


def load_expansions(spec: Seq, cells: dict[str, str], operands: dict[str, list[OperandForm]]) -> list[Expansion]:
    """Read the `expansions:` section.

    Raises DescriptionError.
    """
    from vpo.machines.recognizer import Recognizer  # only its operand matching is wanted

    helper = Recognizer({}, operands, [], str, {})
    result = []
    for number, (item, place) in enumerate(spec.located()):
        if not isinstance(item, Map) or not isinstance(item.get("rtl"), str) or not isinstance(item.get("into"), Seq):
            raise DescriptionError(place, "an expansion is {rtl: ..., into: [...]}")
        bound: dict[str, str] = {}
        pattern = _pattern(item["rtl"], item, "rtl", cells)
        variables = bind_operands(item, KEYS, pattern, set(operands), bound)
        into = [_pattern(text, item, "into", cells) for text in item["into"]]
        _check_into(into, variables, item)
        condition = compile_condition(str(item["when"]), variables, item.where("when")) if "when" in item else None
        alternative = Alternative("", place, pattern, False, bound, "", 0, 0, 0, (), None, None)
        namespace: dict[str, Any] = dict(NAMESPACE)
        for name in set(bound.values()):
            namespace[f"operand_{name}"] = lambda node, name=name: helper.operand(name, node)
        exec(matcher_source(f"x{number}", alternative, pattern), namespace)
        result.append(Expansion(namespace[f"x{number}"], into, condition, item["rtl"]))
    return result


def _pattern(text: Any, item: Map, key: str, cells: dict[str, str]) -> tuple[Any, ...]:
    try:
        return parse_pattern(str(text), cells)[0]
    except TextError as error:
        raise DescriptionError(text_place(item.where(key), error), f"{error.message} (in `{text}`)") from None


def _check_into(into: list[tuple[Any, ...]], variables: set[str], item: Map) -> None:
    for effects in into:
        for name, kind, _ in pattern_variables(effects):
            if kind != "register" and name not in variables:
                raise DescriptionError(item.where("into"), f"'{name}' does not stand in `{item['rtl']}`")


