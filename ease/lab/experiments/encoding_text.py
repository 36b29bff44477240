"""Narrow forms of instructions in the words of a description: an extension with short forms, or a candidate cut down."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import yaml

from ease import Machine
from ease.lab.experiments.encoding_forms import Field, Limit, Narrow
from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.read.instructions import family
from vpo.machines.read.shorthands import load_shorthands
from vpo.machines.read.source import Map, Seq
from vpo.rtl import Const

ANEW = {"rtl", "asm", "size", "encoding", "when", "reach", "fields"}  # keys of a form that a narrow one has of its own
SHORT = "S."  # before the name of an instruction: its short forms


@dataclass
class _Texts:
    """The pattern, the assembly and the conditions of a form, with variables limited so far."""

    rtl: str
    asm: str
    when: list[str]
    operands: dict[str, str] = field(default_factory=dict)

    def replace(self, each: str, cls: str, register: str, printed: str) -> None:
        """Put a register into the place of a variable."""
        self.rtl = self.rtl.replace(f"{cls}[{each}]", f"{cls}[{register}]")
        self._print(each, printed)

    def fix(self, each: str, value: str, printed: str) -> None:
        """Put a number, or all of an operand, into the place of a variable."""
        self.rtl = re.sub(rf"(?:(?<![\w.$])|(?<=[<>=/%]u)){each}\b", lambda _: value, self.rtl)
        self._print(each, printed)

    def _print(self, each: str, printed: str) -> None:
        self.asm = re.sub(rf"\$(?:{each}\b|\{{{each}\}})", lambda _: printed, self.asm)


class Writer:
    """Writes narrow forms of a machine's instructions."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.description = machine, machine.description
        self.new: dict[str, str] = {}  # operands by what they are
        shorthands = load_shorthands(self.description)
        instructions: Map = self.description["instructions"]
        self.members: dict[tuple[str, object, str], Map] = {
            (name, form.place, member["rtl"]): member
            for key, spec in instructions.items()
            for form in (spec if isinstance(spec, Seq) else [spec])
            for name, member in family(key, form, instructions.key_places[key], shorthands)
        }

    def knows(self, form: Alternative) -> bool:
        """Return whether a form of an instruction stands in the description as it is."""
        return (form.name, form.place, form.text) in self.members

    def form(self, narrow: Narrow, size: int) -> dict[str, Any]:
        """Return a narrow form with so many bytes, as a description says it."""
        shape = narrow.shape
        member = self.members[shape.form.name, shape.form.place, shape.form.text]
        kept = {key: _plain(value) for key, value in member.items() if key not in ANEW and key not in shape.operands}
        texts = _Texts(member["rtl"], member["asm"], [member["when"]] if "when" in member else [])
        reach: list[int] = []
        encoded: list[str] = []
        limited = list(zip(shape.fields, narrow.limits, strict=True))
        for name, group in groupby(limited, lambda each: each[0].name):
            fields = list(group)
            operand = shape.operands.get(name)
            bits = sum(limit.bits for _, limit in fields)
            if operand is not None and operand.pattern is not None:
                inner, kept_of_it = self._pattern_operand(member[name], operand, fields)
                if bits:
                    texts.operands[name] = self._operand({"rtl": inner.rtl, **inner.operands, "asm": inner.asm, **kept_of_it})
                else:
                    texts.fix(name, inner.rtl, inner.asm)
            elif fields[0][0].kind == "label":
                reach = [fields[0][1].low, fields[0][1].high]
            else:
                self._limit(texts, *fields[0], shape.fields, member.get(name, ""))
            encoded += [f"{name}:{bits}"] if bits else []
        opcode = 8 * size - narrow.bits
        encoding = " ".join([*([f"opcode:{opcode}"] if opcode else []), *encoded])
        when = {"when": " and ".join(texts.when)} if texts.when else {}
        branches = {"reach": reach} if reach else {}
        return {"rtl": texts.rtl, **texts.operands, "asm": texts.asm, **kept, **when, **branches, "encoding": encoding}

    def _pattern_operand(
        self, name: str, operand: OperandForm, fields: Sequence[tuple[Field, Limit]]
    ) -> tuple[_Texts, dict[str, Any]]:
        """Return the one form of an operand that is left, with limits, and what else is said of it."""
        spec = self._spec(name, operand)
        texts = _Texts(spec["rtl"], spec["asm"], [spec["when"]] if "when" in spec else [])
        for each, limit in fields:
            self._limit(texts, each, limit, (), str(spec.get(each.inner, "")))
        inner = {each.inner for each, _ in fields}
        kept = {key: _plain(value) for key, value in spec.items() if key not in ("rtl", "asm", "when") and key not in inner}
        when = {"when": " and ".join(texts.when)} if texts.when else {}
        return texts, kept | when

    def _limit(self, texts: _Texts, each: Field, limit: Limit, others: Sequence[Field], operand: str) -> None:
        """Write what a variable is limited to; `operand` is the operand that a constant is."""
        name = each.inner or each.name
        if limit.kind == "same":
            texts.replace(name, each.cls, others[limit.same].name, f"${others[limit.same].name}")
        elif each.kind == "register" and limit.kind == "one":
            texts.replace(name, each.cls, str(limit.low), self.machine.built.classes[each.cls].names[limit.low])
        elif each.kind == "register" and limit.kind == "range":
            texts.when.append(f"{limit.low} <= {name} <= {limit.high}")
        elif each.kind == "constant" and limit.kind == "one":
            found = self.machine.built.recognizer.operand(operand, Const(limit.low))
            texts.fix(name, str(limit.low), found.text if found is not None else str(limit.low))
        elif each.kind == "constant" and limit.kind == "range":
            texts.operands[name] = self._constants(operand, limit)
        elif each.kind == "constant":
            texts.operands[name] = operand

    def _constants(self, operand: str, limit: Limit) -> str:
        """Return the name of an operand that has some of the numbers of another one."""
        recognizer = self.machine.built.recognizer
        match = recognizer.operand_match(operand, Const(limit.low)) or recognizer.operand_match(operand, Const(0))
        form = match.form if match is not None else recognizer.operands[operand][0]
        spec = {key: _plain(value) for key, value in self._spec(operand, form).items() if key not in ("slots", "constant")}
        high = limit.high - limit.high % limit.multiple
        return self._operand({"constant": f"{limit.low}..{high}", **spec, "multiple": limit.multiple})

    def _spec(self, name: str, form: OperandForm) -> Map:
        spec = self.description["operands"][name]
        found: Map = next(each for each in (spec if isinstance(spec, Seq) else [spec]) if each.place == form.place)
        return found

    def _operand(self, spec: Mapping[str, Any]) -> str:
        return self.new.setdefault(json.dumps(spec, sort_keys=True), f"narrow_{len(self.new) + 1}")

    # ------------------------------------------------------------------------------------------------------------------

    def extension(self, name: str, forms: Iterable[Narrow], size: int, about: str) -> str:
        """Return an extension with short forms, which are tried before the machine's own."""
        lines = [f"extension: {name}", f"description: {_flow(about)}", "drop_hidden: true"]
        if "assembler" in self.description:
            lines.append(f"assembler: {{function_align: {size}}}")
        written = self._instructions(forms, size, SHORT)
        return "\n".join([*lines, *self._operands(), "first:", *written, ""])

    def candidate(self, name: str, forms: Iterable[Narrow], without: Iterable[str], about: str, file: str) -> str:
        """Return a description with the forms of some new instructions that are left, and the others gone."""
        forms = list(forms)
        chosen = {form.shape.form.name for form in forms}
        written = self._instructions(forms, 0, "")
        gone = [f"  {instruction}: null" for instruction in without if instruction not in chosen]
        origin = self.machine.origin
        origin = os.path.relpath(origin, os.path.dirname(os.path.abspath(file))) if origin.endswith(".yaml") else origin
        lines = [f"machine: {name}", f"description: {_flow(about)}", f"extends: {origin}"]
        return "\n".join([*lines, *self._operands(), "instructions:", *written, *gone, ""])

    def _instructions(self, forms: Iterable[Narrow], size: int, prefix: str) -> list[str]:
        by_name: dict[str, list[str]] = {}
        for form in forms:
            bytes_ = size or form.shape.size
            by_name.setdefault(prefix + form.shape.form.name, []).append(_flow(self.form(form, bytes_)))
        return [
            f"  {name}: {texts[0]}" if len(texts) == 1 else "\n".join([f"  {name}:", *(f"    - {text}" for text in texts)])
            for name, texts in by_name.items()
        ]

    def _operands(self) -> list[str]:
        """Return the operands; what is written must have asked for them before."""
        if not self.new:
            return []
        return ["operands:", *(f"  {name}: {_flow(json.loads(spec))}" for spec, name in self.new.items())]


def _plain(value: Any) -> Any:
    """Return a value of a description without its places."""
    if isinstance(value, Map):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, Seq) else value


def _flow(value: Any) -> str:
    """Return a value in a line of YAML."""
    text: str = yaml.safe_dump(value, default_flow_style=True, width=10**6, sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")
