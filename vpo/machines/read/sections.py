"""The small sections of a description: C data model, memory layout, halves, system calls, start-up, tools."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

from vpo.base.suggestions import suggested
from vpo.il.data_model import VA_LISTS, DataModel
from vpo.machines.match.record import Occupancy
from vpo.machines.read.patterns import read_instruction
from vpo.machines.read.registers import Classes
from vpo.machines.read.shorthands import load_abbreviations
from vpo.machines.read.source import (
    DescriptionError,
    Map,
    Place,
    Seq,
    check_keys,
    choice,
    expect,
    flag,
    inserted,
    number,
    section,
    text,
    texts,
)
from vpo.machines.target import AssemblySyntax, Halves, Layout, MemorySpace, Timing, Toolchain, Values
from vpo.rtl import BITS, FLOAT_TYPES, INTEGER_TYPES, Effect, Mem, Set

C_SIZES = {"char": 1, "short": 2, "int": 4, "long": 4, "llong": 8, "float": 4, "double": 8, "ldouble": 8, "pointer": 4}
RANKS = (("char", "short", "int", "long", "llong"), ("float", "double", "ldouble"))
HELD = {  # the sizes of values that there are
    "char": (1,),
    **dict.fromkeys(("short", "int", "long", "llong", "pointer"), (1, 2, 4, 8)),
    **dict.fromkeys(RANKS[1], (4, 8)),
}
VALUES = ("integer", "address", "F", "D")
SIGN_EXTENDED = "sign_extended"
MOST_ALIGNMENT = 1 << 16  # bytes, of a function
TOOLS = ("assembler", "linker", "emulator", "disassembler", "compiler")
PAGES_OF_EMULATORS = ("annulled_page", "lookahead_page")
VARIADIC, UNTOLD = "variadic", "untold"
MOST_ADDRESS_BITS = 32  # of memory, however wide addresses are: a run has 4 GiB
PAGES = (1 << 12, 1 << 20)  # bytes: the host protects none smaller


def load_model(d: Map, big_endian: bool) -> DataModel:
    """Read `c:`, `macros:` and the numbers of `syscalls:`."""
    c = section(d, "c")
    check_keys(c, {"char", "sizes", "aligns", "struct_align", "object_align", "bit_fields", "wide_time"}, "the C data model")
    sizes = _sizes(c, "sizes", C_SIZES)
    _check_sizes(sizes, section(c, "sizes"))
    aligns = _sizes(c, "aligns", sizes)
    macros = {name: text(section(d, "macros"), name) for name in section(d, "macros")}
    for value, name in load_syscalls(d).items():
        macros[f"__SYS_{name}"] = str(value)
    if flag(c, "wide_time"):
        macros["__ease_wide_time"] = "1"
    signed = choice(c, "char", ("signed", "unsigned")) == "signed"
    rule = choice(c, "bit_fields", ("named", "all", "none"))
    va_list = choice(section(d, "calls"), "variadic_list", VA_LISTS)
    structure, least = (number(c, key, 1, 1, 64) for key in ("struct_align", "object_align"))
    return DataModel(big_endian, signed, sizes, aligns, structure, least, rule, macros, va_list=va_list)


def _sizes(c: Map, key: str, base: dict[str, int]) -> dict[str, int]:
    given = section(c, key)
    check_keys(given, C_SIZES, f"'{key}'")
    result = dict(base)
    for name in given:
        size = result[name] = number(given, name, 0, 1, 16)
        if size & (size - 1):
            raise DescriptionError(given.where(name), f"'{name}' must be 1, 2, 4, 8 or 16 bytes, not {size}")
    return result


def _check_sizes(sizes: dict[str, int], given: Map) -> None:
    """Reject sizes for which there are no values, or that C does not allow beside each other."""
    for name, size in sizes.items():
        if size not in HELD[name]:
            expected = " or ".join(map(str, HELD[name]))
            raise DescriptionError(
                given.where(name), f"'{name}' must have {expected} byte{'s' * (HELD[name] != (1,))}, not {size}"
            )
    for ranks in RANKS:
        for lower, higher in pairwise(ranks):
            if sizes[lower] > sizes[higher]:
                place = given.where(higher if higher in given else lower)
                raise DescriptionError(place, f"'{higher}' must not be shorter than '{lower}' ({sizes[lower]} bytes)")


def load_layout(d: Map, address_type: str) -> Layout:
    """Read `layout:`, all of which must have addresses, and lie in what a run maps."""
    known = {"text": 0x10000, "stack_top": 0x7FFFF000, "stack_size": 8 << 20, "heap_limit": 0x60000000, "page": 4096,
             "reserve": 0}  # fmt: skip
    check_keys(d, known, "a layout")
    end = 1 << min(BITS[address_type], MOST_ADDRESS_BITS)
    limits = {"page": PAGES}
    values: dict[str, Any] = {key: number(d, key, default, *limits.get(key, (0, end))) for key, default in known.items()}
    if values["page"] & (values["page"] - 1):
        raise DescriptionError(d.where("page"), "'page' must be a power of two")
    if values["stack_size"] >= values["stack_top"]:
        raise DescriptionError(d.where("stack_size"), "the stack reaches below address 0 ('stack_top')")
    if values["text"] >= values["heap_limit"]:
        raise DescriptionError(d.where("heap_limit"), "'heap_limit' must lie above 'text'")
    layout = Layout(**values)
    if layout.text < layout.stack_top and layout.stack_low < layout.heap_limit:
        raise DescriptionError(d.where("stack_top"), "the stack lies among text, data and heap ('text' to 'heap_limit')")
    if layout.reserve >= layout.stack_size:
        raise DescriptionError(d.where("reserve"), "'reserve' leaves nothing of the stack ('stack_size')")
    return layout


def load_memories(d: Map, layout: Layout) -> Layout:
    """Read `memories:`, and return a layout with these spaces."""
    found: list[MemorySpace] = []
    for name in section(d, "memories"):
        spec = section(d["memories"], name)
        check_keys(spec, {"at", "size", "wait", "cached"}, "a memory")
        if "at" not in spec or "size" not in spec:
            raise DescriptionError(d["memories"].where(name), f"memory '{name}' wants an address ('at') and a 'size'")
        wait = number(spec, "wait", 0, 0, 1 << 16)
        space = MemorySpace(name, number(spec, "at"), _bytes(spec, "size"), wait, flag(spec, "cached"))
        if space.cached and space.wait:
            raise DescriptionError(spec.where("wait"), "what is 'cached' waits as the memory system says ('delays')")
        taken = _beside(space, layout, found)
        if taken:
            raise DescriptionError(spec.where("at"), taken)
        found.append(space)
    return replace(layout, spaces=tuple(found))


def _bytes(spec: Map, key: str) -> int:
    """Return a size: a number, or one of 1,024 or 1,048,576 bytes, as `16k` and `1m`."""
    written = spec[key]
    if isinstance(written, str) and written[:-1].isdecimal() and written[-1:] in "km":
        return int(written[:-1]) << (10 if written[-1] == "k" else 20)
    return number(spec, key, 0, 1)


def _beside(space: MemorySpace, layout: Layout, others: Iterable[MemorySpace]) -> str:
    """Return what is wrong with the place of a memory, '' if nothing is."""
    start, end = space.at, space.at + space.size
    whole = -(-end // layout.page) * layout.page
    if start % layout.page:
        return f"memory '{space.name}' must begin at a multiple of {layout.page:#x} ('page' of the layout)"
    if end > (most := 1 << layout.heap_limit.bit_length()):
        return f"memory '{space.name}' ends behind {most:#x}: addresses have no more bits than 'heap_limit'"
    taken = [("text, data and heap", layout.text // layout.page * layout.page, layout.heap_limit)]
    taken += [("the stack", layout.stack_low, layout.stack_top)]
    taken += [(f"memory '{other.name}'", other.at, other.at + other.size) for other in others]
    for what, low, high in taken:
        if start < high and low < whole:
            return f"memory '{space.name}' ({start:#x} to {end:#x}) lies in that of {what} ({low:#x} to {high:#x})"
    return ""


def load_values(d: Map, classes: Classes) -> Values:
    """Read `values:`: the register class of each kind of C value."""
    values = expect(d, "values", Map)
    check_keys(values, (*VALUES, SIGN_EXTENDED), "'values' (the register class of each kind of C value)")
    for key in ("integer", "address"):
        if key not in values:
            raise DescriptionError(values.place, f"'{key}:' is missing: the register class that holds {key} values")
    result: dict[str, str] = {}
    for key in values:
        if key == SIGN_EXTENDED:
            continue
        name = result[key] = choice(values, key, tuple(classes))
        floating = classes[name].type in FLOAT_TYPES
        if classes[name].type not in BITS or floating != (key in FLOAT_TYPES):
            kind = "floating values" if key in FLOAT_TYPES else "integers"
            raise DescriptionError(values.where(key), f"registers of class '{name}' do not hold {kind}")
    extended = choice(values, SIGN_EXTENDED, ("B", "W", "L")) if SIGN_EXTENDED in values else ""
    return Values(result["integer"], result["address"], result.get("F", ""), result.get("D", ""), extended)


def load_halves(d: Map) -> Halves:
    """Read `halves:`."""
    halves = section(d, "halves")
    check_keys(halves, {"low", "signed", "high_text", "low_text"}, "'halves'")
    shown = (text(halves, "high_text", "HI($s)"), text(halves, "low_text", "LO($s)"))
    signed = flag(halves, "signed")
    return Halves(number(halves, "low", 0, int(signed), 63), signed, *shown)


def load_distances(d: Map) -> frozenset[str]:
    """Read `distance_bits:`, a number for all types or one for each; return the types whose distances count otherwise.

    A type that is not said takes as many bits as its width needs, so that distances count modulo the width.
    """
    if isinstance(d.get("distance_bits"), Map):
        spec = section(d, "distance_bits")
        check_keys(spec, INTEGER_TYPES, "'distance_bits'")
        bits = {type_: number(spec, type_, 0, 1, 64) for type_ in spec}
    else:
        bits = dict.fromkeys(INTEGER_TYPES, number(d, "distance_bits", 0, 0, 64))
    return frozenset(type_ for type_, taken in bits.items() if taken and 1 << taken != BITS[type_])


def load_syscalls(d: Map) -> dict[int, str]:
    """Read `syscalls:`: from number to name."""
    syscalls = section(d, "syscalls")
    result: dict[int, str] = {}
    for name in syscalls:
        value = number(syscalls, name)
        if value in result:
            raise DescriptionError(syscalls.where(name), f"'{name}' and '{result[value]}' have the same number")
        result[value] = name
    return result


def load_start(d: Map, classes: Classes) -> tuple[tuple[Effect, ...], ...]:
    """Read `start:`, the RTLs of the start-up code."""
    lines = texts(d, "start")
    places = d["start"].places if lines else ()
    return tuple(
        read_instruction(line, place, classes, f"start-up code `{line}`: ") for line, place in zip(lines, places, strict=True)
    )


def load_assembler(d: Map) -> AssemblySyntax:
    """Read `assembler:`, how an assembly file looks around the instructions."""
    assembler = expect(d, "assembler", Map)
    names = {field.name.rstrip("_"): field for field in fields(AssemblySyntax)}
    check_keys(assembler, names, "'assembler'")
    given: dict[str, Any] = {}
    for key in assembler:
        default = names[key].default
        if isinstance(default, int):
            value: Any = number(assembler, key, 0, 1, MOST_ALIGNMENT)
        else:
            value = tuple(texts(assembler, key)) if isinstance(default, tuple) else text(assembler, key)
        given[names[key].name] = value
    return AssemblySyntax(**given)


def load_toolchain(d: Map) -> Toolchain:
    """Read `toolchain:`, the commands of real tools for this machine."""
    tools = section(d, "toolchain")
    check_keys(tools, (*TOOLS, *PAGES_OF_EMULATORS, VARIADIC, UNTOLD), "'toolchain'")
    lists = [key for key in tools if key in TOOLS]
    for key in lists:
        if not isinstance(tools[key], Seq) or not tools[key]:
            raise DescriptionError(tools.where(key), f"'{key}' must be a command: a list of a program and its options")
    short = load_abbreviations(d)
    commands = {key: tuple(_with(short, word, tools.where(key)) for word in texts(tools, key)) for key in lists}
    annulled, lookahead = (number(tools, key) for key in PAGES_OF_EMULATORS)
    untold, variadic = tuple(texts(tools, UNTOLD)), flag(tools, VARIADIC, True)
    return Toolchain(**commands, annulled_page=annulled, lookahead_page=lookahead, untold=untold, variadic=variadic)


def _with(abbreviations: dict[str, str], word: str, place: Place) -> str:
    """Return a word of a command with what its abbreviations stand for."""
    for name, value in abbreviations.items():
        word = inserted(word, name, value, place)
    return word


# ----------------------------------------------------------------------------------------------------------------------
# The `timing:` section, and what instructions say of the cycles that they take.


MOST = 1 << 16  # cycles
TIMING_KEYS = ("overlap", "taken", "window_trap", "basis", "latencies")
OCCUPANCY_KEYS = ("issue", "unit", "taken", "each")
KINDS = ("register", "load", "store", "update")  # instructions that refer to no memory, read it, write it, do both
TAKEN = "taken"


def load_timing(d: Map) -> Timing:
    """Read `timing:`; without such a section, the defaults hold.

    Raises DescriptionError.
    """
    if d.get("timing") is None:
        return Timing(stated=False)
    spec = section(d, "timing")
    check_keys(spec, TIMING_KEYS, "'timing'")
    taken, trap = (number(spec, key, 0, 0, MOST) for key in ("taken", "window_trap"))
    return Timing(flag(spec, "overlap"), taken, trap, " ".join(text(spec, "basis").split()), _latencies(spec))


def _latencies(spec: Map) -> dict[str, dict[str, int]]:
    """Read `latencies:`, by name of the instruction and kind."""
    table = section(spec, "latencies")
    result: dict[str, dict[str, int]] = {}
    for key in table:
        if isinstance(table[key], Map):
            check_keys(table[key], (*KINDS, TAKEN), f"the latencies of {key}")
            values = {kind: number(table[key], kind, 0, 0, MOST) for kind in table[key]}
        else:
            values = dict.fromkeys(KINDS, number(table, key, 0, 0, MOST))
        result.update(dict.fromkeys(key.split(), values))
    return result


def check_latencies(d: Map, timing: Timing, names: Iterable[str]) -> None:
    """See that what `latencies:` speaks of are instructions.

    Raises DescriptionError.
    """
    known = set(names)
    if known.issuperset(timing.latencies):
        return
    table = section(section(d, "timing"), "latencies")
    for key in table:
        for name in key.split():
            if name not in known:
                raise DescriptionError(table.key_places[key], f"there is no instruction '{name}'{suggested(name, known)}")


def load_occupancy(name: str, spec: Map, timing: Timing, transfers: bool, slots: int) -> Occupancy:
    """Read what one form of an instruction occupies; `transfers`: whether it is a transfer of control or a call.

    Raises DescriptionError.
    """
    issue = number(spec, "issue", 0, 1, MOST) if "issue" in spec else None
    taken = 0
    if transfers:
        taken = number(spec, TAKEN, max(timing.taken - slots, 0), 0, MOST)
        taken = timing.latencies.get(name, {}).get(TAKEN, taken)
    return Occupancy(issue, text(spec, "unit"), taken, number(spec, "each", 0, 0, MOST))


def kind_of(effects: tuple[Effect, ...]) -> str:
    """Return which of KINDS an instruction with these effects is."""
    reads = any(effect.memory for effect in effects)
    writes = any(isinstance(effect, Set) and isinstance(effect.target, Mem) for effect in effects)
    return KINDS[reads + 2 * writes]
