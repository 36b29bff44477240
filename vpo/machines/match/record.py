"""The semantic record of an instruction: all that is known of it beside its effects."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vpo.rtl import Effect, Register

MOST_SLOTS = 8  # delay slots of an instruction, and instructions for which its result is late: phases look so far
PIECE = re.compile(r"\$(?:([a-z_]\w*)|\{(\w*)\})")


def fill(template: str, texts: dict[str, str]) -> str:
    """Insert the texts of variables into an assembly template; `${}` is a dollar."""
    if "$" not in template:
        return template
    return PIECE.sub(lambda m: texts.get(m.group(1) or m.group(2), "$" if m.group(0) == "${}" else m.group(0)), template)


@dataclass(frozen=True, slots=True)
class Field:
    """One operand field of a recognised instruction, as the reports count it.

    `mode` is the addressing mode's report name, `type` the type letter of the datum, `value` what the variable of the
    pattern matched, `text` how it prints.
    """

    name: str
    mode: str
    type: str
    value: Any
    text: str


@dataclass(frozen=True, slots=True)
class Occupancy:
    """What an instruction keeps others from, in cycles, beside its latency.

    The next instruction begins `issue` cycles later at the earliest (None: as the machine does it), another one on the same
    `unit`, if it is on any, when the latency is over.  `taken`: cycles lost where it transfers control.  `each`: what every
    register of a list but the first adds to issue and latency.
    """

    issue: int | None = None
    unit: str = ""
    taken: int = 0
    each: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """The semantic record of one legal instruction: all that is known about it beside its effects.

    `name` is the report name; `size` in bytes, `latency` in cycles, `slots` the number of delay slots.  `clobbers` are
    registers that the instruction changes without stating how.  `reach` bounds the distance in bytes to `label`.
    The `load_slots` instructions that follow may not use the results, the `hold_slots` may not change the sources.
    `into` are the instructions that replace it, one right behind the other, when delay slots are filled.  What is not
    `counted` is part of another instruction: it refers to memory and has a size, but is none that was executed.
    What is not `fetched` takes room, and control goes around it.
    `if_dead` are registers that it changes, too: where one of them is read behind it, a later form is meant.
    Without `slot` it may not stand in a delay slot.  `literal` names the field that stands for a word of a literal pool.
    `occupancy`: what else is known of the cycles that it takes.
    """

    name: str
    size: int
    latency: int
    fields: tuple[Field, ...]
    template: str
    clobbers: tuple[Register, ...] = ()
    slots: int = 0
    reach: tuple[int, int] | None = None
    alternative: int = 0  # position in file order, for alternatives that differ in reach
    load_slots: int = 0
    hold_slots: int = 0
    into: tuple[tuple[Effect, ...], ...] = ()
    counted: bool = True
    fetched: bool = True
    occupancy: Occupancy = Occupancy()
    if_dead: tuple[Register, ...] = ()
    slot: bool = True
    literal: str = ""

    def assemble(self, label: Callable[[str], str], literal: str = "") -> str:
        """Return the assembly text; `label` says how a label of this function prints, `literal` how the literal read does."""
        texts = {f.name: label(f.value) if isinstance(f.value, str) else f.text for f in self.fields}
        if literal:
            texts[self.literal] = literal
        return fill(self.template, texts)

    @property
    def assembly(self) -> str:
        """The assembly text with labels as in RTL text."""
        return self.assemble(str)
