"""The calling convention of a description, and contradictions within it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vpo.algebra.equivalents import split_address
from vpo.il.data_model import VA_LISTS, DataModel
from vpo.machines.calling_convention import METHODS, Convention, HiddenResult, Windows
from vpo.machines.machine import Machine
from vpo.machines.read.patterns import pattern_variables, read_effects, read_expression
from vpo.machines.read.registers import register, register_list
from vpo.machines.read.source import DescriptionError, Map, Seq, check_keys, choice, expect, flag, number, section, text
from vpo.machines.target import RegisterClass
from vpo.rtl import CODE_TYPES, Call, Effect, Mem, Next, Register, Return, Set, subexpressions

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
    for key in sorted({"enter", "leave"} - {*spec}):
        raise DescriptionError(spec.place, f"'windows' needs '{key}', too: what entering and leaving one moves")
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
    "aggregates", "aggregate_words", "aggregate_sizes", "aggregate_members", "aggregate_side",
    "aggregate_result_words", "aggregate_result_members", "aggregate_result_sizes",
    "aggregate_result_aligned",
    "hidden_result", "hidden_call", "hidden_return", "align_pairs", "save", "save_with", "enter",
    "positional", "leading_floats", "float_words", "homes", "float_overflow", "float_gaps", "variadic_registers",
    "variadic_words", "variadic_list", "variadic_count", "narrow_results", "narrow_arguments",
    "aggregates_split", "values_split",
    "stack_grows", "reserved", "start_arguments", "windows",
}  # fmt: skip
KINDS = {"arguments": ("integer", "float"), "results": ("integer", "address", "float")}
ANY = 1 << 64  # so many words as there are
MEMBERS = {"alike", "mixed", "words"}


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
        aggregate_sizes=_numbers(d, "aggregate_sizes"),
        aggregate_result_words=number(d, "aggregate_result_words", aggregate_words),
        aggregate_result_sizes=_numbers(d, "aggregate_result_sizes"),
        aggregate_result_aligned=flag(d, "aggregate_result_aligned"),
        aggregate_members=_members(d, "aggregate_members"),
        aggregate_result_members=_members(d, "aggregate_result_members" if results_differ else "aggregate_members"),
        aggregate_side=choice(d, "aggregate_side", ("left", "right", "short-right")),
        variadic_registers=flag(d, "variadic_registers"),
        align_pairs=choice(d, "align_pairs", ("never", "stack", "variadic", "always", "every")),
        save=method,
        save_with=choice(d, "save_with", ("block", "single", "mask", "push")),
        enter=_enter(d, classes),
        grows_up=choice(d, "stack_grows", ("down", "up")) == "up",
        positional=flag(d, "positional"),
        leading_floats=flag(d, "leading_floats"),
        float_words=flag(d, "float_words"),
        homes=choice(d, "homes", ("always", "needed")),
        float_overflow=choice(d, "float_overflow", ("words", "stack", "alone")),
        float_gaps=flag(d, "float_gaps", True),
        narrow_results=flag(d, "narrow_results"),
        narrow_arguments=flag(d, "narrow_arguments"),
        aggregates_split=flag(d, "aggregates_split", True),
        values_split=flag(d, "values_split", True),
        variadic_words=choice(d, "variadic_words", ("none", "arguments", "all")),
        variadic_list=choice(d, "variadic_list", VA_LISTS),
        variadic_count=register(d["variadic_count"], classes, d.where("variadic_count")) if "variadic_count" in d else None,
        reserved=number(d, "reserved", 0, 0, 1 << 12),
        start_arguments=_start_arguments(d, classes),
        windows=windows,
    )


def _scratch(
    classes: dict[str, RegisterClass], groups: Iterable[Iterable[Register]], saved: list[Register]
) -> frozenset[Register]:
    """Return the registers of groups that a call may change: those without a saved part, and all condition codes."""
    kept = {part for register in saved for part in classes[register.cls].storage(register.index)}
    codes = (Register(c.name, 0, c.type) for c in classes.values() if c.type in CODE_TYPES)
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
    if d.get("save_with") == "mask" and "enter" not in d:
        raise DescriptionError(d.where("save_with"), "'save_with: mask' needs 'enter', the instruction that saves by a mask")
    if "enter" in d:
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


# ----------------------------------------------------------------------------------------------------------------------
# Contradictions within a calling convention: keys that are possible each, but not together.
#
# Code for such a convention would be wrong without a word, so a description with one is not loaded.


def check_convention_as_a_whole(machine: Machine, d: Map) -> None:
    """Reject a convention whose keys contradict each other; `d` is the section `calls:`.

    Raises DescriptionError.
    """
    _check_alignment(machine, d)
    _check_stack(machine, d)
    _check_list(machine, d)
    _check_return_address(machine, d)
    _check_registers(machine, d)
    said = [key for key in ("leading_floats", "positional", "float_words") if d.get(key)]
    if len(said) > 1:
        raise DescriptionError(d.where(said[0]), f"'{said[0]}' and '{said[1]}' exclude each other: keep one")


# ----------------------------------------------------------------------------------------------------------- the stack


def _check_alignment(machine: Machine, d: Map) -> None:
    """Reject a stack on which values are less aligned than other keys promise."""
    convention, aligns = machine.convention, machine.model.aligns
    align, pair = convention.stack_align, 2 * convention.word
    least = {**aligns, "structures": machine.model.struct_align}
    what = max(least, key=lambda name: least[name])
    if least[what] > align:
        more = [f"{name}: {align}" for name, bytes_ in aligns.items() if bytes_ > align]
        lower = [f"aligns: {{{', '.join(more)}}}"] if more else []
        if least["structures"] > align:
            lower.append(f"struct_align: {align}")
        message = (
            f"'stack_align: {align}' is less than the {least[what]} bytes to which C aligns {what}: "
            f"write {least[what]}, or 'c: {{{', '.join(lower)}}}'"
        )
        raise DescriptionError(d.where("stack_align"), message)
    if convention.align_pairs == "never":
        return
    shown = f"'align_pairs: {convention.align_pairs}' puts values of two words at multiples of {pair}"
    if align < pair:
        message = f"{shown}, but 'stack_align: {align}' does not keep them there: write {pair}, or 'align_pairs: never'"
        raise DescriptionError(d.where("stack_align"), message)
    if convention.first_argument % pair:
        message = f"{shown}, but arguments begin at 'first_argument: {convention.first_argument}': it must be a multiple, too"
        raise DescriptionError(d.where("first_argument"), message)


def _check_stack(machine: Machine, d: Map) -> None:
    """Reject stack arguments in the place of something else."""
    convention = machine.convention
    first, word, pushed = convention.first_argument, convention.word, convention.pushed
    if first % word:
        message = f"'first_argument' must be a multiple of 'word' ({word}), not {first}"
        raise DescriptionError(d.where("first_argument"), message)
    if first < convention.reserved:
        message = f"stack arguments would lie in the bytes that are 'reserved': 'first_argument' must be {convention.reserved}"
        raise DescriptionError(d.where("first_argument"), message)
    if first < -pushed:
        message = f"the first stack argument would lie where the return address is stored: 'first_argument' must be {-pushed}"
        raise DescriptionError(d.where("first_argument"), message)
    size = len(convention.arguments.get("integer", ())) * word if convention.variadic_registers else 0
    if size > first and pushed > 0:
        message = (
            f"variable arguments in registers are stored in front of those on the stack, where calls push {pushed} bytes: "
            f"'first_argument' must leave room for {size}"
        )
        raise DescriptionError(d.where("variadic_registers"), message)
    kept = () if convention.windows is None else convention.windows.kept
    if convention.reserved < len(kept) * word:
        message = f"a window of {len(kept)} registers is stored at the stack pointer: 'reserved' must be {len(kept) * word}"
        raise DescriptionError(d.where("reserved"), message)
    _check_hidden_cell(convention, d)
    for key, effects, moved in (("call", convention.call, -pushed), ("return", convention.return_, pushed)):
        step = _known_step(effects, machine.stack_pointer)
        if step is not None and step != moved:
            message = f"'{key}' moves the stack pointer by {step}, but 'pushed: {pushed}' says {moved}"
            raise DescriptionError(d.where("pushed" if "pushed" in d else key), message)


def _check_list(machine: Machine, d: Map) -> None:
    """Reject a va_list of saved registers where there are none of both kinds, or variable arguments are not in them."""
    convention = machine.convention
    if convention.variadic_list != "pointer" and (
        not all(convention.arguments.get(kind) for kind in KINDS["arguments"])
        or convention.variadic_registers or convention.grows_up or machine.model.sizes["pointer"] != convention.word
    ):  # fmt: skip
        shape = f"variadic_list: {convention.variadic_list}"
        message = f"'{shape}' needs 'arguments' of both kinds, no 'variadic_registers', no 'stack_grows: up'"
        raise DescriptionError(d.where("variadic_list"), message)


def _check_hidden_cell(convention: Convention, d: Map) -> None:
    hidden = convention.hidden
    if hidden.cell is None or hidden.passed:
        return
    distance = convention.distance(hidden.cell, convention.word)
    if not 0 <= distance <= convention.first_argument - convention.word:
        shown = f"'first_argument: {convention.first_argument}'"
        message = f"the cell of 'hidden_result' must lie between the stack pointer and {shown}"
        raise DescriptionError(d.where("hidden_result"), message)


def _known_step(effects: Iterable[Effect], stack_pointer: Register) -> int | None:
    """Return by how much an RTL moves the stack pointer, None if that is no sum with a constant."""
    for effect in effects:
        if isinstance(effect, Set) and effect.target is stack_pointer:
            base, offset = split_address(effect.source)
            return offset if base == (stack_pointer, None) else None
    return 0


# ----------------------------------------------------------------------------------------------------------- registers


def _check_return_address(machine: Machine, d: Map) -> None:
    """Reject a return address in a register that nobody keeps, or from another register than calls set."""
    convention = machine.convention
    told = [
        effect.target
        for effect in convention.call
        if isinstance(effect, Set) and isinstance(effect.target, Register) and _has_next(effect)
    ]
    if not told:
        return
    read = {register for effect in convention.return_ if isinstance(effect, Return) for register in effect.uses}
    if read.isdisjoint(told):
        message = f"'call' leaves the return address in `{told[0]!r}`, which 'return' does not read"
        raise DescriptionError(d.where("return"), message)
    kept = {*convention.preserved, *(convention.windows.inside if convention.windows is not None else ())}
    if kept.isdisjoint(told):
        message = f"'call' leaves the return address in `{told[0]!r}`, so that must be the 'link', or one of those 'saved'"
        raise DescriptionError(d.where("link"), message)


def _has_next(effect: Set) -> bool:
    return any(isinstance(node, Next) for node in subexpressions(effect.source))


def _check_registers(machine: Machine, d: Map) -> None:
    """Reject registers with two duties that exclude each other."""
    convention, storage = machine.convention, machine.storage
    duties = {part: what for register, what in _duties(machine) for part in storage(register)}
    saved = {part for register in convention.saved for part in storage(register)}
    for key, carriers in (("arguments", convention.arguments), ("results", convention.results)):
        for kind, registers in carriers.items():
            for carrier in registers:
                what = next((duties[part] for part in storage(carrier) if part in duties), "")
                if what:
                    raise DescriptionError(d[key].where(kind), f"'{carrier!r}' is {what}: it carries no {key}")
                if key == "results" and not saved.isdisjoint(storage(carrier)):
                    message = f"'{carrier!r}' carries results, so functions cannot preserve it: take it out of 'saved'"
                    raise DescriptionError(d.where("saved"), message)
    _check_kinds_apart(machine, d)
    _check_hidden_register(machine, d)


def _duties(machine: Machine) -> Iterable[tuple[Register, str]]:
    """Yield registers that carry no values, with what they are instead."""
    yield machine.stack_pointer, "the stack pointer"
    yield from ((register, "always zero") for register in machine.zero)
    if machine.convention.link is not None:
        yield machine.convention.link, "the 'link', which every call sets"


def _check_kinds_apart(machine: Machine, d: Map) -> None:
    """Reject an argument register of one kind that lies in one of another kind: both would be used at once."""
    arguments = machine.convention.arguments
    integers = {part for register in arguments.get("integer", ()) for part in machine.storage(register)}
    for carrier in arguments.get("float", ()):
        if not integers.isdisjoint(machine.storage(carrier)):
            rest = "without 'float', floating values travel as integer words"
            message = f"'{carrier!r}' carries 'integer' arguments, too: {rest}"
            raise DescriptionError(d["arguments"].where("float"), message)


def _check_hidden_register(machine: Machine, d: Map) -> None:
    register = machine.convention.hidden.register
    if register is None:
        return
    taken = dict(_duties(machine))
    taken |= {other: "an argument register" for others in machine.convention.arguments.values() for other in others}
    for other, what in taken.items():
        if not set(machine.storage(register)).isdisjoint(machine.storage(other)):
            rest = "; without 'hidden_result' the address is the first argument" if "argument" in what else ""
            message = f"'{register!r}' is {what}: it holds no address of a result{rest}"
            raise DescriptionError(d.where("hidden_result"), message)
