"""From a description file to a Machine: checks everything, builds the recogniser.

Every mistake is a DescriptionError with its place; docs/machine-keys.md says what may be written.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from typing import Any
from weakref import WeakValueDictionary

import yaml

from vpo.base.clock import timed
from vpo.machines.calling_convention import Convention
from vpo.machines.capabilities import find_capabilities
from vpo.machines.machine import Machine
from vpo.machines.match.implied import implied_forms, implied_jumps, implied_moves, implied_results, implied_returns
from vpo.machines.match.late_forms import forms_without_parts, impossible_forms
from vpo.machines.match.notations import other_notations
from vpo.machines.match.pattern import Alternative
from vpo.machines.match.recognizer import Recognizer
from vpo.machines.read import sections
from vpo.machines.read.composition import read
from vpo.machines.read.consistency import check_consistency
from vpo.machines.read.convention import load_convention
from vpo.machines.read.encoding import add_what_follows
from vpo.machines.read.expansion import load_expansions
from vpo.machines.read.extends import REQUIRED, assign
from vpo.machines.read.instructions import load_instructions
from vpo.machines.read.operands import load_operands
from vpo.machines.read.patterns import read_effects
from vpo.machines.read.registers import Classes, load_classes, register, register_list, use_of_added_registers
from vpo.machines.read.source import (
    DescriptionError,
    Map,
    Seq,
    check_keys,
    choice,
    expect,
    find,
    flag,
    text,
    texts,
    with_places,
)
from vpo.rtl import CODE_TYPES, Effect, Register, Set
from vpo.text import keep_patterns

TOP_LEVEL = {
    "machine", "description", "manual", "extends", "extensions", "endian", "address", "misaligned", "distance_bits", "halves",
    "c", "registers", "roles", "values", "allocable", "operands", "defaults", "instructions", "expansions", "calls", "layout",
    "syscalls", "start", "assembler", "toolchain", "macros", "abbreviations", "functions", "timing", "drop_hidden", "memories",
}  # fmt: skip
# what code depends on only through questions (`vpo/machines/questions.py`), or not at all
ASKED = {
    "machine", "description", "manual", "extends", "extensions", "operands", "defaults", "instructions", "expansions", "start",
    "assembler", "toolchain", "macros", "abbreviations", "functions", "timing", "drop_hidden", "allocable",
    "memories",
}  # fmt: skip
MERGED = ("extends", "extensions")  # what says of what a description was merged, or may be
_TEXT = "tag:yaml.org,2002:str"


@timed("description")
def load(name: str, settings: Iterable[str] = ()) -> Machine:
    """Load the machine called `name` (or the description file at that path), with `--set` changes.

    The last few are kept in the process, by all that they say and where; none that is returned has been asked about an RTL.

    Raises DescriptionError, OSError (FileNotFoundError if there is none of that name).
    """
    description = read_description(name, settings)
    return replace(_built(_Described(repr(with_places(description)), description)), file=str(find(name)))


@dataclass(frozen=True, slots=True)
class _Described:
    """A merged description, which is another one if it says something else, or elsewhere."""

    text: str
    description: Map = field(compare=False)


@lru_cache(maxsize=8)
def _built(described: _Described) -> Machine:
    return build(described.description)


def read_description(name: str, settings: Iterable[str] = ()) -> Map:
    """Return a machine's description with those that it extends merged in, and `--set` changes.

    Raises what `load` raises.
    """
    description = read(name)
    with use_of_added_registers(description):
        for setting in settings:
            assign(description, setting)
    add_what_follows(description)
    return description


def full_text(name: str, settings: Iterable[str] = ()) -> str:
    """Return one description, in YAML, that says all that a machine's and those that it extends say, with `--set` changes.

    Raises what `load` raises.
    """
    return text_of(read_description(name, settings))


def text_of(description: Map) -> str:
    """Return a merged description as YAML."""
    return yaml.dump(_plain(description), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


class _Dumper(yaml.SafeDumper):
    """Quotes what a description could read as something else than text."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything out where it stands."""
        return True


_WORD = re.compile(r"[A-Za-z_][\w.-]+")
_Dumper.add_representer(str, lambda dumper, text: dumper.represent_scalar(_TEXT, text, None if _WORD.fullmatch(text) else '"'))


