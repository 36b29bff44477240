"""Write the versions of one function, and the checkpoints between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from cache_sim.native.cache import OUTSIDE
from cache_sim.native.code import STATE, Field, decrease
from ease.host.instruments.instrument import FollowingInstrument, FunctionInstrument, Instrument, Site
from ease.host.sampling.checkpoints import Checkpoints, Place, Takings
from ease.host.sampling.control import ARRIVE, LEFT, MARK, NEXT, Control, is_on, mode_of
from ease.model.sampling import Mode, Schedule
from vpo.analysis.cfg import OUTSIDE as NOWHERE
from vpo.analysis.cfg import build_cfg
from vpo.program import Program

PLACE = "place"  # the column that has the number of the loop at which an interval ended
SUFFIXES = {Mode.FAST: "", Mode.WARM: ".warm", Mode.MEASURED: ".measured", Mode.STEP: ".step"}


class Versions(Protocol):
    """A program in several versions, of which one function is written: the schedule, and what it means for each function."""

    program: Program
    schedule: Schedule
    control: Control
    instruments: list[Instrument]
    checkpoints: dict[str, Checkpoints]
    pieces: dict[str, Checkpoints]
    headers: dict[str, dict[int, int]]  # the loops at which intervals may end, by function and block
    arrived: dict[str, Field]

    @property
    def warm(self) -> Sequence[object]:
        """The instruments whose simulators the warm version keeps up."""
        ...

    @property
    def wanted(self) -> str:
        """The place of the word by which another process controls the run, '' if none does."""
        ...


class FunctionSampling:
    """Writes one function; the mode of the copy that is being written tells what stands in it."""

    def __init__(self, sampled: Versions, site: Site) -> None:
        self.sampled, self.site, self.emitter = sampled, site, site.emitter
        schedule, name = sampled.schedule, site.function.name
        self.checkpoints, self.pieces = sampled.checkpoints[name], sampled.pieces[name]
        self.suffixes = {mode: SUFFIXES[mode] if number else "" for number, mode in enumerate(schedule.modes)}
        self.modes = {suffix: mode for mode, suffix in self.suffixes.items()}
        site.copies = tuple(self.suffixes.values())
        site.uncounted = tuple(suffix for mode, suffix in self.suffixes.items() if mode is not Mode.MEASURED)
        site.splits = schedule.exact
        self.all = [instrument.function(site) for instrument in sampled.instruments]
        both = zip(sampled.instruments, self.all, strict=True)
        warming = [writer for instrument, writer in both if instrument in sampled.warm]
        steps = warming if schedule.always else []
        self.writers: dict[Mode, list[FunctionInstrument]] = {
            Mode.FAST: [], Mode.WARM: warming, Mode.STEP: steps, Mode.MEASURED: self.all,
        }  # fmt: skip
        self.loops = None if schedule.at_loops is None else sampled.headers.get(name, {})
        self.marked = {block: n for (function, block), n in sampled.control.headers.items() if function == name}
        self.entered = False
        self.returns_to_begin = bool(build_cfg(site.function).predecessors[0])

    @property
    def mode(self) -> Mode:
        """The mode of the version that is being written."""
        return self.modes[self.site.copy]

    def _here(self) -> list[FunctionInstrument]:
        """Return the instruments that write into the version that is being written; only in the measured one they count."""
        self.sampled.control.gauge.counts = self.mode is Mode.MEASURED
        return self.writers[self.mode]

    def variables(self) -> list[tuple[str, str]]:
        """Return the variables of the instruments."""
        return [variable for each in self.all for variable in each.variables()]

    # ------------------------------------------------------------------------------------------- checkpoints

    def _is_exact(self, mode: Mode) -> bool:
        """True if a version can be entered and left before any instruction, and counts each of them apart."""
        return self.sampled.schedule.exact and mode in (Mode.STEP, Mode.MEASURED)

    def _has_checkpoint(self, mode: Mode, place: Place) -> bool:
        """True if a version can be entered and left at a place."""
        return place in self.checkpoints.distances or (self._is_exact(mode) and self._begins_instruction(place))

    def _begins_instruction(self, place: Place) -> bool:
        """False if what stands at a place is the rest of the instruction before, as what a call does in the callee may be."""
        return self.pieces.sizes.get(place, 0) > 0

    def _label(self, place: Place, mode: Mode) -> str:
        """Return the label of a place in a version; that of a block if it is its head, so that loops have one entry."""
        block, index = place
        name = f"checkpoint.{block}.{index}" if index else self.site.function.blocks[block].label
        return name + self.suffixes[mode]

    def _target(self, place: Place, mode: Mode, onward: str) -> str:
        """Return where control goes on in a mode: in a version that can be entered there, which otherwise leads to one."""
        if mode is self.mode:
            return onward
        if self._has_checkpoint(mode, place):
            return self._label(place, mode)
        return onward if self.mode is Mode.STEP else self._label(place, Mode.STEP)

    def _checkpoint(self, place: Place) -> None:
        """Write the test whether control stays in this version, and the ways to the others."""
        onward = self._label(place, self.mode) if place[1] else self.emitter.label()
        if self._is_exact(self.mode) and not self._begins_instruction(place):
            self.emitter.lines.append(f"br label %{onward}")
        else:
            header = None if place[1] else place[0]
            self._test({mode: self._target(place, mode, onward) for mode in self.suffixes}, onward, header)
        self.emitter.lines.append(f"{onward}:")

    def _test(self, targets: dict[Mode, str], onward: str, header: int | None = None) -> None:
        """Write a branch to `onward` while the phase lasts; else go on to the next phase, and where its mode says.

        `header`: the block at whose head the test stands, None for another place.
        """
        emitter, over = self.emitter, self.emitter.label()
        if self.loops is not None and header not in self.loops:
            emitter.lines.append(f"br label %{onward}")
            return
        left = emitter.put(f"load i64, ptr {LEFT}")
        stays = is_on(emitter, self.mode, left, self.sampled.wanted)
        emitter.lines += [f"br i1 {stays}, label %{onward}, label %{over}, !prof !7", f"{over}:"]
        if header is not None and self.loops is not None:
            self._note_place(self.loops[header])
        after = emitter.put(f"call {OUTSIDE} i64 {NEXT}(i64 {left}), !tbaa !6")
        emitter.lines.append(f"store i64 {after}, ptr {LEFT}")
        (_, usual), *others = targets.items()
        cases = " ".join(f"i64 {int(mode)}, label %{target}" for mode, target in others)
        emitter.lines.append(f"switch i64 {mode_of(emitter, after)}, label %{usual} [ {cases} ]")

    # ------------------------------------------------------------------------------------------------ hooks

    def enter(self) -> None:
        """At the head of the function, go to the version of the mode; let instruments write, there and behind calls."""
        if not self.entered:
            self.entered = True
            if self.site.function.name == self.sampled.program.entry:
                self.sampled.control.spending.start(self.emitter)
            self._arrive()
            self._choose_version()
        for each in self._here():
            each.enter()

    def _choose_version(self) -> None:
        labels = {mode: f"enter{suffix}" for mode, suffix in self.suffixes.items()}
        if self.sampled.schedule.exact and not self._begins_instruction((0, 0)):
            self._stay_in_exact({mode: label for mode, label in labels.items() if self._is_exact(mode)})
        self._test(labels, labels[self.mode])
        for copy in self.site.copies[1:]:
            self.site.copy = copy
            self.emitter.lines.append(f"{labels[self.mode]}:")
            for each in self._here():
                each.enter()
            for each in self._here():
                each.edge(NOWHERE, 0)
            self.emitter.lines.append(f"br label %{self._label((0, 0), self.mode)}")
        self.site.copy = self.site.copies[0]
        self.emitter.lines.append(f"{labels[self.mode]}:")

    def _stay_in_exact(self, labels: Mapping[Mode, str]) -> None:
        """Go on in the version of the mode if it is an exact one, whether its phase is over or not."""
        emitter, other = self.emitter, self.emitter.label()
        mode = mode_of(emitter, emitter.put(f"load i64, ptr {LEFT}"))
        cases = " ".join(f"i64 {int(exact)}, label %{label}" for exact, label in labels.items())
        emitter.lines += [f"switch i64 {mode}, label %{other} [ {cases} ]", f"{other}:"]

    def _arrive(self) -> None:
        """Count arrivals at the function, if a sample begins at one of them."""
        name, emitter = self.site.function.name, self.emitter
        wanted = [arrival for arrival in self.sampled.schedule.arrivals if arrival.function == name]
        if not wanted:
            return
        pointer = self.sampled.arrived[name].pointer
        number = emitter.put(f"add i64 {emitter.put(f'load i64, ptr {pointer}, {STATE}')}, 1")
        emitter.lines.append(f"store i64 {number}, ptr {pointer}, {STATE}")
        for arrival in wanted:
            begins, after = emitter.label(), emitter.label()
            test = emitter.put(f"icmp eq i64 {number}, {arrival.number}")
            emitter.lines += [f"br i1 {test}, label %{begins}, label %{after}, !prof !3", f"{begins}:"]
            left = emitter.put(f"load i64, ptr {LEFT}")
            left = emitter.put(f"call {OUTSIDE} i64 {ARRIVE}(i64 {left}, i64 {arrival.phase}), !tbaa !6")
            emitter.lines += [f"store i64 {left}, ptr {LEFT}", f"br label %{after}", f"{after}:"]

    def begin(self, block: int) -> None:
        """Write the checkpoint at the head of a block."""
        if self._has_checkpoint(self.mode, (block, 0)) and (block or self.returns_to_begin):
            self._checkpoint((block, 0))
        for each in self._here():
            each.begin(block)

    def before(self, block: int, index: int) -> None:
        """Write a checkpoint within a block, take the instructions of a segment, and let instruments write."""
        place = block, index
        if index and self._has_checkpoint(self.mode, place):
            self._checkpoint(place)
        self._take(self._takings.places.get(place, 0))
        if self.site.function.blocks[block].rtls[index].system_call is not None:
            self._keep_left()
        for each in self._here():
            each.before(block, index)

    def _note_place(self, number: int) -> None:
        """Keep at which loop an interval ends."""
        self.emitter.lines.append(f"store i64 {number}, ptr {self.sampled.control.gauge.columns[PLACE]}, {STATE}")

    def _come_to_mark(self, header: int) -> None:
        """Count an arrival at a loop; at a mark, go on with another phase, whose version the next checkpoint leads to."""
        emitter, control = self.emitter, self.sampled.control
        pointer, begins, after = control.arrived.element(header), emitter.label(), emitter.label()
        number = emitter.put(f"add i64 {emitter.put(f'load i64, ptr {pointer}, {STATE}')}, 1")
        emitter.lines.append(f"store i64 {number}, ptr {pointer}, {STATE}")
        due = emitter.put(f"load i64, ptr {control.due.element(header)}, {STATE}")
        test = emitter.put(f"icmp eq i64 {number}, {due}")
        emitter.lines += [f"br i1 {test}, label %{begins}, label %{after}, !prof !3", f"{begins}:"]
        left = emitter.put(f"load i64, ptr {LEFT}")
        left = emitter.put(f"call {OUTSIDE} i64 {MARK}(i64 {left}, i64 {header}), !tbaa !6")
        emitter.lines += [f"store i64 {left}, ptr {LEFT}", f"br label %{after}", f"{after}:"]

    @property
    def _takings(self) -> Takings:
        """Where the version that is being written takes instructions from those that are left."""
        return (self.pieces if self._is_exact(self.mode) else self.checkpoints).takings

    def _take(self, instructions: int) -> None:
        if instructions:
            decrease(self.emitter, LEFT, str(instructions))

    def _keep_left(self) -> None:
        """Keep the instructions left: the program may end in a system call."""
        left = self.emitter.put(f"load i64, ptr {LEFT}")
        self.emitter.lines.append(f"store volatile i64 {left}, ptr {self.sampled.control.left.pointer}")
        self.sampled.control.spending.note(self.emitter)

    def after(self, block: int, index: int) -> None:
        """Let instruments write behind an RTL."""
        for each in self._here():
            if isinstance(each, FollowingInstrument):
                each.after(block, index)

    def transfer(self, block: int, index: int, value: str) -> None:
        """Let instruments write before a transfer of control."""
        for each in self._here():
            each.transfer(block, index, value)

    def edge(self, source: int, target: int) -> None:
        """Take what a way owes, and let instruments write on an edge."""
        self._take(self._takings.edges.get((source, target), 0))
        if target in self.marked:
            self._come_to_mark(self.marked[target])
        for each in self._here():
            each.edge(source, target)
