"""What a sweep found: as rows of a text, CSV, JSON and Markdown, and as pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ease import Frame, HeatMap, TitledTable, Verdict, as_png, mean_change, number, picture, verdict_over
from ease.lab.experiments.experiment import UNLIKE
from ease.lab.experiments.programs import Program
from ease.lab.sweeps.axes import MEASURES, OF_MACHINE
from ease.lab.sweeps.sweep_run import Swept
from vpo.base.errors import UserError

# ----------------------------------------------------------------------------------------------------------------------
# What a sweep found, as rows: a row for each configuration, with the sums over its programs; text, CSV, JSON, Markdown.


FORMAT = 1  # of the JSON form; changes when a key changes its meaning or goes away
FEW = 5  # errors that are shown


@dataclass(frozen=True, slots=True)
class Row:
    """A configuration: the names of its choices, and its measures, summed over programs; None if a program is missing."""

    names: tuple[str, ...]
    measures: Mapping[str, int] | None


def rows(swept: Swept, programs: Sequence[Program] = ()) -> list[Row]:
    """Return a row for each configuration, in the order of the axes: of all programs, or of some."""
    found = []
    for names, configuration in swept.sweep.configurations():
        parts = [swept.outcomes.get((configuration, program.name)) for program in programs or swept.sweep.programs]
        whole = [part.measures for part in parts if part is not None and not part.error]
        sums: dict[str, int] | None = None
        if len(whole) == len(parts):
            sums = {name: sum(part[name] for part in whole) for name in whole[0] if all(name in part for part in whole)}
            sums |= {name: whole[0][name] for name in OF_MACHINE if name in sums}
        found.append(Row(names, sums))
    return found


def measures_of(swept: Swept, wanted: Sequence[str] = ()) -> list[str]:
    """Return the measures to show: those that the sweep names, else the usual ones and the misses of caches.

    Raises UserError for one that was not measured.
    """
    known = list(dict.fromkeys(name for outcome in swept.outcomes.values() for name in outcome.measures))
    for name in (*wanted, *swept.sweep.measures):
        if known and name not in known:
            raise UserError([f"'{name}' was not measured (measured: {', '.join(known)})"])
    chosen = list(wanted or swept.sweep.measures)
    return chosen or [name for name in known if name in MEASURES or name.startswith("misses ")]


def front(swept: Swept, measures: Sequence[str]) -> set[tuple[str, ...]]:
    """Return the names of the configurations that no other is as good as in all measures and better than in one.

    Less is better.
    """
    points = {
        row.names: tuple(row.measures[name] for name in measures)
        for row in rows(swept) if row.measures is not None and all(name in row.measures for name in measures)
    }  # fmt: skip
    return {
        names for names, mine in points.items()
        if not any(all(map(int.__le__, other, mine)) and other != mine for other in points.values())
    }  # fmt: skip


def as_text(swept: Swept) -> str:
    """Return the verdict, and tables for people."""
    found = verdict(swept)
    return "\n".join([*([found.text] if found else []), "\n\n".join(map(str, tables(swept)))]) + "\n"


def verdict(swept: Swept) -> Verdict | None:
    """Return what the best configuration saves against the first one, by cycles if they are known; None without two."""
    found = {names: measures for names, measures in _by_program(swept).items() if len(measures) == len(swept.sweep.programs)}
    if len(found) < 2:
        return None
    (first, before), *others = found.items()
    measure = "cycles" if all("cycles" in part for parts in found.values() for part in parts) else "instructions"
    pairs = {
        names: {
            name: [(one[name], other[name]) for one, other in zip(before, after, strict=True)]
            for name in ("instructions", "cycles", "static bytes") if all(name in part for part in (*before, *after))
        }
        for names, after in others
    }  # fmt: skip
    best = min(pairs, key=lambda names: mean_change(pairs[names][measure]))
    notes = []
    if len(found) > 2:
        good = mean_change(pairs[best][measure]) < 0
        notes = [f"the fewest {measure} of {len(found):,} combinations" if good else f"no combination takes fewer {measure}"]
    levels = {str(configuration.level) for _, configuration in swept.sweep.configurations()}
    programs = [program.name for program in swept.sweep.programs]
    level = levels.pop() if len(levels) == 1 else ""
    found_best = verdict_over(_named(swept, best), pairs[best], programs, notes, level, _named(swept, first))
    return replace(found_best, unlike="\n".join(_unlike(swept)))


def _by_program(swept: Swept) -> dict[tuple[str, ...], list[Mapping[str, int]]]:
    """Return what was measured of each program in each configuration; those that failed are left out."""
    found: dict[tuple[str, ...], list[Mapping[str, int]]] = {}
    for names, configuration in swept.sweep.configurations():
        outcomes = [swept.outcomes.get((configuration, program.name)) for program in swept.sweep.programs]
        found[names] = [outcome.measures for outcome in outcomes if outcome is not None and not outcome.error]
    return found


def _named(swept: Swept, names: Sequence[str]) -> str:
    """Return the choices that make a configuration, as people say them."""
    sweep = swept.sweep
    chosen = [(sweep.axes[axis].name, names[axis]) for axis in sweep.varying]
    said = {"machine": "{}", "level": "-O{}", "conventions": "{}", "variants": "{}"}
    return " ".join(said.get(axis, f"{axis}={{}}").format(name) for axis, name in chosen)


def tables(swept: Swept) -> Iterator[TitledTable]:
    """Yield the table of configurations, with changes in per cent against the first one, and that of errors if there are."""
    sweep, names = swept.sweep, measures_of(swept)
    pareto = front(swept, sweep.pareto) if sweep.pareto else set()
    axes = sweep.varying or ([0] if sweep.axes else [])
    head = [*(sweep.axes[axis].name for axis in axes), *(cell for name in names for cell in (name, "%"))]
    body: list[list[str]] = []
    every = rows(swept)
    base = next((row.measures for row in every if row.measures is not None), None)
    for row in every:
        mark = [" *" if row.names in pareto else ""] if pareto else []
        cells = [cell for name in names for cell in _cells(row.measures, base, name)]
        body.append([*(row.names[axis] for axis in axes), *cells, *mark])
    head += [""] if pareto else []
    if not swept.outcomes:
        body = []
    yield TitledTable(_title(swept), [head, *body], keys=len(axes), note="\n".join(_notes(swept)))
    if swept.errors:
        listed = list(swept.errors.items())
        lines = [[f"{len(points):,}", points[0], error] for error, points in listed[:FEW]]
        rest = [["", "", f"{len(listed) - FEW:,} other errors"]] if len(listed) > FEW else []
        yield TitledTable("Points that failed", [["points", "first of them", "error"], *lines, *rest], keys=3)


def _cells(measures: Mapping[str, int] | None, base: Mapping[str, int] | None, name: str) -> list[str]:
    if measures is None or name not in measures:
        return ["-", "-"]
    if base is None or not base.get(name):
        return [number(measures[name]), "-"]
    return [number(measures[name]), f"{100 * (measures[name] - base[name]) / base[name]:+.2f}"]


def _title(swept: Swept) -> str:
    sweep = swept.sweep
    fixed = [axis.choices[0].name for number, axis in enumerate(sweep.axes) if number not in sweep.varying]
    programs = ", ".join(program.name for program in sweep.programs)
    return " ".join([f"{sweep.name}: {programs}", *(f"({', '.join(fixed)})" for _ in fixed[:1])])


def _notes(swept: Swept) -> Iterator[str]:
    """Yield what readers of the table have to know."""
    if swept.interrupted or len(swept.outcomes) < swept.sweep.points:
        yield (
            f"cut short: {len(swept.outcomes):,} of {swept.sweep.points:,} points were measured;"
            " the same command goes on from there"
        )
    if swept.sweep.pareto:
        yield f"* nothing has less {' or '.join(swept.sweep.pareto)} without more of another"
    yield from _unlike(swept)


def _unlike(swept: Swept) -> Iterator[str]:
    """Yield which programs do not do the same: their numbers are not to be compared."""
    for name in swept.unlike:
        yield UNLIKE.format(name)


def as_json(swept: Swept) -> str:
    """Return all numbers, by configuration and program, as JSON."""
    sweep = swept.sweep
    points = []
    for names, configuration in sweep.configurations():
        for program in sweep.programs:
            outcome = swept.outcomes.get((configuration, program.name))
            if outcome is not None:
                point: dict[str, object] = dict(zip((axis.name for axis in sweep.axes), names, strict=True))
                result = {"error": outcome.error} if outcome.error else {"measures": dict(outcome.measures)}
                points.append({"choices": point, "program": program.name, "exit_status": outcome.status, **result})
    whole = {
        "format": FORMAT, "sweep": sweep.name, "axes": {axis.name: [c.name for c in axis.choices] for axis in sweep.axes},
        "programs": [program.name for program in sweep.programs], "complete": len(swept.outcomes) == sweep.points,
        "points": points,
    }  # fmt: skip
    if sweep.pareto:
        best = front(swept, sweep.pareto)
        choices = [list(row.names) for row in rows(swept) if row.names in best]
        whole["pareto"] = {"measures": list(sweep.pareto), "choices": choices}
    return json.dumps(whole, indent=2) + "\n"


def as_csv(swept: Swept) -> str:
    """Return a row for each configuration and program, with all that was measured, as CSV."""
    return cells(swept).to_csv()


def cells(swept: Swept) -> Frame:
    """Return a row for each point that was measured: its choices, its program, its measures."""
    sweep = swept.sweep
    names = list(dict.fromkeys(name for outcome in swept.outcomes.values() for name in outcome.measures))
    body: list[tuple[str | int | None, ...]] = []
    for choices, configuration in sweep.configurations():
        for program in sweep.programs:
            outcome = swept.outcomes.get((configuration, program.name))
            if outcome is not None and not outcome.error:
                body.append((*choices, program.name, *(outcome.measures.get(name) for name in names)))
    return Frame((*(axis.name for axis in sweep.axes), "program", *names), tuple(body))


def as_markdown(swept: Swept) -> str:
    """Return the tables for pull requests."""
    found = verdict(swept)
    told = [f"**{sentence}**\n" for sentence in found.sentences] if found else []
    return "\n".join([*told, *(table.markdown() for table in tables(swept))])


# ----------------------------------------------------------------------------------------------------------------------
# Pictures of sweeps: a heat map of the changes of the first measure, or, with a Pareto front, the points of two measures.


WIDTH, HEIGHT = 640, 420
LEFT, RIGHT, TOP, BOTTOM = 90, 110, 30, 40
LINES = 5  # across, and up
MARGIN = 0.05  # beyond the points, as a part of where they lie


def as_svg(swept: Swept) -> str:
    """Return the picture of a sweep.

    Raises UserError if there is nothing in it.
    """
    if not any(row.measures for row in rows(swept)):
        raise UserError(["there is nothing to draw: no configuration has all its programs"])
    return _scatter(swept) if swept.sweep.pareto else picture(heat_map(swept, measures_of(swept)[0]))


def heat_map(swept: Swept, measure: str) -> HeatMap:
    """Return the changes of a measure against the first configuration: the last axis across.

    Down are the other axes, each row summed over the programs; without others, the programs, and then their sum.
    """
    sweep = swept.sweep
    *down, across = sweep.varying or [0]
    count = len(sweep.programs)
    every = f"all {count:,} programs" if count > 1 else sweep.programs[0].name
    if down:
        lines = _by_axes(swept, down, measure)
        below = f", down: {', '.join(sweep.axes[axis].name for axis in down)}; {every}"
    else:
        lines = {program.name: _changes(rows(swept, [program]), measure) for program in sweep.programs}
        lines |= {every: _changes(rows(swept), measure)}
        below = ""
    title = f"{measure}: change in per cent; across: {sweep.axes[across].name}{below}"
    return HeatMap(title, list(lines), [choice.name for choice in sweep.axes[across].choices], list(lines.values()))


def _by_axes(swept: Swept, down: Sequence[int], measure: str) -> dict[str, list[float]]:
    """Return the changes in each row of a heat map, by the names of its choices."""
    found: dict[str, list[float]] = {}
    every = rows(swept)
    for row, change in zip(every, _changes(every, measure), strict=True):
        found.setdefault(" ".join(row.names[axis] for axis in down), []).append(change)
    return found


def _changes(found: Sequence[Row], measure: str) -> list[float]:
    """Return by how much a measure differs in each row from the first that has it, as a part of it; NaN: not measured."""
    values = [float("nan") if row.measures is None else row.measures.get(measure, float("nan")) for row in found]
    base = next((value for value in values if value == value), 0)
    return [(value - base) / base if base else value * 0 for value in values]


@dataclass(frozen=True, slots=True)
class _Dot:
    x: float
    y: float
    name: str
    values: str
    best: bool


def _scatter(swept: Swept) -> str:
    """Return a configuration as a dot each, with the front as a line, over the first two measures of the front."""
    import jinja2

    measures = (*swept.sweep.pareto, "instructions")[:2]
    best = front(swept, swept.sweep.pareto)
    found = [(row.names, row.measures) for row in rows(swept) if row.measures is not None]
    scales = [_Scale.over(name, [values for _, values in found]) for name in measures]
    dots = []
    for names, values in sorted(found, key=lambda item: item[1][measures[0]]):
        x = LEFT + (WIDTH - LEFT - RIGHT) * scales[0].share(values[measures[0]])
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * scales[1].share(values[measures[1]])
        name = " ".join(names[axis] for axis in swept.sweep.varying)
        dots.append(_Dot(round(x, 1), round(y, 1), name, f"{values[measures[0]]:,}, {values[measures[1]]:,}", names in best))
    template = Path(__file__).with_name("scatter.svg.j2").read_text()
    made = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined).from_string(template)
    return str(made.render(
        title=f"{swept.sweep.name}: {measures[0]} and {measures[1]}", names=measures, dots=dots, width=WIDTH, height=HEIGHT,
        left=LEFT, right=RIGHT, top=TOP, bottom=BOTTOM,
        across=[(round(LEFT + (WIDTH - LEFT - RIGHT) * part, 1), text) for part, text in scales[0].lines()],
        up=[(round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part, 1), text) for part, text in scales[1].lines()],
    ))  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Scale:
    """The values from one end of an axis to the other."""

    low: float
    high: float

    @staticmethod
    def over(measure: str, found: Sequence[Mapping[str, int]]) -> _Scale:
        """Return a scale on which all values are, with room around them."""
        values = [point[measure] for point in found]
        low, high = min(values), max(values)
        room = max((high - low) * MARGIN, high * MARGIN / 10, 1)
        return _Scale(low - room, high + room)

    def share(self, value: float) -> float:
        """Return where a value is: 0 at the low end, 1 at the high one."""
        return (value - self.low) / (self.high - self.low)

    def lines(self) -> list[tuple[float, str]]:
        """Return lines with their values."""
        parts = [number / LINES for number in range(LINES + 1)]
        return [(part, f"{self.low + part * (self.high - self.low):,.0f}") for part in parts]


# ----------------------------------------------------------------------------------------------------------------------
# The forms of what a sweep found, by the endings of files.


FORMS: dict[str, Callable[[Swept], str | bytes]] = {
    ".txt": as_text, "": as_text, ".md": as_markdown, ".csv": as_csv, ".json": as_json, ".svg": as_svg,
    ".png": lambda swept: as_png(as_svg(swept)),
}  # fmt: skip
