"""What a run came to: frozen dataclasses of integers, which add.  How they are found is in `ease.run.measuring`.

What counts are kept by, and the counts themselves, come first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import add, and_, or_
from typing import TYPE_CHECKING, Any, TypeVar

from cache_sim.predictors.predictor import Kind, SiteResults
from cache_sim.results import History, Results
from cache_sim.sweeps import Swept
from ease.model.static_kinds import Access, Constant, OperandField, Reference, StaticProgram

if TYPE_CHECKING:
    from ease.model.run_identity import RunIdentity
    from ease.model.sampling import Sampling
    from ease.model.timeline import Attribution, Timeline


# ----------------------------------------------------------------------------------------------------------------------
# Tables that add.


K = TypeVar("K", bound=Hashable)


def add_tables(mine: Mapping[K, Any], theirs: Mapping[K, Any]) -> dict[K, Any]:
    """Add the counts of two tables."""
    result = dict(mine)
    for key, count in theirs.items():
        result[key] = result[key] + count if key in result else count
    return result


# ----------------------------------------------------------------------------------------------------------------------
# What counts are kept by: the keys of the tables of a measurement.


@dataclass(frozen=True, slots=True, order=True)
class Line:
    """A source line; number 0 stands for what no line is known of."""

    file: str
    number: int

    def __str__(self) -> str:
        return f"{self.file}:{self.number}"


# ----------------------------------------------------------------------------------------------------------------------
# How often things stand in a program and happen in its run: numbers of a kind, which add.


@dataclass(frozen=True, slots=True, order=True)
class Count:
    """How often something stands in the program, and how often it happened when the program ran."""

    static: int = 0
    dynamic: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.static + other.static, self.dynamic + other.dynamic)


NO_COUNT = Count()


@dataclass(frozen=True, slots=True)
class BranchCount:
    """A conditional branch: how often in the program, executed and taken."""

    static: int = 0
    dynamic: int = 0
    taken: int = 0

    def __add__(self, other: BranchCount) -> BranchCount:
        return BranchCount(self.static + other.static, self.dynamic + other.dynamic, self.taken + other.taken)


@dataclass(frozen=True, slots=True)
class SlotCount:
    """A delay slot: how often in the program, executed and annulled."""

    static: int = 0
    dynamic: int = 0
    annulled: int = 0

    def __add__(self, other: SlotCount) -> SlotCount:
        return SlotCount(self.static + other.static, self.dynamic + other.dynamic, self.annulled + other.annulled)


# ----------------------------------------------------------------------------------------------------------------------
# What tools of users return, and what wrong paths did.


Cell = Any  # a number or text


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below the names of their columns.  Text columns come first; `total` is the last row, if there is one."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    total: Sequence[Cell] = ()

    def __post_init__(self) -> None:
        for row in (*self.rows, *([self.total] if self.total else [])):
            if len(row) != len(self.columns):
                raise ValueError(f"{self.title}: a row has {len(row)} cells, and there are {len(self.columns)} columns: {row}")

    def ordered(self, column: str) -> Table:
        """Return the table with the rows that have most in a column first."""
        at = list(self.columns).index(column)
        return replace(self, rows=sorted(self.rows, key=lambda row: row[at], reverse=True))

    def json(self) -> dict[str, Any]:
        """Return the table as JSON values."""
        result = {"title": self.title, "columns": list(self.columns), "rows": [list(row) for row in self.rows]}
        return {**result, "total": list(self.total)} if self.total else result


@dataclass(frozen=True, slots=True)
class WrongPaths:
    """What happened on wrong paths: `length` is what was asked for, `ended` how many ended earlier, by reason.

    Of all transfers that were `mispredicted`, those were `followed` for which a predictor knew where to go.  `references`
    counts fetches, reads and writes there.  `without` and `with_`: what caches did if these do not reach them, and if they do;
    None without caches.
    """

    length: int
    mispredicted: int
    followed: int
    instructions: int
    ended: dict[str, int]
    references: dict[str, int]
    without: Results | None = None
    with_: Results | None = None


# ----------------------------------------------------------------------------------------------------------------------
# What a run came to.


L = TypeVar("L", bound=Hashable)
N = TypeVar("N", "Count", "WindowCount")


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each RTL of each function was executed, and the branch of each of its blocks taken.

    `traps` counts, for the RTLs that move the register window, how often there was none to move to.  If not `exact`, the run
    was cut short in loops and calls whose counts are not complete.
    """

    rtls: dict[str, list[int]]
    taken: dict[str, list[int]]
    traps: dict[str, dict[int, int]] = field(default_factory=dict)
    exact: bool = True

    @property
    def instructions(self) -> int:
        """How many RTLs were executed."""
        return sum(map(sum, self.rtls.values()))


