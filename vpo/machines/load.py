"""From a description file to a Machine: checks everything, builds the recogniser.

Every mistake is a DescriptionError with its place; docs/machines.md is the guide to what may be written.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vpo.datamodel import DataModel
from vpo.machines.convention import load_convention
from vpo.machines.expansion import Expansion, load_expansions
from vpo.machines.machine import Layout, Machine, RegisterClass
from vpo.machines.pattern import Alternative, OperandForm, compile_condition
from vpo.machines.recognizer import Recognizer
from vpo.machines.schema import (
    bind_operands,
    check_keys,
    check_template,
    expand_names,
    expect,
    nearest,
    register,
    register_list,
    text_place,
)
from vpo.machines.source import DescriptionError, Map, Place, Seq, assign, find, read
from vpo.rtl import Branch, Call, Half, IndirectJump, Jump, Mem, Op, Return, Set
from vpo.text import RegisterVariable, TextError, Variable, parse_expression_pattern, parse_pattern

TOP_LEVEL = {
    "machine", "description", "manual", "extends", "endian", "address", "misaligned", "halves", "c", "registers",
    "roles", "values", "allocable", "operands", "defaults", "instructions", "expansions", "convention", "layout",
    "syscalls", "start", "assembler", "toolchain", "macros", "long_branch", "costs",
}  # fmt: skip
REQUIRED = ("machine", "endian", "address", "registers", "roles", "values", "allocable", "operands", "instructions",
            "convention", "layout", "assembler")  # fmt: skip
OPERAND_KEYS = {"rtl", "constant", "symbol", "mode", "asm", "when", "size", "multiple", "print", "slots"}
INSTRUCTION_KEYS = {"rtl", "asm", "size", "latency", "slots", "clobbers", "when", "reach", "list_separator"}
C_SIZES = {"char": 1, "short": 2, "int": 4, "long": 4, "llong": 8, "float": 4, "double": 8, "ldouble": 8, "pointer": 4}


def load(name: str, settings: Iterable[str] = ()) -> Machine:
    """Load the machine called `name` (or the description file at that path), with `--set` changes.

    Raises DescriptionError, FileNotFoundError.
    """
    path = find(name)
    description = read(path)
    for setting in settings:
        assign(description, setting)
    return build(description)


def build(d: Map) -> Machine:
    """Build a machine from a merged description."""
    check_keys(d, TOP_LEVEL, "a machine description")
    for key in REQUIRED:
        if key not in d:
            raise DescriptionError(d.place, f"'{key}:' is missing")
    classes = _load_classes(expect(d, "registers", Map))
    cells = {name: cls.type for name, cls in classes.items()}
    operands = _load_operands(expect(d, "operands", Map), cells)
    assembler = expect(d, "assembler", Map)
    prefix = assembler.get("symbol", "$name")
    halves = d.get("halves") or Map(d.place)
    recognizer = Recognizer(
        classes, operands, _load_instructions(d, cells, classes, operands),
        lambda symbol: str(prefix).replace("$name", symbol[1:]),
        {"HI": str(halves.get("high_text", "HI($s)")), "LO": str(halves.get("low_text", "LO($s)"))},
    )  # fmt: skip
    roles = expect(d, "roles", Map)
    stack_pointer = register(roles.get("stack_pointer"), classes, roles.where("stack_pointer"))
    zero = register_list(roles.get("zero", Seq(roles.place)), classes, roles.where("zero"))
    allocable = {
        cls: tuple(register_list(value, classes, d["allocable"].where(cls), clip=True))
        for cls, value in expect(d, "allocable", Map).items()
    }
    if d["address"] not in ("W", "L", "Q"):
        raise DescriptionError(d.where("address"), "'address' is the type of an address: W, L or Q")
    machine = Machine(
        name=str(d["machine"]),
        description=str(d.get("description", "")),
        big_endian=_endian(d),
        address_type=d["address"],
        classes=classes,
        stack_pointer=stack_pointer,
        zero=frozenset(zero),
        allocable=allocable,
        model=_load_model(d),
        layout=_load_layout(expect(d, "layout", Map)),
        convention=load_convention(expect(d, "convention", Map), classes, allocable),
        syscalls={int(v): k for k, v in (d.get("syscalls") or {}).items()},
        half_bits=int(halves.get("low", 0)),
        half_signed=bool(halves.get("signed", False)),
        fingerprint=fingerprint(d),
        recognizer=recognizer.recognize,
        misaligned=bool(d.get("misaligned", True)),
    )
    machine.options.update(
        values=dict(expect(d, "values", Map)),
        assembler=dict(assembler),
        toolchain=dict(d.get("toolchain") or {}),
        start=list(d.get("start") or []),
        source=d,
        recognizer=recognizer,
        expansions=_load_expansions(d, cells, operands),
    )
    _check_values(d, classes)
    return machine


def fingerprint(d: Map) -> str:
    """Return a digest of everything a description says."""
    return hashlib.sha256(json.dumps(d, sort_keys=True, default=str).encode()).hexdigest()[:24]


# --------------------------------------------------------------------------------------------------- helpers


def _endian(d: Map) -> bool:
    if d["endian"] not in ("little", "big"):
        raise DescriptionError(d.where("endian"), "'endian' must be little or big")
    return bool(d["endian"] == "big")


# -------------------------------------------------------------------------------------------------- sections


def _load_classes(d: Map) -> dict[str, RegisterClass]:
    classes: dict[str, RegisterClass] = {}
    for name, spec in d.items():
        place = d.key_places[name]
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise DescriptionError(place, f"'{name}': the name of a register class is a lower-case word")
        if not isinstance(spec, Map):
            raise DescriptionError(d.where(name), f"'{name}' must be a mapping such as {{count: 32, type: L}}")
        check_keys(spec, {"count", "type", "names", "view", "prefix"}, "a register class")
        type_ = spec.get("type")
        if type_ not in ("B", "W", "L", "Q", "F", "D", "C", "G"):
            raise DescriptionError(spec.where("type"), f"'{type_}' is not a type (B W L Q F D; C, G for condition codes)")
        if "view" in spec:
            if spec["view"] not in classes:
                raise DescriptionError(spec.where("view"), f"'{spec['view']}' is not a register class defined above")
            base = classes[spec["view"]]
            classes[name] = RegisterClass(name, type_, base.count, base.bank, base.names)
            continue
        count = spec.get("count", 1)
        if not isinstance(count, int) or not 1 <= count <= 1024:
            raise DescriptionError(spec.where("count"), f"'count' must be a number from 1 to 1024, not {count!r}")
        prefix = str(spec.get("prefix", name))
        names = expand_names(spec["names"]) if isinstance(spec.get("names"), Seq) else []
        names = (names + [f"{prefix}{i}" for i in range(len(names), count)])[:count]
        if len(set(names)) != len(names):
            twice = next(n for n in names if names.count(n) > 1)
            raise DescriptionError(spec.where("names"), f"two registers are called '{twice}'")
        classes[name] = RegisterClass(name, type_, count, name, tuple(names))
    return classes


def _load_model(d: Map) -> DataModel:
    c = d.get("c") or Map(d.place)
    check_keys(c, {"char", "sizes", "aligns", "struct_align"}, "the C data model")
    sizes = dict(C_SIZES)
    for key, value in (c.get("sizes") or {}).items():
        if key not in C_SIZES:
            raise DescriptionError(c["sizes"].key_places[key], f"'{key}' is not one of {', '.join(C_SIZES)}")
        sizes[key] = value
    aligns = dict(sizes)
    aligns.update(c.get("aligns") or {})
    macros = {str(k): str(v) for k, v in (d.get("macros") or {}).items()}
    for name, number in (d.get("syscalls") or {}).items():
        macros[f"__SYS_{name}"] = str(number)
    return DataModel(_endian(d), c.get("char", "signed") == "signed", sizes, aligns, c.get("struct_align", 1), macros)


def _load_layout(d: Map) -> Layout:
    known = {"text": 0x10000, "stack_top": 0x7FFFF000, "stack_size": 8 << 20, "heap_limit": 0x60000000, "page": 4096}
    check_keys(d, known, "a layout")
    values = {**known, **d}
    for key, value in values.items():
        if not isinstance(value, int) or value < 0:
            raise DescriptionError(d.where(key), f"'{key}' must be an address or a size in bytes")
    return Layout(**values)


def _check_values(d: Map, classes: dict[str, RegisterClass]) -> None:
    values = d["values"]
    check_keys(values, {"integer", "address", "F", "D"}, "'values' (the register class of each kind of C value)")
    for key, name in values.items():
        if name not in classes:
            raise DescriptionError(values.where(key), f"'{name}' is not a register class ({', '.join(classes)})")
    for key in ("integer", "address"):
        if key not in values:
            raise DescriptionError(values.place, f"'{key}:' is missing: the register class that holds {key} values")


def _load_operands(d: Map, cells: dict[str, str]) -> dict[str, list[OperandForm]]:
    result: dict[str, list[OperandForm]] = {
        "any": [OperandForm("IMMED", d.place, low=-(1 << 64), high=1 << 64)],
        "symbol": [OperandForm("LABEL", d.place, symbol=True)],
        "far": [OperandForm("IMMED", d.place, far=True)],
    }
    names = set(d) | set(result)
    for name, spec in d.items():
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise DescriptionError(d.key_places[name], f"'{name}': the name of an operand is a lower-case word")
        forms = spec if isinstance(spec, Seq) else [spec]
        result[name] = [_load_form(name, form, d.where(name), names, cells) for form in forms]
    return result


def _load_form(name: str, spec: Any, place: Place, names: set[str], cells: dict[str, str]) -> OperandForm:
    if not isinstance(spec, Map):
        raise DescriptionError(place, f"operand '{name}': expected {{rtl: ..., asm: ..., mode: ...}} or {{constant: ...}}")
    place = spec.place
    form = OperandForm(str(spec.get("mode", "IMMED")), place)
    form.size = spec.get("size", 0)
    form.asm = str(spec.get("asm", ""))
    if "constant" in spec:
        _constant_range(form, spec)
    if spec.get("slots"):
        form.slots = True
    if spec.get("symbol"):
        form.symbol = True
    if "print" in spec:
        form.show = compile_condition(str(spec["print"]), {"v"}, spec.where("print"))
    variables: set[str] = set()
    if "rtl" in spec:
        try:
            form.pattern = parse_expression_pattern(str(spec["rtl"]), cells)
        except TextError as error:
            raise DescriptionError(text_place(spec.where("rtl"), error), error.message) from None
        if not form.asm:
            raise DescriptionError(place, f"operand '{name}': 'asm:' is missing")
        variables = bind_operands(spec, OPERAND_KEYS, form.pattern, names, form.operands)
        check_template(form.asm, variables, spec.where("asm"))
    elif not ("constant" in spec or form.slots or form.symbol):
        raise DescriptionError(place, f"operand '{name}' says neither 'rtl:' nor 'constant:' nor 'symbol:'")
    if "when" in spec:
        form.condition = compile_condition(str(spec["when"]), variables, spec.where("when"))
    return form


def _constant_range(form: OperandForm, spec: Map) -> None:
    value, place = spec["constant"], spec.where("constant")
    form.multiple = spec.get("multiple", 1)
    if isinstance(value, Seq):
        form.values = tuple(value)
    elif isinstance(value, int):
        form.values = (value,)
    elif match := re.fullmatch(r"(-?(?:0x)?[0-9a-fA-F]+)\.\.(-?(?:0x)?[0-9a-fA-F]+)", str(value)):
        form.low, form.high = int(match.group(1), 0), int(match.group(2), 0)
        if form.low > form.high:
            raise DescriptionError(place, f"'{value}' is an empty range")
    elif value == "any":
        form.low, form.high = -(1 << 64), 1 << 64
    else:
        raise DescriptionError(place, f"'{value}' is not a number, a list, 'any', or a range such as -2048..2047")


def _load_instructions(
    d: Map, cells: dict[str, str], classes: dict[str, RegisterClass], operands: dict[str, list[OperandForm]]
) -> list[Alternative]:
    instructions = expect(d, "instructions", Map)
    defaults = d.get("defaults") or Map(d.place)
    check_keys(defaults, {"size", "latency", "clobbers", "slots"}, "the defaults")
    result: list[Alternative] = []
    for key, spec in instructions.items():
        for form in spec if isinstance(spec, Seq) else [spec]:
            if not isinstance(form, Map):
                place = instructions.where(key)
                raise DescriptionError(place, f"instruction '{key}': expected {{rtl: ..., asm: ...}} or a list of such")
            for name, member in _family(key, form):
                alternative = _load_alternative(name, member, defaults, cells, classes, operands)
                alternative.order = len(result)
                result.append(alternative)
    _check_hidden(result)
    return result


def _family(key: str, form: Map) -> list[tuple[str, Map]]:
    """Expand `ADD SUB: {op: ["+", "-"], ...}`: lists give one value to each name; `$op` and `$name` insert it."""
    names = key.split()
    lists = {k: v for k, v in form.items() if isinstance(v, Seq) and k not in ("clobbers", "reach")}
    for k, v in lists.items():
        if len(v) != len(names):
            raise DescriptionError(form.where(k), f"'{k}' has {len(v)} values for {len(names)} instructions ({key})")
    members: list[tuple[str, Map]] = []
    for index, name in enumerate(names):
        member = Map(form.place)
        inserts = {k: str(v[index]) for k, v in lists.items()} | {"name": name.lower()}
        for k, v in form.items():
            value = v[index] if k in lists else v
            if isinstance(value, str) and k in ("rtl", "asm"):
                for insert, text in inserts.items():
                    value = value.replace(f"${{{insert}}}", text)
                    value = re.sub(rf"\${insert}\b", lambda _, t=text: t, value)  # type: ignore[misc]
            if k in lists and k not in INSTRUCTION_KEYS and f"${{{k}}}" in f"{form.get('rtl')}{form.get('asm')}":
                continue
            member.put(k, value, form.key_places[k], form.value_places[k])
        members.append((name, member))
    return members


def _load_alternative(
    name: str, spec: Map, defaults: Map, cells: dict[str, str], classes: dict[str, RegisterClass],
    operands: dict[str, list[OperandForm]],
) -> Alternative:  # fmt: skip
    for key in ("rtl", "asm"):
        if not isinstance(spec.get(key), str):
            raise DescriptionError(spec.where(key), f"instruction {name}: '{key}:' is missing or not a text")
    try:
        effects, repeated = parse_pattern(spec["rtl"], cells)
    except TextError as error:
        raise DescriptionError(text_place(spec.where("rtl"), error), f"instruction {name}: {error.message}") from None
    bound: dict[str, str] = {}
    variables = bind_operands(spec, INSTRUCTION_KEYS, effects, set(operands), bound)
    check_template(spec["asm"], variables, spec.where("asm"))

    def number(key: str, default: int) -> int:
        value = spec.get(key, defaults.get(key, default))
        if not isinstance(value, int) or value < 0:
            where = spec.where(key) if key in spec else defaults.where(key)
            raise DescriptionError(where, f"instruction {name}: '{key}' must be a number, not {value!r}")
        return value

    clobbers = spec.get("clobbers", defaults.get("clobbers"))
    written = {effect.target for effect in effects if hasattr(effect, "source")}
    reach = spec.get("reach")
    if reach is not None and not (isinstance(reach, Seq) and len(reach) == 2):
        raise DescriptionError(spec.where("reach"), "'reach' is a list of the least and the greatest distance in bytes")
    condition = None
    if "when" in spec:
        condition = compile_condition(str(spec["when"]), variables, spec.where("when"))
    return Alternative(
        name, spec.place, effects, repeated, bound, spec["asm"], number("size", 4), number("latency", 1),
        number("slots", 0), tuple(r for r in register_list(clobbers, classes, spec.where("clobbers")) if r not in written),
        (reach[0], reach[1]) if reach else None, condition, text=spec["rtl"],
        separator=str(spec.get("list_separator", ",")),
    )  # fmt: skip


def _check_hidden(alternatives: list[Alternative]) -> None:
    """Reject an alternative that an earlier one always precedes: same pattern, operands at least as wide, no condition."""
    seen: dict[Any, Alternative] = {}
    for alternative in alternatives:
        key = _skeleton(alternative)
        earlier = seen.get(key)
        if earlier is not None and alternative.condition is None and earlier.reach is None:
            raise DescriptionError(
                alternative.place,
                f"instruction {alternative.name} `{alternative.text}` is hidden by {earlier.name} in line "
                f"{earlier.place.line}, which matches the same RTLs first",
            )
        if alternative.condition is None and earlier is None:
            seen[key] = alternative


def _skeleton(alternative: Alternative) -> Any:
    """Return a pattern as nested tuples, with its variables numbered and replaced by what they range over."""
    numbers = {name: number for number, (name, _, _) in enumerate(alternative.variables())}

    def shape(node: Any) -> Any:
        match node:
            case Variable():
                return alternative.operands[node.name], numbers[node.name]
            case RegisterVariable():
                return node.cls, numbers[node.name]
            case Op():
                return (node.op, node.type, *map(shape, node.args))
            case Mem():
                return node.type, shape(node.address)
            case Half():
                return node.which, shape(node.of)
            case Set():
                return "set", shape(node.target), shape(node.source)
            case Branch():
                return "branch", shape(node.condition)
            case Jump():
                return "jump"
            case IndirectJump() | Call() | Return():
                return type(node).__name__, shape(node.target)
        return node

    return tuple(map(shape, alternative.effects)), alternative.repeated


def _load_expansions(d: Map, cells: dict[str, str], operands: dict[str, list[OperandForm]]) -> list[Expansion]:
    spec = d.get("expansions")
    if spec is None:
        return []
    if not isinstance(spec, Seq):
        raise DescriptionError(d.where("expansions"), "'expansions' must be a list of {rtl: ..., into: [...]}")
    return load_expansions(spec, cells, operands)


