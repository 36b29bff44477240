"""How often control came to the places of a program, as exact counts tell."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ease.model.results import Counts
from ease.tools.requests import TAKEN, Argument, Request
from vpo.analysis.cfg import Cfg, build_cfg, transfer_of
from vpo.analysis.program import Program
from vpo.analysis.references import references
from vpo.rtl import Branch, Rtl

Executions = Callable[[Counts], int]


class Places:
    """The places of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._starts = cache(lambda name: program.functions[name].block_starts())
        self._cfg: Callable[[str], Cfg] = cache(lambda name: build_cfg(program.functions[name]))

    def outcomes(self, request: Request) -> list[tuple[dict[Argument, int], Executions]]:
        """Return what is known of values and how often a call is then made: once for each way of a branch if it wants to know.

        Nothing if counts do not tell.
        """
        spot = request.spot
        if TAKEN not in request.arguments:
            executions = self._executions(request)
            return [] if executions is None else [({}, executions)]
        always, taken = self._executions(request), self._taken(spot.function, spot.block)
        assert always is not None
        return [({TAKEN: 1}, taken), ({TAKEN: 0}, lambda counts: always(counts) - taken(counts))]

    def _taken(self, name: str, number: int) -> Executions:
        return lambda counts: counts.taken[name][number]

    def _executions(self, request: Request) -> Executions | None:
        """Return how to find out how often control comes to a place."""
        spot = request.spot
        name, number = spot.function, spot.block
        block = self.program.functions[name].blocks[number]
        if not block.rtls:
            return None
        position = self._starts(name)[number]
        match spot.kind:
            case "instruction" | "reference" | "system call" if not _may_stay_away(block.rtls[spot.index], request):
                position += spot.index
            case "block" if not request.after:
                pass
            case "function" if not request.after and not self._cfg(name).predecessors[0]:
                pass
            case "edge":
                return self._edge(name, number, spot.number)
            case _:
                return None
        return lambda counts: counts.rtls[name][position]

    def _edge(self, name: str, number: int, target: int) -> Executions | None:
        """Return how to find out how often a branch goes one way."""
        function = self.program.functions[name]
        block = function.blocks[number]
        last = transfer_of(block, function.stage == "final")
        if last is None or not isinstance(last.transfer, Branch) or len(self._cfg(name).successors[number]) != 2:
            return None
        position = self._starts(name)[number] + next(n for n, rtl in enumerate(block.rtls) if rtl is last)
        if target != number + 1:
            return self._taken(name, number)
        return lambda counts: counts.rtls[name][position] - counts.taken[name][number]


def _may_stay_away(rtl: Rtl, request: Request) -> bool:
    """Return whether an instruction may be executed without a call that stands before or after it."""
    if request.spot.kind == "reference" and references(rtl)[request.spot.number].guards:
        return True
    return request.after and any((rtl.call, rtl.transfer, rtl.system_call))