@dataclass(frozen=True, slots=True, order=True)
class WindowMove:
    """Register windows entered ('enter') or left ('leave') at a line of a function."""

    direction: str
    function: str
    line: Line


@dataclass(frozen=True, slots=True)
class WindowCount:
    """How often such moves stand in the program, were made, and trapped because there was no window to move to."""

    static: int = 0
    dynamic: int = 0
    traps: int = 0

    def __add__(self, other: WindowCount) -> WindowCount:
        return WindowCount(self.static + other.static, self.dynamic + other.dynamic, self.traps + other.traps)


@dataclass(frozen=True, slots=True)
class Characteristics:
    """Everything counted about a program and its run: tables from a kind to its count.

    `sizes` maps a number of bytes to how many instructions are so long, `runs` a number of instructions to how many
    stretches between transfers of control were, `blocks` to how many blocks have them, `arguments` a number of registers
    to how many calls have arguments in so many, `slots` the type of instruction in a delay slot (empty: none was found for it)
    to how many there are.
    """

    instructions: Count = NO_COUNT
    sizes: Mapping[int, Count] = field(default_factory=dict)
    types: Mapping[str, Count] = field(default_factory=dict)
    operands: Mapping[OperandField, Count] = field(default_factory=dict)
    references: Mapping[Reference, Count] = field(default_factory=dict)
    registers: Mapping[Access, Count] = field(default_factory=dict)
    condition_codes: Mapping[Access, Count] = field(default_factory=dict)
    branches: Mapping[str, BranchCount] = field(default_factory=dict)
    transfers: Count = NO_COUNT
    runs: Mapping[int, Count] = field(default_factory=dict)
    functions: Mapping[str, Count] = field(default_factory=dict)
    lines: Mapping[Line, Count] = field(default_factory=dict)
    windows: Mapping[WindowMove, WindowCount] = field(default_factory=dict)
    constants: Mapping[Constant, Count] = field(default_factory=dict)
    arguments: Mapping[int, Count] = field(default_factory=dict)
    blocks: Mapping[int, Count] = field(default_factory=dict)
    slots: Mapping[str, SlotCount] = field(default_factory=dict)

    def __add__(self, other: Characteristics) -> Characteristics:
        added: dict[str, Any] = {}
        for item in fields(self):
            mine, theirs = getattr(self, item.name), getattr(other, item.name)
            added[item.name] = add_tables(mine, theirs) if isinstance(mine, Mapping) else mine + theirs
        return Characteristics(**added)

    def bytes(self) -> Count:
        """The size of all instructions."""
        return total(Count(size * count.static, size * count.dynamic) for size, count in self.sizes.items())

    def addressing_modes(self) -> dict[str, Count]:
        """Operand fields by addressing mode."""
        return project(self.operands, lambda operand: operand.mode)

    def data_types(self) -> dict[str, Count]:
        """Operand fields by data type."""
        return project(self.operands, lambda operand: operand.type)

    def conditional_branches(self) -> BranchCount:
        """All conditional branches."""
        return sum(self.branches.values(), BranchCount())


@dataclass(frozen=True, slots=True, order=True)
class MissSite:
    """What makes a reference: an instruction that is fetched, or a cell that one reads or writes.

    `number` is that of `vpo.analysis.references`, `cell` an RTL expression, empty for a fetch.  `kind`: its direction
    ('fetch', 'read', 'write') and cause; a fetch has neither data type nor addressing mode.
    """

    number: int
    function: str
    line: Line
    instruction: str
    kind: Reference
    cell: str = ""


@dataclass(frozen=True, slots=True)
class SiteMisses:
    """How often the instruction of a site was executed, and how often the site missed each cache."""

    executed: int
    misses: tuple[int, ...]

    def __add__(self, other: SiteMisses) -> SiteMisses:
        misses = tuple(map(add, self.misses, other.misses))
        return SiteMisses(self.executed + other.executed, misses)


