"""`ease machine explain M RTL`: which instruction an RTL is, what else it could be, or how the machine does what it says."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from ease.reports.report import aligned
from vpo.base.errors import CannotExpress
from vpo.lower.legalize import Legalizer
from vpo.machines.advice.examples import NearMatches
from vpo.machines.machine import Effects, Machine
from vpo.machines.match.record import Record
from vpo.rtl import Branch, Rtl, Set
from vpo.rtl.function import Function
from vpo.text import TextError, parse_effects, show, show_effects

NEAR = 5  # instructions that an RTL nearly is, of which the reasons are told
FIRST_REGISTER = 0  # the number of the first pseudo-register in what an RTL is made of


def explain(machine: Machine, text: str) -> int:
    """Print what is known of an RTL; exit status 1 if it is none, or none that the machine can do."""
    try:
        effects = parse_effects(text if text.rstrip().endswith(";") else text + ";", machine.cells)
    except TextError as error:
        print(f"ease machine explain: {error}", file=sys.stderr)
        return 1
    records = machine.forms_of(effects)
    if records:
        print("\n".join(_instruction(machine, effects, records)))
        return 0
    print(f"{show_effects(effects)} is no instruction of {machine.name}")
    print("".join(f"{line}\n" for line in _nearly(machine, effects)), end="")
    made = _made_of(machine, effects)
    print("\n".join(made or ["The compiler knows no way to do it."]))
    return 0 if made else 1


def _instruction(machine: Machine, effects: Effects, records: list[Record]) -> Iterator[str]:
    """Yield the lines about an RTL that is an instruction, perhaps of several forms."""
    rtl, first = Rtl(effects), records[0]
    yield f"{show_effects(effects)} is {first.name} of {machine.name}"
    yield ""
    yield f"  {_one_line(first)}"
    yield f"  {_costs(first)}"
    yield from (f"  {line}" for line in aligned([[field.name, field.text, field.mode] for field in first.fields], 3))
    alternative = machine.recognizer.alternatives[first.alternative]
    yield f"  form      {alternative.text}"
    if alternative.encoding:
        yield f"  encoding  {' '.join(f'{name}:{bits}' for name, bits in alternative.encoding.items())}"
    for what, registers in (("reads", rtl.uses), ("sets", rtl.sets), ("clobbers", first.clobbers)):
        if registers:
            yield f"  {what:<9} {', '.join(sorted(map(show, registers)))}"
    for other in records[1:]:
        yield f"  or        {other.name}: {_one_line(other)}, {_costs(other)}"


def _one_line(record: Record) -> str:
    return " ".join(record.assembly.split())


def _costs(record: Record) -> str:
    slots = f", {record.slots} delay slot{'s' if record.slots != 1 else ''}" if record.slots else ""
    reach = f", reaches {record.reach[0]:,} to {record.reach[1]:,} bytes" if record.reach else ""
    return f"{record.size} bytes, latency {record.latency}{slots}{reach}"


def _nearly(machine: Machine, effects: Effects) -> Iterator[str]:
    """Yield which instructions have the shape of an RTL, and what keeps it from being one of them."""
    names = dict.fromkeys(alternative.name for alternative in machine.recognizer.alternatives)
    near = [(name, NearMatches(machine.recognizer, name).problems(effects)) for name in names]
    found = sorted(((name, problems) for name, problems in near if problems), key=lambda pair: len(pair[1]))
    for name, problems in found[:NEAR]:
        yield f"  not {name}: {'; '.join(problems)}"


def _made_of(machine: Machine, effects: Effects) -> list[str]:
    """Return how the expander does what an RTL with one effect says; nothing if it cannot."""
    if len(effects) != 1 or not isinstance(effects[0], Set | Branch):
        return []
    legalizer = Legalizer(machine, Function("_", "", FIRST_REGISTER, False))
    try:
        legalizer.emit(effects[0])
    except CannotExpress:
        return []
    records = [machine.record(rtl) for rtl in legalizer.out]
    rows = [[show_effects(rtl.effects), _one_line(record)] for rtl, record in zip(legalizer.out, records, strict=True)]
    bytes_, latency = sum(record.size for record in records), sum(record.latency for record in records)
    number = f"{len(rows)} instructions" if len(rows) != 1 else "this instruction"
    head = f"Before all phases the compiler writes {number} instead ({bytes_} bytes, latencies {latency}):"
    return [head, *(f"  {line}" for line in aligned(rows, 2))]
