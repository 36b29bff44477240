"""The verdict of a comparison: one sentence that says by how much something is better or worse, and where.

`saying` makes the sentence, of two runs or of means over many programs; `verdict_of` is the verdict of two runs.
Cycles are those that `-timing` estimates (docs/timing.md), wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from math import exp, log
from pathlib import Path

from ease.comparison.comparison import Comparison, Difference, Noise
from ease.comparison.description_differences import Edited
from ease.model.kept_run import KeptRun
from ease.model.run_identity import is_library

DECIDING = ("instructions", "cycles")  # what the sentence tells
NAMES = {"instructions": "instructions", "cycles": "cycles", "static bytes": "bytes of code", "references": "references"}
MOST_NAMED = 3  # new instructions that are named
LONGEST = 24  # characters of a value that is named
LONGEST_LINE = 60  # characters of what was written that are shown
FINEST, COARSE = 0.0001, 0.01  # shares below are "less than 0.01 %"; from here on one digit behind the point is enough
TELLING = 0.05  # share of a difference that one line must have to be named


@dataclass(frozen=True, slots=True)
class Verdict:
    """One sentence, and the changes that it rests on, as parts of what was there before; `noise` has parts, too.

    `unlike` says in what the two runs do not do the same, if they do not: then the numbers are not to be compared.
    """

    sentence: str
    changes: Mapping[str, float] = field(default_factory=dict)
    noise: Mapping[str, float] = field(default_factory=dict)
    differences: Mapping[str, Difference] = field(default_factory=dict)
    unlike: str = ""

    @property
    def sentences(self) -> list[str]:
        """What is wrong, if anything is, and the sentence."""
        return [self.unlike, self.sentence] if self.unlike else [self.sentence]

    @property
    def line(self) -> str:
        """The changes in per cent, in one line."""
        return ", ".join(f"{NAMES[name]} {self.shown(name)}" for name in self.changes)

    def shown(self, name: str) -> str:
        """Return a change in per cent with its noise, if that is known."""
        loud = f" ±{100 * self.noise.get(name, 0.0):.2f}" if self.noise else ""
        return f"{signed(self.changes[name])}{loud} %"

    @property
    def bars(self) -> list[tuple[str, float, str]]:
        """The name, the change against the largest one (-1 to 1) and the text of each change, to be drawn around zero."""
        largest = max(map(abs, self.changes.values()), default=0.0) or 1.0
        return [(NAMES[name], change / largest, self.shown(name)) for name, change in self.changes.items()]

    @property
    def text(self) -> str:
        """What is wrong, the sentence and the line of changes."""
        return "".join(f"{line}\n" for line in (*self.sentences, self.line) if line)


def unlike(statuses: tuple[int, int], outputs: tuple[bytes, bytes] | None = None) -> str:
    """Tell in what two runs of one program differ that should do the same, by exit status and by what they wrote."""
    told = []
    if statuses[0] != statuses[1]:
        told.append(f"it ends with status {statuses[0]} before and {statuses[1]} after")
    if outputs is not None and outputs[0] != outputs[1]:
        lines = [output.decode(errors="replace").splitlines() for output in outputs]
        pairs = enumerate(zip_longest(*lines, fillvalue=""), 1)
        number, (was, is_) = next((each for each in pairs if each[1][0] != each[1][1]), (1, ("", "")))
        shown = [f"'{line[:LONGEST_LINE]}'" if line else "nothing" for line in (was, is_)]
        told.append(f"line {number:,} of what it writes is {shown[0]} before and {shown[1]} after")
    return f"The program does not do the same: {in_a_row(told)}." if told else ""


def signed(change: float) -> str:
    """Return a change in per cent, without the sign of it: 0 is none, and what only rounds to it is not."""
    if change and abs(change) < FINEST:
        return "+<0.01" if change > 0 else ">-0.01"
    return f"{100 * change:+.2f}" if change else "0"


def saying(
    subject: str | Sequence[str], of: str, changes: Mapping[str, float], notes: Iterable[str] = (), level: str = "",
    against: str = "",
) -> str:  # fmt: skip
    """Return the sentence: what a subject saves, or costs, of what; `changes` by measure, as parts of what was there.

    `notes` stand behind it, the level of optimisation and the machine that it is compared with before.
    """
    names = [subject] if isinstance(subject, str) else [*subject]
    plural, told = len(names) > 1, [(name, changes[name]) for name in DECIDING if name in changes]
    less = [f"{_share(-change)} of the {name}" for name, change in told if change < 0]
    more = [f"{_share(change)} more {name}" for name, change in told if change > 0]
    verbs = ("save", "take") if plural else ("saves", "takes")
    parts = []
    if less:
        parts.append(f"{verbs[0]} {in_a_row(less)} of {of}")
    if more:
        parts.append(f"{verbs[1]} {in_a_row(more)}{'' if less else f' for {of}'}")
    if not parts:
        parts.append(f"{'change' if plural else 'changes'} neither instructions nor cycles of {of}")
    sentence = f"{in_a_row(names)} {', but '.join(parts)}"
    before = ", ".join(part for part in (f"at -O{level}" if level else "", f"against {against}" if against else "") if part)
    head = f"{before[0].upper()}{before[1:]}, {sentence}" if before else sentence
    return "; ".join([head, *filter(None, notes)]) + "."


def in_a_row(words: Sequence[str]) -> str:
    """Return words with commas between them, and "and" before the last."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _share(part: float) -> str:
    if part < FINEST:
        return "less than 0.01 %"
    return f"{100 * part:.1f} %" if part >= COARSE else f"{100 * part:.2f} %"


