"""Follow wrong paths: execute instructions where a mispredicted branch does not go, and undo all that they did.

The plain interpreter does it, so the program does what it does without (`tests/interpret/test_wrong_paths.py`).  A wrong path
begins behind a mispredicted conditional branch, with its delay slots, and ends after so many instructions, or before the first
that calls the system or goes wrong.  Branches on it go where their conditions say; predictors do not learn there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cache_sim.predictors.predictor import Kind, Predictor
from cache_sim.predictors.simulator import Simulator as Predictions
from cache_sim.reference import Simulator
from cache_sim.results import Results
from vpo.faults import MemoryFault
from vpo.interpret.plain import Going, PlainInterpreter
from vpo.interpret.plain_faults import NowhereError
from vpo.interpret.plain_values import Value
from vpo.interpret.target_memory import Memory
from vpo.program import Program
from vpo.rtl import Branch, Expr, Op, Rtl


@dataclass(frozen=True, slots=True)
class WrongPaths:
    """What happened on wrong paths: `length` is what was asked for, `ended` how many ended earlier, by reason.

    `references` counts fetches, reads and writes there.  `without` and `with_`: what caches did if these do not reach them,
    and if they do; None without caches.
    """

    length: int
    followed: int
    instructions: int
    ended: dict[str, int]
    references: dict[str, int]
    without: Results | None = None
    with_: Results | None = None


class _End(Exception):
    """A wrong path comes to a system call."""


class _UndoneMemory:
    """Memory that keeps what is overwritten, and puts it back."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.read = memory, memory.read
        self.kept: list[tuple[int, bytes]] = []

    def write(self, address: int, data: bytes) -> None:
        """Store bytes."""
        self.memory.check(address, len(data), True)
        self.kept.append((address, self.memory.read(address, len(data))))
        self.memory.write(address, data)

    def undo(self) -> None:
        """Put everything back, the last first."""
        for address, data in reversed(self.kept):
            self.memory.write(address, data)


@dataclass
class Watching:
    """Sends references to two memory systems: one that sees wrong paths, and one that does not."""

    without: Simulator | None
    with_: Simulator | None
    wrong: bool = False
    references: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("fetch", "read", "write"), 0))

    @property
    def simulators(self) -> tuple[Simulator | None, Simulator | None]:
        """Both memory systems."""
        return self.without, self.with_

    def fetch(self, address: int, size: int) -> None:
        """An instruction is fetched."""
        self._tell("fetch", "fetch", address, size)

    def data(self, address: int, size: int, write: bool) -> None:
        """Data are read or written."""
        self._tell("write" if write else "read", "data", address, size, write)

    def _tell(self, kind: str, method: str, *given: Any) -> None:
        if self.wrong:
            self.references[kind] += 1
        for simulator in filter(None, [self.with_] if self.wrong else self.simulators):
            getattr(simulator, method)(*given)


class WrongPathInterpreter(PlainInterpreter):
    """A run in which each conditional branch that `predictor` mispredicts is followed by `length` wrong instructions."""

    def __init__(
        self, program: Program, arguments: Sequence[str | bytes], streams: Sequence[int], roots: Iterable[str | Path],
        limit: int | None, watching: Watching, predictor: tuple[str, Predictor], length: int,
    ) -> None:  # fmt: skip
        super().__init__(program, arguments, streams, roots, limit, watching)
        self.watching, self.predictor, self.length = watching, predictor[1], length
        self.predictions = Predictions(dict([predictor]))
        self.followed = self.wrong_instructions = 0
        self.ended = {"system call": 0, "fault": 0}
        self.scratch = [
            {name: [0] * len(counts) for name, counts in table.items()} for table in (self.rtls, self.blocks, self.taken)
        ]  # of counts on wrong paths

    def execute(self, rtl: Rtl) -> Going | None:
        """Execute an RTL; if it is a branch that goes elsewhere than predicted, first follow the wrong path and undo it."""
        going = super().execute(rtl)
        if isinstance(rtl.transfer, Branch) and not self.watching.wrong:
            outcome = int(going is not None)
            address = self.address(self.position + 1) - 1  # as `vpo.analysis.control_transfers` has it
            target = self.program.labels[self.function.name, rtl.transfer.label]
            predicted = self.predictor.predict(address, target)
            self.predictions.transfer(Kind.BRANCH, address, target, outcome)
            if predicted is not None and predicted != outcome:
                with self._undone():
                    self._follow(rtl, (rtl.transfer, 0) if predicted else None)
        return going

    def evaluate(self, node: Expr, type_: str = "") -> Value:
        """Return the value of an expression; a system call ends a wrong path."""
        if self.watching.wrong and isinstance(node, Op) and node.op == "SYS":
            raise _End
        return super().evaluate(node, type_)

    def _follow(self, rtl: Rtl, going: Going | None) -> None:
        """Go on behind a branch as predicted."""
        first = self.executed
        self.followed += 1
        try:
            self.go_on(rtl, going)
            while self.executed < first + self.length:
                self.step()
        except _End:
            self.ended["system call"] += 1
        except (NowhereError, MemoryFault, ZeroDivisionError):
            self.ended["fault"] += 1
        self.wrong_instructions += self.executed - first

    @contextmanager
    def _undone(self) -> Iterator[None]:
        """Put back, at the end, whatever has changed: the state of the program, counts, the program counter."""
        state, memory = self.state, self.state.memory
        kept = self.block, self.index, self.executed, self.resident, self.limit
        counts = self.rtls, self.blocks, self.taken, self.traps
        registers, undone = dict(state.registers), _UndoneMemory(memory)
        activations = [
            replace(each, own=dict(each.own), preserved=dict(each.preserved), contexts=dict(each.contexts))
            for each in state.activations
        ]
        self.rtls, self.blocks, self.taken = self.scratch
        self.traps = {name: dict(traps) for name, traps in self.traps.items() if traps}
        self.limit, self.watching.wrong, state.memory = None, True, undone  # type: ignore[assignment]
        try:
            yield
        finally:
            undone.undo()
            state.memory, state.registers, state.activations = memory, registers, activations
            self.rtls, self.blocks, self.taken, self.traps = counts
            self.block, self.index, self.executed, self.resident, self.limit = kept
            self.watching.wrong = False

    def told(self) -> WrongPaths:
        """Return what happened on wrong paths."""
        without, with_ = (None if each is None else each.results().without_sites() for each in self.watching.simulators)
        references = dict(self.watching.references)
        return WrongPaths(self.length, self.followed, self.wrong_instructions, self.ended, references, without, with_)
