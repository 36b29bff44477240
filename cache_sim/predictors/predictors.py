"""Predictors that there are, and the line of text that describes some, such as `btfn+bimodal:1024+gshare:4k,12+ras:16`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import ClassVar

from cache_sim.config import ConfigurationError, demand_power_of_two
from cache_sim.predictors.predictor import Kind, Predictor, Static, demand_entries
from cache_sim.words import format_size, parse_size

# ----------------------------------------------------------------------------------------------------------------------
# Predictions that are made before the program runs.


@dataclass
class Taken(Static):
    """Every branch is taken."""

    def predict(self, address: int, target: int) -> int:
        """Return 1."""
        return 1


@dataclass
class NotTaken(Static):
    """No branch is taken."""

    def predict(self, address: int, target: int) -> int:
        """Return 0."""
        return 0


@dataclass
class Backward(Static):
    """Branches backward are taken, as they close loops; those forward are not (J. E. Smith, 1981)."""

    def predict(self, address: int, target: int) -> int:
        """Return whether the target lies before the branch."""
        return int(target <= address)


@dataclass
class Profile(Static):
    """Each branch goes where it went more often: in an earlier run, if `directions` says where that was, by address.

    Otherwise in the very run that is predicted, which no static predictor can beat.  Then there is no telling during
    the run.  Branches that `directions` does not name are not taken.
    """

    directions: Mapping[int, int] | None = field(default=None, repr=False)

    @property
    def known(self) -> bool:
        """Whether there was an earlier run."""
        return self.directions is not None

    def predict(self, address: int, target: int) -> int | None:
        """Return where the branch went in the earlier run; None without one."""
        return None if self.directions is None else self.directions.get(address, 0)

    def mispredicted(self, address: int, target: int, executed: int, taken: int) -> int:
        """Return how often the branch went the other way."""
        if self.directions is None:
            return min(taken, executed - taken)
        return super().mispredicted(address, target, executed, taken)


# ----------------------------------------------------------------------------------------------------------------------
# Two-bit counters: 0 and 1 predict that a branch is not taken, 2 and 3 that it is; each outcome moves one up or down.


START = 1  # what counters are before they have seen anything: a branch that is new is not taken
EACH = 0  # in place of a number of entries: a counter for each branch


def moved(counter: int, taken: int) -> int:
    """Return what becomes of a counter."""
    return min(counter + 1, 3) if taken else max(counter - 1, 0)


def _counters() -> defaultdict[int, int]:
    return defaultdict(lambda: START)


@dataclass
class Bimodal(Predictor):
    """A table of two-bit counters, looked up by low bits of the branch's address (J. E. Smith, 1981).

    Branches may share an entry, unless `entries` is EACH.  Addresses are divided by `unit` before.

    Raises ConfigurationError if `entries` is no power of two, or too large.
    """

    entries: int
    unit: int = 1
    counters: defaultdict[int, int] = field(default_factory=_counters, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.entries != EACH:
            demand_entries(self.entries)

    def index(self, address: int) -> int:
        """Return the entry of a branch."""
        return address if self.entries == EACH else address // self.unit % self.entries

    def predict(self, address: int, target: int) -> int:
        """Return what the counter says."""
        return self.counters[self.index(address)] >> 1

    def update(self, address: int, target: int, outcome: int) -> None:
        """Move the counter."""
        entry = self.index(address)
        self.counters[entry] = moved(self.counters[entry], outcome)


@dataclass
class Gshare(Predictor):
    """A table of two-bit counters, looked up by address and the last `history` outcomes, exclusive or (S. McFarling, 1993).

    `history` is at most, and if it is not given, the logarithm of `entries`.  The last outcome is the lowest bit.

    Raises ConfigurationError.
    """

    entries: int
    history: int = -1
    unit: int = 1
    counters: defaultdict[int, int] = field(default_factory=_counters, init=False, repr=False)
    past: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        demand_entries(self.entries)
        most = self.entries.bit_length() - 1
        if self.history == -1:
            self.history = most
        if self.history > most:
            raise ConfigurationError(
                f"history {self.history} is longer than the {most} bits of {self.entries} entries", "history"
            )

    def index(self, address: int) -> int:
        """Return the entry of a branch now."""
        return (address // self.unit ^ self.past) % self.entries

    def predict(self, address: int, target: int) -> int:
        """Return what the counter says."""
        return self.counters[self.index(address)] >> 1

    def update(self, address: int, target: int, outcome: int) -> None:
        """Move the counter, then remember the outcome."""
        entry = self.index(address)
        self.counters[entry] = moved(self.counters[entry], outcome)
        self.past = (self.past << 1 | outcome) & (1 << self.history) - 1


# ----------------------------------------------------------------------------------------------------------------------
# Predictions of where indirect jumps, indirect calls and returns go.


@dataclass
class ReturnStack(Predictor):
    """A ring of return addresses: calls push theirs, and returns pop what they expect (C. F. Webb, 1988).

    Where calls are nested deeper than there are entries, the oldest is overwritten.  At first all are 0.

    Raises ConfigurationError if `entries` is no power of two, or too large.
    """

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.RETURN})

    entries: int
    ring: list[int] = field(default_factory=list, init=False, repr=False)
    top: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        demand_entries(self.entries)
        self.ring = [0] * self.entries

    def predict(self, address: int, target: int) -> int:
        """Return the address on top."""
        return self.ring[self.top % self.entries]

    def update(self, address: int, target: int, outcome: int) -> None:
        """Pop."""
        self.top -= 1

    def called(self, back: int) -> None:
        """Push."""
        self.top += 1
        self.ring[self.top % self.entries] = back


@dataclass
class TargetBuffer(Predictor):
    """A cache of where transfers went the last time: indirect jumps and calls, and returns (J. Lee and A. J. Smith, 1984).

    Sets are chosen by low bits of the address, after it was divided by `unit`; LRU in each.  What is not there is
    mispredicted, and then is.

    Raises ConfigurationError.
    """

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.JUMP, Kind.CALL, Kind.RETURN})

    entries: int
    ways: int = 1
    unit: int = 1
    sets: defaultdict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict), init=False, repr=False)

    def __post_init__(self) -> None:
        demand_entries(self.entries)
        demand_power_of_two("ways", self.ways)
        if self.ways > self.entries:
            raise ConfigurationError(f"{self.ways} ways are more than the {self.entries} entries that there are", "ways")

    def index(self, address: int) -> int:
        """Return the set of a transfer."""
        return address // self.unit % (self.entries // self.ways)

    def predict(self, address: int, target: int) -> int | None:
        """Return where the transfer went the last time, if that is known."""
        return self.sets[self.index(address)].get(address)

    def update(self, address: int, target: int, outcome: int) -> None:
        """Keep where it went, in place of what was not needed for the longest time."""
        ways = self.sets[self.index(address)]  # the last is the one used last
        ways.pop(address, None)
        if len(ways) == self.ways:
            del ways[next(iter(ways))]
        ways[address] = outcome


# ----------------------------------------------------------------------------------------------------------------------
# Predictors in a line, such as `btfn+bimodal:1024+bimodal:each+gshare:4k,12+ras:16+btb:512,4`.
#
#     predictors = predictor {"+" predictor}
#     predictor  = name [":" NUMBER {"," NUMBER}]
#
# The numbers are the first fields of the predictor's dataclass; `each` is 0.


UNIT = "unit"  # a field of this name is set to the unit of addresses
_EACH = "each"
_classes: dict[str, type[Predictor]] = {
    "taken": Taken, "not-taken": NotTaken, "btfn": Backward, "profile": Profile, "bimodal": Bimodal, "gshare": Gshare,
    "ras": ReturnStack, "btb": TargetBuffer,
}  # fmt: skip


def register(name: str, class_: type[Predictor]) -> None:
    """Make a predictor known by a name: a dataclass whose first fields, integers, can be given in a line.

    Raises ValueError if the name is taken, or has anything but letters, digits and hyphens.
    """
    if name in _classes:
        raise ValueError(f"there is a predictor '{name}' already")
    if not name.replace("-", "").isalnum():
        raise ValueError(f"'{name}' cannot name a predictor: a name has letters, digits and hyphens")
    _classes[name] = class_


def names() -> tuple[str, ...]:
    """Return the names of all predictors."""
    return tuple(_classes)


def load(text: str, unit: int = 1) -> dict[str, Predictor]:
    """Return the predictors of a line by how it writes them; addresses are multiples of `unit`, or one less than that.

    Raises ConfigurationError.
    """
    made: dict[str, Predictor] = {}
    for part in text.split("+"):
        predictor = _predictor(part, unit)
        name = show(predictor)
        if name in made:
            raise ConfigurationError(f"predictor {name} is given twice")
        made[name] = predictor
    return made


def show(predictor: Predictor) -> str:
    """Write a predictor as it can be given in a line.

    Raises KeyError if its class was not made known.
    """
    name = {class_: name for name, class_ in _classes.items()}[type(predictor)]
    values = [getattr(predictor, field.name) for field in _numbers(type(predictor))]
    words = [_EACH if field.name == "entries" and value == EACH else _short(value)
             for field, value in zip(_numbers(type(predictor)), values, strict=True)]  # fmt: skip
    return f"{name}:{','.join(words)}" if words else name


def _short(value: int) -> str:
    return format_size(value) if value >= 4096 else str(value)


def _predictor(part: str, unit: int) -> Predictor:
    """Make one predictor."""
    name, _, rest = part.partition(":")
    if name not in _classes:
        raise ConfigurationError(f"there is no predictor '{name}' (there are {', '.join(_classes)}, joined by +)")
    class_ = _classes[name]
    words, wanted = rest.split(",") if rest else [], _numbers(class_)
    needed = sum(field.default is MISSING for field in wanted)
    if not needed <= len(words) <= len(wanted):
        form = name + ":" * bool(wanted) + ",".join(field.name.upper() for field in wanted)
        raise ConfigurationError(f"predictor '{part}': expected {form}{_optional(wanted[needed:])}")
    try:
        given = {field.name: _number(field.name, word) for field, word in zip(wanted, words, strict=False)}
        return _make(class_, given | ({UNIT: unit} if any(field.name == UNIT for field in _fields(class_)) else {}))
    except ConfigurationError as error:
        raise ConfigurationError(f"predictor '{part}': {error.message}", error.about) from None


def _optional(rest: list[Field[int]]) -> str:
    return f", where {' and '.join(field.name.upper() for field in rest)} may be left out" if rest else ""


def _make(class_: Callable[..., Predictor], values: dict[str, int]) -> Predictor:
    return class_(**values)


def _fields(class_: type[Predictor]) -> list[Field[int]]:
    return [field for field in fields(class_) if field.init]  # type: ignore[arg-type]


def _numbers(class_: type[Predictor]) -> list[Field[int]]:
    """Return the fields of a predictor that a line gives."""
    return [field for field in _fields(class_) if field.type in (int, "int") and field.name != UNIT]


def _number(about: str, word: str) -> int:
    if (about, word) == ("entries", _EACH):
        return EACH
    if about != "entries" and word == "0":
        return 0
    return parse_size(about, word)
