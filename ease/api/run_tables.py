"""The tables of a measurement, with numbers in their columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any

from ease.api.frame import Frame, Row
from ease.model.kept_run import KeptRun
from ease.model.results import Count, Measurement, project
from ease.model.static_kinds import StaticProgram

COUNTS = ("static", "dynamic")
REFERENCE = ("direction", "cause", "type", "mode", "group")


INSTRUCTION = (
    "function", "file", "line", "position", "instruction", "cause", "size", "latency", "assembly", "rtl",
)  # fmt: skip


def instructions_of(program: StaticProgram, texts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int, Row]]:
    """Yield the function, the position and the row of each instruction of a program; parts of others are left out.

    `texts` has the RTL and the assembly of each kind.
    """
    for name, function in program.functions.items():
        for position, (number, line) in enumerate(zip(function.kinds, function.lines, strict=True)):
            kind = program.kinds[number]
            if kind.counted:
                rtl, assembly = texts[number]
                yield name, position, (
                    name.removeprefix("_"), function.file, line, position, kind.instruction, kind.cause, kind.size,
                    kind.latency, assembly, rtl,
                )  # fmt: skip


def executed(run: KeptRun) -> Frame:
    """Return a row for each instruction of a program, with how often it was executed."""
    program, counts = run.measurement.program, run.measurement.counts
    assert program is not None
    assert counts is not None
    rows = ((*row, counts.rtls[name][position]) for name, position, row in instructions_of(program, run.texts))
    return Frame((*INSTRUCTION, "executed"), tuple(rows))


def _counted(columns: tuple[str, ...], counts: Iterable[tuple[tuple[Any, ...], Count]]) -> Frame:
    """Return a table of counts, the largest first."""
    rows = tuple((*key, count.static, count.dynamic) for key, count in counts)
    return Frame((*columns, *COUNTS), rows).sort("static").sort("dynamic")


def _simple(column: str, table: Mapping[Any, Count]) -> Frame:
    return _counted((column,), (((key,), count) for key, count in table.items()))


def _causes(m: Measurement) -> Frame:
    """Return executed instructions by cause."""
    assert m.program is not None
    assert m.counts is not None
    found: dict[str, Count] = {}
    for name, function in m.program.functions.items():
        for number, times in zip(function.kinds, m.counts.rtls[name], strict=True):
            kind = m.program.kinds[number]
            if kind.counted:
                found[kind.cause] = found.get(kind.cause, Count()) + Count(1, times)
    return _simple("cause", found)


def _blocks(m: Measurement) -> Frame:
    """Return the blocks that have instructions: how many each has, and how many were executed in it."""
    assert m.program is not None
    assert m.counts is not None
    rows: list[Row] = []
    for name, function in m.program.functions.items():
        counted = [m.program.kinds[kind].counted for kind in function.kinds]
        for number, (start, end) in enumerate(zip(function.blocks, (*function.blocks[1:], len(counted)), strict=True)):
            if any(counted[start:end]):
                dynamic = sum(compress(m.counts.rtls[name][start:end], counted[start:end]))
                place = name.removeprefix("_"), function.file, function.lines[start], number
                rows.append((*place, sum(counted[start:end]), dynamic))
    return Frame(("function", "file", "line", "block", *COUNTS), tuple(rows)).sort("dynamic")


def _branches(m: Measurement) -> Frame:
    rows = ((name, n.static, n.dynamic, n.taken) for name, n in m.characteristics.branches.items())
    return Frame(("branch", *COUNTS, "taken"), tuple(rows)).sort("dynamic")


def _cycles(m: Measurement) -> Frame | None:
    if m.timing is None:
        return None
    rows = ((s.cause, s.function, s.line.file, s.line.number, number) for s, number in m.timing.cycles.items())
    return Frame(("cause", "function", "file", "line", "cycles"), tuple(rows)).sort("cycles")


def _caches(m: Measurement) -> Frame | None:
    if m.memory is None:
        return None
    rows = ((found.cache.name, found.accesses.total, found.misses.total) for found in m.memory.results.caches)
    return Frame(("cache", "accesses", "misses"), tuple(rows))


def _misses(m: Measurement) -> Frame | None:
    if m.memory is None:
        return None
    caches = [found.cache.name for found in m.memory.results.caches]
    rows = (
        (
            site.function, site.line.file, site.line.number, site.instruction, kind.direction, kind.cause, kind.type,
            kind.mode, kind.group, found.executed, *found.misses,
        )
        for site, found in m.memory.sites.items() for kind in (site.kind,)
    )  # fmt: skip
    columns = ("function", "file", "line", "instruction", *REFERENCE, "executed", *(f"misses of {name}" for name in caches))
    return Frame(columns, tuple(rows)).sort(columns[10])


def _over_time(m: Measurement) -> Frame | None:
    if m.timeline is None:
        return None
    figures = m.timeline.figures
    rows = zip(m.timeline.ends, *(each.values() for each in figures), strict=True)
    return Frame(("up to", *(each.name for each in figures)), tuple(rows))


def _samples(m: Measurement) -> Frame | None:
    if m.sampling is None:
        return None
    rows = ((each.name, each.value, each.half) for each in m.sampling.estimates)
    return Frame(("what", "estimate", "half width"), tuple(rows))


def _attribution(m: Measurement) -> Frame | None:
    if m.attribution is None:
        return None
    found, figures = m.attribution, m.attribution.figures
    columns = (found.by, "instructions", *(each.name for each in figures))
    return Frame(columns, tuple(zip(found.names, found.instructions, *(each.values() for each in figures), strict=True)))


# By name: the table of a measurement, None if that was not measured.
TABLES: dict[str, Callable[[Measurement], Frame | None]] = {
    "lines": lambda m: _counted(
        ("file", "line"), (((line.file, line.number), n) for line, n in m.characteristics.lines.items())
    ),
    "functions": lambda m: _simple(
        "function", {name.removeprefix("_"): n for name, n in m.characteristics.functions.items()}
    ),
    "types": lambda m: _simple("instruction", m.characteristics.types),
    "causes": _causes,
    "references": lambda m: _counted(
        REFERENCE,
        (((r.direction, r.cause, r.type, r.mode, r.group), n) for r, n in m.characteristics.references.items()),
    ),
    "operands": lambda m: _counted(
        ("instruction", "field", "mode", "type"),
        (((o.instruction, o.field, o.mode, o.type), n) for o, n in m.characteristics.operands.items()),
    ),
    "addressing modes": lambda m: _simple("mode", m.characteristics.addressing_modes()),
    "registers": lambda m: _counted(
        ("register", "direction"), (((a.register, a.direction), n) for a, n in m.characteristics.registers.items())
    ),
    "blocks": _blocks,
    "sizes": lambda m: _simple("bytes", m.characteristics.sizes),
    "branches": _branches,
    "reference groups": lambda m: _simple("group", project(m.characteristics.references, lambda r: r.group)),
    "cycles": _cycles,
    "caches": _caches,
    "misses": _misses,
    "over time": _over_time,
    "samples": _samples,
    "attribution": _attribution,
}  # fmt: skip
