"""Why something else is executed: the changes of a source line, divided by what brought them about.

Each change belongs to one reason, so reasons sum to the difference of the totals, exactly.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ease.results import WINDOW

What = tuple[str, str]  # an instruction and why it is there
MOST = 4  # instructions that a reason names

# Causes that are reasons of their own, whatever the instructions are.
OF_CAUSES = {
    "spill": "spilling", **dict.fromkeys(("save", "callsave", WINDOW), "saving registers"),
    **dict.fromkeys(("linkage", "argument"), "calls"), "startup": "start-up", "delay": "delay slots",
}  # fmt: skip
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


def divided(
    changes: Mapping[What, int], new: Collection[str], gone: Collection[str], function: str = ""
) -> dict[str, dict[What, int]]:
    """Return the changes of a line by reason; `new` and `gone` are instructions that only one of the machines has.

    Where a new instruction is executed, or one that is gone was, the other changes of what the program computes go with it.
    `function`: the reason of changes of a line that only one of the runs executed.
    """
    found: dict[str, dict[What, int]] = {}
    work = {what: number for what, number in changes.items() if what[1] not in OF_CAUSES}
    come = sorted({name for name, _ in work if name in new})
    left = sorted({name for name, _ in work if name in gone})
    title = f"new: {', '.join(come)}" if come else f"without: {', '.join(left)}" if left else function
    for what, number in changes.items():
        name = title if title and what in work else OF_CAUSES.get(what[1]) or OF_WORK.get(what[1], what[1])
        found.setdefault(name, {})[what] = number
    return found


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
