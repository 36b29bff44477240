"""Code made for one machine, made anew for another as far as its answers differ.

With each unit that the cache keeps go the questions that compiling it asked (`vpo/machines/questions.py`): those of the
expander for the unit, those of the phases for each part of the phases of each function, and what functions were before each
part.  For another machine the questions are asked again.  A part without another answer would do the same again, so it is
not run; one with another answer is, on the function as it was before; and if it leaves the function as it did before, all is
as it was from there on.  What comes out is what compiling everything would have made.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from vpo.analysis.memory_effects import MemoryEffects, UnitFacts
from vpo.analysis.pointers import Base
from vpo.base import cache
from vpo.base.clock import timed
from vpo.base.errors import CannotExpress
from vpo.base.kept import kept as remembered
from vpo.build.moved_lines import Lines, is_unmoved, moved_lines, with_lines
from vpo.machines.machine import Machine
from vpo.machines.match.meaning import Leaf, Sought
from vpo.machines.match.outlines import Form
from vpo.machines.questions import Answer, AskedMachine, Comparison, Described, Question, SaidBefore, Shapes, answer
from vpo.opt.driver import Options, improve, run_part
from vpo.rtl.function import UNIT_CLASSES, Data, Function, FunctionData, Unit, as_data, from_data

VARIANTS = 8  # of a unit, for machines that answer differently
EDITIONS = 3  # of a source, of which the next may be made
TRIED = 3  # of these, the last that served
MOST = 500  # units of which is remembered how they were made


Frozen = tuple[bytes, bytes]


@dataclass(slots=True)
class Kept:
    """How a unit in the cache was made; parts and the expander name questions by number.

    `unit` is its key in the cache, `states` that of what is known of the unit and of what its functions were before each part.
    `whole` tells of which functions all parts ran to the end: of others, the only part is everything that was tried.
    `machine` is the fingerprint of the one that answered; what its answers depend on is kept once for all units.
    """

    questions: list[Question]
    answers: list[Answer]
    expanding: list[int]
    names: list[str]
    parts: list[list[list[int]]]
    whole: list[bool]
    unit: str
    states: str
    warned: bool
    machine: str


@dataclass(slots=True)
class Trace:
    """A function on its way through the phases: what each part of them asked, and what the function was before.

    `kept` is its number in the unit that the cache keeps, -1 if there is none to begin with; `old` what it became there, in
    the lines of now.  `before` are functions, pickled: the one that was expanded, and the others.  Where their lines are now
    `moved` tells, as far as any has moved.
    """

    function: Function
    kept: int = -1
    questions: list[list[Question]] = field(default_factory=list)
    before: Frozen = (b"", b"")
    whole: bool = True
    moved: Lines = field(default_factory=dict)
    old: Function | None = None


KEPT_CLASSES = frozenset([*UNIT_CLASSES, Kept, Sought, Leaf])
DESCRIBED_CLASSES = frozenset([Described, Form])
STATE_CLASSES = frozenset([*UNIT_CLASSES, UnitFacts, MemoryEffects, Base])


class Asking:
    """What one machine says to questions, asked once for everything that a command compiles for it."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.shapes = machine, Shapes()
        self.answers: dict[Question, Answer] = {}
        self.comparisons: dict[str, Comparison | None] = {}
        self.is_kept = False  # what the machine's answers depend on

    @cached_property
    def said(self) -> SaidBefore:
        """What the answers depend on."""
        return SaidBefore(self.machine)

    def answer(self, question: Question) -> Answer:
        """Return what the machine says."""
        if question not in self.answers:
            self.answers[question] = answer(self.machine, question)
        return self.answers[question]

    def differing(self, kept: Kept) -> set[int]:
        """Return the questions that the machine answers otherwise than the one for which a unit was made."""
        if kept.machine == self.machine.fingerprint:
            return set()
        other = self._comparison(kept.machine)
        answers = enumerate(zip(kept.questions, kept.answers, strict=True))
        return {number for number, (question, old) in answers if not self._is_same(question, old, other)}

    def _comparison(self, fingerprint: str) -> Comparison | None:
        """Return how the machine differs from another one; None if the cache does not know that one."""
        if fingerprint not in self.comparisons:
            other = cache.load(_key_of_described(fingerprint), DESCRIBED_CLASSES)
            self.comparisons[fingerprint] = Comparison(self.said, other) if isinstance(other, Described) else None
        return self.comparisons[fingerprint]

    def _is_same(self, question: Question, old: Answer, other: Comparison | None) -> bool:
        if other is not None and question not in self.answers:
            same = other.is_same(question, old)
            if same is not None:
                if same:
                    self.answers[question] = old
                return same
        return bool(self.answer(question) == old)

    def keep(self) -> None:
        """Put into the cache what the machine's answers depend on."""
        if not self.is_kept:
            cache.store(_key_of_described(self.machine.fingerprint), self.said.described)
            self.is_kept = True

    def noted(self, asked: AskedMachine) -> list[Question]:
        """Return the shapes of what a machine was asked since the last time."""
        notes = dict.fromkeys(asked.notes)
        asked.notes.clear()
        return [*dict.fromkeys(map(self.shapes.of, notes))]


