"""Read what `-sample` says: inner:every=100k,length=1k,warm=2k, hc:start=1M,length=10k, ra:main,arrival=1,length=10k, or
phases:every=1M,clusters=10,samples=5, or marks:file=regions.json.

There may be several of hc and ra, joined by +.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from cache_sim.config import ConfigurationError
from ease.model.estimates import Estimate

# ----------------------------------------------------------------------------------------------------------------------
# When a run is measured: a list of phases, each a mode and a number of instructions.


ENDLESS = 1 << 58  # instructions that no run executes


class Mode(IntEnum):
    """What is done in a phase: nothing, caches and predictors are kept warm, or everything is measured.

    STEP: as the usual mode, but each instruction is counted apart, so that the phase ends exactly.
    """

    FAST = 0
    WARM = 1
    MEASURED = 2
    STEP = 3


@dataclass(frozen=True, slots=True)
class Phase:
    """So many instructions in one mode."""

    mode: Mode
    length: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """Control comes to a function for the `number`-th time: the run goes on with a phase of the schedule."""

    function: str
    number: int
    phase: int


@dataclass(frozen=True, slots=True)
class LoopArrival:
    """Control comes to a block of a function for the `number`-th time: the run goes on with a phase of the schedule."""

    function: str
    block: int
    number: int
    phase: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """Phases in order; behind the last one, control goes on with phase `again`.

    `systematic`: samples are taken at even distances, so that they tell of the whole run.  `confidence`: with which the
    intervals of such estimates are to hold the true values.  `exact`: samples begin and end at exact instructions, for which
    usual phases are `cut`.  `arrivals` begin phases, too, and so do `marks`, in the order of each block.  `attached`: another
    process says which of two phases is under way.  `at_loops`: phases end only at these headers of loops, by function.
    """

    phases: tuple[Phase, ...]
    again: int
    systematic: bool = False
    confidence: float = 0.997
    exact: bool = False
    arrivals: tuple[Arrival, ...] = ()
    attached: bool = False
    marks: tuple[LoopArrival, ...] = ()
    at_loops: Mapping[str, frozenset[int]] | None = None

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes that occur, the usual one first."""
        found = {phase.mode for phase in self.phases}
        return tuple(sorted(found | {Mode.STEP} if self.exact else found))

    def cut(self, distance: int) -> Schedule:
        """Return an exact schedule in which the last `distance` instructions of usual phases are steps."""
        if not self.exact:
            return self
        phases: list[Phase] = []
        for phase in self.phases:
            if phase.mode is Mode.MEASURED:
                phases.append(phase)
                continue
            phases.append(Phase(phase.mode, max(phase.length - distance, 0)))
            phases.append(Phase(Mode.STEP, min(distance, phase.length)))
        kept = tuple(phase for phase in phases if phase.length)
        return replace(self, phases=kept, again=len(kept) - 1)

    @property
    def always(self) -> bool:
        """Whether simulators see the whole run."""
        return Mode.FAST not in self.modes


@dataclass(frozen=True, slots=True)
class PhaseSpec:
    """What `-sample phases:` says: intervals of `every` instructions, at most `clusters`; how simulators are warmed.

    Of each phase, `samples` intervals are measured.  `loops`: intervals begin and end at loops; `marks` is a file to write
    that says where.
    """

    every: int
    clusters: int
    warm: int = 0
    always: bool = False
    samples: int = 1
    confidence: float = 0.997
    loops: bool = False
    marks: str = ""


@dataclass(frozen=True, slots=True)
class MarksSpec:
    """What `-sample marks:` says: the file of regions, and whether simulators see the whole run."""

    file: str
    always: bool = False
    confidence: float = 0.997


def systematic(
    every: int, length: int, warm: int = 0, always: bool = False, offset: int | None = None, confidence: float = 0.997
) -> Schedule:
    """Return a schedule that measures `length` of each `every` instructions.

    Simulators are warmed before each sample by `warm` instructions, or `always`.  The first sample begins behind `offset`
    instructions (default: such that samples lie in the middles of what they stand for).
    """
    usual = Mode.WARM if always else Mode.FAST
    gap = every - length - warm
    if offset is None:
        offset = (every - length) // 2
    first = (Phase(usual, max(offset - warm, 0)), Phase(Mode.WARM, min(warm, offset)))
    cycle = (Phase(Mode.MEASURED, length), Phase(usual, gap), Phase(Mode.WARM, warm))
    head = [phase for phase in first if phase.length]
    phases = [*head, *(phase for phase in cycle if phase.length)]
    return Schedule(tuple(phases), len(head), True, confidence)


