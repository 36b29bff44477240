"""Write counters into host code: their increments, those that stay in registers, and the end of the program.

A counted program does not end in the middle of its activations.  The system call that ends it sets a flag, and each
activation returns to an impossible address.  Its caller tests return addresses anyway, and so finds the flag.  It counts
that the program ended in this call, adds the counters in registers to those in memory, and returns in the same way.  Before
the end, this costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ease.host.instruments.instrument import ArrivingInstrument, FunctionInstrument
from ease.host.process.job import EXITED, JUMPING, STATE
from ease.host.translation.emitter import Emitter
from ease.host.translation.runtime import HOST
from vpo.analysis.cfg import OUTSIDE


@dataclass(frozen=True, slots=True)
class FunctionProbes:
    """The places that are counted in a function, with the indices of their counters; two places may share one.

    `blocks`: a block is entered.  `taken`: the branch at the end of a block is taken.  `edges`: control takes any other edge
    between two blocks (from block -1: the function is entered; a number below that is a table of
    `vpo.analysis.transfers`).  `inner`: control comes to the RTL at (block, index).
    `ends`: the program ends in the call or system call that ends, with its delay slots, at such a place, or longjmp leaves
    it.  `resumed`: longjmp goes on behind the call of setjmp there.  `traps`: the RTL
    there, which moves the register window, finds none to move to.  `calls`: the call that ends there has not returned.

    `unwinding` has all places at which the program may end.  `kept` has the counters that stay in a register, with the blocks
    in which they do.  Counters of edges from blocks in `choices` are increased by the condition of the branch.  `eager`: the
    function is called often and should be inlined.  `idle`: an earlier run never called it.  `precise`: counters are in memory
    at each fault.  `visible`: those that stay in a register are added to memory wherever control leaves their loops.
    """

    blocks: Mapping[int, int] = field(default_factory=dict)
    taken: Mapping[int, int] = field(default_factory=dict)
    inner: Mapping[tuple[int, int], int] = field(default_factory=dict)
    traps: Mapping[tuple[int, int], int] = field(default_factory=dict)
    edges: Mapping[tuple[int, int], int] = field(default_factory=dict)
    ends: Mapping[tuple[int, int], int] = field(default_factory=dict)
    resumed: Mapping[tuple[int, int], int] = field(default_factory=dict)
    unwinding: frozenset[tuple[int, int]] = frozenset()
    kept: Mapping[int, frozenset[int]] = field(default_factory=dict)
    choices: frozenset[int] = frozenset()
    eager: bool = False
    idle: bool = False
    calls: Mapping[tuple[int, int], int] = field(default_factory=dict)
    precise: bool = False
    visible: bool = False

    @property
    def size(self) -> int:
        """One more than the largest index of a counter."""
        return max(self._counters(), default=-1) + 1

    @property
    def first(self) -> int:
        """The smallest index of a counter, 0 if there is none."""
        return min(self._counters(), default=0)

    def _counters(self) -> list[int]:
        return [counter for name in _GROUPS for counter in getattr(self, name).values()]

    def from_zero(self) -> FunctionProbes:
        """Return the same places with counters numbered from the first."""
        first = self.first
        groups: dict[str, Any] = {
            name: {place: counter - first for place, counter in getattr(self, name).items()} for name in _GROUPS
        }
        return replace(self, **groups, kept={counter - first: blocks for counter, blocks in self.kept.items()})

    def leaving(self, source: int, target: int) -> list[int]:
        """Return the counters in registers whose loop an edge leaves."""
        return [counter for counter, blocks in self.kept.items() if source in blocks and target not in blocks]


_GROUPS = ("blocks", "taken", "inner", "traps", "edges", "ends", "resumed", "calls")


def unwinds(probes: Mapping[str, FunctionProbes]) -> bool:
    """True if a program returns from its activations when it ends."""
    return any(function.unwinding for function in probes.values())


class Counting:
    """Writes the counters of one function, and lets instruments write what else stands on edges."""

    def __init__(
        self, emitter: Emitter, probes: FunctionProbes, shared: int, instruments: Sequence[FunctionInstrument] = ()
    ) -> None:
        self.emitter, self.probes, self.shared, self.instruments = emitter, probes, shared, instruments

    def declarations(self) -> list[str]:
        """Return the variables of counters that stay in registers."""
        lines = []
        for counter in self.probes.kept:
            lines += [f"%kept{counter} = alloca i64", f"store i64 0, ptr %kept{counter}"]
        return lines

    def hint(self) -> str:
        """Return attributes of the function.

        LLVM should inline a function that is called often in spite of its counters, and not optimise one that is never called.
        """
        if self.probes.idle:
            return "optnone noinline "
        return "inlinehint " if self.probes.eager else ""

    def count(self, counter: int | None) -> None:
        """Increment a counter."""
        if counter is not None:
            self._increase(counter, "1")

    def _increase(self, counter: int, amount: str) -> None:
        kept = counter in self.probes.kept
        self._add(f"ptr %kept{counter}" if kept else self._pointer(counter) + ", align 8, !tbaa !5", amount)

    def _add(self, where: str, amount: str, visible: bool = False) -> None:
        volatile = "volatile " if visible or self.probes.precise else ""
        value = self.emitter.put(f"load {volatile}i64, {where}")
        value = self.emitter.put(f"add i64 {value}, {amount}")
        self.emitter.lines.append(f"store {volatile}i64 {value}, {where}")

    def call(self, place: tuple[int, int], begins: bool) -> None:
        """Write the count of calls that have not returned: one more as a call begins, one fewer when it is back."""
        if place in self.probes.calls:
            self._increase(self.probes.calls[place], "1" if begins else "-1")

    def edge(self, source: int, target: int, taken: bool = False, annulling: bool = False) -> None:
        """Write what stands on an edge (-1: out of the function), before the slots of a branch that is `annulling`."""
        self.counters(source, target, taken)
        self._instruments(source, target, annulling)

    def arrive(self, source: int, target: int) -> None:
        """Write what instruments want behind the slots of a branch that annuls."""
        for instrument in self.instruments:
            if isinstance(instrument, ArrivingInstrument):
                instrument.arrive(source, target)

    def _instruments(self, source: int, target: int, annulling: bool = False) -> None:
        for instrument in self.instruments:
            if not (annulling and isinstance(instrument, ArrivingInstrument)):
                instrument.edge(source, target)

    def counters(self, source: int, target: int, taken: bool = False) -> None:
        """Write the counters of an edge, which may lead to or from a jump table, and no more."""
        counter = None
        if source not in self.probes.choices:
            counter = self.probes.taken.get(source) if taken else self.probes.edges.get((source, target))
        leaving = self.probes.leaving(source, target)
        self.count(counter)
        for kept in leaving:
            amount = self.emitter.put(f"load i64, ptr %kept{kept}")
            self._add(f"{self._pointer(kept)}, align 8, !tbaa !5", amount, self.probes.visible)
            self.emitter.lines.append(f"store i64 0, ptr %kept{kept}")

    def choose(self, source: int, condition: str) -> None:
        """Write, before a branch, the counters of its edges that its condition can increase."""
        if source in self.probes.choices:
            taken, falling = self.probes.taken.get(source), self.probes.edges.get((source, source + 1))
            if taken is not None:
                self._increase(taken, self.emitter.put(f"zext i1 {condition} to i64"))
            if falling is not None:
                other = self.emitter.put(f"xor i1 {condition}, 1")
                self._increase(falling, self.emitter.put(f"zext i1 {other} to i64"))

    def detour(
        self, source: int, label: str, target: int, taken: bool = False, annulling: bool = False
    ) -> tuple[str, list[str]]:  # fmt: skip
        """Return the label to which a branch goes instead of a block's label or its slots, and the text to write there."""
        return self._detour(label, lambda: self.edge(source, target, taken, annulling))

    def detour_by_table(self, source: int | None, table: int, label: str, target: int) -> tuple[str, list[str]]:
        """Return the same for an edge that leads over a jump table; `source` is the block before it, or any of them (None)."""

        def write() -> None:
            self.counters(table, target)
            if source is not None:
                self._instruments(source, target)

        return self._detour(label, write)

    def has_instruments(self, source: int, target: int) -> bool:
        """Whether an instrument writes something on an edge."""
        return bool(self._detour("", lambda: self._instruments(source, target))[1])

    def _detour(self, label: str, write: Callable[[], None]) -> tuple[str, list[str]]:
        lines, self.emitter.lines = self.emitter.lines, []
        write()
        written, self.emitter.lines = self.emitter.lines, lines
        if not written:
            return label, []
        detour = self.emitter.label()
        return detour, [f"{detour}:", *written, f"br label %{label}"]

    def unwind_system_call(self, place: tuple[int, int], leave: str) -> None:
        """Write the test whether the program has ended in a system call, the count of that, and the return by `leave`."""
        ended, going_on = self.emitter.label(), self.emitter.label()
        self.emitter.lines += [*has_ended(self.shared, ended, going_on), f"{ended}:"]
        self.count(self.probes.ends.get(place))
        self._leave(place, leave)
        self.emitter.lines.append(f"{going_on}:")

    def end_at(self, place: tuple[int, int], annulled: bool, leave: str) -> None:
        """Write the count of an activation that a fault ends at a place, and the return by `leave`.

        If that is in slots that a branch may annul, its edge to them has been counted, and is not taken.
        """
        taken = self.probes.taken.get(place[0])
        if annulled and taken is not None:
            self._increase(taken, "-1")
        self.count(self.probes.ends.get(place))
        self._leave(place, leave)

    def unwind_call(self, place: tuple[int, int], back: str, expected: int, leave: str) -> None:
        """Write the path of a call that came back to another address than expected: `leave` if the program has ended."""
        counter, word = self.probes.ends.get(place), self.emitter.places.address(expected, "Q")
        pointer = "ptr null" if counter is None else self._pointer(counter)
        arguments = f"i64 {self.emitter.number()}, i64 {back}, i64 {word}, {pointer}"
        self.emitter.lines.append(f"call void @ease_astray({arguments})")
        self.call(place, begins=False)
        self._leave(place, leave)

    def _leave(self, place: tuple[int, int], leave: str) -> None:
        self.edge(place[0], OUTSIDE)
        self.emitter.lines.append(leave)

    def _pointer(self, counter: int) -> str:
        return self.emitter.places.counter(counter)


