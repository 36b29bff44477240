"""Edits that take one part of a description away: an instruction, a form, an operand's form, a register, a bit, slots."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from random import Random
from typing import Any

from vpo.machines.read.extends import keys_with, merge, set_apart
from vpo.machines.read.instructions import KEYS
from vpo.machines.read.operands import KEYS as OPERAND_KEYS
from vpo.machines.read.registers import load_classes, register_list
from vpo.machines.read.source import Map, Place, Seq

SHORTEST = 4  # bits of an immediate: narrower ones are not tried
KINDS = ("instruction", "form", "operand", "register", "bits", "reach", "slots")
_RANGE = re.compile(r"(-?(?:0x[0-9a-fA-F]+|\d+))\.\.(-?(?:0x[0-9a-fA-F]+|\d+))")
Part = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of a description that takes a part away."""

    kind: str
    name: str
    change: Callable[[Map], None]


def edited(description: Map, *edits: Edit) -> Map:
    """Return a copy of a merged description with edits made, first to last; forms that these make needless are no mistakes.

    Raises DescriptionError, KeyError if an earlier edit took away what a later one changes.
    """
    result = copy.deepcopy(description)
    for edit in edits:
        edit.change(result)
    if edits:
        result.put("drop_hidden", True, result.place, result.place)
    return result


def deletions(description: Map) -> Iterator[Edit]:
    """Yield an edit for each part that can be taken away from a merged description, by kind in the order of KINDS."""
    yield from _instructions(description)
    yield from _forms(description)
    yield from _operand_forms(description)
    yield from _registers(description)
    yield from narrower_constants(description)
    yield from _narrower_operands(description)
    yield from _shorter_branches(description)
    yield from _delay_slots(description)


def _members(description: Map) -> Iterator[tuple[str, str, int, Map, int]]:
    """Yield (name, key, form's number, form, index of the name in its key) of each form of each instruction."""
    for key, spec in description["instructions"].items():
        for number, form in enumerate(spec if isinstance(spec, Seq) else [spec]):
            for index, name in enumerate(key.split()):
                yield name, key, number, form, index


def _names(description: Map) -> list[str]:
    return list(dict.fromkeys(chain.from_iterable(key.split() for key in description["instructions"])))


# ------------------------------------------------------------------------------------------------------------ wholes


def _instructions(d: Map) -> Iterator[Edit]:
    for name in _names(d):
        yield Edit("instruction", name, partial(_remove_instruction, name))


def _remove_instruction(name: str, d: Map) -> None:
    merge(d, _nested(d.place, {"instructions": {name: None}}))


def _forms(d: Map) -> Iterator[Edit]:
    """Yield the removal of each form of an instruction that has several."""
    forms = list(_members(d))
    for name, _, number, form, _ in forms:
        if sum(other == name for other, *_ in forms) > 1 and isinstance(form.get("rtl"), str):
            bound = "".join(f" {key}: {v}" for key, v in form.items() if key not in KEYS and isinstance(v, str))
            yield Edit("form", f"{name} {form['rtl']}{bound}", partial(_remove_form, name, number, form.place))


def _remove_form(name: str, number: int, place: Place, d: Map) -> None:
    for key in keys_with(d["instructions"], name):
        spec = d["instructions"][key]
        found = _place_of(spec, number, place)
        if found is not None:
            own = set_apart(d["instructions"], key, name)
            if isinstance(spec, Seq) and len(spec) > 1:
                _drop(d["instructions"][own], found)
            else:
                del d["instructions"][own]
            return
    raise KeyError(name)


def _operand_forms(d: Map) -> Iterator[Edit]:
    """Yield the removal of each form of an operand that has several: addressing modes among them."""
    for name, spec in d["operands"].items():
        for number, form in enumerate(spec if isinstance(spec, Seq) and len(spec) > 1 else []):
            shown = form.get("rtl", form.get("constant", form.get("mode", number)))
            yield Edit("operand", f"{name} {shown}", partial(_remove_operand_form, name, form.place))


