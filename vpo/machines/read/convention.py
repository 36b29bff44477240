"""The calling convention of a description."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vpo.algebra.parts import split_address
from vpo.il.data_model import DataModel
from vpo.machines.calling_convention import METHODS, Convention, HiddenResult, Windows
from vpo.machines.read.patterns import pattern_variables, read_effects, read_expression
from vpo.machines.read.registers import register, register_list
from vpo.machines.read.schema import check_keys, choice, expect, flag, number, section, text
from vpo.machines.read.source import DescriptionError, Map, Seq
from vpo.machines.target import RegisterClass
from vpo.rtl import Call, Effect, Mem, Register, Return, Set

# ----------------------------------------------------------------------------------------------------------------------
# The part of a calling convention that concerns results in memory, at an address that the caller passes.


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



# ----------------------------------------------------------------------------------------------------------------------
# The `windows:` of a calling convention: functions that get registers of their own by moving a register window.


WINDOW_KEYS = {"count", "enter", "leave"}


def load_windows(d: Map, classes: dict[str, RegisterClass]) -> Windows | None:
    """Read `windows:`, if there is such a section.

    Raises DescriptionError.
    """
    if d.get("windows") is None:
        return None
    spec = section(d, "windows")
    check_keys(spec, WINDOW_KEYS, "'windows'")
    enter, moved = _moves(spec, "enter", classes)
    leave, back = _moves(spec, "leave", classes)
    kept = tuple(source for source, target in moved.items() if classes[target.cls].private)
    if not kept:
        raise DescriptionError(spec.where("enter"), "'enter' puts nothing away: the class for that needs `private: true`")
    for source, target in moved.items():
        if back.get(target) is not source:
            raise DescriptionError(spec.where("leave"), f"'leave' does not undo `{target!r}={source!r};`")
    inside = {source: target for source, target in moved.items() if source not in kept}
    return Windows(number(spec, "count", 8, 2, 1 << 16), enter, leave, kept, inside)


def _moves(spec: Map, key: str, classes: dict[str, RegisterClass]) -> tuple[tuple[Effect, ...], dict[Register, Register]]:
    """Read an RTL that only moves registers; also return what goes where."""
    effects = read_effects(expect(spec, key, str), spec.where(key), classes)[0]
    moved: dict[Register, Register] = {}
    for effect in effects:
        if not (isinstance(effect, Set) and isinstance(effect.target, Register) and isinstance(effect.source, Register)):
            message = f"'{key}' only moves registers, as in r[24..31]=r[8..15]; not `{effect!r}`"
            raise DescriptionError(spec.where(key), message)
        moved[effect.source] = effect.target
    return effects, moved



# ----------------------------------------------------------------------------------------------------------------------


KEYS = {
    "arguments", "results", "saved", "link", "call", "return", "word", "stack_align", "first_argument", "pushed",
    "aggregates", "aggregate_words", "aggregate_members", "aggregate_side",
    "aggregate_result_words", "aggregate_result_members", "aggregate_result_sizes",
    "hidden_result", "hidden_call", "hidden_return", "align_pairs", "save", "save_with", "enter",
    "positional", "leading_floats", "float_overflow", "variadic_registers", "variadic_words", "narrow_results",
    "stack_grows", "reserved", "start_arguments", "windows",
}  # fmt: skip
KINDS = {"arguments": ("integer", "float"), "results": ("integer", "address", "float")}
ANY = 1 << 64  # so many words as there are
MEMBERS = {"alike", "mixed"}


def load_convention(
    d: Map,
    classes: dict[str, RegisterClass],
    allocable: dict[str, tuple[Register, ...]],
    stack_pointer: Register,
    stacks: tuple[tuple[Register, ...], ...],
    model: DataModel,
) -> Convention:
    """Read a `calls:` section.

    Raises DescriptionError.
    """
    check_keys(d, KEYS, "a calling convention")
    method = choice(d, "save", METHODS)
    saved = register_list(d.get("saved"), classes, d.where("saved"), clip=True)
    if method.startswith("caller"):
        saved = []
    windows = load_windows(d, classes)
    if windows is not None:  # these functions preserve in any case
        saved += [register for register in windows.kept if register not in saved]
    arguments, results = _registers(d, "arguments", classes), _registers(d, "results", classes)
    groups = (*allocable.values(), *arguments.values(), *results.values(), *stacks)
    link = register(d["link"], classes, d.where("link")) if d.get("link") else None
    pushed = number(d, "pushed", 0, -64)
    aggregate_words = ANY if d.get("aggregate_words") == "any" else number(d, "aggregate_words", 0)
    results_differ = "aggregate_result_members" in d
    return Convention(
        arguments=arguments,
        results=results,
        scratch=_scratch(classes, groups, saved) | ({link} if link is not None else set()),
        saved=tuple(saved),
        link=link,
        call=load_call(d, "call", classes),
        return_=load_call(d, "return", classes),
        call_text=text(d, "call"),
        return_text=text(d, "return"),
        hidden=load_hidden_result(d, classes, stack_pointer, pushed),
        word=number(d, "word", 4),
        stack_align=number(d, "stack_align", max(4, model.struct_align, *model.aligns.values())),
        first_argument=number(d, "first_argument", 0),
        pushed=pushed,
        aggregates=choice(d, "aggregates", ("reference", "stack")),
        aggregate_words=aggregate_words,
        aggregate_result_words=number(d, "aggregate_result_words", aggregate_words),
        aggregate_result_sizes=_numbers(d, "aggregate_result_sizes"),
        aggregate_members=_members(d, "aggregate_members"),
        aggregate_result_members=_members(d, "aggregate_result_members" if results_differ else "aggregate_members"),
        aggregate_side=choice(d, "aggregate_side", ("left", "right", "short-right")),
        variadic_registers=flag(d, "variadic_registers"),
        align_pairs=choice(d, "align_pairs", ("never", "variadic", "always", "every")),
        save=method,
        save_with=choice(d, "save_with", ("block", "single", "mask", "push")),
        enter=_enter(d, classes),
        grows_up=choice(d, "stack_grows", ("down", "up")) == "up",
        positional=flag(d, "positional"),
        leading_floats=flag(d, "leading_floats"),
        float_overflow=choice(d, "float_overflow", ("words", "stack")),
        narrow_results=flag(d, "narrow_results"),
        variadic_words=choice(d, "variadic_words", ("none", "arguments", "all")),
        reserved=number(d, "reserved", 0, 0, 1 << 12),
        start_arguments=_start_arguments(d, classes),
        windows=windows,
    )


def _scratch(
    classes: dict[str, RegisterClass], groups: Iterable[Iterable[Register]], saved: list[Register]
) -> frozenset[Register]:
    """Return the registers of groups that a call may change: those without a saved part, and all condition codes."""
    kept = {part for register in saved for part in classes[register.cls].storage(register.index)}
    codes = (Register(c.name, 0, c.type) for c in classes.values() if c.type in ("C", "G"))
    return frozenset((*(r for group in groups for r in group if kept.isdisjoint(classes[r.cls].storage(r.index))), *codes))


def _start_arguments(d: Map, classes: dict[str, RegisterClass]) -> tuple[Register, ...]:
    registers = tuple(register_list(d.get("start_arguments"), classes, d.where("start_arguments")))
    if registers and len(registers) != 2:
        raise DescriptionError(d.where("start_arguments"), "'start_arguments' are two registers: of argc and argv")
    return registers


def _registers(d: Map, key: str, classes: dict[str, RegisterClass]) -> dict[str, tuple[Register, ...]]:
    spec = section(d, key)
    check_keys(spec, KINDS[key], f"'{key}'")
    return {kind: tuple(register_list(value, classes, spec.where(kind), clip=True)) for kind, value in spec.items()}


def _enter(d: Map, classes: dict[str, RegisterClass]) -> Any:
    if d.get("save_with") == "mask" or "enter" in d:
        return read_effects(expect(d, "enter", str), d.where("enter"), classes)[0]
    return ()


def _members(d: Map, key: str) -> dict[str, int]:
    spec = section(d, key)
    check_keys(spec, MEMBERS, f"'{key}'")
    return {key: number(spec, key, 0, 0, 16) for key in spec}


def _numbers(d: Map, key: str) -> tuple[int, ...]:
    if d.get(key) is None:
        return ()
    values = expect(d, key, Seq)
    for value, place in values.located():
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise DescriptionError(place, f"'{key}' is a list of numbers of bytes")
    return tuple(values)
