"""What differs between two measurements, and why: exact differences by instruction, cause, function and source line.

Every table sums to the difference of the totals.  The reason at a line is what is executed there instead of what was: the
instructions, with their causes, that are executed less often, and those that are executed more often.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from ease.comparison.description_differences import Edited, aligned, edits_between, inner_edits
from ease.comparison.reasons import (
    AtLine,
    Attribution,
    Needs,
    Reason,
    What,
    in_words,
    machines_of,
    needs_of,
    reason_of,
    unknown,
)
from ease.model.kept_run import KeptRun
from ease.model.results import Counts, Line, Measurement
from ease.model.static_kinds import StaticFunction, StaticProgram
from ease.reports.render import FORMAT
from vpo.base.errors import UserError
from vpo.machines.advice.edits import Edit, random_reordering, reorderings
from vpo.machines.advice.edits import edited as described_anew
from vpo.machines.machine import Machine
from vpo.machines.read.load import build
from vpo.machines.read.source import Map


@dataclass(frozen=True, slots=True)
class Difference:
    """A number in two measurements."""

    before: int
    after: int

    @property
    def change(self) -> int:
        """By how much the second is larger."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class LineDifference:
    """A source line: instructions executed in both, and by how much more each is in the second (less: negative)."""

    line: Line
    executed: Difference
    changes: Mapping[What, int]

    @property
    def reason(self) -> str:
        """Return in words what is executed instead of what; empty if only numbers are known."""
        return in_words(self.changes) if self.changes else ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two measurements beside each other; tables have what differs only, largest differences first."""

    totals: Mapping[str, Difference]
    instructions: Mapping[str, Difference]
    causes: Mapping[str, Difference]
    functions: Mapping[str, Difference]
    lines: tuple[LineDifference, ...]
    reasons: tuple[Reason, ...] = ()
    edits: tuple[Edited, ...] = ()  # of the description, if both are known

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs."""
        return not (any(total.change for total in self.totals.values()) or self.instructions or self.causes or self.lines)


def compare(
    before: Measurement, after: Measurement, needs: Sequence[Needs] | None = None, edited: Callable[[str], str] = unknown
) -> Comparison:
    """Compare two runs; `needs` is what each needs and the other machine lacks, without which the names of instructions tell.

    `edited` names the edits of the machines' descriptions that bring a mechanism about, such as spilling.
    Raises ValueError for sums of several runs, of which only sums are known.
    """
    sides = [_known(before), _known(after)]
    places = [_by_place(*side) for side in sides]
    lines = _lines(*places)
    return Comparison(
        {name: Difference(*values) for name, values in _totals(before, after)},
        _ordered(_added(place, lambda function, line, what: what[0]) for place in places),
        _ordered(_added(place, lambda function, line, what: what[1]) for place in places),
        _ordered(_added(place, lambda function, line, what: function) for place in places),
        lines,
        _reasons(lines, sides, needs or _needs_by_name(*sides), edited),
    )


def _needs_by_name(*sides: tuple[StaticProgram, Counts]) -> list[Needs]:
    """Return as lacking the instructions that only one of the programs has."""
    names = [{kind.instruction for kind in program.kinds} for program, _ in sides]
    return [
        Needs({number: kind.instruction for number, kind in enumerate(program.kinds) if kind.instruction not in others})
        for (program, _), others in zip(sides, reversed(names), strict=True)
    ]


def _known(measurement: Measurement) -> tuple[StaticProgram, Counts]:
    if measurement.program is None or measurement.counts is None:
        raise ValueError("only single runs can be compared, not sums of several")
    return measurement.program, measurement.counts


def totals_of(measurement: Measurement) -> dict[str, int]:
    """Return the numbers that people ask for first."""
    found = measurement.characteristics
    totals = {
        "instructions": found.instructions.dynamic,
        "references": sum(count.dynamic for count in found.references.values()),
        "bytes fetched": found.bytes().dynamic,
        "static instructions": found.instructions.static,
        "static bytes": found.bytes().static,
    }
    return totals | ({} if measurement.timing is None else {"cycles": measurement.timing.total}) | _events(measurement)


def _events(measurement: Measurement) -> dict[str, int]:
    """Return the misses of each cache, and what each predictor mispredicted."""
    memory, prediction = measurement.memory, measurement.prediction
    caches = () if memory is None else memory.results.caches
    found = {f"misses {cache.cache.name}": cache.misses.total for cache in caches}
    if prediction is None:
        return found
    names = list(prediction.predictors)
    columns = ([site.mispredicted[index] for site in prediction.sites.values()] for index in range(len(names)))
    titles = [f"mispredicted {name}" for name in names] if len(names) > 1 else ["mispredicted"]
    return found | {title: sum(column) for title, column in zip(titles, columns, strict=True)}


