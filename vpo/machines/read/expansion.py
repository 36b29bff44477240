"""A description's expansions: RTLs that the machine has not, rewritten as several that it has.

Tried after the generic strategies of the expander.  Registers that only stand in `into` are new pseudo-registers; a slot
there (`L[r[4]+.x]`) is a cell of the frame for such moves.  A list under a key of its own gives one expansion for each of
its values, inserted by `${key}`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vpo.machines.match.instantiation import Instance
from vpo.machines.match.pattern import Alternative, OperandForm, effect_orders, number_of
from vpo.machines.match.recognizer import Recognizer
from vpo.machines.read.condition import compile_condition
from vpo.machines.read.halves_check import Rewriting, is_for_other_order
from vpo.machines.read.patterns import bind_operands, pattern_variables, read_effects
from vpo.machines.read.registers import Classes
from vpo.machines.read.shorthands import Shorthands, load_shorthands
from vpo.machines.read.source import DescriptionError, Map, Place, Seq, expect, inserted, text, texts
from vpo.rtl import Effect, Register

KEYS = {"rtl", "into", "when"}
Matcher = Callable[[tuple[Effect, ...]], dict[str, Any] | None]


@dataclass(frozen=True, eq=False)
class Expansion:
    """`match` binds the variables of an RTL's effects; `into` are effect patterns to instantiate in order."""

    match: Matcher
    into: list[tuple[Any, ...]]
    condition: Callable[[dict[str, Any]], Any] | None
    text: str

    def apply(
        self,
        effects: tuple[Effect, ...],
        fresh: Callable[[str, str], Register],
        half: Callable[[str, int], int],
        cell: Callable[[str], str] = str,
    ) -> list[tuple[Effect, ...]] | None:
        """Return the effects of the RTLs that replace one, or None if this expansion is not for it.

        `fresh(class, type)` hands out registers, `half` splits constants, `cell` turns a slot's name into one of the frame.
        """
        bindings = self.match(effects)
        if bindings is None:
            return None
        if self.condition and not self.condition({k: number_of(v) for k, v in bindings.items()}):
            return None
        instance = Instance(dict(bindings), fresh, half, cell)
        return [tuple(instance.effect(e) for e in pattern) for pattern in self.into]


def load_expansions(
    d: Map, classes: Classes, operands: dict[str, list[OperandForm]], word: str, big_endian: bool
) -> tuple[Expansion, ...]:
    """Read the `expansions:` section of a machine with addresses of a type.

    Raises DescriptionError.
    """
    if d.get("expansions") is None:
        return ()
    spec = expect(d, "expansions", Seq)
    shorthands = load_shorthands(d)
    helper = Recognizer(classes, operands, [], str, {"HI": "", "LO": ""})  # only its operand matching is wanted
    result: list[Expansion] = []
    members: list[tuple[Map, Place]] = []
    for item, place in spec.located():
        if not isinstance(item, Map):
            raise DescriptionError(place, "an expansion is {rtl: ..., into: [...]}")
        members += [(member, place) for member in family(item, shorthands)]
    for item, place in members:
        rtl = expect(item, "rtl", str)
        bound: dict[str, str] = {}
        pattern = _pattern(rtl, item.where("rtl"), classes)
        variables = bind_operands(item, KEYS, pattern, set(operands), bound)
        into = _into(item, rtl, variables, classes)
        condition = compile_condition(text(item, "when"), variables, item.where("when")) if "when" in item else None
        if is_for_other_order(Rewriting(pattern, into, condition), classes, word, big_endian):
            order, other = ("big", "little") if big_endian else ("little", "big")
            said = f"does what it says only where `endian` is {other}; here it is {order} ({d.where('endian')})"
            raise DescriptionError(place, f"expansion `{rtl}` {said}")
        result.append(Expansion(matcher_of(helper, pattern, place, bound), into, condition, rtl))
    return tuple(result)


def matcher_of(recognizer: Recognizer, pattern: tuple[Any, ...], place: Place, operands: dict[str, str]) -> Matcher:
    """Return a matcher for a pattern with its operands, whichever of those that may be exchanged comes first."""
    written = (Alternative("", place, order, False, operands, "", 0, 0, 0, (), None, None) for order in effect_orders(pattern))
    matchers = list(map(recognizer.matcher, written))
    if len(matchers) == 1:
        return matchers[0]
    return lambda effects: next((found for match in matchers if (found := match(effects)) is not None), None)


def family(item: Map, shorthands: Shorthands) -> list[Map]:
    """Return the expansions that one with lists stands for, functions of the description written out."""
    lists = {k: v for k, v in item.items() if isinstance(v, Seq) and k not in KEYS}
    first = next(iter(lists), "")
    members: list[Map] = []
    for index in range(len(lists[first]) if lists else 1):
        member = Map(item.place)
        for key, value in item.items():
            if key in lists:
                if len(value) != len(lists[first]):
                    raise DescriptionError(item.where(key), f"'{key}' has {len(value)} values, '{first}' {len(lists[first])}")
                if not any(f"${{{key}}}" in str(item.get(k)) for k in KEYS):
                    member.put(key, value[index], item.key_places[key], value.places[index])
                continue
            where = item.where(key)
            if isinstance(value, Seq):
                full: Any = value.mapped([_expanded(line, lists, index, where, shorthands) for line in value])
            else:
                full = _expanded(value, lists, index, where, shorthands)
            member.put(key, full, item.key_places[key], where)
        members.append(member)
    return members


def _expanded(value: Any, lists: dict[str, Seq], index: int, place: Place, shorthands: Shorthands) -> Any:
    if not isinstance(value, str):
        return value
    for key, values in lists.items():
        value = inserted(value, key, str(values[index]), place)
    return shorthands.expanded(value, place)


def _pattern(rtl: str, place: Place, classes: Classes, cells: bool = False) -> tuple[Any, ...]:
    effects, repeated = read_effects(rtl, place, classes, f"expansion `{rtl}`: ", cells)
    if repeated:
        raise DescriptionError(place, f"expansion `{rtl}`: '...' cannot stand here")
    return effects


def _into(item: Map, rtl: str, variables: set[str], classes: Classes) -> list[tuple[Any, ...]]:
    lines = texts(item, "into")
    if not lines:
        raise DescriptionError(item.where("into"), "'into:' must be a list of RTLs")
    result = []
    for line, place in zip(lines, item["into"].places, strict=True):
        effects = _pattern(line, place, classes, cells=True)
        for name, kind, _ in pattern_variables(effects):
            if kind != "register" and name not in variables:
                raise DescriptionError(place, f"'{name}' does not stand in `{rtl}`")
        result.append(effects)
    return result
