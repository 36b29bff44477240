"""The phase driver: the one place that runs, checks, counts, dumps and times phases.

A function whose improved code wants more registers than there are goes through the phases of `-O0` (at the end).
"""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, Protocol

from vpo.analysis.alias import NO_FACTS
from vpo.analysis.frequency import LineProfile
from vpo.analysis.memory_effects import UnitFacts
from vpo.analysis.verify import verify
from vpo.base.errors import CannotExpress
from vpo.base.suggestions import suggested
from vpo.machines.machine import Machine
from vpo.opt.changes import ChangeRecord, Changes
from vpo.opt.control import clean_up_control_flow
from vpo.opt.dead import remove_dead_assignments
from vpo.opt.frame.entry_exit import insert_entry_and_exit
from vpo.opt.join_tests import join_tests
from vpo.opt.jump_threading import thread_jumps
from vpo.opt.late.delay import fill_delay_slots
from vpo.opt.late.register_stack import clean_up_register_stack
from vpo.opt.late.small_code import merge_tails, push_arguments
from vpo.opt.late.span import resolve_spans
from vpo.opt.late.stack_scheduling import schedule_stacks
from vpo.opt.loops.count_down import count_down
from vpo.opt.loops.final_values import find_final_values
from vpo.opt.loops.motion import move_invariant_code
from vpo.opt.loops.reduce_strength import reduce_strength
from vpo.opt.loops.steps import advance_steps, defer_steps, sink_increments
from vpo.opt.loops.store_motion import move_stores
from vpo.opt.loops.unroll import rotate_loops, unroll_loops
from vpo.opt.phase_list import FunctionLog, PhaseListError, PhaseLog, Repeat, Step, phase_names
from vpo.opt.registers.assignment import assign_registers
from vpo.opt.registers.reuse_loads import reuse_loads
from vpo.opt.registers.split_ranges import split_ranges
from vpo.opt.selection.addresses import fold_addresses
from vpo.opt.selection.combine import combine_instructions
from vpo.opt.selection.cover_all import cover_values
from vpo.opt.selection.fuse_branches import fuse_branches
from vpo.opt.selection.neighbours import share_addresses
from vpo.opt.selection.predicate import predicate_instructions
from vpo.opt.selection.selects import make_selects
from vpo.opt.selection.simultaneous import make_simultaneous
from vpo.opt.ssa.construct_ssa import construct_ssa
from vpo.opt.ssa.eliminate_redundancies import eliminate_redundancies
from vpo.opt.ssa.factor import factor_operations
from vpo.opt.ssa.find_operators import find_operators
from vpo.opt.ssa.hoist_moves import hoist_moves
from vpo.opt.ssa.join_loads import join_loads
from vpo.opt.ssa.join_stores import join_stores
from vpo.opt.ssa.leave_ssa import leave_ssa
from vpo.opt.ssa.narrow import narrow_operations, remove_extensions
from vpo.opt.ssa.partial_redundancies import eliminate_partial_redundancies
from vpo.opt.ssa.permute_bits import permute_bits
from vpo.opt.ssa.propagate_constants import propagate_constants
from vpo.opt.ssa.sink import sink_computations
from vpo.opt.ssa.split_edges import split_edges
from vpo.opt.state import FunctionState
from vpo.rtl import Effect, Rtl
from vpo.rtl.function import STAGES, Block, Function
from vpo.text import TextError, parse_effects, parse_function, print_function, show_effects

