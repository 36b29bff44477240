"""Runs: what a measurement says, as tables and reports; kept runs, and other values that are kept beside them."""

from __future__ import annotations

import html
import json
import os
import shlex
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ease.api.errors import Error, told
from ease.api.frame import Frame, shown
from ease.api.run_tables import TABLES, executed
from ease.comparison.comparison import totals_of
from ease.model.kept_run import KeptRun, keep
from ease.model.results import Counts, Measurement

if TYPE_CHECKING:
    from ease.api.programs import Program

TOP = 10  # lines of a run that is displayed
MANY = 500  # keys in a question


class Run:
    """A run of a program on a machine: what was executed, how often, where and why.

    `measurement` is everything that was measured; `output` and `errors` are what the program wrote, empty for runs out of a
    store; `program` is the program that ran, None for those; `seconds` is the processor's time of its own code, measuring
    included, None for those.
    """

    def __init__(
        self, measurement: Measurement, output: bytes = b"", errors: bytes = b"", program: Program | None = None,
        kept: KeptRun | None = None, seconds: float | None = None,
    ) -> None:  # fmt: skip
        """Take what was measured, with the program that ran or with what was kept of the run."""
        self.seconds = seconds
        self.measurement, self.output, self.errors, self.program, self._kept = measurement, output, errors, program, kept

    @cached_property
    def kept(self) -> KeptRun:
        """What a store keeps of the run: with it the text of the program, of its sources and of the machine."""
        if self._kept is not None:
            return self._kept
        assert self.program is not None
        return keep(self.measurement, self.program.linked, self.program.description, self.program.sources)

    @property
    def counts(self) -> Counts:
        """How often each RTL was executed and each branch taken: `run.counts.rtls["_main"]` is in the order of the code."""
        assert self.measurement.counts is not None
        return self.measurement.counts

    @property
    def machine(self) -> str:
        """The name of the machine."""
        return self.measurement.machine

    @property
    def exit_status(self) -> int:
        """What the program returned."""
        return self.measurement.exit_status

    @property
    def fault(self) -> str:
        """What ended a run that was cut short; empty for a whole run."""
        return self.measurement.fault

    @property
    def command(self) -> str:
        """The command that measures the same."""
        return self.measurement.identity.command if self.measurement.identity is not None else ""

    @property
    def totals(self) -> dict[str, int]:
        """The totals by name: instructions, references, bytes fetched, static instructions, static bytes.

        If they were measured also cycles, the misses of each cache, what each predictor mispredicted.
        """
        return totals_of(self.measurement)

    @property
    def instructions(self) -> int:
        """The number of executed instructions."""
        return self.measurement.characteristics.instructions.dynamic

    @property
    def references(self) -> int:
        """The number of references to data in memory."""
        return self.totals["references"]

    @property
    def size(self) -> int:
        """The bytes of code."""
        return self.totals["static bytes"]

    @property
    def cycles(self) -> int | None:
        """The estimated cycles, None if they were not estimated."""
        return self.totals.get("cycles")

    @property
    def executed(self) -> Frame:
        """All instructions of the program, each with how often it was executed."""
        return executed(self.kept)

    @property
    def tables(self) -> list[str]:
        """The names of the tables that there are of this run."""
        return [name for name, made in TABLES.items() if made(self.measurement) is not None]

    def table(self, name: str) -> Frame:
        """Return a table by its name: `lines`, `functions`, `types`, `causes`, ...; the largest counts first.

        Raises Error for a table that there is not.
        """
        found = TABLES[name](self.measurement) if name in TABLES else None
        if found is None:
            raise Error(f"there is no table '{name}' of this run (tables: {', '.join(self.tables)})")
        return found

    @property
    def tools(self) -> dict[str, list[Frame]]:
        """The tables of each tool, in its order."""
        made = self.measurement.tools or {}
        return {
            name: [Frame(tuple(table.columns), tuple(map(tuple, table.rows))) for table in tables]
            for name, tables in made.items()
        }

    @property
    def lines(self) -> Frame:
        """Source lines and how many instructions were executed for each."""
        return self.table("lines")

    @property
    def functions(self) -> Frame:
        """Functions and how many instructions each executed."""
        return self.table("functions")

    def why_not(self, name: str, least: int = 1) -> Frame:
        """Return the places where an instruction nearly is, those executed most first, with the reason why it is not.

        Places that are executed less than `least` times are left out.

        Raises Error for an instruction that there is not, and for a run out of a store.
        """
        from ease.comparison.why_not import check_instruction, misses

        if self.program is None:
            raise Error("a run out of a store has no program that could be asked why: measure it again")
        with told():
            check_instruction(self.program.linked.machine, name)
        found = [m for m in misses(self.program.linked, name, self.counts.rtls, least) if m.count >= max(1, least)]
        rows = ((m.function.name.removeprefix("_"), m.function.file, m.rtls[-1].lines[0], m.count, m.reason) for m in found)
        return Frame(("function", "file", "line", "executed", "reason"), tuple(rows))

    def report(self, *names: str, top: int | None = None, sort: str = "") -> str:
        """Return reports as text, an overview if none is named; `easecc -show help` lists the names.

        `sort`: the order of rows: dynamic, static or name.  Raises Error for a report or an order that there is not.
        """
        from ease.reports import check_asked
        from ease.reports.render import render

        with told():
            check_asked(names, sort)
        return render(self.measurement, ".txt", names or None, top, self.kept.sources, sort)

    def write(self, file: str | os.PathLike[str]) -> None:
        """Write the run to a file in the form that its ending says, as `easecc -report` does.

        Raises Error.
        """
        from ease.base.files import write_atomically
        from ease.exports.forms import FORMS, render_run
        from ease.reports.render import SUFFIXES, render_file

        suffix = Path(file).suffix.lower()
        if suffix not in (*FORMS, *SUFFIXES):
            raise Error(f"{file}: there are no reports in '{suffix}' ({', '.join(filter(None, (*SUFFIXES, *FORMS)))})")
        with told():
            text = render_run(self.kept, suffix) if suffix in FORMS else render_file(self.measurement, suffix)
            write_atomically(os.fspath(file), text)

    def save(self, db: str | os.PathLike[str] = "measurements.ease") -> int:
        """Keep the run in a store; returns its number there.

        Raises Error.
        """
        from ease.store.database import writing
        from ease.store.saving import save

        if self.measurement.sampling is not None:
            raise Error("what samples tell is not kept in a store")
        with told(), writing(os.fspath(db)) as connection:
            return save(connection, self.kept)

    def __repr__(self) -> str:
        numbers = ", ".join(f"{number:,} {name}" for name, number in self.totals.items())
        return f"<Run of {self.command}: {numbers}{f' (cut short: {self.fault})' if self.fault else ''}>"

    def _repr_html_(self) -> str:
        """Return the totals and the hottest lines for notebooks."""
        cut = f"<p><b>cut short: {html.escape(self.fault)}</b></p>" if self.fault else ""
        totals = "".join(
            f'<tr><td>{name}</td><td style="text-align: right">{shown(n)}</td></tr>' for name, n in self.totals.items()
        )
        head = f"<p><code>{html.escape(self.command)}</code></p>{cut}<table>{totals}</table>"
        return f"{head}<p>Hottest lines</p>{self.lines.head(TOP)._repr_html_()}"


