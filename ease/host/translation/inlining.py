"""Choose the functions that are inlined when each function has two copies.

LLVM would judge a function by the size of both copies.  But control is hardly ever in the exact copy, whose calls need
no inlining.  So the size of a function in the program decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ease.host.translation.counting import FunctionProbes
from vpo.analysis.call_graph import callee_of
from vpo.analysis.program import Program

MOST = 100  # RTLs of an inlined function, with those inlined into it
ALL = 400  # RTLs of all its inlined copies


def inlined(program: Program, probes: Mapping[str, FunctionProbes]) -> frozenset[str]:
    """Return the functions to inline: called often, small together with what is inlined into them, and not recursive."""
    sizes = {name: sum(1 for _ in function.rtls()) for name, function in program.functions.items()}
    waiting = {name for name, found in probes.items() if found.eager and sizes[name] <= MOST}
    calls = {
        name: Counter(callee_of(program, rtl.call) for rtl in function.rtls() if rtl.call is not None)
        for name, function in program.functions.items()
    }
    sites = sum(calls.values(), Counter[str]())
    chosen: set[str] = set()
    while ready := [name for name in waiting if waiting.isdisjoint(calls[name])]:  # the rest is recursive
        waiting.difference_update(ready)
        for name in ready:
            sizes[name] += sum(sizes[callee] * times for callee, times in calls[name].items() if callee in chosen)
            if sizes[name] <= MOST and sizes[name] * sites[name] <= ALL:
                chosen.add(name)
    return frozenset(chosen)