def _totals(before: Measurement, after: Measurement) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the totals that are known of both."""
    one, other = totals_of(before), totals_of(after)
    return ((name, (one[name], other[name])) for name in one if name in other)


Places = Mapping[tuple[str, Line], Mapping[What, int]]  # what is executed at each line of each function, and how often


def _by_place(program: StaticProgram, counts: Counts) -> Places:
    """Return what is executed where; parts of other instructions are none."""
    found: dict[tuple[str, Line], Counter[What]] = {}
    for name, function in program.functions.items():
        for number, line, count in _executed(program, function, counts.rtls[name]):
            place, kind = (name.removeprefix("_"), Line(function.file, line)), program.kinds[number]
            found.setdefault(place, Counter())[kind.instruction, kind.cause] += count
    return found


def _executed(program: StaticProgram, function: StaticFunction, counts: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """Yield the instructions that are executed, the number of the kind of each with its line and how often."""
    for number, line, count in zip(function.kinds, function.lines, counts, strict=True):
        if count and program.kinds[number].counted:
            yield number, line, count


def _at_each_line(program: StaticProgram, counts: Counts, needs: Needs) -> dict[Line, AtLine]:
    """Return what is executed at each line that the other machine lacks, and which functions are called there."""
    found: dict[Line, AtLine] = {}
    for name, function in program.functions.items():
        for number, line, _ in _executed(program, function, counts.rtls[name]):
            place = found.setdefault(Line(function.file, line), AtLine())
            if number in needs.lacking:
                place.lacking.setdefault(reason_of(program.kinds[number].cause), set()).add(needs.lacking[number])
            if number in needs.callees:
                place.callees.add(needs.callees[number].removeprefix("_"))
            if (readable := name.removeprefix("_")) not in place.within:
                place.within.append(readable)
    return found


def _added(places: Places, key: Callable[[str, Line, What], str]) -> Counter[str]:
    """Add up what is executed by a key."""
    found: Counter[str] = Counter()
    for (function, line), executed in places.items():
        for what, count in executed.items():
            found[key(function, line, what)] += count
    return found


def _ordered(sides: Iterable[Counter[str]]) -> dict[str, Difference]:
    """Return what differs, the largest differences first."""
    before, after = sides
    found = {name: Difference(before[name], after[name]) for name in sorted({*before, *after})}
    return dict(sorted(((n, d) for n, d in found.items() if d.change), key=lambda item: -abs(item[1].change)))


def _lines(before: Places, after: Places) -> tuple[LineDifference, ...]:
    """Return the lines at which something else is executed, the largest differences first."""
    sides = [_at_lines(places) for places in (before, after)]
    nothing: Counter[What] = Counter()
    found = []
    for line in sorted({*sides[0], *sides[1]}):
        one, other = sides[0].get(line, nothing), sides[1].get(line, nothing)
        changes = {what: other[what] - one[what] for what in sorted({*one, *other}) if other[what] != one[what]}
        if changes:
            found.append(LineDifference(line, Difference(one.total(), other.total()), changes))
    return tuple(sorted(found, key=lambda item: (-abs(item.executed.change), -_moved(item.changes))))


def _reasons(
    lines: Iterable[LineDifference],
    sides: Sequence[tuple[StaticProgram, Counts]],
    needs: Sequence[Needs],
    edited: Callable[[str], str],
) -> tuple[Reason, ...]:
    """Return the reasons of all lines, those that change most first."""
    before, after = (_at_each_line(*side, of) for side, of in zip(sides, needs, strict=True))
    attribution = Attribution((before, after), edited)
    found: dict[str, Counter[What]] = {}
    for line in lines:
        only = "" if line.executed.before and line.executed.after else "B" if line.executed.after else "A"
        for name, changes in attribution.divided(line.line, line.changes, only).items():
            found.setdefault(name, Counter()).update(changes)
    reasons = (Reason(name, {what: number for what, number in sums.items() if number}) for name, sums in found.items())
    return tuple(sorted((r for r in reasons if r.changes), key=lambda r: (-abs(r.change), -_moved(r.changes), r.name)))


def _moved(changes: Mapping[Any, int]) -> int:
    return sum(map(abs, changes.values()))


def _at_lines(places: Places) -> dict[Line, Counter[What]]:
    found: dict[Line, Counter[What]] = {}
    for (_, line), executed in places.items():
        found.setdefault(line, Counter()).update(executed)
    return found


# ----------------------------------------------------------------------------------------------------------------------
# Comparisons of runs of which the machines' descriptions are known: reasons then say what of these makes the difference.


PLACE, MOST_PLACES = 2, 3  # keys that name a place of a description, and places that are named
# Which parts of a description, by the first or last key, bring something about directly.
ACTS_ON = {
    "spilling": {"registers", "allocable"}, "saving registers": {"registers", "allocable", "calls"}, "calls": {"calls"},
    "delay slots": {"slots", "load_slots", "hold_slots"}, "building constants": {"operands"},
}  # fmt: skip


def compare_runs(before: KeptRun, after: KeptRun) -> Comparison:
    """Compare two runs.

    Raises ValueError for sums of several runs, of which only sums are known.
    """
    runs = before.measurement, after.measurement
    descriptions = aligned(before.description, after.description)
    edits = edits_between(*descriptions) if descriptions is not None else []
    if descriptions is None or not edits or any(run.program is None for run in runs):
        return compare(*runs)
    return replace(_between(before, after, descriptions, edits), edits=tuple(edits))


def _between(before: KeptRun, after: KeptRun, descriptions: tuple[Map, Map], edits: Sequence[Edited]) -> Comparison:
    """Compare two runs on machines between which there are edits."""
    runs = before.measurement, after.measurement
    machines = machines_of(*descriptions)
    if not machines:
        return compare(*runs, edited=partial(edited, edits))
    own, other = machines
    texts = [{text for text, _ in run.texts} for run in (before, after)]
    needs = needs_of(before, own, other, texts[1]), needs_of(after, other, own, texts[0])
    if all(2 * len(need.lacking) > len(run.texts) for need, run in zip(needs, (before, after), strict=True)):
        needs = Needs({}, needs[0].callees), Needs({}, needs[1].callees)  # names of another machine's instructions say nothing
    return compare(*runs, needs, partial(edited, edits))


def edited(edits: Sequence[Edited], mechanism: str = "") -> str:
    """Return the edits that bring a mechanism about, or all if none does directly; empty if they are too many to name.

    That is the one value that they change, a few places, or what the keys of all have in common: `operands.imm.constant`,
    `registers.r, allocable.r`, `instructions`, `instructions.*.slots` if only the slots of several instructions change.
    """
    seen = [inner.keys for edit in edits for inner in inner_edits(edit) if not _names_registers(edit)]
    keys = [key for key in seen if {key[0], key[-1]} & ACTS_ON.get(mechanism, set())] or seen
    first, last = _shared(keys), _shared([key[::-1] for key in keys])
    if first and last and len(keys) > 1:
        return ".".join([*first, "*", *reversed(last)])
    places = dict.fromkeys(".".join(key[:PLACE]) for key in keys)
    if len(first) < PLACE and 1 < len(places) <= MOST_PLACES:
        return ", ".join(places)
    return ".".join(first)


def _names_registers(edit: Edited) -> bool:
    """Whether only assembly shows an edit."""
    return edit.keys[0] == "registers" and edit.keys[-1] == "names"


def _shared(keys: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the keys with which all begin."""
    equal = 0
    for level in zip(*keys, strict=False):
        if len(set(level)) > 1:
            break
        equal += 1
    return keys[0][:equal] if keys else ()