def load(run: int = -1, db: str | os.PathLike[str] = "measurements.ease") -> Run:
    """Return a run that is kept in a store, the last one if no number is given.

    Raises Error.
    """
    from ease.store.database import StoreError, reading
    from ease.store.loading import entries, load_run

    with told(), reading(os.fspath(db)) as connection:
        known = [entry.number for entry in entries(connection)]
        if run < 0 and -run <= len(known):
            run = known[run]
        if run not in known:
            raise StoreError(f"{db}: there is no run {run} (runs: {shlex.join(map(str, known))})")
        kept = load_run(connection, run)
        return Run(kept.measurement, kept=kept)


class Store:
    """A store: a file in which values of a script are kept under keys, beside the runs that `Run.save` keeps there.

    Values are what JSON can say.  The file is made if need be.  Raises Error.
    """

    def __init__(self, db: str | os.PathLike[str] = "measurements.ease") -> None:
        from ease.store.database import writing

        self.file = os.fspath(db)
        with told(), writing(self.file):
            pass

    def values(self, keys: Iterable[str]) -> dict[str, Any]:
        """Return the values that are kept, by those of the keys that have one."""
        from ease.store.database import reading

        wanted = list(keys)
        found: dict[str, Any] = {}
        with told(), reading(self.file) as connection:
            for first in range(0, len(wanted), MANY):
                part = wanted[first : first + MANY]
                marks = ", ".join("?" * len(part))
                found.update(connection.execute(f"SELECT key, content FROM point WHERE key IN ({marks})", part))
        return {key: json.loads(content) for key, content in found.items()}

    def keep(self, key: str, value: Any, about: str = "") -> None:
        """Keep a value in place of what was kept under the key; `about` says in words what it is."""
        from ease.store.database import writing

        time = datetime.now(UTC).isoformat(timespec="seconds")
        with told(), writing(self.file) as connection:
            row = (key, time, about, json.dumps(value))
            connection.execute("INSERT OR REPLACE INTO point VALUES (?, ?, ?, ?)", row)
