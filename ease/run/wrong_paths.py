"""Follow wrong paths: execute instructions where a mispredicted transfer does not go, and undo all that they did.

The plain interpreter does it, so the program does what it does without (`tests/host/test_wrong_paths.py`).  A wrong path
begins behind a mispredicted branch, indirect jump, indirect call or return, with its delay slots, and ends after so many
instructions, or before the first that calls the system or goes wrong.  Transfers on it go where conditions and registers say;
predictors do not learn there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.predictors.predictor import Kind, Predictor, Static
from cache_sim.predictors.predictor import Simulator as Predictions
from cache_sim.predictors.predictors import load as load_predictors
from cache_sim.reference import Simulator
from ease.host.process.job import USUAL, RunOptions
from ease.model.attribution import attribute, attribute_predictions
from ease.model.results import Measurement, WrongPaths
from ease.run.interpreting import measurement_of_interpretation
from ease.run.measure_options import on
from vpo.algebra.values import Value
from vpo.analysis.transfers import kind_of, unit
from vpo.il.routine_names import RESUME_CONTEXT
from vpo.interpret.plain import Going, NowhereError, PlainInterpreter
from vpo.interpret.plain_state import Activation
from vpo.interpret.result import Result, run_with_streams
from vpo.interpret.target_memory import Memory
from vpo.program import Program
from vpo.rtl import Branch, Call, Effect, Expr, IndirectJump, Op, Rtl
from vpo.system.faults import MemoryFault
from vpo.system.files import with_new_folder
from vpo.system.kernel import NO_LIMITS, Limits


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
    """A run in which each transfer that a predictor mispredicts is followed by `length` wrong instructions.

    Of several predictors for a kind of transfers, the first one decides.
    """

    def __init__(
        self, program: Program, arguments: Sequence[str | bytes], streams: Sequence[int], roots: Iterable[str | Path],
        limit: int | None, watching: Watching, predictors: Mapping[str, Predictor], length: int, limits: Limits = NO_LIMITS,
    ) -> None:  # fmt: skip
        super().__init__(program, arguments, streams, roots, limit, watching, limits)
        self.watching, self.length = watching, length
        self.deciding = {kind: each for each in reversed(list(predictors.values())) for kind in each.kinds}
        self.predictions = Predictions(predictors)
        self.places = {
            start: (name, position)
            for name, fetched in program.fetched.items()
            for position, (start, end) in reversed(list(enumerate(fetched)))
            if end > start
        }
        self.mispredicted = self.followed = self.wrong_instructions = 0
        self.ended = {"system call": 0, "fault": 0}
        self.scratch = [
            {name: [0] * len(counts) for name, counts in table.items()} for table in (self.rtls, self.blocks, self.taken)
        ]  # of counts on wrong paths

    def execute(self, rtl: Rtl) -> Going | None:
        """Execute an RTL; if it goes elsewhere than predicted, first follow the wrong path and undo it."""
        going = super().execute(rtl)
        effect = rtl.transfer or rtl.call
        if effect is None or self.watching.wrong:
            return going
        kind = kind_of(effect, self.program)
        if kind:
            self._predict(rtl, effect, Kind(kind), going)
        if isinstance(effect, Call):
            self.predictions.called(self.fetched[self.position + self.slots_of(rtl)][1])
        return going

    def _predict(self, rtl: Rtl, effect: Effect, kind: Kind, going: Going | None) -> None:
        """Predict a transfer, and follow the wrong path if that is not where it goes."""
        address = self.fetched[self.position][1] - 1  # as `vpo.analysis.transfers` has it
        branch, target = isinstance(effect, Branch), 0
        if isinstance(effect, Branch):
            target = self.program.labels[self.function.name, effect.label]
        outcome = int(going is not None) if branch or going is None else going[1]
        deciding = self.deciding.get(kind)
        predicted = None if deciding is None else deciding.predict(address, target)
        self.predictions.transfer(kind, address, target, outcome)
        self.mispredicted += deciding is not None and predicted != outcome
        if predicted is not None and predicted != outcome:
            with self._undone():
                self._follow(rtl, (effect, 0 if branch else predicted) if predicted or not branch else None)

    def jump(self, effect: IndirectJump, target: int) -> None:
        """Go to the address of an indirect jump, on a wrong path to any."""
        if self.watching.wrong:
            self._go_to_address(target)
        else:
            super().jump(effect, target)

    def leave(self, target: int) -> None:
        """Return from a function, on a wrong path to any address."""
        activation = self.state.activations[-1]
        if self.watching.wrong and activation.back != target and activation.function.name != RESUME_CONTEXT:
            self._go_to_address(target)
        else:
            super().leave(target)

    def _go_to_address(self, address: int) -> None:
        """Go on at an address of the program, in the innermost activation of its function, or in a new one.

        Raises NowhereError.
        """
        if address not in self.places:
            raise NowhereError("jump", address)
        name, position = self.places[address]
        activations, function = self.state.activations, self.program.functions[name]
        depth = next((n for n in range(len(activations), 0, -1) if activations[n - 1].function is function), 0)
        if depth:
            del activations[depth:]
        else:
            activations.append(Activation(function, self.layouts[name]))
        starts = function.block_starts()
        self.block = bisect_right(starts, position) - 1
        self.index = position - starts[self.block]
        self.blocks[name][self.block] += self.index == 0

    def evaluate(self, node: Expr, type_: str = "") -> Value:
        """Return the value of an expression; a system call ends a wrong path."""
        if self.watching.wrong and isinstance(node, Op) and node.op == "SYS":
            raise _End
        return super().evaluate(node, type_)

    def _follow(self, rtl: Rtl, going: Going | None) -> None:
        """Go on behind a transfer as predicted."""
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
        paths = self.mispredicted, self.followed, self.wrong_instructions
        return WrongPaths(self.length, *paths, self.ended, references, without, with_)


# ----------------------------------------------------------------------------------------------------------------------
# Run a program in the interpreter, with what follows mispredicted branches on wrong paths, and measure it.


FORM = "a number of instructions, such as 32, or 32,caches"
LONGEST = 1 << 20


def parse_wrong_path(text: str) -> tuple[int, bool]:
    """Read what `-wrong-path` says: the number of instructions, and whether their references reach the caches.

    Raises ConfigurationError.
    """
    number, comma, rest = text.partition(",")
    if not number.isdecimal() or not 1 <= int(number) <= LONGEST or (comma and rest != "caches"):
        raise ConfigurationError(f"-wrong-path {text}: this is {FORM} (at most {LONGEST:,})")
    return int(number), bool(comma)


def deciding_predictors(predict: str, size: int = 1) -> dict[str, Predictor]:
    """Return the predictors that decide which paths are wrong; `size`: the least distance of instructions.

    Raises ConfigurationError.
    """
    found = load_predictors(predict, size)
    known = all(not isinstance(each, Static) or each.known for each in found.values())
    if not known or sum(Kind.BRANCH in each.kinds for each in found.values()) > 1:
        raise ConfigurationError(
            f"-predict {predict}: wrong paths need at most one predictor of branches, which knows before the run what it "
            "predicts, such as gshare:4k,12+ras:8+btb:64"
        )
    return found


def wrong_path_run(
    program: Program, arguments: Sequence[str | bytes], length: int, reaching: bool, predict: str,
    system: MemorySystem | None = None, options: RunOptions = USUAL,
) -> tuple[Result, Measurement]:  # fmt: skip
    """Run a program, and `length` instructions behind each mispredicted transfer; return the run and what was measured.

    `reaching`: the measurement has the memory system that wrong paths reach; `WrongPaths` has both.

    Raises ConfigurationError.
    """
    predictors = deciding_predictors(predict, unit(program))
    system = None if system is None else on(program.machine, system)
    watching = Watching(*([None, None] if system is None else [Simulator(system), Simulator(system)]))
    made: list[WrongPathInterpreter] = []

    def run(streams: Sequence[int]) -> Result:
        with with_new_folder(options.roots) as roots:
            given = program, arguments, streams, roots, options.limit
            made.append(WrongPathInterpreter(*given, watching, predictors, length, options.limits))
            return made[0].run()

    result = run_with_streams(run, options.stdin, options.capture)
    told = made[0].told()
    measurement = measurement_of_interpretation(program, result)
    counts = measurement.counts
    assert counts is not None
    prediction = attribute_predictions(program, counts, made[0].predictions.results())
    seen = told.with_ if reaching else told.without
    memory = None if seen is None else attribute(program, counts, seen)
    return result, replace(measurement, prediction=prediction, memory=memory, wrong_paths=told)
