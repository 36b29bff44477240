"""Weave tools of users into host code (`ease.tools` reads them), and bring events in chunks to the process that waits."""

from __future__ import annotations

import ast
import os
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from cache_sim.native.code import STATE, UNLIKELY, State
from ease.host.instruments.instrument import Site, Thread
from ease.host.process.job import SEND
from ease.host.translation.emitter import Emitter
from ease.host.translation.ir_builder import INTEGER, LLVM
from ease.host.translation.runtime import HOST
from ease.model.results import Counts
from ease.tools.analysis import READABLE, AnalysisFunction, mistake, naming_line
from ease.tools.code import CallCode, Number, host_function, is_small
from ease.tools.deferring import Deferred, Executions, Places, split, sums
from ease.tools.requests import ROWS, Argument, Call, Chunks, Request, Value
from ease.tools.tool_file import Tool
from ease.tools.unit import Lookups, Unit, lay_out
from vpo.analysis.cfg import OUTSIDE
from vpo.analysis.references import Reference, references
from vpo.program import Program
from vpo.rtl import Register, Return, Rtl, Set

if TYPE_CHECKING:
    from ease.host.process.run import RunResult


# ----------------------------------------------------------------------------------------------------------------------
# Buffers of events in host code; full ones go through a pipe to the process that waits for the run (`ease.tools.requests`).


class ChunkBuffer:
    """The buffer of one function that takes chunks; a thread reads what comes through the pipe while the program runs."""

    def __init__(self, chunks: Chunks, name: str, state: State) -> None:
        self.chunks, self.name, self.width = chunks, name, len(chunks.columns)
        reading, writing = os.pipe()
        self.pipe, self.sent = os.fdopen(reading, "rb"), os.fdopen(writing, "wb")
        self.rows, self.fill = state.array("i64", ROWS * self.width), state.array("i64", 1)
        self.descriptor = state.array("i64", 1, writing)
        self.failure: Exception | None = None
        self.reader = threading.Thread(target=self._read, daemon=True)

    def start(self) -> IO[bytes]:
        """Begin to read; return the end of the pipe that the program writes to, which is closed when it has ended."""
        self.reader.start()
        return self.sent

    def _read(self) -> None:
        while content := self.pipe.read(8 * ROWS * self.width):
            self._take(content)

    def _take(self, content: bytes) -> None:
        """Pass on a chunk; after a failure the rest is read and dropped, so that the program can go on."""
        if self.failure is None:
            try:
                self.chunks.take(content)
            except Exception as error:
                self.failure = error

    def finish(self, run: RunResult) -> None:
        """Pass on what a run has left.

        Raises what the function raised.
        """
        self.reader.join()
        self.pipe.close()
        left = run.read(self.rows)[: run.read(self.fill)[0] * self.width]
        if left:
            self._take(b"".join(number.to_bytes(8, "little", signed=True) for number in left))
        if self.failure is not None:
            raise self.failure

    def append(self, emitter: Emitter, values: Sequence[Number]) -> None:
        """Write the code that adds an event."""
        row = emitter.put(f"load i64, ptr {self.fill.pointer}, {STATE}")
        first = emitter.put(f"mul i64 {row}, {self.width}")
        for column, value in enumerate(values):
            pointer = emitter.put(f"getelementptr i64, ptr {self.rows.element(column)}, i64 {first}")
            emitter.lines.append(f"store i64 {value}, ptr {pointer}, {STATE}")
        following = emitter.put(f"add i64 {row}, 1")
        emitter.lines.append(f"store i64 {following}, ptr {self.fill.pointer}, {STATE}")
        full, after = emitter.label(), emitter.label()
        test = emitter.put(f"icmp eq i64 {following}, {ROWS}")
        emitter.lines += [
            f"br i1 {test}, label %{full}, label %{after}, {UNLIKELY}",
            f"{full}:",
            f"call void @{self.name}()",
            f"br label %{after}",
            f"{after}:",
        ]

    def text(self, shared: int) -> str:
        """Return the function that sends the buffer, which may take several writes, and empties it."""
        return "\n".join([
            f"define internal void @{self.name}() noinline {HOST} {{",
            f"%send = load ptr, ptr inttoptr (i64 {shared + 8 * SEND} to ptr)",
            f"%wide = load i64, ptr {self.descriptor.pointer}",
            "%descriptor = trunc i64 %wide to i32",
            "br label %again",
            "again:",
            "%done = phi i64 [ 0, %0 ], [ %now, %going ]",
            f"%left = sub i64 {self.rows.bytes}, %done",
            f"%from = getelementptr i8, ptr {self.rows.pointer}, i64 %done",
            "%sent = call i64 %send(i32 %descriptor, ptr %from, i64 %left)",
            "%failed = icmp sle i64 %sent, 0",
            "br i1 %failed, label %end, label %going",
            "going:",
            "%now = add i64 %done, %sent",
            f"%all = icmp eq i64 %now, {self.rows.bytes}",
            "br i1 %all, label %end, label %again",
            "end:",
            f"store i64 0, ptr {self.fill.pointer}",
            "ret void",
            "}",
        ])  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# Write the calls of a tool's analysis functions into one function of the program.