def _remove_operand_form(name: str, place: Place, d: Map) -> None:
    forms = d["operands"][name]
    number = next((n for n, form in enumerate(forms) if form.place == place), None)
    if number is None:
        raise KeyError(name)
    _drop(forms, number)


def _expands(d: Map, operand: str) -> bool:
    """Whether an expansion of the description asks for an operand, perhaps within another one."""
    wanted = [v for spec in d.get("expansions") or [] if isinstance(spec, Map) for v in spec.values() if isinstance(v, str)]
    found: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in d["operands"] and name not in found:
            found.add(name)
            spec = d["operands"][name]
            wanted += [v for form in (spec if isinstance(spec, Seq) else [spec]) for v in form.values() if isinstance(v, str)]
    return operand in found


def _registers(d: Map) -> Iterator[Edit]:
    """Yield the removal of each register from those that can be allocated."""
    classes = load_classes(d["registers"])
    for name, listed in d["allocable"].items():
        registers = register_list(listed, classes, d["allocable"].where(name), clip=True)
        for register in registers if len(registers) > 1 else []:
            rest = [f"{r.cls}[{r.index}]" for r in registers if r is not register]
            shown = classes[name].names[register.index]
            yield Edit("register", shown, partial(_allocate, name, rest))


def halvings(d: Map) -> Iterator[Edit]:
    """Yield, for each class of allocable registers, the removal of every second pair, so that some of each kind stay."""
    classes = load_classes(d["registers"])
    for name, listed in d["allocable"].items():
        registers = register_list(listed, classes, d["allocable"].where(name), clip=True)
        if len(registers) > 3:
            kept = [f"{r.cls}[{r.index}]" for n, r in enumerate(registers) if n % 4 < 2]
            yield Edit("register", f"half of {name}", partial(_allocate, name, kept))


def _allocate(cls: str, registers: list[str], d: Map) -> None:
    place = d["allocable"].where(cls)
    d["allocable"].put(cls, _sequence(place, registers), d["allocable"].key_places[cls], place)


# -------------------------------------------------------------------------------------------------------------- bits