PhaseFunction = Callable[[FunctionState], None]


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase: its name on the command line, its code, whether correct code needs it, and whether it knows phis."""

    name: str
    run: PhaseFunction
    needed: bool = False
    ssa: bool = False  # whether it takes functions in SSA form

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (self.run.__doc__ or "").strip().splitlines()[0]


PHASES = {
    phase.name: phase
    for phase in (
        Phase("ssa", construct_ssa, ssa=True),
        Phase("extensions", remove_extensions, ssa=True),
        Phase("constants", propagate_constants, ssa=True),
        Phase("gvn", eliminate_redundancies, ssa=True),
        Phase("pre", eliminate_partial_redundancies, ssa=True),
        Phase("final-values", find_final_values, ssa=True),
        Phase("strength", reduce_strength, ssa=True),
        Phase("count-down", count_down, ssa=True),
        Phase("join-loads", join_loads, ssa=True),
        Phase("permute-bits", permute_bits, ssa=True),
        Phase("find-operators", find_operators, ssa=True),
        Phase("narrow", narrow_operations, ssa=True),
        Phase("factor", factor_operations, ssa=True),
        Phase("join-stores", join_stores, ssa=True),
        Phase("cover", cover_values, ssa=True),
        Phase("selects", make_selects, ssa=True),
        Phase("unssa", leave_ssa, ssa=True),
        Phase("hoist-moves", hoist_moves),
        Phase("share-addresses", share_addresses, ssa=True),
        Phase("fold-addresses", fold_addresses, ssa=True),
        Phase("sink", sink_computations, ssa=True),
        Phase("advance-steps", advance_steps, ssa=True),
        Phase("defer-steps", defer_steps, ssa=True),
        Phase("split-edges", split_edges),
        Phase("thread-jumps", thread_jumps),
        Phase("join-tests", join_tests),
        Phase("control", clean_up_control_flow),
        Phase("combine", combine_instructions),
        Phase("dead", remove_dead_assignments, ssa=True),
        Phase("rotate-loops", rotate_loops),
        Phase("unroll", unroll_loops),
        Phase("motion", move_invariant_code, ssa=True),
        Phase("store-motion", move_stores, ssa=True),
        Phase("split-ranges", split_ranges),
        Phase("sink-increments", sink_increments),
        Phase("assign", assign_registers, needed=True),
        Phase("reuse-loads", reuse_loads),
        Phase("predicate", predicate_instructions),
        Phase("fuse-branches", fuse_branches),
        Phase("simultaneous", make_simultaneous),
        Phase("frame", insert_entry_and_exit, needed=True),
        Phase("register-stack", clean_up_register_stack, needed=True),
        Phase("push-arguments", push_arguments),
        Phase("cross-jump", merge_tails),
        Phase("delay", fill_delay_slots, needed=True),
        Phase("stack-scheduling", schedule_stacks),
        Phase("span", resolve_spans, needed=True),
    )
}

ROUNDS = 10  # of a group that is repeated: phases that undo each other's changes must end, too
REACHES = {"assign": 2, "frame": 3, "delay": 4}  # the number of the stage that a phase brings a function to
BASIC = ("assign", "frame", "control", "register-stack", "delay", "span")
FINISH = ("sink-increments", "assign", "reuse-loads", "predicate", "fuse-branches", "simultaneous", *BASIC[1:-1],
          "stack-scheduling", "span")  # fmt: skip
# SSA form: values are found, addresses folded into what uses them, and what is left over leaves the loops
VALUES = ("split-edges", "ssa", "extensions", "constants", "join-loads", "permute-bits", "gvn", "find-operators", "dead")
FOLD = ("share-addresses", "fold-addresses", "dead", "selects")
MOTION = ("pre", "motion", "store-motion", "gvn", "dead", "share-addresses", "fold-addresses", "dead", "factor",
          "dead", "narrow")
LEAVE = ("join-stores", "cover", "dead", "sink", "advance-steps", "defer-steps", "unssa", "hoist-moves", "control")
Level = int | Literal["s"]  # of optimisation; "s": for small code
LEVELS: dict[Level, tuple[Step, ...]] = {
    0: ("control", "dead", *BASIC),
    # tests are copied to loop ends once they are short; combining twice catches what the first round exposes
    1: ("control", *VALUES, *FOLD, *LEAVE, "combine", "dead", "rotate-loops", "control", "combine", "dead", *FINISH),
    2: ("control", "split-edges", "thread-jumps", "control", "join-tests", "control", "rotate-loops", "control",
        "split-edges", "unroll", *VALUES, "selects", "final-values", "strength", "count-down", "gvn", "dead", *MOTION,
        *LEAVE, "combine", "dead", "control", "simultaneous", "split-ranges", *FINISH),
}  # fmt: skip
_SMALL = tuple(step for step in LEVELS[2] if step != "split-ranges")  # its moves take room
_DELAY = _SMALL.index("delay")
LEVELS["s"] = (*_SMALL[:_DELAY], "push-arguments", "cross-jump", "control", *_SMALL[_DELAY:])


# phases that one instruction more or less may concern in many functions: there it often ends with them
GENERAL = ("selects", "cover", "advance-steps", "defer-steps", "combine", "predicate", "fuse-branches", "simultaneous")


def parts_of(steps: Sequence[Step]) -> list[int]:
    """Return the places where the parts begin that can be done again (`run_part`): general phases, others, the last ones."""
    kinds = [step == "assign" or (step in GENERAL, steps[:place].count("assign")) for place, step in enumerate(steps)]
    return [place for place, kind in enumerate(kinds) if place == 0 or kind != kinds[place - 1]]


class Sampled(Protocol):
    """What a function did on samples of inputs (`sampled_runs.py`)."""

    def difference(self, function: Function) -> str:
        """Tell what a function does otherwise than at first; nothing if it does the same."""
        ...


@dataclass(eq=False)
class Options:
    """How to run the phases.

    `phases` overrides the level's list; `dump` receives a file after each phase, `log` what each did, and `record` every
    change to one function; `changes` counts and limits those that improve.  `profile` tells how often blocks are executed.
    When checking, `samples` runs functions, and the grammar is asked what `judge` is given.
    """

    level: Level = 1
    phases: tuple[Step, ...] | None = None
    check: bool = False
    dump: Path | None = None
    log: PhaseLog | None = None
    record: ChangeRecord | None = None
    profile: LineProfile | None = None
    changes: Changes = field(default_factory=Changes)
    samples: Callable[[Function, Machine, UnitFacts], Sampled] | None = None
    judge: Callable[[tuple[Effect, ...]], str] | None = None  # objects to RTLs
    readable: set[tuple[Effect, ...]] = field(default_factory=set)  # effects whose text was read back, when checking

    def steps(self) -> tuple[Step, ...]:
        """Return the phases to run, in order."""
        return self.phases if self.phases is not None else LEVELS[self.level]


class PhaseError(Exception):
    """A phase left a function in a state that it must not be in."""


def check_phases(steps: Sequence[Step]) -> None:
    """Find out whether there are such phases, and whether they make code from functions as the expander writes them.

    Raises PhaseListError.
    """
    for name in phase_names(steps):
        if name not in PHASES:
            raise PhaseListError(f"there is no phase '{name}'{suggested(name, PHASES)} (phases: {', '.join(PHASES)})")
    ssa = False
    for name in phase_names(steps, rounds=2):
        ssa = name == "ssa" or (ssa and name != "unssa")
        if ssa and not PHASES[name].ssa:
            raise PhaseListError(f"{name} cannot work on SSA form; put unssa before it")
    needed = [name for name, phase in PHASES.items() if phase.needed]
    repeated = [name for name in phase_names(step for step in steps if isinstance(step, Repeat)) if name in needed]
    if repeated:
        raise PhaseListError(f"{repeated[0]} runs once; take it out of the group that is repeated")
    if [name for name in phase_names(steps) if name in needed] != needed:
        raise PhaseListError(f"there must be {', '.join(needed)}, once each and in this order")


SSA_FORM = frozenset(["ssa", "unssa"])  # one phase goes into SSA form, the other one leaves it: neither runs alone


def optional_phases(level: Level) -> list[str]:
    """Return the phases of a level that code is right without, in the order in which each runs first."""
    return [name for name in dict.fromkeys(phase_names(LEVELS[level])) if not PHASES[name].needed]


def without(steps: Sequence[Step], names: Iterable[str]) -> tuple[Step, ...]:
    """Return the phases to run without some, which may be within groups; with `ssa` goes `unssa`, and the other way round.

    Raises PhaseListError for a phase that does not run, or that code is wrong without.
    """
    known = list(dict.fromkeys(phase_names(steps)))
    for name in names:
        if name in PHASES and PHASES[name].needed:
            raise PhaseListError(f"without {name} there is no code")
        if name not in known:
            raise PhaseListError(f"no phase '{name}' runs{suggested(name, known)} (phases: {', '.join(known)})")
    gone = {*names, *(SSA_FORM if SSA_FORM & {*names} else ())}
    return tuple(_left(steps, gone))


def _left(steps: Sequence[Step], gone: set[str]) -> Iterator[Step]:
    for step in steps:
        if isinstance(step, str):
            if step not in gone:
                yield step
        elif inner := tuple(_left(step.steps, gone)):
            yield Repeat(inner)


Watch = Callable[[int], None]  # called with the number of each part before it begins


def run_phases(
    function: Function, machine: Machine, options: Options, facts: UnitFacts = NO_FACTS, watch: Watch | None = None
) -> None:
    """Run the phases over one function of a unit of which some facts are known.

    Raises PhaseError if checking finds a broken invariant, and what the needed phases raise.
    """
    _Run(function, machine, options, facts, watch).run()


def run_part(function: Function, machine: Machine, options: Options, facts: UnitFacts, part: int) -> None:
    """Run one part of the phases of a level over a function, which is as the part before has left it.

    Raises what the needed phases raise.
    """
    starts = [*parts_of(options.steps()), None]
    _Run(function, machine, options, facts).run_between(starts[part] or 0, starts[part + 1])


class _Run:
    """The phases on their way over one function."""

    def __init__(
        self, function: Function, machine: Machine, options: Options, facts: UnitFacts, watch: Watch | None = None
    ) -> None:
        small, wraps_saves = options.level == "s", options.level == 2
        self.state = FunctionState(function, machine, facts, small, wraps_saves, options.profile, options.changes)
        self.options = options
        self.checker = _Checker(self.state, options, facts) if options.check else None
        self.log = FunctionLog(options.log, function) if options.log is not None else None
        self.record = options.record if options.record is not None and options.record.name == function.name else None
        self.number, self.name = 0, ""  # of the phase that runs: the first is number 1
        self.starts = parts_of(options.steps()) if options.phases is None else []
        self.watch = watch or (lambda part: None)

    def run(self) -> None:
        """Run the phases that the function has not been through."""
        if self.record is not None:
            self.record.begin(self.state.function)
        steps = self.options.steps()
        done = _done(self.state.function, steps)
        self.number = len(list(phase_names(steps[:done])))
        self._steps(steps[done:], self.number)
        if self.checker is not None and self.name:
            self.checker.finish(self.number, self.name)

    def run_between(self, first: int, last: int | None) -> None:
        """Run the phases from one place in their list up to another one, or to the end."""
        self._steps(self.options.steps()[first:last], first)

    def _steps(self, steps: Sequence[Step], place: int) -> int:
        """Run some steps, the first of which has a place in the list of phases; return the place behind them."""
        for step in steps:
            if isinstance(step, str):
                self._phase(step, place)
                place += 1
            else:
                place = self._repeat(step.steps, place)
        return place

    def _repeat(self, steps: Sequence[Step], place: int) -> int:
        for _ in range(ROUNDS):
            before = self.state.changes.made
            behind = self._steps(steps, place)
            if self.state.changes.made == before:
                break
        return behind

    def _phase(self, name: str, place: int) -> None:
        """Run a phase, and check, record and dump what it did."""
        self.number, self.name = self.number + 1, name
        if place in self.starts:  # what comes of a part follows from the function alone
            self.state.forget()
            self.watch(self.starts.index(place))
        phase, function = PHASES[name], self.state.function
        if function.stage == "ssa" and not phase.ssa:
            where = f"phase {self.number} ({name}) on {function.name[1:]}"
            raise PhaseError(f"{where}: the function is in SSA form; put unssa before this phase")
        before, start = self.state.changes.made, time.perf_counter()
        with self.record.during(self.number, name, self.state.changes) if self.record is not None else nullcontext():
            phase.run(self.state)
            if place + 1 in self.starts:
                self.state.renumber()
        seconds = time.perf_counter() - start
        if self.log is not None:
            self.log.add(self.number, place, name, self.state.changes.made - before, seconds)
        if self.checker is not None:
            self.checker.check(self.number, name)
        if self.options.dump is not None:
            _dump(function, self.state.machine, self.options.dump, self.number, name)


def _done(function: Function, steps: Sequence[Step]) -> int:
    """Return how many steps a function read from text has behind it, as its stage tells."""
    if function.stage == "ssa":
        return next((n for n, step in enumerate(steps, 1) if step == "ssa"), 0)
    stage = STAGES.index(function.stage)
    return max((n for n, step in enumerate(steps, 1) if isinstance(step, str) and REACHES.get(step, 9) <= stage), default=0)


class _Checker:
    """Checks a function after each phase: what must hold, what the phase told, and that text loses nothing."""

    def __init__(self, state: FunctionState, options: Options, facts: UnitFacts) -> None:
        self.state, self.readable, self.judge = state, options.readable, options.judge
        self.sampled = options.samples(state.function, state.machine, facts) if options.samples is not None else None
        self.version = -1
        self.seen: tuple[object, ...] = ()
        self.blocks: dict[Block, object] = {}
        state.invalidate()
        self.check(0, "expand")

    def check(self, number: int, name: str) -> None:
        """Raise PhaseError if the phase that just ran broke an invariant or did not tell what it changed."""
        self._demand(self._problems(), number, name)

    def finish(self, number: int, name: str) -> None:
        """Raise PhaseError if the function, read from its text, is another one."""
        self._demand(_lost_in_text(self.state.function, self.state.machine), number, name)

    def _demand(self, found: Iterable[str], number: int, name: str) -> None:
        problems = list(found)
        if problems:
            raise PhaseError(f"phase {number} ({name}) on {self.state.function.name[1:]}: " + "; ".join(problems[:5]))

    def _problems(self) -> list[str]:
        function, machine = self.state.function, self.state.machine
        now = _snapshot(function)
        problems = []
        if now != self.seen:
            if self.state.code == self.version:
                problems.append("it changed the function by other means than its FunctionState")
            problems += self._hidden_changes()
            problems += verify(function, machine) or self._unreadable()
            if not problems and self.sampled is not None and function.stage != "ssa":
                problems += filter(None, [self.sampled.difference(function)])
        if not problems:  # what is broken cannot be analysed
            wrong = self.state.wrong_analyses()
            problems = [f"it changed the {name} by other means than its FunctionState" for name in wrong]
        self.seen, self.version = now, self.state.code
        self.blocks = _contents(function)
        self.state.touched.clear()
        self.state.rearranged = False
        return problems

    def _hidden_changes(self) -> Iterator[str]:
        """Yield what was changed that the FunctionState does not know of, beside what it changed itself."""
        state, now = self.state, _contents(self.state.function)
        if list(now) != list(self.blocks) and not state.rearranged:
            yield "it changed the order of blocks by other means than its FunctionState"
        for block, content in now.items():
            if block not in state.touched and content != self.blocks.get(block, content):
                yield f"it changed block {block.label} by other means than its FunctionState"

    def _unreadable(self) -> list[str]:
        """Return what is wrong with the texts of RTLs that no function had before, to their reader and to the judge."""
        new = dict.fromkeys(rtl.effects for rtl in self.state.function.rtls() if rtl.effects not in self.readable)
        self.readable.update(new)
        judge = self.judge or (lambda effects: "")
        return [problem for effects in new if (problem := _misread(effects, self.state.machine) or judge(effects))]


def _snapshot(function: Function) -> tuple[object, ...]:
    """Return all that a phase may change, in a form that it cannot."""
    rtls = tuple((block.label, *((rtl.effects, rtl.lines, rtl.cause) for rtl in block.rtls)) for block in function.blocks)
    phis = tuple((p.target, *p.sources.items(), p.lines, p.cause) for block in function.blocks for p in block.phis)
    slots = tuple((slot.name, slot.kind, slot.size, slot.align, slot.offset) for slot in function.slots.values())
    return function.stage, function.frame, function.outgoing, slots, phis, rtls


def _contents(function: Function) -> dict[Block, object]:
    """Return the blocks in their order, each with all that a phase may change of it."""
    return {
        block: (
            block.label,
            [(phi.target, dict(phi.sources), phi.lines, phi.cause) for phi in block.phis],
            [(rtl.effects, rtl.lines, rtl.cause) for rtl in block.rtls],
        )
        for block in function.blocks
    }


def _misread(effects: tuple[Effect, ...], machine: Machine) -> str:
    """Tell what is wrong with the text of an RTL; nothing if it is read as what it was printed from."""
    text = show_effects(effects)
    try:
        read = parse_effects(text, machine.cells)
    except TextError as error:
        return f"the text of an RTL cannot be read: {error.message}"
    return "" if read == effects else f"`{text}` is read as `{show_effects(read)}`"


def _lost_in_text(function: Function, machine: Machine) -> Iterator[str]:
    """Yield what is not the same in a function and in what is read from its text.

    Effects are left out: `_unreadable` has read all of them back.
    """

    def without_effects(block: Block) -> Block:
        return Block(block.label, [Rtl((), rtl.lines, rtl.cause) for rtl in block.rtls], block.phis)

    frame = replace(function, blocks=[without_effects(block) for block in function.blocks])
    try:
        copy = parse_function(print_function(frame), machine.cells)
    except TextError as error:
        yield f"line {error.line} of its text cannot be read: {error.message}"
        return
    if _snapshot(copy) != _snapshot(frame):
        yield "its text is read as another function"


def _dump(function: Function, machine: Machine, folder: Path, number: int, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    cells = " ".join(f"{k}={v}" for k, v in machine.cells.items())
    path = folder / f"{function.name[1:]}.{number:02d}-{name}.rtl"
    temporary = path.with_suffix(".tmp")
    temporary.write_text(f'machine "{machine.name}" cells {cells}\n{print_function(function)}', encoding="utf-8")
    os.replace(temporary, path)


# ----------------------------------------------------------------------------------------------------------------------
# Functions whose improved code wants more registers than a machine has: the phases that code needs still make them.
#
# Improving joins instructions, and keeps values in registers across them.  On a machine with one or two registers that may be
# more than spilling can undo, while the naive code, whose values live for an instruction or two, has a way.


def improve(
    function: Function, machine: Machine, options: Options, facts: UnitFacts = NO_FACTS, watch: Watch | None = None
) -> bool:
    """Run the phases of a level over a function; if they leave too few registers, those that code needs, from the beginning.

    Of the unit they know what concerns the function, so that other functions may change and this one's code be kept.
    Return whether the phases of the level made it.
    Raises CannotExpress if these do not suffice, either, or if the phases were chosen one by one; PhaseError.
    """
    facts = facts.seen_by(function)
    if options.phases is not None or options.level == 0 or function.stage != "pseudo":
        run_phases(function, machine, options, facts, watch)
        return True
    naive = function.copy()
    try:
        run_phases(function, machine, options, facts, watch)
        return True
    except CannotExpress as failure:
        for field in dataclasses.fields(function):
            setattr(function, field.name, getattr(naive, field.name))
        try:
            run_phases(function, machine, Options(0, check=options.check, changes=options.changes), facts)
        except CannotExpress:
            raise failure from None
    return False