@dataclass(frozen=True, slots=True)
class MemoryMeasurement:
    """What a simulated memory system did.  `sites` has all that ever missed, with misses in the order of its caches.

    The sites of `results` are left out: they are numbers of one program, and measurements of several add.
    """

    results: Results
    sites: Mapping[MissSite, SiteMisses]

    def __add__(self, other: MemoryMeasurement) -> MemoryMeasurement:
        return MemoryMeasurement(self.results + other.results, add_tables(self.sites, other.sites))


@dataclass(frozen=True, slots=True, order=True)
class TransferSite:
    """An instruction whose transfer of control is predicted: `number` is its RTL's, `address` that of its last byte."""

    number: int
    function: str
    line: Line
    instruction: str
    address: int


@dataclass(frozen=True, slots=True)
class PredictionMeasurement:
    """What branch predictors did: the kinds that each predicts, and all transfers of these kinds that were executed.

    `instructions`: how many were executed of all.
    """

    predictors: Mapping[str, frozenset[Kind]]
    sites: Mapping[TransferSite, SiteResults]
    instructions: int

    def __add__(self, other: PredictionMeasurement) -> PredictionMeasurement:
        """Put the measurements of two runs together.

        Raises ValueError for different predictors.
        """
        if list(self.predictors) != list(other.predictors):
            raise ValueError("measurements of different predictors do not add")
        sites = add_tables(self.sites, other.sites)
        return PredictionMeasurement(self.predictors, sites, self.instructions + other.instructions)


MAIN = "main"  # the memory that is no space of its own


@dataclass(frozen=True, slots=True)
class SpaceUse:
    """A memory of a machine: its bytes, those that objects take, and the cycles that each reference waits."""

    name: str
    size: int
    used: int
    wait: int


@dataclass(frozen=True, slots=True, order=True)
class SpaceSite:
    """References to a memory, by name, at a line of a function; `direction` is 'read' or 'write'."""

    memory: str
    direction: str
    function: str
    line: Line


@dataclass(frozen=True, slots=True)
class SpacesMeasurement:
    """References to data by memory: the spaces of the machine, and what MAIN has besides."""

    spaces: tuple[SpaceUse, ...]
    sites: Mapping[SpaceSite, int]

    def __add__(self, other: SpacesMeasurement) -> SpacesMeasurement:
        spaces = tuple(replace(a, used=max(a.used, b.used)) for a, b in zip(self.spaces, other.spaces, strict=True))
        return SpacesMeasurement(spaces, add_tables(self.sites, other.sites))


# Why cycles pass, in the order of reports.
CYCLE_CAUSES = {
    "instruction": "one cycle for each instruction",
    "multi-cycle": "further cycles of instructions",
    "interlock": "waiting for registers",
    "unit": "waiting for functional units",
    "taken": "transfers of control",
    "delay slot": "delay slots with nothing in them",
    "window": "register window traps",
    "fetch miss": "waiting for instructions",
    "read miss": "waiting for data that are read",
    "write miss": "waiting for lines that are written",
    "TLB miss": "waiting for pages",
    "memory": "waiting for memories beside the main one",
    "write": "waiting until something is written",
    "write back": "waiting until lines are written back",
}


@dataclass(frozen=True, slots=True, order=True)
class Spent:
    """What cycles went to: one of CYCLE_CAUSES, at a line of a function."""

    cause: str
    function: str
    line: Line


@dataclass(frozen=True, slots=True)
class TimingMeasurement:
    """An estimate of the cycles that a run takes on the machine, and what it takes for granted, in words.

    `buffers_full`: how often a write found all write buffers in use; None if there are none.
    """

    instructions: int
    cycles: Mapping[Spent, int]
    assumptions: tuple[str, ...] = ()
    buffers_full: int | None = None

    def __add__(self, other: TimingMeasurement) -> TimingMeasurement:
        """Put the estimates of two runs together.

        Raises ValueError if they rest on different assumptions.
        """
        if self.assumptions != other.assumptions:
            raise ValueError("timing estimates on different assumptions do not add")
        instructions = self.instructions + other.instructions
        full = None if self.buffers_full is None or other.buffers_full is None else self.buffers_full + other.buffers_full
        return TimingMeasurement(instructions, add_tables(self.cycles, other.cycles), self.assumptions, full)

    @property
    def total(self) -> int:
        """All cycles."""
        return sum(self.cycles.values())

    def by_cause(self) -> dict[str, int]:
        """Cycles by cause, of those with any."""
        found = self.by(lambda spent: spent.cause)
        return {cause: sum(found[cause].values()) for cause in CYCLE_CAUSES if cause in found}

    def by(self, part: Callable[[Spent], L]) -> dict[L, dict[str, int]]:
        """Cycles by cause for each value of a part of what they went to."""
        result: dict[L, dict[str, int]] = {}
        for spent, number in self.cycles.items():
            causes = result.setdefault(part(spent), {})
            causes[spent.cause] = causes.get(spent.cause, 0) + number
        return result


