"""The format of callgrind, which KCachegrind and others show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ease.call_costs import costs_of
from ease.line_events import Sites, line_events
from ease.static_kinds import StaticFunction
from ease.store.kept_run import KeptRun

Costs = dict[int, list[int]]  # of the lines of a function: a number for each event


def as_callgrind(run: KeptRun) -> str:
    """Return what a run executed by function and line, with misses and mispredictions, and what calls cost.

    Of calls, only instructions are known; they are shared out as `ease.call_costs` says.
    """
    return "\n".join(_lines(run)) + "\n"


def _lines(run: KeptRun) -> Iterator[str]:
    measurement = run.measurement
    known, counts, identity = measurement.program, measurement.counts, measurement.identity
    assert known is not None
    assert counts is not None
    events = {name.replace(" ", "-"): sites for name, sites in line_events(measurement).items()}
    yield from ("# callgrind format", "version: 1", f"creator: ease {identity.version if identity else ''}".rstrip())
    if identity is not None:
        yield f"cmd: {identity.command}"
    yield from ("positions: line", f"events: {' '.join(['Ir', *events])}")
    whole = [measurement.characteristics.instructions.dynamic, *(sum(sites.values()) for sites in events.values())]
    yield f"summary: {' '.join(map(str, whole))}"
    calls = _calls(run)
    for name, function in known.functions.items():
        costs = _costs(run, function, counts.rtls[name], events)
        if not costs and name not in calls:
            continue
        yield from ("", f"fl={function.file}", f"fn={_shown(name)}")
        for line, numbers in sorted(costs.items()):
            yield f"{line} {' '.join(map(str, numbers))}"
        for (line, callee), (times, cost) in sorted(calls.get(name, {}).items()):
            target = known.functions[callee]
            yield from (
                f"cfi={target.file}",
                f"cfn={_shown(callee)}",
                f"calls={times} {_begin(target)}",
                f"{line} {round(cost)}",
            )


def _shown(name: str) -> str:
    return name.removeprefix("_")


def _begin(function: StaticFunction) -> int:
    """Return the first line of a function that is known."""
    return next((line for line in function.lines if line), 0)


def _costs(run: KeptRun, function: StaticFunction, executed: list[int], events: Mapping[str, Sites]) -> Costs:
    """Return what happened at each line of a function, of lines at which anything did."""
    assert run.measurement.program is not None
    kinds, found = run.measurement.program.kinds, Costs()
    for kind, line, count in zip(function.kinds, function.lines, executed, strict=True):
        if count and kinds[kind].counted:
            found.setdefault(line, [0] * (len(events) + 1))[0] += count
    for place, sites in enumerate(events.values(), 1):
        for (name, at), count in sites.items():
            if name == _shown(function.name) and count:
                found.setdefault(at.number, [0] * (len(events) + 1))[place] += count
    return found


def _calls(run: KeptRun) -> dict[str, dict[tuple[int, str], tuple[int, float]]]:
    """Return for each caller, by line and callee, how often it calls and what that costs."""
    known, costs = run.measurement.program, costs_of(run)
    assert known is not None
    found: dict[str, dict[tuple[int, str], tuple[int, float]]] = {}
    for site in costs.sites:
        key = known.functions[site.caller].lines[site.position], site.callee
        times, cost = found.setdefault(site.caller, {}).get(key, (0, 0.0))
        found[site.caller][key] = times + site.count, cost + costs.cost(site)
    return found
