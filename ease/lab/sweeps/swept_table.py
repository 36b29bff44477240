"""Sweeps from Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ease import Error, Frame, Machine, Progress, told
from ease.lab.experiments.suites import read_suite
from ease.lab.sweeps.axes import Axis, Choice, Configuration, Sweep, axis_of, axis_of_setting, checked, values_of
from ease.lab.sweeps.sweep_file import shown, systems
from ease.lab.sweeps.sweep_run import Swept, dask, local, run_sweep
from ease.lab.sweeps.sweep_table import FORMS, as_text, cells, front, rows

Values = Iterable[Any] | str


@dataclass(frozen=True)
class SweepResult:
    """What a sweep found: a row for each configuration and program, or sums over the programs."""

    swept: Swept = field(repr=False)

    @property
    def table(self) -> Frame:
        """A row for each configuration and program, with all that was measured."""
        return cells(self.swept)

    @property
    def totals(self) -> Frame:
        """A row for each configuration that all programs ran on, with sums over them."""
        sweep, found = self.swept.sweep, [row for row in rows(self.swept) if row.measures is not None]
        names = list(dict.fromkeys(name for row in found for name in row.measures or ()))
        body = tuple((*row.names, *((row.measures or {}).get(name) for name in names)) for row in found)
        return Frame((*(axis.name for axis in sweep.axes), *names), body)

    def pareto(self, *measures: str) -> Frame:
        """Return the configurations of which none is better in one of the measures without being worse in another."""
        best = front(self.swept, measures)
        axes = len(self.swept.sweep.axes)
        totals = self.totals
        return Frame(totals.columns, tuple(row for row in totals.rows if row[:axes] in best))

    @property
    def errors(self) -> dict[str, list[str]]:
        """The errors that there were, each with the points that it stopped."""
        return self.swept.errors

    def as_form(self, ending: str, pareto: Sequence[str] = ()) -> str | bytes:
        """Return the sweep as `ease sweep -o` writes it: '.csv', '.json', '.md', '.txt', '.svg', '.png'.

        With `pareto`, pictures are of its front.  Raises Error.
        """
        if ending not in FORMS:
            raise Error(f"a sweep has no form '{ending}' ({', '.join(filter(None, FORMS))})")
        with told():
            return FORMS[ending](replace(self.swept, sweep=replace(self.swept.sweep, pareto=tuple(pareto))))

    def __str__(self) -> str:
        return as_text(self.swept)

    def _repr_html_(self) -> str:
        """Return the sums for notebooks."""
        return self.totals._repr_html_()


def sweep(
    programs: str | Sequence[str],
    machines: Iterable[str | os.PathLike[str] | Machine] = ("",),
    *,
    set: Mapping[str, Values] | None = None,
    levels: Iterable[int | str] = (2,),
    caches: Iterable[str] = (),
    timing: bool = False,
    jobs: int | None = None,
    db: str | os.PathLike[str] | None = None,
    executor: str = "local",
    scheduler: str | None = None,
    quiet: bool = True,
) -> SweepResult:
    """Measure programs on every combination of machines, values of settings, levels and caches.

    A program is a C file with its arguments in one string, or a suite as samples/samples.json.  `set` has the values of each
    key, in a list or as a range such as "8..32..4"; `db` is the store that points are taken from and kept in.
    Raises Error.
    """
    on = [given if isinstance(given, Machine) else Machine(given) for given in machines]
    if not on:
        raise Error("which machines are to be measured?")
    with told():
        axes = [Axis("machine", tuple(Choice(machine.name, _fields(machine)) for machine in on))]
        axes.append(axis_of("level", "level", list(levels)))
        for key, values in (set or {}).items():
            try:
                listed = values_of(values) if isinstance(values, str) else list(values)
            except ValueError as error:
                raise Error(f"{key}: {error}") from None
            axes.append(axis_of_setting(key, list(map(shown, listed))))
        specs = [spec for word in caches for spec in systems(word)]
        if specs:
            axes.append(axis_of("cache", "cache", specs))
        words = [programs] if isinstance(programs, str) else list(programs)
        base = Configuration(on[0].origin, timing=timing)
        made = checked(Sweep(tuple(axes), tuple(read_suite(words)), base))
        processes = jobs or os.cpu_count() or 1
        where = dask(scheduler, processes) if executor == "dask" else local(processes)
        return SweepResult(run_sweep(made, where, None if db is None else os.fspath(db), Progress(quiet)))


def _fields(machine: Machine) -> tuple[tuple[str, Any], ...]:
    """Return what configurations say of a machine: its file, or its whole text if it was made in code."""
    if os.path.isfile(machine.origin) or not machine.origin.endswith((".yaml", ".yml")):
        return (("machine", machine.origin), ("sets", machine.settings))
    return (("machine", machine.name), ("description", machine.text))