ADD = "add"  # what the metadata of a field of measurements says: what the sum of two has there


def _adds(how: Callable[[Any, Any], Any]) -> dict[str, Callable[[Any, Any], Any]]:
    return {ADD: how}


def _adds_if_both_have(what: str) -> dict[str, Callable[[Any, Any], Any]]:
    def sum_of(mine: Any, theirs: Any) -> Any:
        if (mine is None) != (theirs is None):
            raise ValueError(f"measurements with and without {what} do not add")
        return None if mine is None else mine + theirs

    return _adds(sum_of)


def _same_machine(mine: str, theirs: str) -> str:
    if mine != theirs:
        raise ValueError(f"measurements of different machines do not add: {mine}, {theirs}")
    return mine


def _both_faults(mine: str, theirs: str) -> str:
    return "; ".join(filter(None, [mine, theirs]))


_OF_ONE_RUN = _adds(lambda mine, theirs: None)


@dataclass(frozen=True, slots=True)
class Measurement:
    """A run of a program on a machine.  `partial`: it was cut short, by `fault`; `exact`: the counts until then are complete.

    `memory`: of a memory system; `sweep`: of a grid of caches; `history`: of the memory system, up to moments; `tools`: tables
    of users' tools; `regions`: first all, then each one; `sampling`: of which samples they are; `timeline`: in intervals;
    `attribution`: by regions or interpreted lines; `spaces`: by memory; characteristics follow from `program` and
    `counts`.  Each field says how it adds; a sum has none of those of one run.
    """

    machine: str = field(metadata=_adds(_same_machine))
    characteristics: Characteristics = field(metadata=_adds(add))
    exit_status: int = field(default=0, metadata=_adds(max))
    partial: bool = field(default=False, metadata=_adds(or_))
    fault: str = field(default="", metadata=_adds(_both_faults))
    memory: MemoryMeasurement | None = field(default=None, metadata=_adds_if_both_have("a memory system"))
    sweep: Swept | None = field(default=None, metadata=_adds_if_both_have("a sweep"))
    prediction: PredictionMeasurement | None = field(default=None, metadata=_adds_if_both_have("branch predictors"))
    timing: TimingMeasurement | None = field(default=None, metadata=_adds_if_both_have("a timing estimate"))
    history: History | None = field(default=None, metadata=_OF_ONE_RUN)
    exact: bool = field(default=True, metadata=_adds(and_))
    program: StaticProgram | None = field(default=None, metadata=_OF_ONE_RUN)
    counts: Counts | None = field(default=None, metadata=_OF_ONE_RUN)
    identity: RunIdentity | None = field(default=None, metadata=_OF_ONE_RUN)  # tells what was run
    tools: Mapping[str, tuple[Table, ...]] | None = field(default=None, metadata=_OF_ONE_RUN)
    regions: Mapping[str, Measurement] | None = field(default=None, metadata=_OF_ONE_RUN)
    sampling: Sampling | None = field(default=None, metadata=_OF_ONE_RUN)
    timeline: Timeline | None = field(default=None, metadata=_OF_ONE_RUN)
    attribution: Attribution | None = field(default=None, metadata=_OF_ONE_RUN)
    wrong_paths: WrongPaths | None = field(default=None, metadata=_OF_ONE_RUN)
    spaces: SpacesMeasurement | None = field(default=None, metadata=_adds_if_both_have("memory spaces"))

    def __add__(self, other: Measurement) -> Measurement:
        """Put the measurements of two programs on one machine together.

        Raises ValueError for different machines or memory systems.
        """
        pairs = ((each, getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        return replace(self, **{each.name: each.metadata[ADD](mine, theirs) for each, mine, theirs in pairs})


def project(table: Mapping[K, N], part: Callable[[K], L]) -> dict[L, N]:
    """Add up a table over everything but one part of its keys, in the order of that part."""
    result: dict[Any, N] = {}
    for key, count in table.items():
        name = part(key)
        result[name] = result[name] + count if name in result else count
    return dict(sorted(result.items()))


def total(counts: Iterable[Count]) -> Count:
    """Add counts."""
    return sum(counts, Count())
