"""What tools mean: their analysis functions are called as Python by the plain interpreter of RTLs.

Slow, and the definition of `ease.tools.tooling`.  Numbers do not wrap around here, but where they are stored in
arrays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from ease.tools.requests import Argument, Request
from ease.tools.tool_file import Tool
from ease.tools.unit import Lookups
from vpo.algebra import INTEGER_OF
from vpo.algebra.values import Value as Datum
from vpo.algebra.values import convert, signed
from vpo.analysis.references import Reference, references
from vpo.interpret.plain import Going, PlainInterpreter
from vpo.interpret.result import Result, run_with_streams
from vpo.program import Program
from vpo.rtl import BITS, Branch, Call, IndirectJump, Return, Rtl, Set
from vpo.rtl.function import Function

_INSTRUCTIONS = ("instruction", "reference", "system call")


def interpret_with(tool: Tool, program: Program, arguments: Sequence[str | bytes] = (), stdin: bytes | None = None) -> Result:
    """Run a program with a tool in the plain interpreter, which leaves the tool's numbers as they are in the end.

    Raises UserError.
    """
    _, requests = tool.instrument(program)
    for request in requests:
        if request.spot.kind == "program" and not request.after:
            tool.call(request)
    result = run_with_streams(lambda streams: _Interpreter(tool, requests, program, arguments, streams).run(), stdin, True)
    for chunks in {request.chunks: None for request in requests if request.chunks is not None}:
        chunks.flush()
    for request in requests:
        if request.spot.kind == "program" and request.after:
            tool.call(request)
    return result


class _Interpreter(PlainInterpreter):
    """Calls a tool's functions on the way."""

    def __init__(
        self,
        tool: Tool,
        requests: Iterable[Request],
        program: Program,
        arguments: Sequence[str | bytes],
        streams: Sequence[int],
    ) -> None:
        super().__init__(program, arguments, streams, (), None, None)
        self.tool, self.lookups = tool, Lookups(program.machine)
        self.requests: dict[tuple[str, bool, str, int, int], list[Request]] = defaultdict(list)
        for request in requests:
            spot = request.spot
            kind = "instruction" if spot.kind in _INSTRUCTIONS else spot.kind
            index = spot.number if kind == "edge" else spot.index
            self.requests[kind, request.after, spot.function, spot.block, index].append(request)
        self.calls: list[tuple[Rtl, list[tuple[Request, list[int | None]]]]] = []  # under way, with the calls behind them
        self.entering = self.left = False

    def _call(self, request: Request, values: Iterable[Any]) -> None:
        if request.chunks is not None:
            request.chunks.add([*values])
        else:
            self.tool.names[request.function](*values)  # type: ignore[operator]

    def _at(self, kind: str, after: bool, block: int, index: int = 0) -> None:
        """Make the calls at a place whose arguments are constants and registers."""
        for request in self.requests.get((kind, after, self.function.name, block, index), ()):
            self._call(request, [self._late(each) for each in request.arguments])

    def execute(self, rtl: Rtl) -> Going | None:
        """Execute one RTL, with the calls before and behind it."""
        place, behind = (self.block, self.index), []
        for after in (False, True):
            requests = self.requests.get(("instruction", after, self.function.name, *place), ())
            for request in sorted(requests, key=lambda request: request.is_decided_late):
                reference = references(rtl)[request.spot.number] if request.spot.kind == "reference" else None
                if reference is not None and not all(self.holds(test) == wanted for test, wanted in reference.guards):
                    continue
                values = [self._early(each, rtl, reference) for each in request.arguments]
                if after:
                    behind.append((request, values))
                else:
                    self._behind(rtl, [(request, values)])
        going = super().execute(rtl)
        if rtl.call is not None:
            self.calls.append((rtl, behind))
        else:
            self._behind(rtl, behind)
        if going is not None and rtl.annuls and isinstance(rtl.transfer, Branch):  # its slots stand on the edge
            self._leave(self.state.activations[-1].layout.labels[rtl.transfer.label])
            self.left = True
        return going

    def _leave(self, target: int) -> None:
        """Make the calls behind a block and on the edge from it."""
        self._at("block", True, self.block)
        self._at("edge", False, self.block, target)
        self._at("edge", True, self.block, target)

    def _behind(self, rtl: Rtl, calls: Iterable[tuple[Request, list[int | None]]]) -> None:
        """Make calls some of whose values are known."""
        for request, values in calls:
            pairs = zip(request.arguments, values, strict=True)
            self._call(request, [self._late(argument, rtl) if value is None else value for argument, value in pairs])

    def enter(self, function: Function, back: int | None, after: int = 0) -> None:
        """Begin an activation."""
        self.entering = True
        super().enter(function, back, after)

    def go_to(self, block: int) -> None:
        """Go to a block: on an edge, or at the begin of a function."""
        if self.entering:
            self.entering = False
            self._at("function", False, 0)
        elif not self.left:
            self._leave(block)
        self.left = False
        super().go_to(block)
        self._at("block", False, block)

    def leave(self, target: int) -> None:
        """Return from a function."""
        self._at("block", True, self.block)
        self._at("function", True, 0)
        super().leave(target)
        rtl, behind = self.calls.pop()
        self._behind(rtl, behind)

    # ---------------------------------------------------------------------------------------------- values

    def _early(self, argument: Argument, rtl: Rtl, reference: Reference | None) -> int | None:
        """Return an argument that is known before an instruction; None for others."""
        if isinstance(argument, int):
            return argument
        effect = rtl.transfer or rtl.call
        match argument.name:
            case "ADDRESS":
                assert reference is not None
                return int(self.evaluate(reference.cell.address))
            case "VALUE":
                assert reference is not None
                type_ = reference.cell.type
                stores = [e for e in rtl.effects if isinstance(e, Set) and e.target == reference.cell]
                node = stores[0].source if reference.write else reference.cell
                return _number(self.evaluate(node, type_), type_)
            case "NUMBER" | "argument":
                assert rtl.system_call is not None
                position = 0 if argument.name == "NUMBER" else 1 + int(argument.detail)
                args = rtl.system_call.args
                return int(self.evaluate(args[position])) if position < len(args) else 0
            case "TAKEN":
                assert isinstance(effect, Branch)
                return int(self.holds(effect.condition))
            case "TARGET":
                assert isinstance(effect, IndirectJump | Call | Return)
                return int(self.evaluate(effect.target))
        return None

    def _late(self, argument: Argument, rtl: Rtl | None = None) -> int:
        """Return an argument that is looked at when the call is made."""
        if isinstance(argument, int):
            return argument
        place = self.lookups.expression(argument)
        if place is not None:
            return _number(self.evaluate(place), place.type)
        assert rtl is not None
        target = next(e.target for e in rtl.effects if isinstance(e, Set) and e.source is rtl.system_call)
        return signed(int(self.evaluate(target)), target.type)


def _number(value: Datum, type_: str) -> int:
    """Return a value as a number without a sign."""
    if type_ in "FD":
        return int(convert("bits", type_, INTEGER_OF[BITS[type_]], value))
    return int(value) & ((1 << BITS[type_]) - 1)