def has_ended(shared: int, ended: str, going_on: str) -> list[str]:
    """Return the instructions that branch to one of two labels: the program has ended, or goes on."""
    state = f"ptr inttoptr (i64 {shared + 8 * STATE} to ptr)"
    return [
        f"%{ended}.state = load volatile i64, {state}",
        f"%{ended}.is = icmp eq i64 %{ended}.state, {EXITED}",
        f"br i1 %{ended}.is, label %{ended}, label %{going_on}, !prof !3",
    ]


def is_jumping(shared: int, jumping: str, other: str) -> list[str]:
    """Return the instructions that branch to one of two labels: longjmp is on its way, or not."""
    return [
        f"%{jumping}.word = load volatile i64, ptr inttoptr (i64 {shared + 8 * JUMPING} to ptr)",
        f"%{jumping}.jumps = icmp eq i64 %{jumping}.word, 1",
        f"br i1 %{jumping}.jumps, label %{jumping}, label %{other}",
    ]


def astray(shared: int) -> str:
    """Return the function for calls that came back to a wrong address: it counts the program's end or a jump, or traps."""
    lines = [
        f"define internal void @ease_astray(i64 %n, i64 %v, i64 %e, ptr %counter) cold noinline {HOST} {{",
        *has_ended(shared, "ended", "going"),
        "going:",
        *is_jumping(shared, "ended", "lost"),
        "ended:",
        "%nothing = icmp eq ptr %counter, null",
        "br i1 %nothing, label %done, label %count",
        "count:",
        "%old = load i64, ptr %counter",
        "%new = add i64 %old, 1",
        "store i64 %new, ptr %counter",
        "br label %done",
        "done:",
        "ret void",
        "lost:",
        "call void @ease_trap(i64 3, i64 %n, i64 %v, i64 %e)",
        "unreachable",
        "}",
    ]
    return "\n".join(lines)