# ----------------------------------------------------------------------------------------------------------------------
# Compares what two JSON reports say: totals, instructions, functions and source lines.
#
# Reports do not have what is executed at each line, so reasons and causes are not known.


NEEDED = ("instructions", "instruction_types", "functions", "lines", "memory_references")


def read_report(file: str) -> dict[str, Any]:
    """Return what a file says that `-report FILE.json` wrote.

    Raises OSError, UserError.
    """
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise UserError([f"{file}: this is no JSON: {error}"]) from None
    if not isinstance(found, dict) or not isinstance(found.get("run", {}), dict):
        raise UserError([f"{file}: this is no report; expected what `easecc -report FILE.json` writes"])
    if found.get("format") != FORMAT:
        raise UserError([f"{file}: expected a report of format {FORMAT}, not {found.get('format')!r}"])
    lacking = [name for name in NEEDED if not isinstance(found.get(name), dict)]
    if lacking:
        raise UserError([f"{file}: the report has no '{lacking[0]}'; write it with `easecc -report FILE.json`, without -show"])
    return found


def compare_reports(before: Mapping[str, Any], after: Mapping[str, Any]) -> Comparison:
    """Compare two reports.

    Raises KeyError, TypeError, ValueError, AttributeError for reports that lack parts.
    """
    one, other = _report_totals(before), _report_totals(after)
    return Comparison(
        {name: Difference(number, other[name]) for name, number in one.items() if name in other},
        _report_ordered(*(_dynamic(side["instruction_types"]) for side in (before, after))),
        {},
        _report_ordered(*(_dynamic(side["functions"]) for side in (before, after))),
        tuple(_report_lines(before["lines"], after["lines"])),
    )


