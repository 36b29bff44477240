"""The `instructions:` section."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from vpo.machines.match.pattern import COUNT, MASK, Alternative
from vpo.machines.match.record import MOST_SLOTS
from vpo.machines.read.condition import compile_condition
from vpo.machines.read.consistency import without_hidden
from vpo.machines.read.encoding import Counting, check_collisions, check_fields, check_room, code_of, fields_of
from vpo.machines.read.extends import SHARED_LISTS
from vpo.machines.read.operands import Operands, report_mode
from vpo.machines.read.patterns import bind_operands, check_template, mixed_types, pattern_variables, read_effects
from vpo.machines.read.registers import Classes, register_list
from vpo.machines.read.sections import OCCUPANCY_KEYS, load_occupancy
from vpo.machines.read.shorthands import Shorthands, load_shorthands
from vpo.machines.read.source import (
    DescriptionError,
    Map,
    NoSuchRegister,
    Place,
    Seq,
    check_keys,
    choice,
    flag,
    inserted,
    number,
    section,
    text,
    texts,
)
from vpo.machines.target import Timing
from vpo.rtl import TRANSFERS, Branch, Call, Delay, Set

KEYS = {
    "rtl", "asm", "size", "latency", "slots", "load_slots", "hold_slots", "clobbers", "when", "reach", "list_separator",
    "fields", "pseudo", "into", "predicate", "counted", "fetched", "encoding", "if_dead", "longer", "slot", *OCCUPANCY_KEYS,
}  # fmt: skip
DEFAULTS = {"size", "latency", "clobbers", "slots", "predicate"}
NAME = re.compile(r"[A-Z][A-Z0-9_.]*")
HIDDEN = "hidden"
LITERAL = re.compile(r"\bLIT\[(\w+)\]")  # what is read from a literal pool
IF = "$if"  # where a predicate stands in the assembly


def load_instructions(d: Map, classes: Classes, operands: Operands, timing: Timing) -> list[Alternative]:
    """Read `instructions:` and `defaults:`.

    Raises DescriptionError.
    """
    defaults = section(d, "defaults")
    check_keys(defaults, DEFAULTS, "the defaults")
    loader = _Loader(defaults, classes, operands, timing)
    shorthands = load_shorthands(d)
    result: list[Alternative] = []
    instructions: Map = d["instructions"]
    for key, spec in instructions.items():
        before = len(result)
        missing: NoSuchRegister | None = None
        for form in spec if isinstance(spec, Seq) and spec else [spec]:
            if not isinstance(form, Map):
                place = instructions.where(key)
                raise DescriptionError(place, f"instruction '{key}': expected {{rtl: ..., asm: ...}} or a list of such")
            for name, member in family(key, form, instructions.key_places[key], shorthands):
                for variant in loader.variants(member):
                    try:
                        alternative = loader.alternative(name, variant)
                    except NoSuchRegister as error:  # another form of the list may do with fewer registers
                        missing = error
                        continue
                    result.append(replace(alternative, order=len(result)))
        if missing is not None and len(result) == before:
            raise missing
    check_room(result, instructions.place)
    check_collisions(result, choice(d, "endian", ("little", "big")) == "little")
    return without_hidden(result, operands, refuse=not flag(d, "drop_hidden"))


def family(key: str, form: Map, place: Place, shorthands: Shorthands) -> list[tuple[str, Map]]:
    """Expand `ADD SUB: {op: ["+", "-"], ...}`: lists give one value to each name; `${op}` and `$name` insert it.

    So does the name of an abbreviation; functions of the description are written out.
    """
    names = key.split()
    for name in names:
        if not NAME.fullmatch(name):
            raise DescriptionError(place, f"'{name}': an instruction is called in capitals, such as ADD or FADD.D")
    if not names:
        raise DescriptionError(place, "an instruction needs a name")
    lists = {k: v for k, v in form.items() if isinstance(v, Seq) and k not in SHARED_LISTS}
    for k, v in lists.items():
        if len(v) != len(names):
            raise DescriptionError(form.where(k), f"'{k}' has {len(v)} values for {len(names)} instructions ({key})")
    used = "".join(str(v) for k, v in form.items() if k in ("rtl", "asm", "into", "encoding"))
    members: list[tuple[str, Map]] = []
    for index, name in enumerate(names):
        member = Map(form.place)
        inserts = shorthands.abbreviations | {k: str(v[index]) for k, v in lists.items()} | {"name": name.lower()}
        for k, v in form.items():
            if k in lists and k not in KEYS and f"${{{k}}}" in used:
                continue
            value, where = (v[index], v.places[index]) if k in lists else (v, form.value_places[k])
            if k in ("rtl", "asm", "encoding") and isinstance(value, str):
                value = _insert(value, inserts, where)
                value = shorthands.expanded(value, where) if k == "rtl" else value
            elif k == "into" and isinstance(value, Seq):
                value = value.mapped([shorthands.expanded(_insert(str(line), inserts, where), where) for line in value])
            member.put(k, value, form.key_places[k], where)
        members.append((name, member))
    return members


def _insert(template: str, inserts: dict[str, str], place: Place) -> str:
    for name, value in inserts.items():
        template = inserted(template, name, value, place)
    return re.sub(r"\$name\b", inserts["name"], template)


class _Loader:
    """Reads single alternatives."""

    def __init__(self, defaults: Map, classes: Classes, operands: Operands, timing: Timing) -> None:
        self.defaults, self.classes, self.operands, self.timing = defaults, classes, operands, timing
        self.counting = Counting(classes, operands)

    def variants(self, spec: Map) -> list[Map]:
        """Return a form and, if its assembly has `$if`, the same form under a predicate: `r[d]=SEL(if,r[a],r[d]);`."""
        operand = text(spec if "predicate" in spec else self.defaults, "predicate")
        asm, rtl = spec.get("asm"), spec.get("rtl")
        if not operand or not isinstance(asm, str) or not isinstance(rtl, str) or IF not in asm:
            return [spec]
        moves = [move.partition("=") for move in rtl.split(";") if move.strip()]
        rewritten = "".join(f"{target}=SEL(if,{source},{target.strip()});" for target, _, source in moves)
        return [_changed(spec, asm=asm.replace(IF, "")), _changed(spec, rtl=rewritten, **{"if": operand})]

    def alternative(self, name: str, spec: Map) -> Alternative:
        """Read one form of an instruction."""
        for key in ("rtl", "asm"):
            if not isinstance(spec.get(key), str):
                raise DescriptionError(spec.where(key), f"instruction {name}: '{key}:' is missing or not a text")
        effects, repeated = self._pattern(name, spec)
        bound: dict[str, str] = {}
        variables = bind_operands(spec, KEYS, effects, set(self.operands), bound)
        mixed = mixed_types(effects, bound, self.operands)
        if mixed:
            raise DescriptionError(spec.where("rtl"), f"instruction {name}: {mixed}")
        check_template(spec["asm"], variables, spec.where("asm"))
        condition = None
        if "when" in spec:
            names = variables | {COUNT, MASK} if repeated else variables
            condition = compile_condition(text(spec, "when"), names, spec.where("when"))
        slots = self._slots(name, spec, effects)
        fields = fields_of(spec)
        encoding: dict[str, int] = {}
        for part in fields:
            encoding[part.name] = encoding.get(part.name, 0) + part.bits
        result = Alternative(
            name, spec.place, effects, repeated, bound, spec["asm"], self._size(spec, encoding),
            self._number(spec, "latency", 1), slots, self._clobbers(spec, effects),
            _reach(spec), condition, text=spec["rtl"], separator=text(spec, "list_separator", ","),
            fields=_fields(spec, variables), pseudo=flag(spec, "pseudo"),
            load_slots=number(spec, "load_slots", 0, 0, MOST_SLOTS),
            hold_slots=number(spec, "hold_slots", 0, 0, MOST_SLOTS),
            into=self._into(name, spec, variables),
            counted=flag(spec, "counted", True),
            fetched=flag(spec, "fetched", True),
            occupancy=load_occupancy(name, spec, self.timing, _transfers(effects), slots),
            latencies=self.timing.latencies.get(name, {}),
            encoding=encoding,
            code=code_of(fields),
            if_dead=tuple(register_list(spec.get("if_dead"), self.classes, spec.where("if_dead"))),
            longer=flag(spec, "longer"),
            slot=flag(spec, "slot", True),
            literal="".join(LITERAL.findall(spec["rtl"])[:1]),
        )  # fmt: skip
        if encoding:
            check_fields(spec, name, result, self.counting)
        return result

    def _size(self, spec: Map, encoding: dict[str, int]) -> int:
        """Return the bytes of an instruction, which follow from its encoding."""
        if not encoding:
            return self._number(spec, "size", 4)
        if "size" in spec:
            raise DescriptionError(spec.key_places["size"], "'size' follows from 'encoding'")
        return sum(encoding.values()) // 8

    def _pattern(self, name: str, spec: Map) -> tuple[tuple[Any, ...], bool]:
        place = spec.where("rtl")
        effects, repeated = read_effects(spec["rtl"], place, self.classes, f"instruction {name}: ")
        if repeated and not isinstance(effects[-1], Set):
            raise DescriptionError(place, f"instruction {name}: '...' repeats a move, as in `L[mem]=r[list]; ...`")
        return effects, repeated

    def _slots(self, name: str, spec: Map, effects: tuple[Any, ...]) -> int:
        """Return the number of delay slots, which must fit what the pattern says of them."""
        slots = self._number(spec, "slots", 0, MOST_SLOTS)
        stated = [effect.when for effect in effects if isinstance(effect, Delay)]
        if not stated:
            return slots
        kinds = (Branch,) if stated[0] == "taken" else (*TRANSFERS, Call)
        if len(stated) > 1 or not any(isinstance(effect, kinds) for effect in effects):
            wanted = "a conditional branch" if stated[0] == "taken" else "one transfer of control or call"
            raise DescriptionError(spec.where("rtl"), f"instruction {name}: 'DS={stated[0]};' stands beside {wanted}")
        if (stated[0] == "never") != (slots == 0):
            wanted = "has no delay slots" if stated[0] == "never" else "needs 'slots:'"
            raise DescriptionError(spec.where("slots"), f"instruction {name}: one with 'DS={stated[0]};' {wanted}")
        return slots

    def _into(self, name: str, spec: Map, variables: set[str]) -> tuple[tuple[Any, ...], ...]:
        """Read the RTLs of the instructions for which this one stands until delay slots are filled."""
        if "into" not in spec:
            return ()
        result = []
        for line, place in zip(texts(spec, "into"), spec["into"].places, strict=True):
            effects, _ = read_effects(line, place, self.classes, f"instruction {name}: ")
            for variable, _, _ in pattern_variables(effects):
                if variable not in variables:
                    raise DescriptionError(place, f"'{variable}' does not stand in `{spec['rtl']}`")
            result.append(effects)
        return tuple(result)

    def _number(self, spec: Map, key: str, default: int, most: int = 1 << 16) -> int:
        return number(spec if key in spec else self.defaults, key, default, 0, most)

    def _clobbers(self, spec: Map, effects: tuple[Any, ...]) -> tuple[Any, ...]:
        written = {effect.target for effect in effects if isinstance(effect, Set)}
        source = spec if "clobbers" in spec else self.defaults
        listed = register_list(source.get("clobbers"), self.classes, source.where("clobbers"))
        return tuple(r for r in listed if r not in written)


def _transfers(effects: tuple[Any, ...]) -> bool:
    return any(isinstance(effect, (*TRANSFERS, Call)) for effect in effects)


def _changed(spec: Map, **values: str) -> Map:
    """Return a copy of a mapping with other values of some keys (in the places of the old, or of the mapping)."""
    result = Map(spec.place)
    for key in dict.fromkeys((*spec, *values)):
        result.put(key, values.get(key, spec.get(key)), spec.key_places.get(key, spec.place), spec.where(key))
    return result


def _reach(spec: Map) -> tuple[int, int] | None:
    reach = spec.get("reach")
    if reach is None:
        return None
    numbers = isinstance(reach, Seq) and len(reach) == 2 and all(type(n) is int for n in reach)
    if not numbers or reach[0] > reach[1]:
        raise DescriptionError(spec.where("reach"), "'reach' is a list of the least and the greatest distance in bytes")
    return reach[0], reach[1]


def _fields(spec: Map, variables: set[str]) -> dict[str, str]:
    """Read `fields:`: the addressing mode of a field in the reports, hidden fields, and fields without a variable."""
    fields = section(spec, "fields")
    result: dict[str, str] = {}
    for name in fields:
        if fields[name] != HIDDEN:
            result[name] = report_mode(fields, name)
        elif name in variables:
            result[name] = ""
        else:
            known = ", ".join(sorted(variables)) or "it has none"
            raise DescriptionError(fields.key_places[name], f"'{name}' is not a variable of the pattern ({known})")
    return result
