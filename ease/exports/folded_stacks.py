"""Folded stacks, of which flame graphs are drawn: a line for each way of calls, with the instructions executed at its end."""

from __future__ import annotations

from collections.abc import Iterator

from ease.call_costs import CallCosts, costs_of
from ease.store.kept_run import KeptRun

SMALLEST = 0.5  # instructions of a way of calls that is followed; others belong to the caller


def as_folded_stacks(run: KeptRun) -> str:
    """Return the ways of calls; what a function cost is shared out among them as `ease.call_costs` says.

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
