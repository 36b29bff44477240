"""The part of a calling convention that concerns results in memory, at an address that the caller passes."""

from __future__ import annotations

from vpo.addresses import split_address
from vpo.machines.binding import pattern_variables
from vpo.machines.calling_convention import HiddenResult
from vpo.machines.patterns import read_effects, read_expression
from vpo.machines.schema import text
from vpo.machines.source import DescriptionError, Map
from vpo.machines.target import RegisterClass
from vpo.rtl import Call, Effect, Mem, Register, Return, Set

EXAMPLES = {"call": "ST=f(); r[1]=NPC;", "return": "PC=r[1],RT();"}
VARIABLES = {"call": {"f"}, "hidden_call": {"f", "result", "bytes"}, "return": set(), "hidden_return": set()}


def load_call(d: Map, key: str, classes: dict[str, RegisterClass]) -> tuple[Effect, ...]:
    """Read `call:`, `return:` or one of their variants for results in memory.

    Raises DescriptionError.
    """
    kind = key.removeprefix("hidden_")
    if not isinstance(d.get(key), str):
        raise DescriptionError(d.where(key), f"'{key}:' is missing: the RTL of a {kind}, such as \"{EXAMPLES[kind]}\"")
    effects = read_effects(d[key], d.where(key), classes)[0]
    for name, what, _ in pattern_variables(effects):
        if what == "operand" and name not in VARIABLES[key]:
            known = f"only {', '.join(sorted(VARIABLES[key]))}" if VARIABLES[key] else "no variables"
            raise DescriptionError(d.where(key), f"'{name}' stands for nothing here: '{key}' has {known}")
    if not any(isinstance(effect, Call if kind == "call" else Return) for effect in effects):
        wanted = "calls: ST=f();" if kind == "call" else "returns: PC=...,RT();"
        raise DescriptionError(d.where(key), f"'{key}' must be an RTL that {wanted}")
    return effects


def load_hidden_result(d: Map, classes: dict[str, RegisterClass], stack_pointer: Register, pushed: int) -> HiddenResult:
    """Read `hidden_result:`, `hidden_call:` and `hidden_return:`; `pushed` is what other calls push.

    Raises DescriptionError.
    """
    plain = load_call(d, "call", classes)
    call = load_call(d, "hidden_call", classes) if "hidden_call" in d else plain
    return_ = load_call(d, "hidden_return" if "hidden_return" in d else "return", classes)
    more = _step(plain, stack_pointer) - _step(call, stack_pointer)
    passed = any(name == "result" for name, _, _ in pattern_variables(call))
    return HiddenResult(_place(d, classes, stack_pointer), call, return_, pushed + more, passed)


def _place(d: Map, classes: dict[str, RegisterClass], stack_pointer: Register) -> Register | int | None:
    """Read where the address travels: a register, or the distance of a cell from the stack pointer."""
    if d.get("hidden_result") is None:
        return None
    place = d.where("hidden_result")
    node = read_expression(text(d, "hidden_result"), place, classes)
    if isinstance(node, Register):
        return node
    base, offset = split_address(node.address) if isinstance(node, Mem) else (None, 0)
    if base != (stack_pointer, None) or node.type != stack_pointer.type:
        cell = f"{stack_pointer.type}[{stack_pointer!r}+64]"
        raise DescriptionError(place, f"'hidden_result' is a register, or a cell at the stack pointer such as {cell}")
    return offset


def _step(effects: tuple[Effect, ...], stack_pointer: Register) -> int:
    """Return by how much a call moves the stack pointer."""
    moved = (e.source for e in effects if isinstance(e, Set) and e.target is stack_pointer)
    return next((split_address(source)[1] for source in moved), 0)
