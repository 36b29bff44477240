"""The `operands:` section: constant ranges, symbols and addressing modes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from vpo.machines.match.pattern import OperandForm
from vpo.machines.match.record import fill
from vpo.machines.match.stepping import stepping_pattern
from vpo.machines.read.condition import compile_condition
from vpo.machines.read.patterns import bind_operands, check_template, read_effects, read_expression
from vpo.machines.read.registers import CLASS_NAME, Classes
from vpo.machines.read.source import DescriptionError, Map, Place, Seq, flag, number, text
from vpo.rtl import Const, Op
from vpo.text import RegisterVariable, Variable

KEYS = {"rtl", "effect", "constant", "symbol", "far", "mode", "asm", "when", "size", "multiple", "print", "slots"}
MODE = re.compile(r"[A-Z][A-Z0-9_.]*")
ANY = 1 << 64
MOST_DIGITS = 24
_NUMBER = r"-?(?:0x[0-9a-fA-F]+|\d+)"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})")
MOST_LISTED = 4096  # numbers that a range in a list may stand for

Operands = dict[str, list[OperandForm]]


def load_operands(d: Map, classes: Classes) -> Operands:
    """Read the `operands:` section.

    Raises DescriptionError.
    """
    result: Operands = {
        "any": [OperandForm("IMMED", d.place, low=-ANY, high=ANY)],
        "symbol": [OperandForm("LABEL", d.place, symbol=True)],
        "far": [OperandForm("IMMED", d.place, far=True)],
    }
    names = set(d) | set(result)
    for name, spec in d.items():
        if not CLASS_NAME.fullmatch(name):
            raise DescriptionError(d.key_places[name], f"'{name}': the name of an operand is a lower-case word")
        if name in ("any", "symbol", "far"):
            raise DescriptionError(d.key_places[name], f"'{name}' is an operand that every machine has")
        forms = spec if isinstance(spec, Seq) else [spec]
        if not forms:
            raise DescriptionError(d.where(name), f"operand '{name}' has no form")
        result[name] = [_load_form(name, form, d.where(name), names, classes) for form in forms]
    _check_cycles(d, result)
    return {name: [*forms, *_without_displacement(forms, result)] for name, forms in result.items()}


def _without_displacement(forms: list[OperandForm], operands: Operands) -> list[OperandForm]:
    """Return the address in a register that `r[b]+c` is with 0 for c, if no form says so: RTLs have no zeros to add."""
    if any(isinstance(form.pattern, RegisterVariable) for form in forms):
        return []
    for form in forms:
        match form.pattern:
            case Op(op="+", args=(RegisterVariable() as base, Variable(name=name))) if not form.condition and not form.steps:
                for inner in operands[form.operands[name]]:
                    if inner.pattern is None and inner.condition is None and inner.accepts(Const(0)):
                        asm = fill(form.asm, {name: fill(inner.asm or "$v", {"v": "0"})})
                        size = form.size + inner.size
                        return [replace(form, pattern=base, operands={}, asm=asm, size=size, text=f"{base.cls}[{base.name}]")]
    return []


def _load_form(name: str, spec: Any, place: Place, names: set[str], classes: Classes) -> OperandForm:
    if not isinstance(spec, Map):
        message = f"operand '{name}': expected {{rtl: ..., asm: ..., mode: ...}} or {{constant: ...}}"
        raise DescriptionError(place, message)
    place = spec.place
    inherited = text(spec, "mode", "IMMED").startswith("$")
    mode = text(spec, "mode") if inherited else report_mode(spec, "mode", "IMMED")
    size, asm = number(spec, "size"), text(spec, "asm")
    low, high, values = _constants(spec) if "constant" in spec else (0, -1, ())
    multiple = number(spec, "multiple", 1, 1) if "constant" in spec or "symbol" in spec else 1
    slots, symbol, far = flag(spec, "slots"), flag(spec, "symbol"), flag(spec, "far")
    show = compile_condition(text(spec, "print"), {"v"}, spec.where("print")) if "print" in spec else None
    variables: set[str] = set()
    operands: dict[str, str] = {}
    pattern, steps = None, ""
    if "rtl" in spec:
        pattern = _pattern(name, spec, classes)
        if not asm:
            raise DescriptionError(place, f"operand '{name}': 'asm:' is missing")
        if "effect" in spec:
            pattern = _stepping(name, spec, pattern, classes)
            steps = pattern.cls
        variables = bind_operands(spec, KEYS, pattern, names, operands)
        check_template(asm, variables, spec.where("asm"))
    else:
        if not ("constant" in spec or slots or symbol or far):
            raise DescriptionError(place, f"operand '{name}' says neither 'rtl:' nor 'constant:' nor 'symbol:'")
        bind_operands(spec, KEYS, (), names, operands)
        check_template(asm, {"v"}, spec.where("asm"))
    if inherited and mode[1:] not in operands:
        raise DescriptionError(spec.where("mode"), f"'{mode}': the mode of an operand within this one, such as $mem")
    condition = compile_condition(text(spec, "when"), variables or {"v"}, spec.where("when")) if "when" in spec else None
    return OperandForm(
        mode, place, pattern, low, high, values, multiple, slots, far, symbol, operands, asm, show, condition, size,
        str(spec["rtl"]) if "rtl" in spec else "", steps,
    )  # fmt: skip


def report_mode(spec: Map, key: str, default: str = "") -> str:
    """Return the name of an addressing mode."""
    mode = text(spec, key, default)
    if not MODE.fullmatch(mode):
        message = f"'{mode}': an addressing mode is called in capitals, such as IMMED or DISP"
        raise DescriptionError(spec.where(key), message)
    return mode


def _pattern(name: str, spec: Map, classes: Classes) -> Any:
    for key in ("constant", "symbol", "slots", "far"):
        if key in spec:
            two = f"'rtl:' and '{key}:' are two forms: make a list"
            what = "'slots:' is for constants: say it of the operand within that is one" if key == "slots" else two
            message = f"operand '{name}': {what}"
            raise DescriptionError(spec.key_places[key], message)
    return read_expression(text(spec, "rtl"), spec.where("rtl"), classes, f"operand '{name}': ")


def _stepping(name: str, spec: Map, pattern: Any, classes: Classes) -> Any:
    effects, _ = read_effects(text(spec, "effect"), spec.where("effect"), classes, f"operand '{name}': ")
    stepping = stepping_pattern(pattern, effects)
    if stepping is None:
        message = (
            f"operand '{name}': an effect steps the register that is the address: "
            '{rtl: "r[b]", effect: "r[b]=r[b]+4;"} afterwards, {rtl: "r[b]+-4", effect: "r[b]=r[b]+-4;"} before'
        )
        raise DescriptionError(spec.where("effect"), message)
    return stepping


def _constants(spec: Map) -> tuple[int, int, tuple[int, ...]]:
    """Return the least and the greatest constant of a form, and the list of them if there is one."""
    value, place = spec["constant"], spec.where("constant")
    if isinstance(value, Seq):
        if not value:
            raise DescriptionError(place, "the list of constants is empty")
        return 0, -1, tuple(one for item, where in value.located() for one in _listed(item, where))
    if isinstance(value, int) and not isinstance(value, bool):
        return 0, -1, (value,)
    if value == "any":
        return -ANY, ANY, ()
    low, high = _range(value, place) or (0, -1)
    if low > high:
        raise DescriptionError(place, f"'{value}' is not a number, a list, 'any', or a range such as -2048..2047")
    return low, high, ()


def _range(value: object, place: Place) -> tuple[int, int] | None:
    """Return the ends of a range of constants; None if this is none."""
    if not isinstance(value, str) or len(value) > 2 * MOST_DIGITS or (match := _RANGE.fullmatch(value)) is None:
        return None
    low, high = (_integer(part) for part in match.groups())
    if low > high:
        raise DescriptionError(place, f"'{value}' is an empty range")
    return low, high


def _listed(item: object, place: Place) -> Iterable[int]:
    """Return the constants that are meant by one of a list: a number, or a range of a few."""
    if isinstance(item, int) and not isinstance(item, bool):
        return (item,)
    low, high = _range(item, place) or (0, -1)
    if low > high:
        raise DescriptionError(place, f"'{item}' is not a number, and not a range such as 1..31")
    if high - low >= MOST_LISTED:
        raise DescriptionError(place, f"'{item}': a range in a list has at most {MOST_LISTED} numbers")
    return range(low, high + 1)


def _integer(digits: str) -> int:
    return int(digits, 16 if "x" in digits else 10)


def _check_cycles(d: Map, operands: Operands) -> None:
    """Reject an operand that can be part of itself without anything around it."""
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            chain = " -> ".join((*path[path.index(name) :], name))
            raise DescriptionError(d.where(name), f"operand '{name}' is part of itself ({chain})")
        if name in done:
            return
        for form in operands[name]:
            for inner in form.operands.values():
                visit(inner, (*path, name))
        done.add(name)

    for name in d:
        visit(name, ())
