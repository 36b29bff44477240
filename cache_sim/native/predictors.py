"""Branch predictors in LLVM IR, in the line of a program: what `cache_sim.predictors.simulator` does, without branching.

A two-bit counter and how often it was wrong share a word.  Its low six bits are 16 times the counter.  With 8 more if the
branch is taken, they are the place of a byte in a constant of eight: what an outcome adds to the word, 64 for a mistake
among it.  So an update is a shift and an addition, whatever the branch does.

A branch that goes the same way many times may be told late: what three times or more do is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from cache_sim.native.code import STATE, Code, Writer
from cache_sim.native.state import Field, Read, State
from cache_sim.predictors.counters import START, Bimodal, Gshare, moved
from cache_sim.predictors.predictor import Kind, Predictor, Static
from cache_sim.predictors.targets import ReturnStack, TargetBuffer

STEP, WRONG, TAKEN = 16, 64, 8  # of a counter, of a mistake, of a branch that is taken, in a word


@dataclass(frozen=True, slots=True)
class Place:
    """A transfer of the program: `number` counts them."""

    number: int
    kind: Kind
    address: int
    target: int


@dataclass(frozen=True, slots=True)
class Past:
    """An i64 that goes through the whole program in a variable of each function; 0 at the start."""

    variable: str


def _deltas() -> int:
    """Return the constant of eight bytes."""
    packed = 0
    for counter in range(4):
        for taken in (0, 1):
            change = STEP * (moved(counter, taken) - counter) + WRONG * (counter >> 1 != taken)
            packed |= change % 256 << STEP * counter + TAKEN * taken
    return packed - (1 << 64) if packed >> 63 else packed


DELTAS = _deltas()
MANY = 3  # outcomes of one kind bring any counter to its end


@cache
def _endings(taken: bool, left: bool) -> int:
    """Return a constant of 16 nibbles: what a counter becomes by up to MANY outcomes, and then the other if `left`.

    A nibble is placed by 4 times the counter and the number of outcomes; it has the counter, and 4 for each mistake.
    """
    packed = 0
    for start in range(4):
        for times in range(MANY + 1):
            counter, mistakes = start, 0
            for outcome in [taken] * times + [not taken] * left:
                mistakes += counter >> 1 != outcome
                counter = moved(counter, outcome)
            packed |= (counter + 4 * mistakes) << 4 * (4 * start + times)
    return packed - (1 << 64) if packed >> 63 else packed


def _load(out: Writer, type_: str, pointer: str) -> str:
    return out.put(f"load {type_}, ptr {pointer}, {STATE}")


def _store(out: Writer, type_: str, pointer: str, value: str) -> None:
    out.lines.append(f"store {type_} {value}, ptr {pointer}, {STATE}")


def _increase(out: Writer, pointer: str, amount: str) -> None:
    _store(out, "i64", pointer, out.put(f"add i64 {_load(out, 'i64', pointer)}, {amount}"))


def _change(out: Writer, word: str, condition: str) -> str:
    """Return, as an i8, what an outcome adds to a word."""
    taken = out.put(f"shl i64 {out.put(f'zext i1 {condition} to i64')}, {TAKEN.bit_length() - 1}")
    place = out.put(f"and i64 {out.put(f'add i64 {word}, {taken}')}, 63")
    return out.put(f"trunc i64 {out.put(f'lshr i64 {DELTAS}, {place}')} to i8")


def _count_mistake(out: Writer, wrong: Field, number: int, change: str) -> None:
    """Count a mistake if a change of a counter holds one: all others are less than half of it."""
    rounded = out.put(f"add i8 {change}, {WRONG // 2 - STEP}")
    mistake = out.put(f"zext i8 {out.put(f'lshr i8 {rounded}, {WRONG.bit_length() - 1}')} to i64")
    _increase(out, wrong.element(number), mistake)


class PredictorCode(Protocol):
    """A predictor whose memory is laid out."""

    past: Sequence[Past]

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write a transfer of a kind that is predicted; the outcome is an i1 for branches, else an i64."""
        ...

    def called(self, out: Writer, back: int) -> None:
        """Write a call that is to return to an address."""
        ...

    def is_alone(self, place: Place, others: Collection[Place]) -> bool:
        """Whether nothing else changes what a branch is predicted by, if these others do not."""
        ...

    def take(self, out: Writer, place: Place, variable: str) -> None:
        """Write that a branch that is alone for a while has its word in a variable, an i64."""
        ...

    def put_back(self, out: Writer, place: Place, variable: str) -> None:
        """Write the end of that."""
        ...

    def change(self, out: Writer, variable: str, outcome: str) -> None:
        """Write a branch whose word is in a variable."""
        ...

    def repeat(self, out: Writer, place: Place, times: str, taken: bool, left: bool) -> None:
        """Write that a branch, alone meanwhile, went one way so many times (an i64), and then, if it `left`, the other."""
        ...

    def functions(self) -> str:
        """Return the functions that the program calls."""
        ...

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Return how often a transfer was mispredicted that was executed and taken so often."""
        ...


@dataclass(eq=False)
class _Code:
    """What most predictors have nothing to do with."""

    past: Sequence[Past] = ()

    def called(self, out: Writer, back: int) -> None:
        """Calls do not matter."""

    def is_alone(self, place: Place, others: Collection[Place]) -> bool:
        """Everything changes it."""
        return False

    def take(self, out: Writer, place: Place, variable: str) -> None:
        """Nothing is alone."""

    def put_back(self, out: Writer, place: Place, variable: str) -> None:
        """Nothing is alone."""

    def change(self, out: Writer, variable: str, outcome: str) -> None:
        """Nothing is alone."""

    def repeat(self, out: Writer, place: Place, times: str, taken: bool, left: bool) -> None:
        """Nothing is alone."""

    def functions(self) -> str:
        """There are none."""
        return ""


@dataclass(eq=False)
class StaticCode(_Code):
    """Nothing is done during the run."""

    predictor: Static = field(kw_only=True)

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write nothing."""

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Ask the predictor."""
        return self.predictor.mispredicted(place.address, place.target, executed, taken)


class BimodalCode(_Code):
    """A word for each entry, and for each branch that shares one a number of mistakes, which the word does not hold then."""

    def __init__(self, predictor: Bimodal, places: Sequence[Place], state: State, name: str) -> None:
        super().__init__()
        used = Counter(predictor.index(place.address) for place in places if place.kind == Kind.BRANCH)
        self.entries = {index: number for number, index in enumerate(used)}
        self.shared = {index for index, number in used.items() if number > 1}
        self.predictor = predictor
        self.words = state.array("i64", max(len(used), 1), START * STEP)
        self.wrong = state.array("i64", max(len(places), 1) if self.shared else 1)

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write the change of a word."""
        index = self.predictor.index(place.address)
        pointer = self.words.element(self.entries[index])
        word = _load(out, "i64", pointer)
        change = _change(out, word, outcome)
        word = out.put(f"add i64 {word}, {out.put(f'sext i8 {change} to i64')}")
        if index in self.shared:
            _count_mistake(out, self.wrong, place.number, change)
            word = out.put(f"and i64 {word}, {WRONG - 1}")
        _store(out, "i64", pointer, word)

    def is_alone(self, place: Place, others: Collection[Place]) -> bool:
        """Only branches that share its entry matter."""
        index = self.predictor.index(place.address)
        return all(self.predictor.index(other.address) != index for other in others if other.kind == Kind.BRANCH)

    def take(self, out: Writer, place: Place, variable: str) -> None:
        """Load the word."""
        word = _load(out, "i64", self.words.element(self.entries[self.predictor.index(place.address)]))
        out.lines.append(f"store i64 {word}, ptr {variable}")

    def put_back(self, out: Writer, place: Place, variable: str) -> None:
        """Store the word; mistakes in one that is shared are those of this branch."""
        index = self.predictor.index(place.address)
        word = out.put(f"load i64, ptr {variable}")
        if index in self.shared:
            _increase(out, self.wrong.element(place.number), out.put(f"lshr i64 {word}, {WRONG.bit_length() - 1}"))
            word = out.put(f"and i64 {word}, {WRONG - 1}")
        _store(out, "i64", self.words.element(self.entries[index]), word)

    def change(self, out: Writer, variable: str, outcome: str) -> None:
        """Change the variable."""
        word = out.put(f"load i64, ptr {variable}")
        change = out.put(f"sext i8 {_change(out, word, outcome)} to i64")
        out.lines.append(f"store i64 {out.put(f'add i64 {word}, {change}')}, ptr {variable}")

    def repeat(self, out: Writer, place: Place, times: str, taken: bool, left: bool) -> None:
        """Look up what becomes of the counter."""
        index = self.predictor.index(place.address)
        pointer = self.words.element(self.entries[index])
        word = _load(out, "i64", pointer)
        few = out.put(f"call i64 @llvm.umin.i64(i64 {times}, i64 {MANY})")
        counter = out.put(f"and i64 {word}, {3 * STEP}")
        place_ = out.put(f"add i64 {counter}, {out.put(f'shl i64 {few}, 2')}")
        nibble = out.put(f"and i64 {out.put(f'lshr i64 {_endings(taken, left)}, {place_}')}, 15")
        if index in self.shared:
            _increase(out, self.wrong.element(place.number), out.put(f"lshr i64 {nibble}, 2"))
            nibble = out.put(f"and i64 {nibble}, 3")
        rest = out.put(f"sub i64 {word}, {counter}")
        _store(out, "i64", pointer, out.put(f"add i64 {rest}, {out.put(f'shl i64 {nibble}, 4')}"))

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Read them."""
        index = self.predictor.index(place.address)
        if index in self.shared:
            return read(self.wrong)[place.number]
        return read(self.words)[self.entries[index]] // WRONG


class GshareCode(_Code):
    """A byte for each entry, and a number of mistakes for each branch."""

    def __init__(self, predictor: Gshare, places: Sequence[Place], state: State, name: str) -> None:
        super().__init__([Past(f"%predict.{name}.past")])
        self.predictor = predictor
        self.table = state.array("i8", predictor.entries, START * STEP)
        self.wrong = state.array("i64", max(len(places), 1))

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write the change of a byte, and of what is remembered."""
        predictor, variable = self.predictor, self.past[0].variable
        past = out.put(f"load i64, ptr {variable}")
        index = out.put(f"xor i64 {past}, {place.address // predictor.unit % predictor.entries}")
        pointer = out.put(f"getelementptr i8, ptr {self.table.pointer}, i64 {index}")
        byte = _load(out, "i8", pointer)
        change = _change(out, out.put(f"zext i8 {byte} to i64"), outcome)
        _store(out, "i8", pointer, out.put(f"and i8 {out.put(f'add i8 {byte}, {change}')}, {3 * STEP}"))
        _count_mistake(out, self.wrong, place.number, change)
        shifted = out.put(f"or i64 {out.put(f'shl i64 {past}, 1')}, {out.put(f'zext i1 {outcome} to i64')}")
        kept = out.put(f"and i64 {shifted}, {(1 << predictor.history) - 1}")
        out.lines.append(f"store i64 {kept}, ptr {variable}")

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Read them."""
        return read(self.wrong)[place.number]


class ReturnStackCode(_Code):
    """A ring of addresses, and a number of mistakes for each return."""

    def __init__(self, predictor: ReturnStack, places: Sequence[Place], state: State, name: str) -> None:
        super().__init__([Past(f"%predict.{name}.top")])
        self.ring = state.array("i64", predictor.entries)
        self.wrong = state.array("i64", max(len(places), 1))

    def _top(self, out: Writer, move: int, before: bool) -> str:
        """Move the top; return a pointer to what it was, or to what it is."""
        variable = self.past[0].variable
        old = out.put(f"load i64, ptr {variable}")
        new = out.put(f"add i64 {old}, {move}")
        out.lines.append(f"store i64 {new}, ptr {variable}")
        index = out.put(f"and i64 {old if before else new}, {self.ring.count - 1}")
        return out.put(f"getelementptr i64, ptr {self.ring.pointer}, i64 {index}")

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write a return."""
        expected = _load(out, "i64", self._top(out, -1, True))
        mistake = out.put(f"zext i1 {out.put(f'icmp ne i64 {expected}, {outcome}')} to i64")
        _increase(out, self.wrong.element(place.number), mistake)

    def called(self, out: Writer, back: int) -> None:
        """Write a call."""
        _store(out, "i64", self._top(out, 1, False), str(back))

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Read them."""
        return read(self.wrong)[place.number]


class TargetBufferCode(_Code):
    """Addresses and targets of each set, those used last first, and a number of mistakes for each transfer."""

    def __init__(self, predictor: TargetBuffer, places: Sequence[Place], state: State, name: str) -> None:
        super().__init__()
        self.predictor, self.name = predictor, f"@predict.{name}"
        self.addresses = state.array("i64", predictor.entries, -1)
        self.targets = state.array("i64", predictor.entries)
        self.wrong = state.array("i64", max(len(places), 1))

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write a call of the function that looks it up."""
        first = self.predictor.index(place.address) * self.predictor.ways
        arguments = f"i64 {first}, i64 {place.address}, i64 {outcome}"
        _increase(out, self.wrong.element(place.number), out.put(f"call i64 {self.name}({arguments}), {STATE}"))

    def functions(self) -> str:
        """Move what is in front of the transfer, or in front of the end, back by one; it comes to the front."""
        code = Code()
        address, target = code.variable("i64", "%address"), code.variable("i64", "%outcome")
        with code.count_up("%first", code.put(f"add i64 %first, {self.predictor.ways}")) as way:
            places = [code.at(field.pointer, way, "i64") for field in (self.addresses, self.targets)]
            known = [code.load("i64", place) for place in places]
            for place, variable, value in zip(places, (address, target), known, strict=True):
                code.store("i64", place, code.get("i64", variable))
                code.set("i64", variable, value)
            with code.when(code.put(f"icmp eq i64 {known[0]}, %address")):
                wrong = code.put(f"icmp ne i64 {known[1]}, %outcome")
                code.do(f"ret i64 {code.put(f'zext i1 {wrong} to i64')}")
        code.do("ret i64 1")
        return code.function(f"i64 {self.name}(i64 %first, i64 %address, i64 %outcome) noinline")

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Read them."""
        return read(self.wrong)[place.number]


_CODES: Mapping[type[Predictor], Callable[..., PredictorCode]] = {
    Bimodal: BimodalCode, Gshare: GshareCode, ReturnStack: ReturnStackCode, TargetBuffer: TargetBufferCode,
}  # fmt: skip


def predictor_code(predictor: Predictor, places: Sequence[Place], state: State, name: str) -> PredictorCode:
    """Lay out a predictor; `name` tells it from others in the text.

    Raises ValueError for one whose code nobody has written.
    """
    if isinstance(predictor, Static):
        return StaticCode(predictor=predictor)
    if type(predictor) not in _CODES:
        raise ValueError(f"{predictor!r} is only simulated plainly: it has no code")
    return _CODES[type(predictor)](predictor, places, state, name)