def _plain(value: Any) -> Any:
    """Return a value without places."""
    if isinstance(value, Map):
        return {key: _plain(item) for key, item in value.items() if key not in MERGED}
    return [_plain(item) for item in value] if isinstance(value, Seq) else value


def build(d: Map) -> Machine:
    """Build a machine from a merged description.

    Raises DescriptionError.
    """
    for key, value in d.items():
        if key not in TOP_LEVEL and isinstance(value, Map) and "rtl" in value:
            raise DescriptionError(d.key_places[key], f"'{key}' belongs below 'instructions:' or 'operands:': indent it")
    check_keys(d, TOP_LEVEL, "a machine description")
    for key in REQUIRED:
        if key not in d:
            raise DescriptionError(d.place, f"'{key}:' is missing")
        if d[key] is None:
            raise DescriptionError(d.key_places[key], f"'{key}:' is empty, which takes all of it away: leave the line out")
    for key in ("registers", "roles", "values", "allocable", "operands", "instructions", "calls", "layout"):
        expect(d, key, Map)
    classes = load_classes(d["registers"])
    operands = load_operands(d["operands"], classes)
    syntax, halves, timing = sections.load_assembler(d), sections.load_halves(d), sections.load_timing(d)
    recognizer = Recognizer(
        classes, operands, load_instructions(d, classes, operands, timing),
        lambda symbol: syntax.symbol.replace("$name", symbol[1:]), {"HI": halves.high_text, "LO": halves.low_text},
        d["address"] if isinstance(d["address"], str) else "",
    )  # fmt: skip
    allocable = _allocable(d["allocable"], classes)
    address_type = choice(d, "address", ("W", "L", "Q"))
    big_endian = choice(d, "endian", ("little", "big")) == "big"
    stack_pointer, zero, pop, stacks = _roles(d["roles"], classes)
    model, values = sections.load_model(d, big_endian), sections.load_values(d, classes)
    convention = load_convention(d["calls"], classes, allocable, stack_pointer, stacks, model)
    moved = {values.integer, values.address}
    recognizer = recognizer.extended(implied_forms(recognizer, moved, zero, stack_pointer, convention.return_))
    recognizer = recognizer.extended(other_notations(recognizer, zero))
    machine = Machine(
        name=text(d, "machine"),
        description=text(d, "description"),
        big_endian=big_endian,
        address_type=address_type,
        classes=classes,
        stack_pointer=stack_pointer,
        zero=zero,
        allocable=allocable,
        model=model,
        layout=sections.load_memories(d, sections.load_layout(d["layout"], address_type)),
        convention=convention,
        syscalls=sections.load_syscalls(d),
        halves=halves,
        fingerprint=fingerprint(d),
        basis=_basis(d, classes, convention),
        recognizer=recognizer,
        capabilities=find_capabilities(recognizer.alternatives, chain.from_iterable(operands.values())),
        misaligned=flag(d, "misaligned", True),
        distances=sections.load_distances(d),
        pop=pop,
        stacks=stacks,
        timing=timing,
        values=values,
        syntax=syntax,
        toolchain=sections.load_toolchain(d),
        start=sections.load_start(d, classes),
        expansions=load_expansions(d, classes, operands, address_type, big_endian),
        manual=text(d, "manual"),
    )
    machine = _without(machine, forms_without_parts(machine))
    for implied in (implied_jumps, implied_returns):
        machine = replace(machine, recognizer=machine.recognizer.extended(implied(machine)))
    machine = _with_moves(_without(machine, impossible_forms(machine)))
    machine = replace(machine, expansions=(*machine.expansions, *implied_results(machine)))
    machine.model.macros.update(_context_macros(machine))
    sections.check_latencies(d, timing, {alternative.name for alternative in recognizer.alternatives})
    check_consistency(machine, d)
    for cells in (machine.cells, {}):
        keep_patterns(cells)
    _alive[_said(d)] = machine
    return machine


_alive: WeakValueDictionary[str, Machine] = WeakValueDictionary()


def built_like(d: Map) -> Machine:
    """Return a machine of a merged description: one that says the same and is at hand, perhaps from other places.

    Raises DescriptionError.
    """
    return _alive.get(_said(d)) or build(d)


def _said(d: Map) -> str:
    """Return a digest of what a merged description says, whatever it was merged of."""
    return fingerprint({key: value for key, value in d.items() if key not in MERGED})