Place = tuple[int, int]  # a block, and an RTL in it


class FunctionTooling:
    """Writes the calls of one function.

    `symbol` names the host function of a call that is too large to be written here; `buffers` take events.
    """

    def __init__(
        self, unit: Unit, calls: Iterable[Call], site: Site, symbol: Callable[[Call], str],
        buffers: Mapping[Chunks, ChunkBuffer],
    ) -> None:  # fmt: skip
        self.buffers = buffers
        self.unit, self.site, self.symbol = unit, site, symbol
        self.emitter, self.made = site.emitter, dict[str, None]()  # the variables
        self.at: dict[tuple[str, bool], dict[Place, list[Call]]] = defaultdict(lambda: defaultdict(list))
        for call in calls:
            spot = call.request.spot
            group: str = spot.kind
            if group in ("reference", "system call", "instruction"):
                group = "transfer" if call.request.is_decided_late else "instruction"
            index = spot.number if group == "edge" else spot.index
            self.at[group, call.request.after and group != "edge"][spot.block, index].append(call)
        self.ready: dict[Place, list[tuple[Call, list[Number | None]]]] = {}  # calls behind an instruction, with early values
        self.under_way: Place | None = None  # the function call that is made
        self.returns = False

    def variables(self) -> list[tuple[str, str]]:
        """Return the variables of calls."""
        return [("i64", name) for name in self.made]

    def _variable(self, name: str) -> str:
        variable = f'%"{self.unit.prefix}.{name}"'
        self.made[variable] = None
        return variable

    # ------------------------------------------------------------------------------------------------ hooks

    def enter(self) -> None:
        """Write the calls behind a function call."""
        if self.under_way is not None:
            place, self.under_way = self.under_way, None
            self.after(*place)

    def begin(self, block: int) -> None:
        """Write the calls before a block."""
        self._calls(self.at["block", False][block, 0])

    def before(self, block: int, index: int) -> None:
        """Write the calls before an RTL, and look at what calls behind it want to know."""
        rtl = self.site.function.blocks[block].rtls[index]
        keeps, self.emitter.keeps_reads = self.emitter.keeps_reads, False
        for call in self.at["instruction", False].get((block, index), ()):
            reference = self._reference(call, rtl)
            after = self._guarded(reference)
            self._write(call, [self._early(each, rtl, reference) for each in call.request.arguments])
            self._join(after)
        self.ready[block, index] = []
        for call in self.at["instruction", True].get((block, index), ()):
            reference = self._reference(call, rtl)
            after = self._guarded(reference)
            values = [self._early(each, rtl, reference) for each in call.request.arguments]
            if after:  # whether the reference is made is forgotten behind it
                self._write(call, values)
            else:
                self.ready[block, index].append((call, values))
            self._join(after)
        self.emitter.keeps_reads = keeps

    def after(self, block: int, index: int) -> None:
        """Write the calls behind an RTL."""
        rtl = self.site.function.blocks[block].rtls[index]
        for call, values in self.ready.pop((block, index), ()):
            late = [
                self._late(each, rtl) if value is None else value
                for each, value in zip(call.request.arguments, values, strict=True)
            ]
            self._write(call, late)

    def transfer(self, block: int, index: int, value: str) -> None:
        """Write the calls that want to know where control goes."""
        rtl = self.site.function.blocks[block].rtls[index]
        if rtl.call is not None:
            self.under_way = block, index
        self.returns = isinstance(rtl.transfer, Return)
        for call in self.at["transfer", False].get((block, index), ()):
            self._write(call, [self._decided(each, value) for each in call.request.arguments])

    def edge(self, source: int, target: int) -> None:
        """Write the calls on an edge, behind a block, and at the begin and end of the function."""
        if source == OUTSIDE:
            self.emitter.identity = self.site.first
            self._calls(self.at["function", False].get((0, 0), ()))
            return
        if target == OUTSIDE and not self.returns:
            return  # the program ends
        self._calls(self.at["block", True].get((source, 0), ()))
        self._calls(self.at["edge", False].get((source, target), ()))
        if target == OUTSIDE:
            self._calls(self.at["function", True].get((0, 0), ()))

    # ---------------------------------------------------------------------------------------------- writing

    def _calls(self, calls: Iterable[Call]) -> None:
        """Write calls whose arguments are constants and registers."""
        for call in calls:
            self._write(call, [self._late(each, None) for each in call.request.arguments])

    def _write(self, call: Call, values: Sequence[Number | None]) -> None:
        """Write a call; values that are not known yet are looked at now."""
        pairs = zip(call.request.arguments, values, strict=True)
        given = [self._late(argument, None) if value is None else value for argument, value in pairs]
        if call.request.chunks is not None:
            self.buffers[call.request.chunks].append(self.emitter, given)
            return
        assert call.function is not None
        if is_small(self.unit, call.statements):
            CallCode(self.unit, self.emitter, self._variable, call.function, given).write(call.statements)
        else:
            arguments = ", ".join(f"i64 {value}" for value in given)
            self.emitter.lines.append(f'call fastcc void @"{self.symbol(call)}"({arguments}){self.emitter.location()}')

    def _reference(self, call: Call, rtl: Rtl) -> Reference | None:
        """Return the reference that a call is about, if it is about one."""
        spot = call.request.spot
        return references(rtl)[spot.number] if spot.kind == "reference" else None

    def _guarded(self, reference: Reference | None) -> str:
        """Write the test whether a reference is made; return the label behind what depends on it, '' if it always is."""
        if reference is None or not reference.guards:
            return ""
        after = self.emitter.label()
        for test, holds in reference.guards:
            inside, condition = self.emitter.label(), self.emitter.condition(test)
            targets = (inside, after) if holds else (after, inside)
            self.emitter.lines += [f"br i1 {condition}, label %{targets[0]}, label %{targets[1]}", f"{inside}:"]
        return after

    def _join(self, after: str) -> None:
        if after:
            self.emitter.lines += [f"br label %{after}", f"{after}:"]

    # ----------------------------------------------------------------------------------------------- values

    def _early(self, argument: Argument, rtl: Rtl, reference: Reference | None) -> Number | None:
        """Write an argument that is known before an instruction; None for others."""
        if isinstance(argument, int):
            return argument
        emitter = self.emitter
        match argument.name:
            case "ADDRESS":
                assert reference is not None
                return self._number(emitter.value(reference.cell.address, emitter.word), emitter.word)
            case "VALUE":
                assert reference is not None
                return self._datum(rtl, reference)
            case "NUMBER" | "argument":
                call = rtl.system_call
                assert call is not None
                position = 0 if argument.name == "NUMBER" else 1 + int(argument.detail)
                if position >= len(call.args):
                    return 0
                node = call.args[position]
                return self._number(emitter.value(node), node.type or emitter.word)
        return None

    def _datum(self, rtl: Rtl, reference: Reference) -> Number:
        """Write the value that a reference loads or stores."""
        type_ = reference.cell.type
        if not reference.write:
            value = self.emitter.load(type_, self.emitter.address(reference.cell.address, type_, False))
        else:
            stores = [effect for effect in rtl.effects if isinstance(effect, Set) and effect.target == reference.cell]
            value = self.emitter.stored(stores[0].source, type_)
        return self._number(value, type_)

    def _decided(self, argument: Argument, value: str) -> Number | None:
        """Write an argument that is known when an instruction transfers control."""
        if isinstance(argument, int) or argument.name not in ("TAKEN", "TARGET"):
            return argument if isinstance(argument, int) else None
        if argument.name == "TAKEN":
            return self.emitter.put(f"zext i1 {value} to i64")
        return self._number(value, self.emitter.word)

    def _late(self, argument: Argument, rtl: Rtl | None) -> Number:
        """Write an argument that is looked at when the call is made."""
        emitter = self.emitter
        if isinstance(argument, int):
            return argument
        place = self.unit.lookups.expression(argument)
        if place is not None:
            value = emitter.put(f"freeze {LLVM[place.type]} {emitter.value(place)}")  # it may not have been set yet
            return self._number(value, place.type)
        assert rtl is not None
        target = next(e.target for e in rtl.effects if isinstance(e, Set) and e.source is rtl.system_call)
        value = emitter.value(target)
        return value if LLVM[target.type] == "i64" else emitter.put(f"sext {LLVM[target.type]} {value} to i64")

    def _number(self, value: str, type_: str) -> Number:
        """Write a value of an RTL type as a number without a sign."""
        llvm = LLVM[type_]
        if type_ in "FD":
            value, llvm = self.emitter.put(f"bitcast {llvm} {value} to {INTEGER[type_]}"), INTEGER[type_]
        return value if llvm == "i64" else self.emitter.put(f"zext {llvm} {value} to i64")


# ----------------------------------------------------------------------------------------------------------------------


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
