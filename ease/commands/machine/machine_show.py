"""What `ease machine` tells of a machine: all of it, one instruction, its grammar, what it lacks, what C costs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from ease.commands.machine.machine_advice import advise
from ease.commands.machine.machine_check import Missing, check, operations
from vpo.base.errors import CannotExpress
from vpo.base.suggestions import nearest
from vpo.expand.expander import expand_unit
from vpo.frontend import compile_c
from vpo.frontend.c_options import COptions
from vpo.libc import HEADERS
from vpo.lower.legalize import Legalizer
from vpo.machines.advice.doubts import doubts
from vpo.machines.advice.examples import example
from vpo.machines.advice.unreachable import unreachable_forms
from vpo.machines.machine import Machine
from vpo.machines.match.grammar import grammar_text
from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.read.encoding import code_space
from vpo.machines.read.source import Map
from vpo.machines.target import RegisterClass
from vpo.opt.driver import Options, PhaseError, run_phases
from vpo.rtl import Register, Return, Rtl
from vpo.rtl.function import Function
from vpo.text import show_effects


def grammar(machine: Machine) -> int:
    """Print the grammar of its instructions."""
    print(grammar_text(machine), end="")
    return 0


NAMED = 4  # constructs that lack something are named, as examples


def _general(what: str) -> str:
    """Return what is missing whichever registers it is missing for."""
    return re.sub(r"\[t?\d+\]", "[]", what)


def lacks(machine: Machine, description: Map) -> int:
    """Print what of C a machine cannot do, and which instructions C does not need; exit status 1 if anything is missing."""
    status = _missing(machine, description)
    print("".join(f"{line}\n" for line in (*doubtful(machine), *unreachable(machine))), end="")
    return status


def _missing(machine: Machine, description: Map) -> int:
    """Print what of C a machine cannot do, and the least that is missing; exit status 1 if there is anything."""
    result = check(machine)
    causes: dict[str, list[Missing]] = {}
    for missing in result.missing:
        causes.setdefault(_general(missing.what), []).append(missing)
    for found in sorted(causes.values(), key=len, reverse=True):
        print(found[0].what)
        if found[0].nearest:
            print(f"    nearest: {found[0].nearest}")
        named = ", ".join(missing.construct for missing in found[:NAMED])
        print(f"    for {named}" + (f" and {len(found) - NAMED} others" if len(found) > NAMED else ""))
    if result.missing:
        print(f"{machine.name} cannot do {len(result.missing)} of {result.constructs} constructs of C")
        advice = advise(description, machine, result)
        print("\n".join(advice.lines()) if advice else "what is missing is more than a few instructions")
        return 1
    print(f"{machine.name} can do all {result.constructs} constructs of C that are tried")
    return 0


def unreachable(machine: Machine) -> list[str]:
    """Return what to tell of the forms of instructions that no C program can reach."""
    found = unreachable_forms(machine)
    if not found:
        return []
    head = f"{'an instruction' if len(found) == 1 else f'{len(found)} instructions'} that no C program can reach:"
    return [head, *(_told(one.form, one.reason) for one in found)]


def doubtful(machine: Machine) -> list[str]:
    """Return what to tell of the forms of instructions that are hardly meant as they stand."""
    found = doubts(machine)
    return ["warnings:", *(_told(one.form, one.reason) for one in found)] if found else []


def _told(form: Alternative, reason: str) -> str:
    """Return the line about a form of an instruction."""
    return f"    {form.name} `{form.text}` ({Path(form.place.file).name}:{form.place.line}): {reason}"


def table(rows: Sequence[Sequence[str]], indent: str = "  ") -> Iterator[str]:
    """Yield the lines of a table with aligned columns; the first row is its head."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield (indent + "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))).rstrip()


