"""The `operands:` section: constant ranges, symbols and addressing modes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from vpo.machines.match.pattern import OperandForm
from vpo.machines.match.record import fill
from vpo.machines.match.stepping import stepping_pattern
from vpo.machines.read.condition import compile_condition
from vpo.machines.read.patterns import bind_operands, check_template, read_effects, read_expression
from vpo.machines.read.registers import CLASS_NAME, Classes
from vpo.machines.read.schema import flag, number, text
from vpo.machines.read.source import DescriptionError, Map, Place, Seq
from vpo.rtl import Const, Op
from vpo.text import RegisterVariable, Variable

KEYS = {"rtl", "effect", "constant", "symbol", "far", "mode", "asm", "when", "size", "multiple", "print", "slots"}
MODE = re.compile(r"[A-Z][A-Z0-9_.]*")
ANY = 1 << 64
MOST_DIGITS = 24
_NUMBER = r"-?(?:0x[0-9a-fA-F]+|\d+)"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})")

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
    form = OperandForm(text(spec, "mode") if inherited else report_mode(spec, "mode", "IMMED"), place)
    form.size = number(spec, "size")
    form.asm = text(spec, "asm")
    if "constant" in spec:
        _constant_range(form, spec)
    form.slots, form.symbol, form.far = flag(spec, "slots"), flag(spec, "symbol"), flag(spec, "far")
    if "print" in spec:
        form.show = compile_condition(text(spec, "print"), {"v"}, spec.where("print"))
    variables: set[str] = set()
    if "rtl" in spec:
        form.pattern, form.text = _pattern(name, spec, classes), str(spec["rtl"])
        if not form.asm:
            raise DescriptionError(place, f"operand '{name}': 'asm:' is missing")
        if "effect" in spec:
            form.pattern = _stepping(name, spec, form.pattern, classes)
            form.steps = form.pattern.cls
        variables = bind_operands(spec, KEYS, form.pattern, names, form.operands)
        check_template(form.asm, variables, spec.where("asm"))
    else:
        if not ("constant" in spec or form.slots or form.symbol or form.far):
            raise DescriptionError(place, f"operand '{name}' says neither 'rtl:' nor 'constant:' nor 'symbol:'")
        bind_operands(spec, KEYS, (), names, form.operands)
        check_template(form.asm, {"v"}, spec.where("asm"))
    if inherited and form.mode[1:] not in form.operands:
        raise DescriptionError(spec.where("mode"), f"'{form.mode}': the mode of an operand within this one, such as $mem")
    if "when" in spec:
        form.condition = compile_condition(text(spec, "when"), variables or {"v"}, spec.where("when"))
    return form


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
            message = f"operand '{name}': 'rtl:' and '{key}:' are two forms: make a list"
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


def _constant_range(form: OperandForm, spec: Map) -> None:
    value, place = spec["constant"], spec.where("constant")
    form.multiple = number(spec, "multiple", 1, 1)
    if isinstance(value, Seq):
        for item, where in value.located():
            if not isinstance(item, int) or isinstance(item, bool):
                raise DescriptionError(where, f"'{item}' is not a number")
        if not value:
            raise DescriptionError(place, "the list of constants is empty")
        form.values = tuple(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        form.values = (value,)
    elif value == "any":
        form.low, form.high = -ANY, ANY
    elif isinstance(value, str) and len(value) <= 2 * MOST_DIGITS and (match := _RANGE.fullmatch(value)):
        form.low, form.high = (_integer(part) for part in match.groups())
        if form.low > form.high:
            raise DescriptionError(place, f"'{value}' is an empty range")
    else:
        raise DescriptionError(place, f"'{value}' is not a number, a list, 'any', or a range such as -2048..2047")


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
