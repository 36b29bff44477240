"""The phase driver: the one place that runs, checks, counts, dumps and times phases."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vpo.function import STAGES, Function
from vpo.machines.machine import Machine
from vpo.opt.allocate import assign_registers
from vpo.opt.combine import combine_instructions
from vpo.opt.control import clean_up_control_flow
from vpo.opt.cse import eliminate_common_subexpressions, eliminate_common_subexpressions_globally
from vpo.opt.dead import remove_dead_assignments
from vpo.opt.delay import fill_delay_slots
from vpo.opt.frame.entry_exit import insert_entry_and_exit
from vpo.opt.fuse_branches import fuse_branches
from vpo.opt.motion import move_invariant_code
from vpo.opt.predicate import predicate_instructions
from vpo.opt.register_stack import clean_up_register_stack
from vpo.opt.rotate_loops import rotate_loops
from vpo.opt.simultaneous import make_simultaneous
from vpo.opt.sink_increments import sink_increments
from vpo.opt.span import resolve_spans
from vpo.opt.stack_scheduling import schedule_stacks
from vpo.text import print_function
from vpo.verify import verify

PhaseFunction = Callable[[Function, Machine], bool]


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase: its name on the command line, its code, and whether correct code needs it."""

    name: str
    run: PhaseFunction
    needed: bool = False

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (self.run.__doc__ or "").strip().splitlines()[0]


PHASES = {
    phase.name: phase
    for phase in (
        Phase("control", clean_up_control_flow),
        Phase("combine", combine_instructions),
        Phase("cse", eliminate_common_subexpressions),
        Phase("gcse", eliminate_common_subexpressions_globally),
        Phase("dead", remove_dead_assignments),
        Phase("rotate-loops", rotate_loops),
        Phase("motion", move_invariant_code),
        Phase("sink-increments", sink_increments),
        Phase("assign", assign_registers, needed=True),
        Phase("predicate", predicate_instructions),
        Phase("fuse-branches", fuse_branches),
        Phase("simultaneous", make_simultaneous),
        Phase("frame", insert_entry_and_exit, needed=True),
        Phase("register-stack", clean_up_register_stack, needed=True),
        Phase("delay", fill_delay_slots, needed=True),
        Phase("stack-scheduling", schedule_stacks),
        Phase("span", resolve_spans, needed=True),
    )
}

REACHES = {"assign": 1, "frame": 2, "delay": 3}  # the number of the stage that a phase brings a function to
BASIC = ("assign", "frame", "control", "register-stack", "delay", "span")
FINISH = ("sink-increments", "assign", "predicate", "fuse-branches", "simultaneous", *BASIC[1:-1], "stack-scheduling", "span")
LEVELS: dict[int, tuple[str, ...]] = {
    0: ("control", "dead", *BASIC),
    # tests are copied to loop ends once they are short; combining twice catches what the first round exposes
    1: ("control", "cse", "combine", "dead", "rotate-loops", "control", "combine", "dead", *FINISH),
    # invariant code leaves the loops before combining can tie it to its uses there
    2: ("control", "gcse", "dead", "motion", "combine", "rotate-loops", "control", "gcse", "combine", "dead", "motion",
        "combine", "dead", "control", *FINISH),
}  # fmt: skip


@dataclass(eq=False)
class Options:
    """How to run the phases.  `phases` overrides the level's list; `dump` receives a file after each phase."""

    level: int = 1
    phases: tuple[str, ...] | None = None
    check: bool = False
    dump: Path | None = None
    times: dict[str, float] = field(default_factory=dict)

    def names(self) -> tuple[str, ...]:
        """Return the phases to run, in order."""
        return self.phases if self.phases is not None else LEVELS[self.level]


class PhaseError(Exception):
    """A phase left a function in a state that it must not be in."""


def run_phases(function: Function, machine: Machine, options: Options) -> None:
    """Run the phases over one function.

    Raises PhaseError if checking finds a broken invariant, and what the needed phases raise.
    """
    if options.check:
        _check(function, machine, "expand", 0)
    names = options.names()
    for number, name in enumerate(names[_done(function, names) :], 1 + _done(function, names)):
        phase = PHASES[name]
        start = time.perf_counter()
        changed = phase.run(function, machine)
        options.times[name] = options.times.get(name, 0.0) + time.perf_counter() - start
        if options.check and changed:
            _check(function, machine, name, number)
        if options.dump is not None:
            _dump(function, machine, options.dump, number, name)


def _done(function: Function, names: Sequence[str]) -> int:
    """Return how many of the phases a function read from text has behind it, as its stage tells."""
    stage = STAGES.index(function.stage)
    return max((n for n, name in enumerate(names, 1) if name in REACHES and REACHES[name] <= stage), default=0)


def _check(function: Function, machine: Machine, name: str, number: int) -> None:
    problems = verify(function, machine)
    if problems:
        raise PhaseError(f"phase {number} ({name}) on {function.name[1:]}: " + "; ".join(problems[:5]))


def _dump(function: Function, machine: Machine, folder: Path, number: int, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    cells = " ".join(f"{k}={v}" for k, v in machine.cells.items())
    path = folder / f"{function.name[1:]}.{number:02d}-{name}.rtl"
    temporary = path.with_suffix(".tmp")
    temporary.write_text(f'machine "{machine.name}" cells {cells}\n{print_function(function)}', encoding="utf-8")
    os.replace(temporary, path)
