"""Weave user-written tools into host code (`ease.tools` reads them and translates their analysis functions)."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from cache_sim.native.state import State
from ease.host.chunk_buffers import ChunkBuffer
from ease.host.instrument import Site, Thread
from ease.host.tool_calls import FunctionTooling
from ease.results import Counts
from ease.tools.analysis import AnalysisFunction
from ease.tools.deferring import Deferred, split, sums
from ease.tools.host_functions import host_function
from ease.tools.lookups import Lookups
from ease.tools.mistakes import mistake, naming_line
from ease.tools.places import Executions, Places
from ease.tools.requests import Call, Request
from ease.tools.storage import READABLE
from ease.tools.tool_file import Tool
from ease.tools.unit import lay_out
from ease.tools.values import Value
from vpo.program import Program
from vpo.rtl import Register

if TYPE_CHECKING:
    from ease.host.run import RunResult


@dataclass(frozen=True, slots=True)
class Later:
    """Statements of an analysis function that are executed after the run, as often as control came to a place."""

    function: AnalysisFunction
    statements: tuple[ast.stmt, ...]
    constants: Mapping[str, int]
    executions: Executions


class Tooling:
    """Runs a tool with a program: `calls` has what is to be written, by function."""

    threads: Sequence[Thread] = ()

    follows_cut = False

    def __init__(self, program: Program, tool: Tool, number: int = 0) -> None:
        """Show a tool the program.

        Raises UserError.
        """
        self.program, self.tool, self.number = program, tool, number
        self.analysis, requests = tool.instrument(program)
        self.apart = [request for request in requests if request.spot.kind == "program"]
        self.calls: dict[str, list[Call]] = defaultdict(list)
        self.later: list[Later] = []
        self.outside: dict[tuple[str, tuple[int, ...]], tuple[str, Call]] = {}
        self._plan([request for request in requests if request.spot.kind != "program"])

    def _plan(self, requests: Sequence[Request]) -> None:
        """Decide what of each call is executed when it is made, and what after the run."""
        added, places = sums(self.analysis), Places(self.program)
        for request in requests:
            if request.chunks is not None:
                self.calls[request.spot.function].append(Call(request))
                continue
            function = self.analysis.functions[request.function]
            later: Sequence[ast.stmt] = ()
            now: Sequence[ast.stmt] = function.body
            for known, executions in places.outcomes(request):
                constants = request.constants(function.parameters, known)
                later, now = split(function, added, self.analysis, constants)
                self.later.append(Later(function, tuple(later), constants, executions))
            if now:
                self.calls[request.spot.function].append(Call(request, function, tuple(now)))

    def registers_read(self) -> Mapping[str, frozenset[Register]] | None:
        """Return the registers that calls in each function look at; None if no call looks at a register or a value."""
        lookups = Lookups(self.program.machine)
        found: dict[str, frozenset[Register]] = {}
        for name, calls in self.calls.items():
            values = [each for call in calls for each in call.request.arguments if isinstance(each, Value)]
            places = [place for each in values if (place := lookups.expression(each)) is not None]
            if places or any(each.name == "VALUE" for each in values):
                found[name] = frozenset(register for place in places for register in place.uses)
        return found or None

    def place(self, state: State, large: State) -> None:
        """Lay out the tool's memory."""
        for request in self.apart:
            if not request.after:
                self.tool.call(request)
        self.unit = lay_out(self.analysis, self.number, state, large, Lookups(self.program.machine))
        given = [call.request.chunks for calls in self.calls.values() for call in calls if call.request.chunks is not None]
        names = {chunks: f"{self.unit.prefix}.chunks{number}" for number, chunks in enumerate(dict.fromkeys(given))}
        self.buffers = {chunks: ChunkBuffer(chunks, name, state) for chunks, name in names.items()}

    def open_streams(self) -> list[IO[bytes]]:
        """Return the files that events are written to."""
        return [buffer.start() for buffer in self.buffers.values()]

    def function(self, site: Site) -> FunctionTooling:
        """Return the instrument of one function."""
        self.shared = site.shared
        return FunctionTooling(self.unit, self.calls[site.function.name], site, self.symbol, self.buffers)

    def symbol(self, call: Call) -> str:
        """Return the name of the host function that makes a call."""
        assert call.function is not None
        key = call.function.name, tuple(statement.lineno for statement in call.statements)
        name = f"{self.unit.prefix}.{call.function.name}.{len(self.outside)}"
        return self.outside.setdefault(key, (name, call))[0]

    def text(self) -> str:
        """Return the functions that the woven code calls."""
        outside = [
            host_function(self.unit, name, call.function, call.statements)
            for name, call in self.outside.values()
            if call.function is not None
        ]
        buffers = [buffer.text(self.shared) for buffer in self.buffers.values()]
        return "\n".join([*outside, *buffers, self.unit.text()])

    def finish(self, counts: Counts, run: RunResult) -> None:
        """Give the tool what a run left.

        Raises UserError if its code failed.
        """
        number, value = run.read(self.unit.failed)
        if number:
            line, message = self.unit.failures[number - 1]
            raise mistake(self.analysis.file, line, message.format(value))
        with naming_line(self.analysis.file):
            for buffer in self.buffers.values():
                buffer.finish(run)
        deferred = Deferred(self.analysis)
        for each in self.later:
            deferred.execute(each.function, each.statements, each.constants, each.executions(counts))
        for name, array in self.analysis.arrays.items():
            array.load(run.read(self.unit.storages[name].field) if array.bytes <= READABLE else ())
            for index, total in deferred.totals[name].items():
                array[index] += total
        left = {name: run.read(self.unit.storages[name].field)[0] for name in self.analysis.scalars}
        self.tool.take({name: value + deferred.totals[name].get(0, 0) for name, value in left.items()})
        for request in self.apart:
            if request.after:
                self.tool.call(request)