def mean_change(pairs: Iterable[tuple[float, float]]) -> float:
    """Return by how much the geometric mean over programs changes, from pairs of before and after: -0.1 is a tenth less."""
    logs = [log(after / before) for before, after in pairs if before > 0 and after > 0]
    return exp(sum(logs) / len(logs)) - 1 if logs else 0.0


def bytes_note(change: int) -> str:
    """Return a change of the code's size in words."""
    if not change:
        return "as many bytes of code"
    return f"{abs(change):,} byte{'s' if abs(change) != 1 else ''} of code {'more' if change > 0 else 'less'}"


# ----------------------------------------------------------------------------------------------------------------------
# The verdict of two runs.


def verdict_of(
    comparison: Comparison, before: KeptRun, after: KeptRun, noise: Noise | None = None,
    outputs: tuple[bytes, bytes] | None = None,
) -> Verdict:  # fmt: skip
    """Return the verdict of two runs that were compared; `noise` is the largest one of both machines.

    `outputs` are what they wrote, where that is known.
    """
    levels = [run.measurement.identity.level if run.measurement.identity else "" for run in (before, after)]
    subject = _subject(comparison.edits, before.measurement.machine, after.measurement.machine, levels)
    verdict = made(comparison, subject, program_of(before), levels[0] if levels[0] == levels[1] else "", noise)
    same = _same_work(before, after)
    statuses = before.measurement.exit_status, after.measurement.exit_status
    return replace(verdict, unlike=unlike(statuses, outputs)) if same else verdict


def _same_work(before: KeptRun, after: KeptRun) -> bool:
    """Whether two runs are of one program with the same arguments and input, neither of them cut short."""
    one, other = before.measurement.identity, after.measurement.identity
    if one is None or other is None or before.measurement.partial or after.measurement.partial:
        return False
    own = ({name: text for name, text in run.sources.items() if not is_library(name)} for run in (before, after))
    return (one.arguments, one.input_digest, next(own)) == (other.arguments, other.input_digest, next(own))


def program_of(run: KeptRun) -> str:
    """Return the name of the program that ran."""
    identity = run.measurement.identity
    return Path(identity.files[0]).stem if identity is not None and identity.files else "the program"


def made(
    comparison: Comparison, subject: str | Sequence[str], program: str, level: str = "", noise: Noise | None = None
) -> Verdict:
    """Return the verdict of a comparison whose subject and program are known."""
    if comparison.is_equal:
        return Verdict("Nothing differs." if subject == "B" else f"Nothing differs: {_nothing(subject, program, level)}.")
    totals = {name: comparison.totals[name] for name in NAMES if name in comparison.totals}
    differences = {name: item for name, item in totals.items() if name != "references" or item.change}
    changes = {name: item.change / item.before if item.before else 0.0 for name, item in differences.items()}
    notes = [_place(comparison), bytes_note(totals["static bytes"].change)]
    loud = {} if noise is None else {name: noise.totals.get(name, 0) for name in differences}
    if noise is not None and all(abs(item.change) <= loud[name] for name, item in differences.items() if name in DECIDING):
        notes.append("this is within the noise of the compiler")
    parts = {name: number / max(differences[name].before, 1) for name, number in loud.items()}
    return Verdict(saying(subject, program, changes, notes, level), changes, parts, differences)