def show(machine: Machine, instruction: str | None = None) -> int:
    """Print registers, operands and instructions, or one instruction in full; exit status 1 if there is none of that name."""
    lines = list(_whole(machine)) if instruction is None else list(_instruction(machine, instruction))
    if not lines:
        names = list(dict.fromkeys(a.name for a in machine.recognizer.alternatives))
        near = nearest(str(instruction).upper(), names)
        hint = f"; did you mean {near}?" if near else ""
        print(f"ease machine: {machine.name} has no instruction '{instruction}'{hint}", file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


def _whole(machine: Machine) -> Iterator[str]:
    convention, layout = machine.convention, machine.layout
    yield f"{machine.name}: {machine.description}"
    if machine.manual:
        yield f"manual: {machine.manual}"
    order = "big" if machine.big_endian else "little"
    accesses = "any address" if machine.misaligned else "aligned addresses only"
    yield f"{order}-endian; addresses have type {machine.address_type}; memory accesses at {accesses}"
    yield "sizes in C: " + ", ".join(f"{name} {size}" for name, size in machine.model.sizes.items())
    yield ""
    yield "Registers"
    head = ("class", "type", "count", "printed", "allocable")
    yield from table([head, *(_class(machine, cls) for cls in machine.classes.values())])
    yield f"  stack pointer {machine.stack_pointer!r}" + _named("always zero", sorted(machine.zero, key=_key))
    yield ""
    yield "Calling convention"
    for kind in ("integer", "address", "float"):
        for title, registers in (("arguments", convention.arguments), ("results", convention.results)):
            if registers.get(kind):
                yield f"  {kind} {title}: {spans(registers[kind])}"
    yield f"  saved by the callee: {spans(convention.saved) or 'none'} ({convention.save_with})"
    yield f"  not saved: {spans(sorted((r for r in convention.scratch if r.type not in 'CG'), key=_key)) or 'none'}"
    if convention.link is not None:
        yield f"  return address: {convention.link!r}"
    if convention.windows is not None:
        yield f"  register windows: {convention.windows.count}"
    yield f"  call `{convention.call_text}`, return `{convention.return_text}`"
    yield ""
    yield f"Memory: text at {layout.text:#x}, heap below {layout.heap_limit:#x}, " \
        f"stack of {layout.stack_size:#x} bytes below {layout.stack_top:#x}" \
        f"{', growing up' if convention.grows_up else ''}"  # fmt: skip
    yield ""
    yield "Operands"
    alternatives = machine.recognizer.alternatives
    rows = [("name", "mode", "what", "printed")]
    for name, forms in machine.recognizer.operands.items():
        rows += [(name if index == 0 else "", form.mode, _form(form), form.asm) for index, form in enumerate(forms)]
    yield from table(rows)
    yield ""
    yield "Instructions"
    titles = ("name", "RTL", "assembly", "bytes", "latency", "slots", "opcode space")
    exact = {a.name for a in alternatives if a.code is not None}
    columns = len(titles) if exact else -1
    yield from table([row[:columns] for row in (titles, *map(_row, alternatives))])
    if exact:
        yield f"  opcode space: {_percent(code_space(alternatives))} of all words are one of {len(exact)} instructions"


def _row(a: Alternative) -> tuple[str, ...]:
    space = "" if a.code is None else _percent(a.code.share)
    return a.name, a.text, a.asm, str(a.size), str(a.latency), str(a.slots or ""), space


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.5f} %"


def _class(machine: Machine, cls: RegisterClass) -> tuple[str, str, str, str, str]:
    printed = f"{cls.names[0]}..{cls.names[-1]}" if cls.count > 1 else cls.names[0]
    if cls.bank != cls.name:
        printed = f"{'pairs of ' if cls.width > 1 else ''}the registers of class {cls.bank}"
    return cls.name, cls.type, str(cls.count), printed, spans(machine.allocable.get(cls.name, ()))


def _key(register: Register) -> tuple[str, int]:
    return register.cls, register.index


def _named(title: str, registers: Sequence[Register]) -> str:
    return f", {title}: {spans(registers)}" if registers else ""


def spans(registers: Sequence[Register]) -> str:
    """Return registers as text, neighbours as ranges: r[8]..r[15], r[3]."""
    parts: list[list[Register]] = []
    for register in registers:
        if parts and parts[-1][-1].cls == register.cls and len(parts[-1]) * _step(parts[-1], register) == \
                register.index - parts[-1][0].index:  # fmt: skip
            parts[-1].append(register)
        else:
            parts.append([register])
    return ", ".join(f"{p[0]!r}..{p[-1]!r}" if len(p) > 1 else repr(p[0]) for p in parts)


def _step(part: list[Register], register: Register) -> int:
    if len(part) > 1:
        return 1 if part[1].index > part[0].index else -1
    return 1 if register.index > part[0].index else -1


def _form(form: OperandForm) -> str:
    if form.pattern is not None:
        inner = "".join(f", {name}: {operand}" for name, operand in form.operands.items())
        return form.text + inner
    words = [word for word, has in (("symbol", form.symbol), ("slot", form.slots), ("far slot", form.far)) if has]
    if form.values:
        words.insert(0, ", ".join(map(str, form.values)))
    elif form.low <= form.high:
        bounds = "any constant" if form.high >= 1 << 64 else f"{form.low}..{form.high}"
        words.insert(0, bounds + (f" in steps of {form.multiple}" if form.multiple > 1 else ""))
    return " or ".join(words)


