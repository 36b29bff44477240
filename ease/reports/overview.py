"""What people want to know first: totals, where the program spends them, and on which instructions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ease.model.results import Count, Line, Measurement, total
from ease.model.run_identity import is_library
from ease.reports.memory import MEMORIES
from ease.reports.over_time import MISSES_OVER_TIME, OVER_TIME
from ease.reports.parts import SAMPLES
from ease.reports.predictions import kinds_of, sites_of
from ease.reports.report import COUNT_HEADINGS, Row, Table, cells, in_order, number, percent
from ease.reports.sweeps import SWEEP_RATIOS

FEW = 8  # rows of a table, unless one asks for more
WIDEST = 60  # characters of a source line
TITLES = {"functions": "Functions", "lines": "Lines", "types": "Instruction types"}
HOTTEST = {"functions": "Hottest functions", "lines": "Hottest lines", "types": "Instruction types, most executed first"}
ORDERED = {"static": "largest first", "name": "by name"}
NOTHING: Mapping[str, str] = MappingProxyType({})


def overview(
    measurement: Measurement, sources: Mapping[str, str] = NOTHING, most: int | None = None, sort: str = ""
) -> list[tuple[str, Table]]:
    """Return the tables of the first screen, each with its title; those that would be empty are left out.

    `sources` has the text of files; `most`: rows of a table; `sort`: their order, of SORTS.
    """
    most = FEW if most is None else most
    titles = HOTTEST if sort in ("", "dynamic") else {name: f"{title}, {ORDERED[sort]}" for name, title in TITLES.items()}
    whole = measurement.characteristics.instructions
    types = [((name,), count) for name, count in measurement.characteristics.types.items()]
    made = [
        *([] if measurement.sampling is None else [(SAMPLES.title, SAMPLES.table(measurement.sampling))]),
        (_title(measurement), _totals(measurement)),
        *([] if measurement.spaces is None else [(MEMORIES.title, MEMORIES.table(measurement.spaces))]),
        (titles["functions"], _functions(measurement, whole, most, sort)),
        (titles["lines"], _lines(measurement, whole, sources, most, sort)),
        (titles["types"], _hottest(["instruction"], types, whole, most, sort, "types")),
    ]
    if measurement.sweep is not None:
        made.append((SWEEP_RATIOS.title, SWEEP_RATIOS.table(measurement.sweep)))
    if measurement.timeline is not None:
        made.append((OVER_TIME.title, OVER_TIME.table(measurement.timeline)))
    elif measurement.history is not None:
        made.append((MISSES_OVER_TIME.title, MISSES_OVER_TIME.table(measurement.history)))
    return [(title, table) for title, table in made if table.rows]


def _title(measurement: Measurement) -> str:
    """Return of what the sums are."""
    if measurement.sampling is not None:
        return "Totals of the samples"
    return "Totals" if measurement.exact else "At least"


def _totals(measurement: Measurement) -> Table:
    """Return the sums that are asked for most."""
    found = measurement.characteristics
    branches = found.conditional_branches()
    counts = {
        "instructions": found.instructions,
        "bytes of instructions": found.bytes(),
        "reads of memory": total(count for kind, count in found.references.items() if kind.direction == "read"),
        "writes of memory": total(count for kind, count in found.references.items() if kind.direction == "write"),
        "conditional branches": Count(branches.static, branches.dynamic),
    }
    rows = [[name, number(count.static), number(count.dynamic), ""] for name, count in counts.items() if count != Count()]
    if branches.dynamic:
        rows.append(["  taken", "", number(branches.taken), f"{percent(branches.taken, branches.dynamic)} % of them"])
    return Table(["", "static", "dynamic", ""], [*rows, *_simulated(measurement)])


def _simulated(measurement: Measurement) -> Iterator[list[str]]:
    """Yield the sums of what was simulated besides."""
    executed = measurement.characteristics.instructions.dynamic
    if measurement.timing is not None:
        cycles = measurement.timing.total
        yield ["cycles (an estimate)", "", number(cycles), f"{cycles / max(executed, 1):.2f} an instruction"]
    for cache in measurement.memory.results.caches if measurement.memory is not None else ():
        misses, accesses = cache.misses.total, cache.accesses.total
        yield [f"misses of {cache.cache.name}", "", number(misses), f"{percent(misses, accesses)} % of {number(accesses)}"]
    prediction = measurement.prediction
    for place, name in enumerate(prediction.predictors if prediction is not None else ()):
        assert prediction is not None
        sites = [site for kind in kinds_of(prediction, name) for site in sites_of(prediction, kind)]
        made, wrong = sum(site.executed for site in sites), sum(site.mispredicted[place] for site in sites)
        yield [f"mispredicted by {name}", "", number(wrong), f"{percent(wrong, made)} % of {number(made)}"]


def _functions(measurement: Measurement, whole: Count, most: int, sort: str) -> Table:
    """Return the functions with most instructions executed, those of the library in one row."""
    files = {} if measurement.program is None else {name: f.file for name, f in measurement.program.functions.items()}
    own, library = [], []
    for name, count in measurement.characteristics.functions.items():
        if name in files and is_library(files[name]):
            library.append(count)
        else:
            own.append(((name.removeprefix("_"),), count))
    return _hottest(["function"], own, whole, most, sort, "functions", _row(["(the library)"], library))


def _lines(measurement: Measurement, whole: Count, sources: Mapping[str, str], most: int, sort: str) -> Table:
    """Return the lines with most instructions executed, and what they say; those of the library are one row."""
    own, library = [], []
    for line, count in measurement.characteristics.lines.items():
        if is_library(line.file):
            library.append(count)
        else:
            own.append(((str(line), _text(line, sources)), count))
    table = _hottest(["line", ""], own, whole, most, sort, "lines", _row(["(the library)", ""], library))
    if any(row[1] for row in table.rows):
        return table
    drop = [[row[0], *row[2:]] for row in table.rows]
    return Table([table.headings[0], *table.headings[2:]], drop, [table.total[0], *table.total[2:]])


def _row(key: Sequence[str], counts: Sequence[Count]) -> list[Row]:
    return [(key, total(counts))] if counts else []


def _hottest(
    headings: Sequence[str], rows: Sequence[Row], whole: Count, most: int, sort: str, what: str, last: Sequence[Row] = ()
) -> Table:
    """Return a table of the first rows in an order, if any was executed; the others are one row, `last` stands behind all."""
    ordered = in_order(rows, sort or "dynamic")
    hot = [row for row in ordered if row[1].dynamic or sort in ORDERED]
    shown = hot[:most] if len(ordered) > most + 1 or len(hot) < len(ordered) - 1 else ordered
    blanks = [""] * (len(headings) - 1)
    others = [count for _, count in ordered[len(shown) :]]
    listed = [*shown, *_row([f"{len(others):,} other {what}", *blanks], others), *last]
    lines = [[*key, *cells(count, whole)] for key, count in listed]
    last_line = ["total", *blanks, *cells(whole, whole)]
    return Table([*headings, *COUNT_HEADINGS], lines if whole.dynamic else [], last_line, len(headings))


def _text(line: Line, sources: Mapping[str, str]) -> str:
    """Return what a source line says, if it is known; not more than fits on a screen."""
    lines = sources.get(line.file, "").splitlines()
    text = lines[line.number - 1].strip() if 0 < line.number <= len(lines) else ""
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