def _nothing(subject: str | Sequence[str], program: str, level: str) -> str:
    names = [subject] if isinstance(subject, str) else subject
    at = f" at -O{level}" if level else ""
    return f"{in_a_row(names)} {'change' if len(names) > 1 else 'changes'} nothing in {program}{at}"


def _subject(edits: Sequence[Edited], before: str, after: str, levels: Sequence[str]) -> str | list[str]:
    """Return what makes the difference: new instructions, one value that was changed, the level, or the machine."""
    new = [edit.keys[1] for edit in edits if _is_instruction(edit) and edit.before is None]
    gone = [edit.keys[1] for edit in edits if _is_instruction(edit) and edit.after is None]
    helping = [edit for edit in edits if edit.keys[0] == "operands" and edit.before is None]
    if new and len(new) + len(helping) == len(edits) and len(new) <= MOST_NAMED:
        return new
    if gone and len(gone) == len(edits) and len(gone) <= MOST_NAMED:
        return f"{before} without {in_a_row(gone)}"
    if len(edits) == 1 and len(str(edits[0].after)) <= LONGEST and edits[0].after is not None:
        return f"{'.'.join(edits[0].keys)}={edits[0].after}"
    if before != after:
        return after
    return f"-O{levels[1]}" if levels[0] != levels[1] and not edits else "B"


def _is_instruction(edit: Edited) -> bool:
    return edit.keys[0] == "instructions" and len(edit.keys) == 2


def _place(comparison: Comparison) -> str:
    """Return in which line most of the difference is; empty if no line has much of it."""
    change = comparison.totals["instructions"].change
    alike = [item for item in comparison.lines if item.executed.change * change > 0]
    if not alike:
        return ""
    largest = max(alike, key=lambda item: abs(item.executed.change))
    share, line = largest.executed.change / change, largest.line
    if share < TELLING:
        return ""
    own = {item.line.file for item in comparison.lines if not is_library(item.line.file)}
    place = f"line {line.number}" if own == {line.file} else f"{Path(line.file).name}:{line.number}"
    part = f"{100 * share:.0f} % of it" if share <= 1 else "more than all of it"
    return f"{part} in {place}"


def new_instructions(edits: Iterable[Edited]) -> dict[str, str]:
    """Return the instructions that the second of two descriptions has more, each with a line that says what it is."""
    return {edit.keys[1]: line_of(edit.keys[1], edit.after) for edit in edits if _is_instruction(edit) and edit.before is None}


def line_of(name: str, entry: object) -> str:
    """Return a line that says what an entry of a description is: name and RTLs, and what it says of assembly and encoding."""
    forms = entry if isinstance(entry, list) else [entry]
    first = next((form for form in forms if isinstance(form, dict)), {})
    parts = [str(first[key]) for key in ("rtl", "asm", "encoding") if isinstance(first.get(key), str)]
    return f"{name}: {'   '.join(parts)}" if parts else name


def why_not_names(edits: Iterable[Edited]) -> list[str]:
    """Return the instructions that the second of two descriptions has more."""
    return [edit.keys[1] for edit in edits if _is_instruction(edit) and edit.before is None]


# ----------------------------------------------------------------------------------------------------------------------
# The verdict over several programs: geometric means, so that the largest program does not decide.


Pairs = Mapping[str, Sequence[tuple[int, int]]]  # by measure: what each program takes before and after


def verdict_over(
    subject: str | Sequence[str], pairs: Pairs, programs: Sequence[str], notes: Iterable[str] = (), level: str = "",
    against: str = "",
) -> Verdict:  # fmt: skip
    """Return the verdict of programs that were measured twice; `pairs` has each measure of NAMES, in their order."""
    changes = {name: mean_change(pairs[name]) for name in NAMES if pairs.get(name) and all(pair[0] for pair in pairs[name])}
    of = programs[0] if len(programs) == 1 else f"{len(programs):,} programs (geometric mean)"
    notes = [*notes, _code_note(pairs.get("static bytes", ()), changes.get("static bytes", 0.0))]
    return Verdict(saying(subject, of, changes, notes, level, against), changes)


def _code_note(pairs: Sequence[tuple[int, int]], change: float) -> str:
    """Return how much larger or smaller code is: of one program in bytes, of several in per cent; empty if nobody knows."""
    if len(pairs) == 1:
        return bytes_note(pairs[0][1] - pairs[0][0])
    return f"{_share(abs(change))} {'more' if change > 0 else 'less'} code" if change else ""