def windows(found: Iterable[tuple[int, int]], always: bool) -> Schedule:
    """Return a schedule that measures `length` instructions behind the first `start` ones, for each (start, length).

    Raises ValueError if they overlap.
    """
    usual = Mode.WARM if always else Mode.FAST
    phases: list[Phase] = []
    end = 0
    for start, length in sorted(found):
        if start < end:
            raise ValueError(f"samples overlap: one begins behind {start:,} instructions, the one before ends behind {end:,}")
        phases += [Phase(usual, start - end)] * (start > end) + [Phase(Mode.MEASURED, length)]
        end = start + length
    phases.append(Phase(usual, ENDLESS))
    return Schedule(tuple(phases), len(phases) - 1, exact=True)


def at_arrivals(found: Iterable[tuple[str, int, int]], always: bool) -> Schedule:
    """Return a schedule of (function, k, length): `length` instructions are measured from the k-th arrival at a function on.

    An arrival during a sample begins none.
    """
    usual = Mode.WARM if always else Mode.FAST
    phases, arrivals = [Phase(usual, ENDLESS)], []
    for function, number, length in found:
        arrivals.append(Arrival(function, number, len(phases)))
        phases += [Phase(Mode.MEASURED, length), Phase(usual, ENDLESS)]
    return Schedule(tuple(phases), 0, arrivals=tuple(arrivals))


def attached(always: bool) -> Schedule:
    """Return a schedule that another process decides."""
    return Schedule((Phase(Mode.WARM if always else Mode.FAST, ENDLESS), Phase(Mode.MEASURED, ENDLESS)), 0, attached=True)


# ----------------------------------------------------------------------------------------------------------------------
# What `-sample` says.


FORMS = "every=100k,length=1k,warm=2k"
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_NUMBER = re.compile(r"(\d+)([kmg]?)", re.IGNORECASE)
_LARGEST = 1 << 56
ALWAYS = "all"
MOST_CLUSTERS, LARGEST_CLUSTERS = 10, 100  # of phases: unless one says it, and at all
MOST_OF_A_PHASE = 30  # samples


def parse_sample(text: str) -> Schedule | PhaseSpec | MarksSpec:
    """Return the schedule that a specification describes, or how one is made from the phases of a run, or from marks.

    Raises ConfigurationError.
    """
    first = text.partition("+")[0]
    kind = first.partition(":")[0] if ":" in first else "inner"
    parts = [part.removeprefix(f"{kind}:") for part in text.split("+")]
    if first.partition(",")[0] == "shm" and len(parts) == 1:
        settings = text.partition(",")[2]
        return attached(_warm([_Settings(settings, text, ("warm",))] if settings else []))
    if kind == "inner" and len(parts) == 1:
        return _systematic(_Settings(parts[0], text, ("every", "length", "warm", "offset", "confidence")))
    if kind == "phases" and len(parts) == 1:
        return _phases(_Settings(parts[0], text, ("every", "clusters", "samples", "warm", "confidence", "marks"), ("loops",)))
    if kind == "marks" and len(parts) == 1:
        return _marks(_Settings(parts[0], text, ("file", "warm", "confidence")))
    if kind == "hc":
        return _windows([_Settings(part, text, ("start", "length", "warm")) for part in parts])
    if kind == "ra":
        return _arrivals(parts, text)
    known = f"{kind}, which takes one, " if kind in ("inner", "phases", "marks") else "inner, phases, marks, "
    raise ConfigurationError(f"-sample {text}: the kinds of samples are {known}hc, ra and shm")


def _warm(given: Sequence[_Settings]) -> bool:
    """Return whether simulators see the whole run, as the last of several parts says."""
    values = [each.values["warm"] for each in given if "warm" in each.values]
    for each in given:
        if each.values.get("warm", ALWAYS) != ALWAYS:
            raise each.wrong(f"warm={each.values['warm']}: here, there is only warm={ALWAYS}")
    return bool(values)


def _windows(given: Sequence[_Settings]) -> Schedule:
    found = [(each.number("start", 0), each.number("length")) for each in given]
    try:
        return windows(found, _warm(given))
    except ValueError as error:
        raise given[0].wrong(str(error)) from None


def _arrivals(parts: Sequence[str], whole: str) -> Schedule:
    found, settings = [], []
    for part in parts:
        name, _, rest = part.partition(",")
        given = _Settings(rest, whole, ("arrival", "length", "warm"))
        found.append((name, given.number("arrival", 1), given.number("length")))
        settings.append(given)
    return at_arrivals(found, _warm(settings))


def _systematic(given: _Settings) -> Schedule:
    every, length = given.number("every"), given.number("length")
    always = given.values.get("warm") == ALWAYS
    warm = 0 if always else given.number("warm", 0)
    if length + warm > every:
        raise given.wrong(f"length and warm are {length + warm:,} instructions, but every is {every:,}")
    offset = None if "offset" not in given.values else given.number("offset", 0)
    return systematic(every, length, warm, always, offset, given.share("confidence", 99.7))


