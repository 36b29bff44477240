"""Profiles in the formats of other tools: gcov, callgrind, and folded stacks, of which flame graphs are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ease.model.attribution import Sites, line_events
from ease.model.call_costs import CallCosts, costs_of
from ease.model.kept_run import KeptRun
from ease.model.static_kinds import StaticFunction

# ----------------------------------------------------------------------------------------------------------------------
# Source lines with how often each was executed, in the format of gcov.

WIDTH = 9  # of a count


def as_annotated_source(run: KeptRun) -> str:
    """Return the program's files; a line counts as often as the instruction of it that was executed most.

    As in gcov, `-` marks lines without code and `#####` those that were never executed.
    """
    counts = _counts(run)
    lines = []
    for file, text in run.sources.items():
        lines.append(f"{'-':>{WIDTH}}:{0:>5}:Source:{file}")
        for number, line in enumerate(text.splitlines(), 1):
            count = counts.get((file, number))
            shown = "-" if count is None else str(count) if count else "#####"
            lines.append(f"{shown:>{WIDTH}}:{number:>5}:{line}")
    return "\n".join(lines) + "\n"


def _counts(run: KeptRun) -> dict[tuple[str, int], int]:
    """Return how often each line that has code was executed."""
    known, counts = run.measurement.program, run.measurement.counts
    assert known is not None
    assert counts is not None
    found: dict[tuple[str, int], int] = {}
    for name, function in known.functions.items():
        for line, count in zip(function.lines, counts.rtls[name], strict=True):
            key = function.file, line
            found[key] = max(found.get(key, 0), count)
    return found


# ----------------------------------------------------------------------------------------------------------------------
# The format of callgrind, which KCachegrind and others show.


Costs = dict[int, list[int]]  # of the lines of a function: a number for each event


def as_callgrind(run: KeptRun) -> str:
    """Return what a run executed by function and line, with misses and mispredictions, and what calls cost.

    Of calls, only instructions are known; they are shared out as `ease.model.call_costs` says.
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


# ----------------------------------------------------------------------------------------------------------------------
# Folded stacks, of which flame graphs are drawn: a line for each way of calls, with the instructions executed at its end.


SMALLEST = 0.5  # instructions of a way of calls that is followed; others belong to the caller


def as_folded_stacks(run: KeptRun) -> str:
    """Return the ways of calls; what a function cost is shared out among them as `ease.model.call_costs` says.

    Functions that call each other in a circle stand below the one by which it was entered.
    """
    lines, rest = [], 0.0
    for way, cost in _ways(costs_of(run)):
        whole = round(cost + rest)  # what rounding takes from one line is given to the next, so that sums are right
        rest += cost - whole
        if whole > 0:
            lines.append(f"{';'.join(name.removeprefix('_') for name in way)} {whole}")
    return "\n".join(lines) + "\n"


def _ways(costs: CallCosts) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield each way of calls with what its last function cost by itself."""
    waiting = [((name,), 1.0) for name in reversed(costs.roots())]
    while waiting:
        way, share = waiting.pop()
        circle = costs.circle(way[-1])
        for member in sorted(circle, key=lambda name: (name != way[-1], name)):
            inside = way if member == way[-1] else (*way, member)
            cost = share * costs.own[member]
            for callee, part in costs.calls_out_of(member).items():
                if share * part * costs.inclusive[callee] >= SMALLEST:
                    waiting.append(((*inside, callee), share * part))
                else:
                    cost += share * part * costs.inclusive[callee]
            yield inside, cost