@remembered
def asking(machine: Machine) -> Asking:
    """Return what a machine has said, to all compilers for it."""
    return Asking(machine)


class Renewal:
    """The units of one identity (source and settings) that the cache keeps, for a machine without one of its own.

    If there are none, those of other `editions` of the source: that is the identity without its text, or empty.
    """

    def __init__(self, asking: Asking, identity: str, options: Options, editions: str = "") -> None:
        self.asking, self.options = asking, options
        self.index = cache.key("variants", asking.machine.basis, identity)
        self.variants: list[str] = cache.load(self.index, ()) or []
        # frequencies that a profile tells are those of lines
        self.editions = cache.key("editions", asking.machine.basis, editions) if editions and options.profile is None else ""
        self.facts = UnitFacts()
        self.served = ""  # the variant of which the unit is made
        self.kept, self.differing = self._best(self.variants)
        self.is_edited = self.kept is None and bool(self.editions)
        if self.is_edited:
            self.kept, self.differing = self._best(cache.load(self.editions, ()) or [])
        self.frozen: list[tuple[Frozen, Lines]] = []
        self.old: dict[str, Function] = {}
        self.data: list[Data] = []

    @timed("asking the machine again")
    def _best(self, names: Sequence[str]) -> tuple[Kept | None, set[int]]:
        """Return the unit of which least must be made anew, and which of its questions have other answers."""
        best: tuple[Kept | None, set[int]] = None, set()
        least = -1
        for name in names[: -TRIED - 1 : -1]:
            kept = _loaded(name)
            if kept is not None:
                differing = self.asking.differing(kept)
                work = sum(not differing.isdisjoint(part) for parts in kept.parts for part in parts)
                work += 0 if differing.isdisjoint(kept.expanding) else len(kept.parts)
                if least < 0 or work < least:
                    best, least, self.served = (kept, differing), work, name
                if not work:
                    break
        return best

    @property
    def expands_alike(self) -> bool:
        """Whether the expander would make of the unit's trees what it has made, and nobody need be told anything of them."""
        if self.kept is None or self.is_edited:
            return False
        return not self.kept.warned and self.differing.isdisjoint(self.kept.expanding)

    def unit(self) -> Unit | None:
        """Return the unit in the cache that would come out again; None if some function might not."""
        kept = self.kept
        if kept is None or any(not self.differing.isdisjoint(part) for parts in kept.parts for part in parts):
            return None
        unit = cache.load(kept.unit, UNIT_CLASSES)
        return unit if isinstance(unit, Unit) else None

    @property
    def unit_key(self) -> str:
        """The key of the unit in the cache."""
        assert self.kept is not None
        return self.kept.unit

    def load(self) -> bool:
        """Load what the functions of the unit were; return whether the cache has it."""
        states = cache.load(self.kept.states, STATE_CLASSES) if self.kept is not None else None
        unit = cache.load(self.kept.unit, UNIT_CLASSES) if self.kept is not None else None
        if states is None or not isinstance(unit, Unit):
            self.kept = None
            return False
        self.facts, self.frozen = states
        self.old, self.data = {function.name: function for function in unit.functions}, unit.data
        return True

    # ------------------------------------------------------------------------------------------------------- functions

    def trace(self, function: Function, facts: UnitFacts) -> Trace:
        """Return the beginning of a function that was expanded: from the one in the cache if it was the same."""
        if self.kept is None or function.name not in self.old:
            return Trace(function)
        number = self.kept.names.index(function.name)
        (expanded, _), before = self.frozen[number]
        moved = moved_lines(_thawed(expanded)[0], as_data(function))
        if moved is None or (facts != self.facts and facts.seen_by(function) != self.facts.seen_by(function)):
            return Trace(function)
        old, since = self.old[function.name], {before.get(line, line): now for line, now in moved.items()}
        try:
            old = old if is_unmoved(since) else from_data(with_lines(as_data(old), since))
        except KeyError:
            return Trace(function)
        return Trace(function, number, moved={} if is_unmoved(moved) else moved, old=old)

    def traces(self) -> list[Trace]:
        """Return the beginnings of the functions in the cache."""
        assert self.kept is not None
        return [
            Trace(self.old[name], number, moved=self.frozen[number][1], old=self.old[name])
            for number, name in enumerate(self.kept.names)
        ]

    def take(self, trace: Trace) -> bool:
        """Take a function from the cache, if no phase would do something else than it did; return whether that is so."""
        if trace.old is None or self.kept is None:
            return False
        trace.whole = self.kept.whole[trace.kept]
        trace.questions = [[self.kept.questions[n] for n in part] for part in self.kept.parts[trace.kept]]
        trace.before, _ = self.frozen[trace.kept]
        if any(self._differs(trace)):
            return False
        trace.function = trace.old
        return True

    def _differs(self, trace: Trace) -> list[bool]:
        """Return which parts of the phases have other answers."""
        assert self.kept is not None
        return [not self.differing.isdisjoint(part) for part in self.kept.parts[trace.kept]]

    def work(self, trace: Trace, facts: UnitFacts) -> None:
        """Make a function that cannot be taken: run the parts of the phases over it that may do something else than they did.

        Raises CannotExpress.
        """
        if trace.old is not None and trace.whole:
            try:
                trace.function = self._run_parts(trace, trace.old, facts)
                return
            except (CannotExpress, KeyError):
                pass
        self._run(_expanded(trace) if trace.old is not None else trace, facts)

    def _run_parts(self, trace: Trace, old: Function, facts: UnitFacts) -> Function:
        """Run the parts with other answers, and those behind them as long as the function is not as it was.

        Raises CannotExpress, KeyError.
        """
        running: Function | None = None
        before = [data for part in trace.before for data in _thawed(part)]
        if trace.moved:
            before = [with_lines(data, trace.moved) for data in before]
        after = [*before[1:], as_data(old)]
        seen = facts.seen_by(from_data(before[0]))
        for part, other in enumerate(self._differs(trace)):
            if running is None and not other:
                continue
            asked = AskedMachine(self.asking.machine)
            running = running or from_data(before[part])
            before[part] = as_data(running)
            run_part(running, asked, self.options, seen, part)
            trace.questions[part] = self.asking.noted(asked)
            if part + 1 < len(before):
                running.forget()  # numbers that only what was tried had, as before the next part
            if as_data(running) == after[part]:
                running = None
        trace.before, trace.moved = _frozen(before), {}
        return running or old

    def _run(self, trace: Trace, facts: UnitFacts) -> None:
        """Run all phases."""
        asked, function = AskedMachine(self.asking.machine), trace.function
        rtls: dict[object, Any] = {}
        before = [as_data(function, rtls)]
        trace.questions = []

        def watch(part: int) -> None:
            asked.forget()  # a part that runs alone asks for itself
            if part:
                trace.questions.append(self.asking.noted(asked))
                before.append(as_data(function, rtls))

        trace.whole = improve(function, asked, self.options, facts, watch) and len(before) > 1
        trace.questions.append(self.asking.noted(asked))
        trace.moved = {}
        if not trace.whole:
            trace.questions, before = [[question for part in trace.questions for question in part]], before[:1]
        trace.before = _frozen(before)

    # --------------------------------------------------------------------------------------------------------- keeping

    @timed("noting what was asked")
    def keep(self, expanding: Iterable[Question], facts: UnitFacts, traces: Sequence[Trace], unit: str, warned: bool) -> None:
        """Put into the cache how a unit was made, which is there under its key."""
        numbers: dict[Question, int] = {}

        def numbered(questions: Iterable[Question]) -> list[int]:
            return [numbers.setdefault(question, len(numbers)) for question in questions]

        asked = numbered(expanding)
        parts = [[numbered(part) for part in trace.questions] for trace in traces]
        states, name = cache.key("states", unit), cache.key("made", unit)
        cache.store(states, (facts, [(trace.before, trace.moved) for trace in traces]))
        answers, machine = [*map(self.asking.answer, numbers)], self.asking.machine.fingerprint
        names, whole = [trace.function.name for trace in traces], [trace.whole for trace in traces]
        kept = Kept([*numbers], answers, asked, names, parts, whole, unit, states, warned, machine)
        self.asking.keep()
        cache.store(name, kept)
        latest = dict.fromkeys(filter(None, ("" if self.is_edited else self.served, name)))
        if self.editions:
            known = [each for each in cache.load(self.editions, ()) or [] if each != name]
            cache.store(self.editions, [*known, name][-EDITIONS:])
        cache.store(self.index, [*(each for each in self.variants if each not in latest), *latest][-VARIANTS:])

    @property
    def expanding(self) -> list[Question]:
        """What expanding the unit in the cache asked."""
        assert self.kept is not None
        return [self.kept.questions[number] for number in self.kept.expanding]


@lru_cache(MOST)
def _loaded(name: str) -> Kept | None:
    """Return how a unit was made, of which many variants may be made one after another."""
    kept = cache.load(name, KEPT_CLASSES)
    return kept if isinstance(kept, Kept) else None


def _key_of_described(fingerprint: str) -> str:
    return cache.key("described", fingerprint)


def _expanded(trace: Trace) -> Trace:
    """Let a trace begin with the function as it was expanded."""
    if trace.old is trace.function:
        (data,) = _thawed(trace.before[0])
        trace.function = from_data(with_lines(data, trace.moved) if trace.moved else data)
    return trace


def _frozen(functions: list[FunctionData]) -> Frozen:
    first, rest = [zlib.compress(pickle.dumps(part, pickle.HIGHEST_PROTOCOL), 1) for part in (functions[:1], functions[1:])]
    return first, rest


def _thawed(data: bytes) -> list[FunctionData]:
    found: list[FunctionData] = cache.unpickled(zlib.decompress(data), STATE_CLASSES)
    return found
