"""`ease recost`: what a kept run costs with other latencies, sizes or caches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ease.commands.guard import guarded
from ease.commands.runs.store_options import RUN_HELP, parser, runs

if TYPE_CHECKING:
    from ease.model.results import Measurement


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    options = parser(
        "recost",
        "What a kept run costs with other latencies, sizes, times or caches, without running it again: equal to a rerun, or "
        "an error.",
    )
    options.add_argument("run", type=int, metavar="RUN", help=RUN_HELP)
    options.add_argument(
        "--set", dest="sets", action="append", default=[], metavar="KEY=VALUE",
        help="change a value of the description, such as instructions.MUL.latency=5 or timing.taken=2; may be repeated",
    )  # fmt: skip
    options.add_argument(
        "-cache", metavar="SYSTEM",
        help="the misses of these caches (as easecc -cache names them), of a run that was kept with -cache sweep",
    )  # fmt: skip
    options.add_argument("-show", metavar="LIST", help="these reports (`easecc -show help` lists them), not what differs")
    given = options.parse_args(words)
    if bool(given.sets) == bool(given.cache):
        options.error("either --set KEY=VALUE, or -cache SYSTEM")
    if given.cache:
        return guarded("ease recost", lambda: _caches(given.db, given.run, given.cache))
    return guarded("ease recost", lambda: _recost(given.db, given.run, given.sets, given.show))


def _recost(db: str, number: int, sets: list[str], show: str | None) -> int:
    from ease.base.files import write_atomically
    from ease.commands.compile.command_line import parse
    from ease.comparison.recost import recosted, with_sets
    from ease.reports import check_asked
    from ease.reports.render import render
    from ease.store.database import reading
    from vpo.build.compiler import Compiler
    from vpo.machines.read.load import load

    names = None if show is None else tuple(name for name in show.split(",") if name)
    check_asked(names or ())
    with reading(db) as connection:
        (run,) = runs(connection, [number])
    identity = run.measurement.identity
    assert identity is not None
    first, *rest = identity.words[1:]
    found = []
    for changes in ([], sets):
        command = parse([*with_sets(changes), first, *rest])
        machine = load(command.machine, [*identity.changes, *changes])
        found.append(recosted(run, Compiler(machine, command.settings()).program(command.files), changes))
    before, after = found
    if names is not None:
        write_atomically("-", render(after, ".txt", names, None, run.sources))
        return 0
    print(_text(before.identity.command if before.identity else "", sets, _table(before, after)), end="")
    return 0


def _caches(db: str, number: int, text: str) -> int:
    """Print the misses of caches that a run swept."""
    from cache_sim.parse import load
    from ease.comparison.recost import recosted_caches
    from ease.reports.report import aligned, percent
    from ease.reports.report import number as shown
    from ease.store.database import reading

    system = load(text)
    with reading(db) as connection:
        (run,) = runs(connection, [number])
    rows = [["cache", "accesses", "misses", "hit ratio"]]
    for found in recosted_caches(run, system):
        hits = percent(found.accesses - found.misses, found.accesses)
        rows.append([found.cache.name, shown(found.accesses), shown(found.misses), hits])
    print("\n".join([run.measurement.identity.command if run.measurement.identity else "", "", *aligned(rows, 1)]))
    return 0


def _text(command: str, sets: Sequence[str], lines: Sequence[str]) -> str:
    head = [f"A: {command}", f"B: the same with {' '.join(sets)}", ""]
    return "\n".join([*head, *lines]) + "\n"


def _table(before: Measurement, after: Measurement) -> list[str]:
    """Return what the same instructions cost, before and after."""
    from ease.comparison.comparison import Difference, totals_of
    from ease.comparison.differences import table_of

    sides = [dict(totals_of(side)) for side in (before, after)]
    for side, totals in zip((before, after), sides, strict=True):
        for cause, cycles in (side.timing.by_cause() if side.timing is not None else {}).items():
            totals[f"  {cause}"] = cycles
    names = list(dict.fromkeys([*sides[0], *sides[1]]))
    return table_of({name: Difference(sides[0].get(name, 0), sides[1].get(name, 0)) for name in names})