def _phases(given: _Settings) -> PhaseSpec:
    every, clusters = given.number("every"), given.number("clusters", MOST_CLUSTERS)
    always = given.values.get("warm") == ALWAYS
    if not 1 <= clusters <= LARGEST_CLUSTERS:
        raise given.wrong(f"clusters={clusters} is not from 1 to {LARGEST_CLUSTERS}")
    samples = given.number("samples", 1)
    if not 1 <= samples <= MOST_OF_A_PHASE:
        raise given.wrong(f"samples={samples} is not from 1 to {MOST_OF_A_PHASE}")
    warm = 0 if always else given.number("warm", 0)
    loops, marks = "loops" in given.flags, given.values.get("marks", "")
    if loops and warm:
        raise given.wrong("with loops, there is only warm=all")
    if marks and not loops:
        raise given.wrong("marks=FILE needs loops")
    return PhaseSpec(every, clusters, warm, always, samples, given.share("confidence", 99.7), loops, marks)


def _marks(given: _Settings) -> MarksSpec:
    if "file" not in given.values:
        raise given.wrong("file=FILE is missing, which phases:...,loops,marks=FILE writes")
    return MarksSpec(given.values["file"], _warm([given]), given.share("confidence", 99.7))


class _Settings:
    """Settings of a specification: KEY=VALUE, separated by commas."""

    def __init__(self, text: str, whole: str, keys: tuple[str, ...], flags: tuple[str, ...] = ()) -> None:
        self.whole = whole
        self.values: dict[str, str] = {}
        self.flags: set[str] = set()
        for part in text.split(","):
            key, equals, value = part.partition("=")
            if part in flags:
                self.flags.add(part)
                continue
            if key not in keys or not equals:
                raise self.wrong(f"'{part}' is none of {', '.join(f'{key}=...' for key in keys)}")
            if key in self.values:
                raise self.wrong(f"{key} is given twice")
            self.values[key] = value

    def wrong(self, what: str) -> ConfigurationError:
        """Return an error that quotes the specification."""
        return ConfigurationError(f"-sample {self.whole}: {what}")

    def number(self, key: str, default: int | None = None) -> int:
        """Return a number of instructions; positive, unless there is a default."""
        text = self.values.get(key)
        if text is None:
            if default is None:
                raise self.wrong(f"{key}=N is missing, as in {FORMS}")
            return default
        found = _NUMBER.fullmatch(text)
        number = int(found[1]) * _UNITS[found[2].lower()] if found else -1
        if number < (default is None) or number > _LARGEST:
            raise self.wrong(f"{key}={text} is no number of instructions, such as 1000, 10k or 2M")
        return number

    def share(self, key: str, default: float) -> float:
        """Return a share that is given in per cent."""
        try:
            share = float(self.values.get(key, default)) / 100
        except ValueError:
            share = 0.0
        if not 0 < share < 1:
            raise self.wrong(f"{key}={self.values[key]} is no number of per cent, such as 95 or 99.7")
        return share


# ----------------------------------------------------------------------------------------------------------------------
# What is known of a run of which samples were measured.


@dataclass(frozen=True, slots=True)
class Spent:
    """What a version of the program executed, and which part of the time of the run that took.

    `version` is fast, warm, measured or step, which is the fast or warm version instruction by instruction.
    """

    version: str
    instructions: int
    part: float


def cost(spent: Sequence[Spent], seconds: float) -> str:
    """Return what an instruction took in each version, of a run that took so many seconds; '' if nothing is known."""
    whole = sum(each.instructions for each in spent)
    parts = [
        f"{each.version} {1e9 * seconds * each.part / each.instructions:.2f} ns "
        f"({100 * each.instructions / whole:.2f}% of them)"
        for each in spent
    ]
    return f"an instruction took: {', '.join(parts)}" if parts else ""


@dataclass(frozen=True, slots=True)
class Sampling:
    """The samples of a run: `spec` describes them as `-sample` does.

    `instructions`: of the whole run, None if that did not end by itself; `measured`: those in samples; `samples`: how many
    there were.  `estimates` are of the whole run, with intervals of a `confidence`; empty if samples were not systematic.
    `distance`: the most instructions between two checkpoints.  `passed`: how many checkpoints control came to in samples; of
    them, `within` has by number of instructions the part from which the next checkpoint is at most so far.
    """

    spec: str
    instructions: int | None
    measured: int
    samples: int
    distance: int
    confidence: float
    estimates: tuple[Estimate, ...] = ()
    passed: int = 0
    within: Mapping[int, float] = field(default_factory=dict)
