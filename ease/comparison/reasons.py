"""Why something else is executed: the changes of a source line, divided by what brought them about.

Each change belongs to one reason, so reasons sum to the difference of the totals, exactly.

At a line where an instruction is executed that the other machine lacks, what the program computes there changed for this
reason; and so did a routine that is called there instead.  Other changes have the cause of their instructions as reason:
spilling, constants, calls.  The edits of the description that bring such a cause about are named beside it; if none acts on it
directly, all that were made, since all changes come from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field

from ease.model.kept_run import KeptRun
from ease.model.results import Line
from ease.model.static_kinds import WINDOW, Kind
from vpo.algebra import rebuild_effect
from vpo.machines.machine import Machine
from vpo.machines.read.load import built_like
from vpo.machines.read.source import DescriptionError, Map
from vpo.rtl import Const, Effect, Expr, Rtl
from vpo.text import TextError, parse_effects

What = tuple[str, str]  # an instruction and why it is there
MOST = 4  # instructions that a reason names
CONSTANTS = "constants"  # what a machine lacks whose instruction takes only smaller ones
FIT, NO_FIT = "constants that fit now", "constants that no longer fit"

# Causes that are reasons of their own, whatever the instructions are.
OF_CAUSES = {
    "spill": "spilling", **dict.fromkeys(("save", "callsave", WINDOW), "saving registers"),
    **dict.fromkeys(("linkage", "argument"), "calls"), "startup": "start-up", "delay": "delay slots",
}  # fmt: skip
OF_CALLS = ("calls", "saving registers")  # what a call brings with it
# Causes of what a program computes; if the machines' instructions differ there, that is the reason.
OF_WORK = {
    "constant": "building constants", "address": "addresses", "variable": "variables in memory", "control": "control flow",
    "program": "computation",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reason:
    """How much more is executed for a reason (less: negative), and of what."""

    name: str
    changes: Mapping[What, int]

    @property
    def change(self) -> int:
        """By how much more is executed."""
        return sum(self.changes.values())


@dataclass(slots=True)
class Needs:
    """What a program needs, by the number of its kinds of instructions.

    `lacking` is what the other machine lacks of it; `callees` has the functions that are called.
    """

    lacking: dict[int, str] = field(default_factory=dict)
    callees: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class AtLine:
    """What one run executes at a line beside the numbers: what the other machine lacks, by the cause's reason, and calls.

    `within`: the functions that the line is executed in.
    """

    lacking: dict[str, set[str]] = field(default_factory=dict)
    callees: set[str] = field(default_factory=set)
    within: list[str] = field(default_factory=list)


Sides = tuple[Mapping[Line, AtLine], Mapping[Line, AtLine]]
NOTHING = AtLine()


def reason_of(cause: str) -> str:
    """Return the reason that stands for a cause, empty for what the program computes."""
    return OF_CAUSES.get(cause, "")


def title_of(new: Collection[str], gone: Collection[str]) -> str:
    """Return the reason for a change where instructions are executed that only one of the machines has, empty for none."""
    if new:
        return FIT if set(new) == {CONSTANTS} else f"new: {', '.join(sorted(set(new) - {CONSTANTS}))}"
    if gone:
        return NO_FIT if set(gone) == {CONSTANTS} else f"without: {', '.join(sorted(set(gone) - {CONSTANTS}))}"
    return ""


def unknown(_: str) -> str:
    """Name no edit."""
    return ""


class Attribution:
    """Divides the changes of lines by reason, for two runs; `edited` names the edits that bring a mechanism about."""

    def __init__(self, sides: Sides, edited: Callable[[str], str] = unknown) -> None:
        self.sides, self.edited = sides, edited
        before, after = ({name for item in side.values() for name in item.within} for side in sides)
        self.in_one = before ^ after  # the functions that only one of the runs executed
        self.instead = self._routines_instead(sides)

    def divided(self, line: Line, changes: Mapping[What, int], only: str = "") -> dict[str, dict[What, int]]:
        """Return the changes of a line by reason; `only`: "A" or "B" if only that run executed the line."""
        before, after = (side.get(line, NOTHING) for side in self.sides)
        work = title_of(after.lacking.get("", ()), before.lacking.get("", ()))
        calls = work if before.callees != after.callees else ""
        function = (before.within + after.within)[0] if only else ""
        if function in self.in_one:
            instead = self.instead.get(function, "")
            work, calls = work or instead or self._with_edits(f"only in {only}: {function}()"), instead
        found: dict[str, dict[What, int]] = {}
        for what, number in changes.items():
            group = reason_of(what[1])
            own = title_of(after.lacking.get(group, ()), before.lacking.get(group, ()))
            title = own or (work if not group else calls if group in OF_CALLS else "")
            found.setdefault(title or self._mechanism(what[1]), {})[what] = number
        return found

    def _mechanism(self, cause: str) -> str:
        return self._with_edits(OF_CAUSES.get(cause) or OF_WORK.get(cause, cause))

    def _with_edits(self, name: str) -> str:
        edits = self.edited(name)
        return f"{name} ({edits})" if edits else name

    def _routines_instead(self, sides: Sides) -> dict[str, str]:
        """Return the reasons for functions that are called instead of an instruction, and for those that they call."""
        titles: dict[str, str] = {}
        for line in {*sides[0], *sides[1]}:
            before, after = (side.get(line, NOTHING) for side in sides)
            title = title_of(after.lacking.get("", ()), before.lacking.get("", ()))
            for name in before.callees ^ after.callees if title else ():
                titles[name] = min(title, titles.get(name, title))
        called = [(item.within, item.callees) for side in sides for item in side.values() if item.callees]
        pending = list(titles)
        while pending:
            name = pending.pop()
            for callee in _called_by(name, called):
                if callee not in titles:
                    titles[callee] = titles[name]
                    pending.append(callee)
        return titles


def _called_by(name: str, called: Iterable[tuple[list[str], set[str]]]) -> set[str]:
    return {callee for within, callees in called if name in within for callee in callees}


def in_words(changes: Mapping[What, int]) -> str:
    """Return in words what is executed instead of what; a cause is named if it is not the program itself."""
    gone = _words({what: -number for what, number in changes.items() if number < 0})
    come = _words({what: number for what, number in changes.items() if number > 0})
    if gone and come:
        return f"{gone} became {come}"
    return f"{gone} gone" if gone else f"{come} more" if come else "the same instructions"


def _words(changes: Mapping[What, int]) -> str:
    ordered = sorted(changes.items(), key=lambda item: (-item[1], item[0]))
    words = [f"{name}{'' if cause == 'program' else f' ({cause})'} x {number:,}" for (name, cause), number in ordered[:MOST]]
    rest = sum(number for _, number in ordered[MOST:])
    return ", ".join([*words, f"others x {rest:,}"] if rest else words)


# ----------------------------------------------------------------------------------------------------------------------
# What the instructions of a run need that the machine of another run lacks: a name, a form, the size of a constant.


SMALL = (1, 0, 4, 16)  # constants that an instruction takes if it takes any
CALLEE = re.compile(r"\bST=(_[A-Za-z0-9_.$]*)")  # in effects that call a function by name
PLAIN = ("REGISTER", "IMMED", "LABEL")  # modes that do not tell a form from others


def needs_of(run: KeptRun, own: Machine, other: Machine, there: Container[str]) -> Needs:
    """Return what a machine lacks of the instructions of a run on another one; it has the RTLs that are `there`, as texts.

    Instructions that differ only in registers which the other machine does not have are not lacking.
    """
    program = run.measurement.program
    assert program is not None
    found, names = Needs(), {alternative.name for alternative in other.recognizer.alternatives}
    for number, (kind, (text, _)) in enumerate(zip(program.kinds, run.texts, strict=True)):
        effects = _effects(text, own) if text not in there else None  # parsing takes most of the time
        if kind.instruction not in names:
            found.lacking[number] = kind.instruction
        elif effects is not None and _shares_registers(effects, other) and not other.is_legal(effects):
            found.lacking[number] = _need(kind, effects, other)
        callee = CALLEE.search(text)
        if callee is not None:
            found.callees[number] = callee[1]
    return found


def machines_of(*descriptions: Map) -> tuple[Machine, ...]:
    """Return the machines of merged descriptions; none if one cannot be built (by another version, say)."""
    try:
        return tuple(map(built_like, descriptions))
    except DescriptionError:
        return ()


def _effects(text: str, machine: Machine) -> tuple[Effect, ...] | None:
    """Return the effects of a kind's text, None if they are no instruction as they stand there (a block move, say)."""
    try:
        effects = parse_effects(text, machine.cells)
    except TextError:
        return None
    return effects if machine.is_legal(effects) else None


def _shares_registers(effects: tuple[Effect, ...], machine: Machine) -> bool:
    """Whether a machine has all the registers that effects name."""
    rtl, classes = Rtl(effects, ()), machine.classes
    return all(r.cls in classes and r.index < classes[r.cls].count for r in (*rtl.uses, *rtl.sets))


def _need(kind: Kind, effects: tuple[Effect, ...], machine: Machine) -> str:
    for small in SMALL:
        replaced = tuple(rebuild_effect(effect, _constants(small)) for effect in effects)
        if replaced != effects and machine.is_legal(replaced):
            return CONSTANTS
    modes = sorted({operand.mode for operand in kind.operands if operand.mode not in PLAIN})
    return f"{kind.instruction} {', '.join(modes)}".strip()


def _constants(small: int) -> Callable[[Expr], Expr | None]:
    return lambda node: Const(small) if type(node) is Const else None