def _instruction(machine: Machine, name: str) -> Iterator[str]:
    for alternative in machine.recognizer.alternatives:
        if alternative.name.upper() == name.upper():
            yield from _alternative(machine, alternative)


def _alternative(machine: Machine, alternative: Alternative) -> Iterator[str]:
    yield f"{alternative.name}  {alternative.text}"
    yield f"  assembly  {alternative.asm}"
    operands = machine.recognizer.operands
    for name, kind, _ in alternative.variables:
        what = {"label": "a label", "register": "a register"}.get(kind, "")
        if kind == "operand":
            operand = alternative.operands[name]
            what = f"{operand} ({'; '.join(_form(form) for form in operands[operand])})"
        mode = alternative.fields.get(name)
        yield f"  ${name}  {what}" + ("" if mode is None else f", counted as {mode}" if mode else ", not counted")
    for name, mode in alternative.fields.items():
        if name not in {n for n, _, _ in alternative.variables}:
            yield f"  {name}  counted as a field of mode {mode}"
    yield f"  {alternative.size} bytes (and what its operands add), latency {alternative.latency}" + (
        f", {alternative.slots} delay slot{'s' if alternative.slots > 1 else ''}" if alternative.slots else ""
    )
    if alternative.clobbers:
        yield f"  also changes {spans(alternative.clobbers)}"
    if alternative.if_dead:
        yield f"  also changes {spans(alternative.if_dead)}, where nobody reads that behind it"
    if alternative.reach:
        yield f"  reaches {alternative.reach[0]}..{alternative.reach[1]} bytes"
    if alternative.condition is not None:
        yield "  only under a condition (`when:`)"
    found = example(machine, alternative)
    if found is not None:
        text, record = found
        fields = ", ".join(f"{f.name.upper()} {f.mode} {f.type}".rstrip() for f in record.fields) or "none"
        yield f"  example   {text}  is  {record.assembly}  ({record.size} bytes; fields: {fields})"
    yield f"  from      {alternative.place}"
    yield ""



# ----------------------------------------------------------------------------------------------------------------------
# What operations of C cost on a machine: `ease machine costs`.


WIDTH = 100  # characters of a sequence


def costs(machine: Machine, word: str = "") -> int:
    """Print for each operation of C, or those whose text contains a word, what a function that does just that consists of.

    Exit status 1 if there is none such.
    """
    options = Options(2)
    rows = [
        row for name, source in operations() if word in name
        for row in _rows(machine, options, name, source)
    ]  # fmt: skip
    if not rows:
        print(f"no operation is called '{word}'")
        return 1
    print("\n".join(table([("operation", "instructions", "bytes", "cycles", ""), *rows], "")))
    if not word:
        print("\nwhat no instruction does, and the description's and the compiler's ways to it:", *ways(machine), sep="\n")
    return 0


def ways(machine: Machine) -> Iterator[str]:
    """Yield the expansions, and the rules by which a machine has the operations that it lacks."""
    for expansion in machine.expansions:
        yield f"{expansion.text} => {' '.join(map(show_effects, expansion.into))}"
    derived = Legalizer(machine, Function("_", "", 0, False)).derived
    yield from derived.rules() if derived is not None else ()


def _rows(machine: Machine, options: Options, name: str, source: str) -> Iterator[tuple[str, ...]]:
    unit = compile_c("costs.c", machine.model, COptions((str(HEADERS),)), source=source)
    functions, _, failures = expand_unit(unit, machine, True)
    try:
        for function in functions:
            run_phases(function, machine, options)
    except (CannotExpress, PhaseError) as failure:
        failures = [*failures, failure]  # type: ignore[list-item]
    if failures:
        yield name, "-", "-", "-", "cannot be done"
        return
    done = [rtl for function in functions for rtl in function.rtls() if not isinstance(rtl.transfer, Return)]
    rtls = [rtl for rtl in done if machine.record(rtl).counted]  # without what only begins a function
    records = [machine.record(rtl) for rtl in rtls]
    text = "; ".join(_line(machine, rtl) for rtl in rtls)
    calls = "+" if any(rtl.call is not None for rtl in rtls) else ""  # what is called takes more
    yield (
        name, f"{len(records)}{calls}", f"{sum(record.size for record in records)}{calls}",
        f"{sum(record.latency for record in records)}{calls}", text if len(text) <= WIDTH else text[: WIDTH - 3] + "...",
    )  # fmt: skip


def _line(machine: Machine, rtl: Rtl) -> str:
    return " ".join(machine.record(rtl).assembly.split())
