"""Write the calls of a tool's analysis functions into one function of the program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from ease.host.chunk_buffers import ChunkBuffer
from ease.host.instrument import Site
from ease.host.ir_builder import INTEGER, LLVM
from ease.tools.chunks import Chunks
from ease.tools.code import CallCode
from ease.tools.host_functions import is_small
from ease.tools.numbers import Number
from ease.tools.requests import Argument, Call
from ease.tools.unit import Unit
from vpo.analysis.cfg import OUTSIDE
from vpo.analysis.references import Reference, references
from vpo.rtl import Return, Rtl, Set

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