def _with_moves(machine: Machine) -> Machine:
    """Return a machine that has the moves that several of its instructions do."""
    forms, expansions = implied_moves(machine)
    recognizer = machine.recognizer.extended([replace(form, order=form.order + n) for n, form in enumerate(forms)])
    return replace(machine, recognizer=recognizer, expansions=(*machine.expansions, *expansions))


def _without(machine: Machine, forms: list[Alternative]) -> Machine:
    """Return a machine that has not some forms of its instructions."""
    if not forms:
        return machine
    recognizer = machine.recognizer.of([form for form in machine.recognizer.alternatives if form not in forms])
    capabilities = find_capabilities(recognizer.alternatives, chain.from_iterable(recognizer.operands.values()))
    return replace(machine, recognizer=recognizer, capabilities=capabilities)


def _context_macros(machine: Machine) -> dict[str, str]:
    """Return what `setjmp.h` and `longjmp` must know: the size of a `jmp_buf`, the number of register windows."""
    windows = machine.convention.windows
    macros = {"__CONTEXT_SIZE__": str(machine.context.size)}
    return macros if windows is None else macros | {"__REGISTER_WINDOWS__": str(windows.count)}


def _basis(d: Map, classes: Classes, convention: Convention) -> str:
    """Return a digest of what a description says that compilations do not ask one by one.

    They ask how many registers there are for values, and which of them calls preserve; other lists of registers may be
    cut off at the last one.
    """
    plain: dict[str, Any] = {key: value for key, value in d.items() if key not in ASKED}
    plain["registers"] = [(name, {**spec, "count": ""}) for name, spec in d["registers"].items()]
    plain["calls"] = {**d["calls"], "saved": ""}
    plain["lists"] = str(replace(convention, saved=(), scratch=frozenset()))
    plain["counts"] = [cls.count if cls.type in CODE_TYPES else cls.count == 1 for cls in classes.values()]
    return fingerprint(plain)


def fingerprint(d: Mapping[str, Any]) -> str:
    """Return a digest of everything a description says."""
    return hashlib.sha256(json.dumps(d, sort_keys=True, default=str).encode()).hexdigest()[:24]


def _allocable(d: Map, classes: Classes) -> dict[str, tuple[Register, ...]]:
    result: dict[str, tuple[Register, ...]] = {}
    for name in d:
        if name not in classes:
            raise DescriptionError(d.key_places[name], f"'{name}' is not a register class ({', '.join(classes)})")
        listed = register_list(d[name], classes, d.where(name), clip=True)
        for register_ in listed:
            if register_.cls != name:
                raise DescriptionError(d.where(name), f"'{register_!r}' is not of class '{name}'")
        if len(set(listed)) != len(listed):
            twice = next(r for r in listed if listed.count(r) > 1)
            raise DescriptionError(d.where(name), f"'{twice!r}' is listed twice")
        result[name] = tuple(listed)
    return result


def _roles(
    d: Map, classes: Classes
) -> tuple[Register, frozenset[Register], tuple[Effect, ...], tuple[tuple[Register, ...], ...]]:
    check_keys(d, {"stack_pointer", "zero", "pop", "stacks"}, "'roles'")
    stack_pointer = register(d.get("stack_pointer"), classes, d.where("stack_pointer"))
    pop: tuple[Effect, ...] = ()
    if "pop" in d:
        pop, _ = read_effects(text(d, "pop"), d.where("pop"), classes)
        if len(pop) != 1 or not isinstance(pop[0], Set) or not isinstance(pop[0].target, Register):
            raise DescriptionError(d.where("pop"), "'pop' must be an RTL that sets the top of the register stack: f[0]=f[1];")
    zero = frozenset(register_list(d.get("zero"), classes, d.where("zero")))
    return stack_pointer, zero, pop, _stacks(d, classes)


def _stacks(d: Map, classes: Classes) -> tuple[tuple[Register, ...], ...]:
    """Read the classes whose registers are evaluation stacks, register 0 on top."""
    result = []
    for name, place in zip(texts(d, "stacks"), d["stacks"].places if d.get("stacks") else (), strict=True):
        if name not in classes or classes[name].count < 2:
            raise DescriptionError(place, f"'{name}' is not a class of two registers or more, which could be a stack")
        result.append(tuple(Register(name, index, classes[name].type) for index in range(classes[name].count)))
    return tuple(result)
