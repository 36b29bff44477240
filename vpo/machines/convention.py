"""The calling convention of a description."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vpo.datamodel import DataModel
from vpo.machines.calling_convention import METHODS, Convention
from vpo.machines.patterns import read_effects
from vpo.machines.registers import register, register_list
from vpo.machines.schema import check_keys, choice, expect, flag, number, section, text
from vpo.machines.source import DescriptionError, Map, Seq
from vpo.machines.structure_results import load_call, load_hidden_result
from vpo.machines.target import RegisterClass
from vpo.machines.windows import load_windows
from vpo.rtl import Register

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
