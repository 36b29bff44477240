"""Show classes as tables and as JSON: by function and loop, and for each line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ease import Program, TitledTable, number, percent
from ease.lab.static_cache.classes import Analysis, Kind, Line
from ease.lab.static_cache.confirm import Broken, Confirmation, outcomes_of
from ease.lab.static_cache.graph import Loop
from ease.lab.static_cache.states import Called, Scope
from vpo.rtl import Rtl
from vpo.rtl.function import Function
from vpo.text import show

SWITCHES = (
    "with context switches, 'always hit' and 'first miss' may miss once more for each of them; 'always miss' and 'conflict'"
    " stay what they are"
)
NUMBERS = ("accesses", "hits", "misses")


class Listing:
    """The tables of an analysis; with a `confirmation`, they show what a run observed."""

    def __init__(self, analysis: Analysis, confirmation: Confirmation | None = None) -> None:
        self.analysis, self.confirmation = analysis, confirmation
        program = analysis.program
        self.program, self.rtls = program, {name: function.rtls() for name, function in program.functions.items()}
        self.files = dict(zip(program.functions, Program(program).functions["file"], strict=True))

    def _place(self, site: int) -> tuple[Function, int, Rtl]:
        """Return the function, the address and the RTL of a site."""
        function, index = self.program.place(site)
        return function, self.program.addresses[function.name][index], self.rtls[function.name][index]

    def references(self, names: Iterable[str]) -> list[TitledTable]:
        """Return a table of the lines that some functions fetch."""
        return [self._function(name) for name in names]

    def _function(self, name: str) -> TitledTable:
        head = ["address", "line", "loop", "instructions", "class", "", "instruction"]
        rows = [head[:-1] + ["executed", "misses"] * (self.confirmation is not None) + head[-1:]]
        rows += [self._row(line) for line in self.analysis.lines if line.function == name]
        return TitledTable(f"{name.removeprefix('_')} ({self.files[name]})", rows, keys=len(rows[0]))

    def _row(self, line: Line) -> list[str]:
        _, address, rtl = self._place(line.run.site)
        row = [f"{address:#010x}", _source(rtl), _path(line.loops), str(len(line.run.sites)), str(line.outcome.kind)]
        row.append(", ".join(map(self.scope, line.outcome.scopes)))
        if self.confirmation is not None:
            row.append(number(self.confirmation.executed[line.run.site]))
            row.append(number(self.confirmation.missed.get(line.run.site, 0)))
        return [*row, _text(rtl)]

    def scope(self, scope: Scope) -> str:
        """Return the name of the scopes in which a line misses at most once."""
        match scope:
            case Called(site=site):
                function, _, rtl = self._place(site)
                return f"once a call at {function.name.removeprefix('_')}:{_source(rtl)}"
            case Loop():
                return f"once a run of the loop {scope.function.removeprefix('_')}:{scope.source or '-'}"
        return "once"

    def summary(self) -> TitledTable:
        """Return a table that counts references (instructions times lines) by function and innermost loop."""
        rows = [["function", "loop", *Kind]]
        by_loop = self._by_loop()
        for (name, loops), found in by_loop.items():
            rows.append([name, loops, *(number(found[kind]) for kind in Kind)])
        totals = [sum(found[kind] for found in by_loop.values()) for kind in Kind]
        rows.append(["total", "", *map(number, totals)])
        return TitledTable("Lines fetched by instructions, by class", rows, keys=2)

    def _by_loop(self) -> dict[tuple[str, str], dict[Kind, int]]:
        found: dict[tuple[str, str], dict[Kind, int]] = {}
        for line in self.analysis.lines:
            kinds = found.setdefault((line.function.removeprefix("_"), _path(line.loops)), dict.fromkeys(Kind, 0))
            never = line.outcome.kind == Kind.NEVER
            kinds[line.outcome.kind] += 1
            kinds[Kind.NEVER if never else Kind.HIT] += len(line.run.sites) - 1
        return found

    def observed(self) -> TitledTable:
        """Return a table of what a run observed of each class."""
        assert self.confirmation is not None
        rows = [["class", "accesses", "hits", "misses", "hit ratio"]]
        for kind, seen in self.confirmation.kinds.items():
            cells = (number(seen.accesses), number(seen.hits), number(seen.misses))
            rows.append([kind, *cells, percent(seen.hits, seen.accesses)])
        note = "misses of an instruction in two lines are laid to the surer class"
        return TitledTable("What a run made of them", rows, note=note)

    def message(self, broken: Broken) -> str:
        """Return a message about an instruction that broke a promise."""
        function, address, rtl = self._place(broken.site)
        kinds = ", ".join(f"'{outcome.kind}'" for outcome in outcomes_of(self.analysis)[broken.site])
        where = f"{self.files[function.name]}:{_source(rtl)}: error: {function.name.removeprefix('_')}, {address:#x}"
        promised = str(broken.least) if broken.least == broken.most else f"{broken.least} to {broken.most}"
        return (
            f"{where} `{_text(rtl)}`: {broken.misses} misses in {broken.executed} executions, but {kinds} promises {promised}"
        )

    def json(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        values: dict[str, Any] = {"references": [self._json(line) for line in self.analysis.lines]}
        if self.confirmation is not None:
            kinds = self.confirmation.kinds.items()
            values["observed"] = {kind: {name: getattr(seen, name) for name in NUMBERS} for kind, seen in kinds}
            values["contradictions"] = [self.message(broken) for broken in self.confirmation.broken]
        return values

    def _json(self, line: Line) -> dict[str, Any]:
        function, address, rtl = self._place(line.run.site)
        values: dict[str, Any] = {
            "function": line.function.removeprefix("_"),
            "file": self.files[function.name],
            "line": rtl.lines[0],
            "loops": [loop.source for loop in reversed(line.loops)],
            "address": address,
            "cache_line": line.address,
            "instructions": len(line.run.sites),
            "class": str(line.outcome.kind),
            "scopes": [self.scope(scope) for scope in line.outcome.scopes],
        }
        if self.confirmation is not None:
            values["executed"] = self.confirmation.executed[line.run.site]
            values["misses"] = self.confirmation.missed.get(line.run.site, 0)
        return values


def _source(rtl: Rtl) -> str:
    return str(rtl.lines[0] or "-")


def _text(rtl: Rtl) -> str:
    return " ".join(show(effect) for effect in rtl.effects)


def _path(loops: Sequence[Loop]) -> str:
    """Return the source lines of loops, outer ones first."""
    return ">".join(str(loop.source or "-") for loop in reversed(loops))
