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


MOST_HISTORY = 63  # outcomes of all branches that a predictor may look at
WEIGHTS = (-128, 127)


def clamped(value: int, low: int, high: int) -> int:
    """Return the number within two limits that is nearest to a value."""
    return min(max(value, low), high)


@dataclass
class Perceptron(Predictor):
    """A table of perceptrons, looked up by address: weights for the last `history` outcomes (D. A. Jimenez, C. Lin, 2001).

    The sum of the weights, with the sign of their outcomes (taken: plus), and of the bias decides: 0 and more is taken.
    After a mistake, and where the sum is no more than 1.93 times `history` plus 14 away from 0, each weight goes a step
    towards the outcome.  Weights have 8 bits and start at 0.

    Raises ConfigurationError.
    """

    entries: int
    history: int = 24
    unit: int = 1
    weights: defaultdict[int, list[int]] = field(init=False, repr=False)
    past: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        demand_entries(self.entries)
        _demand_history(self.history)
        self.weights = defaultdict(lambda: [0] * (self.history + 1))

    @property
    def threshold(self) -> int:
        """How far from 0 a sum is trained."""
        return int(1.93 * self.history + 14)

    def index(self, address: int) -> int:
        """Return the entry of a branch."""
        return address // self.unit % self.entries

    def _signs(self) -> list[int]:
        return [1, *(1 if self.past >> place & 1 else -1 for place in range(self.history))]

    def _sum(self, address: int) -> int:
        return sum(weight * sign for weight, sign in zip(self.weights[self.index(address)], self._signs(), strict=True))

    def predict(self, address: int, target: int) -> int:
        """Return the sign of the sum."""
        return int(self._sum(address) >= 0)

    def update(self, address: int, target: int, outcome: int) -> None:
        """Train the perceptron, then remember the outcome."""
        found = self._sum(address)
        if (found >= 0) != outcome or abs(found) <= self.threshold:
            towards, entry = 1 if outcome else -1, self.index(address)
            pairs = zip(self.weights[entry], self._signs(), strict=True)
            self.weights[entry] = [clamped(weight + sign * towards, *WEIGHTS) for weight, sign in pairs]
        self.past = (self.past << 1 | outcome) & (1 << self.history) - 1


def _demand_history(history: int) -> None:
    if not 1 <= history <= MOST_HISTORY:
        raise ConfigurationError(f"history {history} is not between 1 and {MOST_HISTORY}", "history")


TAG = 9  # bits of a tag
SHORTEST = 5  # outcomes that the first table of TAGE looks at
MOST_TABLES = 6
COUNTS, MOST_USEFUL = (-4, 3), 3  # of an entry of TAGE
FEWEST_ENTRIES = 4  # of each of its tables


def folded(value: int, bits: int) -> int:
    """Return a number made shorter: its pieces of so many bits, exclusive or."""
    result = 0
    while value:
        result ^= value & (1 << bits) - 1
        value >>= bits
    return result


@dataclass
class Tage(Predictor):
    """Tables with tags, looked up by address and ever longer histories (A. Seznec, P. Michaud, 2006).

    The table of the longest history with a matching tag predicts, else a table of two-bit counters.  Histories have from 5
    to 63 outcomes, in a geometric series.  Entries have a counter from -4 to 3 (0 and more is taken), and say from 0 to 3
    how useful they were: one more where the table predicted right and what would have predicted without it wrong, one less
    the other way.  After a mistake, the first table of a longer history whose entry is useless gets a new one; without any,
    all become less useful.  (The paper also counts whether new entries are to be trusted, and forgets usefulness from time
    to time.)

    Raises ConfigurationError.
    """

    entries: int
    tables: int = 4
    unit: int = 1
    base: defaultdict[int, int] = field(default_factory=_counters, init=False, repr=False)
    counts: list[list[int]] = field(init=False, repr=False)
    tags: list[list[int]] = field(init=False, repr=False)
    useful: list[list[int]] = field(init=False, repr=False)
    past: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        demand_entries(self.entries)
        if self.entries < FEWEST_ENTRIES:
            raise ConfigurationError(f"{self.entries} entries are fewer than {FEWEST_ENTRIES}", "entries")
        if not 1 <= self.tables <= MOST_TABLES:
            raise ConfigurationError(f"{self.tables} tables are not between 1 and {MOST_TABLES}", "tables")
        self.counts, self.tags, self.useful = ([[0] * self.entries for _ in range(self.tables)] for _ in range(3))

    @property
    def histories(self) -> list[int]:
        """The outcomes at which each table looks."""
        ratio = (MOST_HISTORY / SHORTEST) ** (1 / max(self.tables - 1, 1))
        return [round(SHORTEST * ratio**number) for number in range(self.tables)]

    @property
    def bits(self) -> int:
        """The bits of an index."""
        return self.entries.bit_length() - 1

    def places(self, address: int) -> list[tuple[int, int]]:
        """Return the index and the tag of a branch in each table."""
        place, found = address // self.unit, []
        for length in self.histories:
            past = self.past & (1 << length) - 1
            index = (place ^ place >> self.bits ^ folded(past, self.bits)) % self.entries
            found.append((index, (place ^ folded(past, TAG) ^ folded(past, TAG - 1) << 1) % (1 << TAG)))
        return found

    def _found(self, address: int) -> tuple[int, int, int]:
        """Return the number of the table that predicts (-1: none has the tag), what it says, and what is said without it."""
        number, said = -1, self.base[address // self.unit % self.entries] >> 1
        other = said
        for table, (index, tag) in enumerate(self.places(address)):
            if self.tags[table][index] == tag:
                number, other, said = table, said, int(self.counts[table][index] >= 0)
        return number, said, other

    def predict(self, address: int, target: int) -> int:
        """Return what the table of the longest history says."""
        return self._found(address)[1]

    def update(self, address: int, target: int, outcome: int) -> None:
        """Move the counter that predicted, give the branch a new entry after a mistake, then remember the outcome."""
        number, said, other = self._found(address)
        places = self.places(address)
        if number < 0:
            entry = address // self.unit % self.entries
            self.base[entry] = moved(self.base[entry], outcome)
        else:
            counts, useful, index = self.counts[number], self.useful[number], places[number][0]
            counts[index] = clamped(counts[index] + (1 if outcome else -1), *COUNTS)
            if said != other:
                useful[index] = clamped(useful[index] + (1 if said == outcome else -1), 0, MOST_USEFUL)
        if said != outcome:
            self._allocate(range(number + 1, self.tables), places, outcome)
        self.past = (self.past << 1 | outcome) & (1 << MOST_HISTORY) - 1

    def _allocate(self, tables: range, places: list[tuple[int, int]], outcome: int) -> None:
        free = next((table for table in tables if not self.useful[table][places[table][0]]), None)
        if free is not None:
            index, tag = places[free]
            self.tags[free][index], self.counts[free][index] = tag, 0 if outcome else -1
            return
        for table in tables:
            self.useful[table][places[table][0]] -= 1


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
    "perceptron": Perceptron, "tage": Tage, "ras": ReturnStack, "btb": TargetBuffer,
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