@dataclass(frozen=True, slots=True)
class Range:
    """The constants that an operand takes: `bits` of them count, below these come `zeros`."""

    low: int
    high: int
    bits: int

    def bits_for(self, value: int) -> int:
        """Return how many bits a constant of this range needs."""
        return next((r.bits + 1 for r in self.narrower(1) if not r.low <= value <= r.high), 1)

    def narrower(self, least: int = SHORTEST) -> Iterator[Range]:
        """Yield this range with one bit less, and again, down to `least`."""
        low, high = self.low, self.high
        for bits in range(self.bits - 1, least - 1, -1):
            low, high = (-(-low // 2), high // 2) if low < 0 else (low, (high - low) // 2 + low)
            yield Range(low, high, bits)

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


def range_of(spec: Any) -> Range | None:
    """Return the range of an operand that is a power of two of consecutive (multiples of) constants, else None."""
    constant = spec.get("constant") if isinstance(spec, Map) and "when" not in spec else None
    match = _RANGE.fullmatch(constant) if isinstance(constant, str) else None
    if match is None:
        return None
    low, high = (int(digits, 16 if "x" in digits else 10) for digits in match.groups())
    count = (high - low + 1) // spec.get("multiple", 1)
    is_whole = count > 0 and count & (count - 1) == 0 and (low >= 0 or -low == high + 1)
    return Range(low, high, count.bit_length() - 1) if is_whole else None


@dataclass(frozen=True, slots=True)
class Use:
    """A variable of an instruction or an addressing mode that stands for a constant of a range."""

    name: str
    part: Part
    where: Callable[[Map], Map]
    variable: str
    operand: str
    range: Range


def constant_uses(d: Map) -> Iterator[Use]:
    """Yield each use of a range of constants by an instruction or an addressing mode."""
    for name, key, number, form, index in _members(d):
        for variable, value in form.items():
            operand = value[index] if isinstance(value, Seq) and len(value) == len(key.split()) else value
            range_ = range_of(d["operands"].get(operand)) if variable not in KEYS and isinstance(operand, str) else None
            if range_ is not None:
                where, part = partial(_instruction_form, name, number, form.place), ("constant", name, form.place, variable)
                yield Use(f"{name}.{variable}", part, where, variable, operand, range_)
    for name, spec in d["operands"].items():
        for form in spec if isinstance(spec, Seq) else [spec]:
            for variable, operand in form.items():
                range_ = (
                    range_of(d["operands"].get(operand)) if variable not in OPERAND_KEYS and isinstance(operand, str) else None
                )
                if range_ is not None and not _expands(d, name):
                    where, part = partial(_operand_form, name, form.place), ("constant", "", form.place, variable)
                    yield Use(f"{name} {form.get('rtl', '')}", part, where, variable, operand, range_)


def narrower_constants(d: Map) -> Iterator[Edit]:
    """Yield each use of a range with a bit less, and again."""
    for use in constant_uses(d):
        for short in use.range.narrower():
            change = partial(_narrow_use, use.where, use.variable, use.operand, short)
            yield Edit("bits", f"{use.name}: {short.bits} bits", change)


def _instruction_form(name: str, number: int, place: Place, d: Map) -> Map:
    """Return a form of an instruction, in an entry of the instruction's own."""
    for key in keys_with(d["instructions"], name):
        found = _place_of(d["instructions"][key], number, place)
        if found is not None:
            own = d["instructions"][set_apart(d["instructions"], key, name)]
            form: Map = own[found] if isinstance(own, Seq) else own
            return form
    raise KeyError(name)


def _place_of(spec: Any, number: int, place: Place) -> int | None:
    """Return which form of an instruction was the one of that number, before others were taken away."""
    forms = spec if isinstance(spec, Seq) else [spec]
    for candidate in range(min(number, len(forms) - 1), -1, -1):
        if forms[candidate].place == place:
            return candidate
    return None


def _operand_form(name: str, place: Place, d: Map) -> Map:
    spec = d["operands"][name]
    for form in spec if isinstance(spec, Seq) else [spec]:
        if form.place == place:
            found: Map = form
            return found
    raise KeyError(name)


def _narrow_use(where: Callable[[Map], Map], variable: str, operand: str, short: Range, d: Map) -> None:
    """Let one variable be an operand of its own, with a shorter range."""
    form, operands = where(d), d["operands"]
    new = f"{operand}_{short.bits}"
    while new in operands:
        new += "_"
    old = operands[operand]
    operands.put(new, copy.deepcopy(old), operands.key_places[operand], operands.where(operand))
    operands[new]["constant"] = str(short)
    form[variable] = Seq(form.place).mapped([new]) if isinstance(form[variable], Seq) else new
    if isinstance(form[variable], Seq):
        form[variable].places = [form.place]


def _narrower_operands(d: Map) -> Iterator[Edit]:
    """Yield each range as a whole, wherever it stands, with a bit less, and again."""
    for name, spec in d["operands"].items():
        whole = range_of(spec)
        for short in whole.narrower() if whole is not None else ():
            change = partial(_narrow_operand, name, short)
            yield Edit("bits", f"{name}: {short.bits} bits", change)


def _narrow_operand(name: str, short: Range, d: Map) -> None:
    d["operands"][name]["constant"] = str(short)


# --------------------------------------------------------------------------------------------------- transfers of control


def _shorter_branches(d: Map) -> Iterator[Edit]:
    """Yield each reach of branches, for all that have it, with a bit less, and again, down to SHORTEST bits."""
    for reach in sorted({tuple(form["reach"]) for *_, form, _ in _members(d) if _is_reach(form.get("reach"))}):
        bits = max(reach[1], -reach[0]).bit_length()
        for less in range(1, bits - SHORTEST):
            short = [-(-reach[0] // (1 << less)), reach[1] // (1 << less)]
            shown = f"{reach[0]}..{reach[1]}: {short[0]}..{short[1]}"
            yield Edit("reach", shown, partial(_shorten, reach, short))


def _is_reach(value: Any) -> bool:
    return isinstance(value, Seq) and len(value) == 2 and all(type(n) is int for n in value)


def _shorten(reach: tuple[int, int], short: list[int], d: Map) -> None:
    for *_, form, _ in _members(d):
        if _is_reach(form.get("reach")) and tuple(form["reach"]) == reach:
            form["reach"] = _sequence(form.where("reach"), short)


def _delay_slots(d: Map) -> Iterator[Edit]:
    """Yield each instruction without its delay slots, and all of them if that is a default."""
    for name, _, number, form, _ in _members(d):
        for key in ("slots", "load_slots", "hold_slots"):
            if form.get(key) and "DS=" not in str(form.get("rtl")):  # what happens in slots says nothing without any
                change = partial(_without_slots, name, number, form.place, key)
                yield Edit("slots", f"{name} {key}", change)
    if isinstance(d.get("defaults"), Map) and d["defaults"].get("slots"):
        yield Edit("slots", "all by default", _without_default_slots)


def _without_slots(name: str, number: int, place: Place, key: str, d: Map) -> None:
    _instruction_form(name, number, place, d)[key] = 0


def _without_default_slots(d: Map) -> None:
    d["defaults"]["slots"] = 0


# ------------------------------------------------------------------------------------------------------------- parts


def _nested(place: Place, value: Any) -> Any:
    """Return plain mappings as ones that have a place."""
    if not isinstance(value, dict):
        return value
    result = Map(place)
    for key, item in value.items():
        result.put(key, _nested(place, item), place, place)
    return result


def _sequence(place: Place, items: list[Any]) -> Seq:
    result = Seq(place)
    result += items
    result.places = [place] * len(items)
    return result


def _drop(items: Seq, number: int) -> None:
    del items[number]
    del items.places[number]


# ----------------------------------------------------------------------------------------------------------------------
# The same machine described in another order: what that changes is the compiler's noise.


def reorderings() -> Iterator[Edit]:
    """Yield edits that describe the same machine in another order: what they change is the compiler's noise."""
    yield Edit("order", "instructions of each group in reverse", _reverse_groups)
    yield Edit("order", "registers of each range in reverse", _reverse_ranges)


def random_reordering(seed: int) -> Edit:
    """Return an edit that describes the same machine in another order: some groups and some ranges in reverse."""

    def change(d: Map) -> None:
        chosen = Random(seed)
        _reverse_groups(d, lambda: chosen.random() < 0.5)
        _reverse_ranges(d, lambda: chosen.random() < 0.5)

    return Edit("order", f"some groups and ranges in reverse ({seed})", change)


def _always() -> bool:
    return True


def _reverse_groups(d: Map, chosen: Callable[[], bool] = _always) -> None:
    """Reverse the names of each key, or of those that are chosen, with what is said of each."""
    for key in [key for key in d["instructions"] if len(key.split()) > 1 and chosen()]:
        for name in key.split()[:0:-1]:
            set_apart(d["instructions"], next(k for k in keys_with(d["instructions"], name)), name)
    entries = [(key, d["instructions"][key]) for key in d["instructions"]]
    runs = [list(run) for _, run in groupby(entries, lambda entry: id(d["instructions"].key_places[entry[0]]))]
    d["instructions"].clear()
    for key, value in chain.from_iterable(run[::-1] for run in runs):
        dict.__setitem__(d["instructions"], key, value)


def _reverse_ranges(d: Map, chosen: Callable[[], bool] = _always) -> None:
    """Turn each range of allocable registers round, or those that are chosen.

    What is welcome as much as its neighbours comes in another order.
    """
    for name, listed in d["allocable"].items():
        for number, item in enumerate(listed if isinstance(listed, Seq) else []):
            first, dots, last = item.partition("..") if isinstance(item, str) else (item, "", "")
            if dots and chosen():
                listed[number] = f"{last}..{first}"
        if isinstance(listed, str) and ".." in listed and chosen():
            first, _, last = listed.partition("..")
            d["allocable"][name] = f"{last}..{first}"
