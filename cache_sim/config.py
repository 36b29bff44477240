"""What a simulated memory system is made of: frozen dataclasses that say nothing of how it is simulated.

`cache_sim.reference` is the definition of what they mean.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from cache_sim import policies

POLICIES = policies.names()  # those that come with the package
WRITES = ("back", "through")
PREFETCHES = ("none", "next")
UNITS = ("work", "instructions")
RESUMES = ("line", "word")
MOST_DELAY = 1 << 20  # cycles, so that nobody overflows
MOST_BUFFERS = 64
MOST_SIZE = 1 << 40  # so that nobody overflows
LEAST_LINE = 4  # bytes: numbers of lines leave two bits of a word for what else there is to know of a line
MOST_LINES = 1 << 24  # their tags have to find room in memory

# What each cache is called where users write configurations (and where its results are shown), and the fields of
# MemorySystem that it stands in: instructions and data may share.
ROLES = {
    "I": ("instruction",),
    "D": ("data",),
    "U": ("instruction", "data"),
    "L2": ("second",),
    "ITLB": ("instruction_tlb",),
    "DTLB": ("data_tlb",),
    "TLB": ("instruction_tlb", "data_tlb"),
}
TLBS = ("ITLB", "DTLB", "TLB")


class ConfigurationError(ValueError):
    """A memory system that cannot be.  str() is the message, after `place: error: ` where the place is known.

    `about` names the field that is wrong, `place` is a file, line and column.
    """

    def __init__(self, message: str, about: str = "", place: str = "") -> None:
        super().__init__(f"{place}: error: {message}" if place else message)
        self.message, self.about, self.place = message, about, place


@dataclass(frozen=True, slots=True)
class Cache:
    """One cache, or a TLB, whose lines are pages.

    `size` and `line` in bytes; `line` and the number of sets, size / (line * ways), are powers of two, and with 'plru'
    `ways` is one, too.  `allocate`: whether a write that misses brings in the line.  `prefetch` 'next': a miss also brings in
    the next line.  `policy`: one of `policies.names()`.

    Raises ConfigurationError.
    """

    name: str
    size: int
    line: int
    ways: int = 1
    policy: str = "lru"
    write: str = "back"
    allocate: bool = True
    prefetch: str = "none"

    def __post_init__(self) -> None:
        demand_power_of_two("line", self.line)
        if self.size < 1:
            raise ConfigurationError(f"size {self.size} is less than 1", "size")
        if self.size > MOST_SIZE:
            raise ConfigurationError(f"size {self.size} is more than {MOST_SIZE >> 30}g", "size")
        if self.line < LEAST_LINE:
            raise ConfigurationError(f"a line of {self.line} bytes is shorter than {LEAST_LINE}", "line")
        if self.line > self.size:
            raise ConfigurationError(f"a line of {self.line} bytes is larger than the cache ({self.size} bytes)", "line")
        if self.size // self.line > MOST_LINES:
            raise ConfigurationError(
                f"{self.size // self.line:,} lines are more than the {MOST_LINES:,} that a cache may have", "size"
            )
        if self.size % self.line:
            raise ConfigurationError(f"size {self.size} is no multiple of the {self.line} bytes of a line", "size")
        demand_sets("ways" if is_power_of_two(self.size) else "size", self.size // self.line, self.ways)
        _demand_choice("policy", self.policy, policies.names())
        if self.policy == "plru" and not is_power_of_two(self.ways):
            raise ConfigurationError(f"'plru' divides ways by two, and {self.ways} is not a power of two", "ways")
        _demand_choice("write", self.write, WRITES)
        _demand_choice("prefetch", self.prefetch, PREFETCHES)

    @property
    def sets(self) -> int:
        """The number of sets."""
        return self.size // (self.line * self.ways)


@dataclass(frozen=True, slots=True)
class Switch:
    """A periodic context switch empties every cache and TLB.

    unit 'work': a reference costs `hit` units, and each line that it misses in a first-level cache `miss - hit` more;
    the reference with which the work since the last switch reaches `every` is the last before the next.  unit
    'instructions': when `every` instructions have been fetched since the last switch, the next fetch finds them empty.

    Raises ConfigurationError.
    """

    every: int
    unit: str = "work"
    hit: int = 1
    miss: int = 10

    def __post_init__(self) -> None:
        if self.every < 1:
            raise ConfigurationError(f"a context switch every {self.every} units", "every")
        _demand_choice("unit", self.unit, UNITS)
        if self.hit < 0:
            raise ConfigurationError(f"a hit cannot cost {self.hit} units", "hit")
        if self.miss < self.hit:
            raise ConfigurationError(f"a miss ({self.miss} units) cannot cost less than a hit ({self.hit})", "miss")


@dataclass(frozen=True, slots=True)
class Delays:
    """What memory takes in cycles of the processor, for estimates of time: nothing else depends on it.

    A bus moves `width` bytes at a time.  Of a line, the `first` come after so many cycles, the `next` ones after so many more
    each; `resume`: the processor goes on when the whole 'line' is there, or the first 'word'.  What is written takes `write`
    cycles, and the processor waits only if there are already `buffers` other words waiting for the bus.  A line that the
    second level has takes `second` cycles, a page that a TLB misses `tlb`.

    Raises ConfigurationError.
    """

    width: int = 4
    first: int = 2
    next: int = 1
    write: int = 2
    buffers: int = 0
    second: int = 0
    tlb: int = 0
    resume: str = "line"

    def __post_init__(self) -> None:
        demand_power_of_two("width", self.width)
        for name in DELAY_NUMBERS:
            most = MOST_BUFFERS if name == "buffers" else MOST_DELAY
            if not 0 <= getattr(self, name) <= most:
                raise ConfigurationError(f"{name} {getattr(self, name)} is not between 0 and {most}", name)
        _demand_choice("resume", self.resume, RESUMES)

    def words(self, size: int) -> int:
        """Return how often the bus moves something for so many bytes."""
        return -(-size // self.width)

    def line(self, size: int) -> int:
        """Return the cycles until a line of so many bytes is there."""
        return self.first + (self.words(size) - 1) * self.next

    def wait(self, size: int) -> int:
        """Return the cycles until the processor goes on that wants a line of so many bytes, from a bus that is free."""
        return self.first if self.resume == "word" else self.line(size)


DELAY_NUMBERS = ("width", "first", "next", "write", "buffers", "second", "tlb")


@dataclass(frozen=True, slots=True)
class MemorySystem:
    """What references go through.  A unified cache is the same object as `instruction` and as `data`.

    `second` is a second level, behind all first-level caches there are; what is None is not simulated.  No two caches have
    the same name.  `uncached` are pieces of memory, each by its address and size: no part of the system sees references that
    begin there.

    Raises ConfigurationError.
    """

    instruction: Cache | None = None
    data: Cache | None = None
    second: Cache | None = None
    instruction_tlb: Cache | None = None
    data_tlb: Cache | None = None
    switch: Switch | None = None
    causes: bool = False
    delays: Delays | None = None
    uncached: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        names = [cache.name for cache in self.caches]
        for name in names:
            if names.count(name) > 1:
                raise ConfigurationError(f"two caches named {name}", "name")
        self._check_second()
        self._check_delays()
        for about in ("instruction_tlb", "data_tlb"):
            tlb = getattr(self, about)
            if tlb and (tlb.write, tlb.allocate, tlb.prefetch) != ("back", True, "none"):
                raise ConfigurationError("a TLB has no choice of writing, allocation or prefetching", about)

    def _check_second(self) -> None:
        first = [cache for cache in (self.instruction, self.data) if cache]
        if self.second and not first:
            raise ConfigurationError("a second level without a first", "second")
        for cache in first:
            if self.second and self.second.line < cache.line:
                lines = f"{self.second.line} bytes, {cache.name} has {cache.line}"
                raise ConfigurationError(f"the second level cannot have shorter lines than the first ({lines})", "second")

    def _check_delays(self) -> None:
        if self.delays is None:
            return
        if self.second and not self.second.allocate:
            raise ConfigurationError("delays are known only of a second level that allocates", "delays")
        if self.delays.buffers and (self.second or self.data is None or self.data.write != "through"):
            message = "write buffers stand behind a cache for data that writes through, and has no second level"
            raise ConfigurationError(message, "delays")

    def sees(self, address: int) -> bool:
        """Whether references that begin at an address are seen."""
        return not any(start <= address < start + size for start, size in self.uncached)

    @property
    def unified(self) -> bool:
        """Whether instructions and data share the first level."""
        return self.instruction is not None and self.instruction == self.data

    @property
    def caches(self) -> tuple[Cache, ...]:
        """Every cache and TLB, each once: first level, second level, TLBs."""
        found = (self.instruction, self.data, self.second, self.instruction_tlb, self.data_tlb)
        return tuple(dict.fromkeys(cache for cache in found if cache is not None))


def role_of(cache: Cache, system: MemorySystem) -> str:
    """Return what a cache of a system is: a key of ROLES."""
    held = tuple(field.name for field in fields(system) if getattr(system, field.name) == cache)
    return next(role for role, names in ROLES.items() if names == held)


def is_power_of_two(number: int) -> bool:
    """Return whether a number is 1, 2, 4, 8, ..."""
    return number > 0 and not number & (number - 1)


def demand_power_of_two(about: str, number: int) -> None:
    """Raise ConfigurationError for a number, named `about`, that is not a power of two."""
    if not is_power_of_two(number):
        named = f"a line of {number} bytes" if about == "line" else f"{about} {number}"  # it is no line of a file
        raise ConfigurationError(f"{named} is not a power of two", about)


def demand_sets(about: str, lines: int, ways: int) -> None:
    """Raise ConfigurationError, about a field, if lines (of a TLB: entries) do not make a power of two of sets."""
    if ways > lines:
        raise ConfigurationError(f"{ways} ways are more than the {lines} lines there are", "ways")
    if ways < 1:
        raise ConfigurationError(f"ways {ways} is less than 1", "ways")
    if lines % ways or not is_power_of_two(lines // ways):
        sets = f"{lines / ways:.2f}".rstrip("0").rstrip(".")
        raise ConfigurationError(f"{lines} lines by {ways} ways are {sets} sets, which is not a power of two", about)


def _demand_choice(about: str, choice: str, choices: tuple[str, ...]) -> None:
    if choice not in choices:
        raise ConfigurationError(f"{about} '{choice}' is none of {', '.join(choices)}", about)