def title(report: Mapping[str, Any]) -> str:
    """Return the command that a report comes from, and its machine."""
    return f"{' '.join(map(str, report.get('run', {}).get('words', [])))} ({report.get('machine', '')})".strip()


def _report_totals(report: Mapping[str, Any]) -> dict[str, int]:
    """Return the totals under the names that comparisons of runs have for them."""
    found, references = report["instructions"], report["memory_references"]
    totals = {
        "instructions": found["dynamic"],
        "references": references["reads"]["dynamic"] + references["writes"]["dynamic"],
        "bytes fetched": found["dynamic_bytes"],
        "static instructions": found["static"],
        "static bytes": found["static_bytes"],
    }
    return totals | {"cycles": report["timing"]["cycles"]} if "timing" in report else totals


def _dynamic(table: Mapping[str, Any]) -> dict[str, int]:
    return {name: count["dynamic"] for name, count in table.items()}


def _report_ordered(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, Difference]:
    found = {name: Difference(before.get(name, 0), after.get(name, 0)) for name in sorted({*before, *after})}
    return dict(sorted(((n, d) for n, d in found.items() if d.change), key=lambda item: -abs(item[1].change)))


def _report_lines(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[LineDifference]:
    """Yield the lines that are not executed alike, the largest differences first."""
    sides = [
        {f"{file}:{line}": count["dynamic"] for file, lines in side.items() for line, count in lines.items()}
        for side in (before, after)
    ]
    for name, difference in _report_ordered(*sides).items():
        file, _, line = name.rpartition(":")
        yield LineDifference(Line(file, int(line)), difference, {})


# ----------------------------------------------------------------------------------------------------------------------
# How much chance changes: what differs when a description says the same in another order, which makes the compiler choose
# otherwise, and when functions and data stand in another order in memory, which makes others meet in caches.
#
# A difference between two machines that is no larger says nothing about them.


@dataclass(frozen=True, slots=True)
class Noise:
    """The largest changes of each number, by the names that a comparison has for them; 0 for all others."""

    totals: Mapping[str, int] = field(default_factory=dict)
    instructions: Mapping[str, int] = field(default_factory=dict)
    causes: Mapping[str, int] = field(default_factory=dict)
    functions: Mapping[str, int] = field(default_factory=dict)
    lines: Mapping[Line, int] = field(default_factory=dict)


def same_machines(description: Map, number: int) -> Iterator[Machine]:
    """Yield so many machines that are the same but for the order in which a merged description says things.

    Raises DescriptionError.
    """
    edits: Iterator[Edit] = chain(reorderings(), map(random_reordering, itertools.count(1)))
    for edit in islice(edits, number):
        yield build(described_anew(description, edit))


def noise_of(original: Measurement, others: Iterable[Measurement]) -> Noise:
    """Return the largest changes against an original among measurements of the same program on the same machine."""
    return loudest(_changes(compare(original, other)) for other in others)


def loudest(found: Iterable[Noise]) -> Noise:
    """Return the larger one of each number."""
    largest: dict[str, dict[Any, int]] = {item.name: {} for item in fields(Noise)}
    for noise in found:
        for name, table in largest.items():
            _raise(table, getattr(noise, name))
    return Noise(**largest)


def _raise(table: dict[Hashable, int], other: Mapping[Hashable, int]) -> None:
    for key, number in other.items():
        table[key] = max(table.get(key, 0), number)


def _changes(comparison: Comparison) -> Noise:
    tables = {
        name: {key: abs(item.change) for key, item in getattr(comparison, name).items()}
        for name in ("totals", "instructions", "causes", "functions")
    }
    return Noise(**tables, lines={item.line: abs(item.executed.change) for item in comparison.lines})
