"""How far the figures of a dossier can be relied on: programs that decided nothing, the compiler's noise, other processors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ease import TitledTable, mean_change
from ease.lab.dossier.facts import on
from ease.lab.dossier.sections import Section, Told, signed

PLAIN = "in order, no caches"  # the processor of all other sections


def beside(told: Told) -> Iterator[Section]:
    """Yield the sections that were asked for."""
    if told.asked.held_out:
        yield _held_out(told)
    if told.asked.orders:
        yield _noise(told)
    if told.asked.processors:
        yield _processors(told)


def _held_out(told: Told) -> Section:
    """Return what candidates save on programs that had no part in the verdict."""
    programs = [program.name for program in told.asked.held_out]
    rows = [["machine", "level", "program", *(f"{measure} %" for measure in told.measures)]]
    for name in told.candidates:
        for level in told.asked.levels:
            pairs = {measure: told.pairs(name, level, measure, told.base, programs) for measure in told.measures}
            for place, program in enumerate(programs):
                changes = [signed(mean_change([pairs[measure][place]])) for measure in told.measures]
                rows.append([name, f"-O{level}", program, *changes])
            means = [signed(mean_change(pairs[measure])) for measure in told.measures]
            rows.append([name, f"-O{level}", "geometric mean", *means])
    commands = [told.compared(program, told.asked.candidates[0], told.asked.levels[0]) for program in told.asked.held_out]
    note = "These decide nothing above.  Make a row again:\n" + "\n".join(commands)
    table = TitledTable("What candidates save on programs that were held out", rows, 3, note)
    return Section("Held-out programs", "", (("held-out", table),))


def _noise(told: Told) -> Section:
    """Return between what the changes lie if base and candidate are described in other orders."""
    rows = [["machine", "measure", "change %", "least", "most"]]
    rows += [[name, measure, *_band(told, name, measure)] for name in told.candidates for measure in told.measures]
    orders = told.asked.orders
    note = (
        f"Geometric means at -O{told.asked.levels[0]}.  The compiler makes free choices: base and candidate are described in"
        f" {orders} other order{'s' if orders != 1 else ''} each,\nand least and most are those of all pairs.  If 0 lies"
        f" between them, the change says nothing.\nMake it again: {told.command}"
    )
    return Section("Noise of the compiler", "", (("noise", TitledTable("Between what changes lie", rows, 2, note)),))


def _band(told: Told, name: str, measure: str, processor: str = "") -> list[str]:
    """Return a change with the least and the largest one."""
    level = told.asked.levels[0]
    change = told.change(on(name, processor), level, measure, on(told.base, processor))
    return [signed(change), *map(signed, told.band(name, measure, processor))]


def _processors(told: Told) -> Section:
    """Return what candidates save on each class of processor, with the noise where it is known."""
    rows = [["machine", "processor", "measure", "change %", *(("least", "most") if told.asked.orders else ())]]
    for name in told.candidates:
        for processor in ("", *told.asked.processors):
            for measure in _measures(told, processor):
                band = _band(told, name, measure, processor)
                rows.append([name, processor or PLAIN, measure, *(band if told.asked.orders else band[:1])])
    program, level = told.asked.programs[0], told.asked.levels[0]
    again = told.compared(program, told.asked.candidates[0], level, ["-timing", *told.asked.processors[0].split()])
    note = (
        f"Geometric means at -O{level}; programs without such events are left out.  Cycles are an estimate, in which"
        f" mispredictions take no time.\nMake a program's part again: {again}"
    )
    return Section("Processors", "", (("processors", TitledTable("What candidates save by processor", rows, 3, note)),))


def _measures(told: Told, processor: str) -> Sequence[str]:
    """Return what is counted on a processor that decides: cycles, misses, mispredictions."""
    totals = told.totals(on(told.base, processor), told.asked.levels[0], told.programs[0])
    return [name for name in totals if name == "cycles" or name.startswith("mis")]
