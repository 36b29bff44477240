"""Write branch predictors as LLVM IR for host code, without branches; `cache_sim.predictors.predictor` is the definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from cache_sim.native.code import STATE, Code, Field, Read, State, Writer
from cache_sim.native.gauge import ALWAYS, Counting
from cache_sim.predictors.predictor import Kind, Predictor, Static
from cache_sim.predictors.predictors import (
    COUNTS,
    MOST_USEFUL,
    START,
    TAG,
    WEIGHTS,
    Bimodal,
    Gshare,
    Perceptron,
    ReturnStack,
    Tage,
    TargetBuffer,
    moved,
)

# ----------------------------------------------------------------------------------------------------------------------
# What all branch predictors in host code share: places, numbers of mistakes, the interface; and static predictors.


STEP, WRONG, TAKEN = 16, 64, 8  # of a counter, of a mistake, of a branch that is taken, in a word


@dataclass(frozen=True, slots=True)
class Place:
    """A transfer of control in the program; `number` counts them."""

    number: int
    kind: Kind
    address: int
    target: int


@dataclass(frozen=True, slots=True)
class Past:
    """A history that the whole program shares: an i64 in a variable of each function, 0 at the start."""

    variable: str


@dataclass(frozen=True, slots=True)
class Mistakes:
    """The number of mistakes of each transfer, and how they are counted; their sum is a column of that."""

    wrong: Field
    counting: Counting
    name: str

    def count(self, out: Writer, place: Place, amount: str) -> None:
        """Write the count of mistakes."""
        self.counting.count(out, self.wrong.element(place.number), amount, mistakes_column(self.name))

    def count_in(self, out: Writer, place: Place, change: str) -> None:
        """Write the count of a mistake, if a change contains one: only then it is at least half of WRONG."""
        rounded = out.put(f"add i8 {change}, {WRONG // 2 - STEP}")
        self.count(out, place, out.put(f"zext i8 {out.put(f'lshr i8 {rounded}, {WRONG.bit_length() - 1}')} to i64"))


def mistakes_column(name: str) -> str:
    """Return the name of the sum of a predictor's mistakes."""
    return f"mistakes {name}"


class PredictorCode(Protocol):
    """A predictor whose memory is laid out."""

    past: Sequence[Past]

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write the prediction and update for a transfer; the outcome is an i1 for a branch, else an i64."""
        ...

    def called(self, out: Writer, back: int) -> None:
        """Write the update for a call; `back` is the address to which it returns."""
        ...

    def is_alone(self, place: Place, others: Collection[Place]) -> bool:
        """True if none of the `others` changes the state that predicts a branch."""
        ...

    def take(self, out: Writer, place: Place, variable: str) -> None:
        """Write the load of the word of a branch into a variable, an i64, where it stays during a loop."""
        ...

    def put_back(self, out: Writer, place: Place, variable: str) -> None:
        """Write the store of that variable back into the word."""
        ...

    def change(self, out: Writer, variable: str, outcome: str) -> None:
        """Write the update of a word that is in a variable."""
        ...

    def repeat(self, out: Writer, place: Place, times: str, taken: bool, left: bool) -> None:
        """Write `times` updates (an i64) for equal outcomes of a branch, and then one for the other outcome if it `left`."""
        ...

    def functions(self) -> str:
        """Return the functions that the program calls."""
        ...

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Return how often a transfer was mispredicted, given how often it was executed and taken."""
        ...


@dataclass(eq=False)
class BaseCode:
    """The default for each method: most predictors have neither calls nor words in variables."""

    past: Sequence[Past] = ()

    def called(self, out: Writer, back: int) -> None:
        """Write nothing."""

    def is_alone(self, place: Place, others: Collection[Place]) -> bool:
        """Return False: every other branch changes the state."""
        return False

    def take(self, out: Writer, place: Place, variable: str) -> None:
        """Write nothing: it is never called."""

    def put_back(self, out: Writer, place: Place, variable: str) -> None:
        """Write nothing: it is never called."""

    def change(self, out: Writer, variable: str, outcome: str) -> None:
        """Write nothing: it is never called."""

    def repeat(self, out: Writer, place: Place, times: str, taken: bool, left: bool) -> None:
        """Write nothing: it is never called."""

    def functions(self) -> str:
        """Return nothing."""
        return ""


@dataclass(eq=False)
class StaticCode(BaseCode):
    """A static predictor: its mistakes follow from counts; `made`, if sums are wanted during the run."""

    predictor: Static = field(kw_only=True)
    made: Mistakes | None = None

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write the count of a mistake, if there is a sum of them and it is known during the run what is predicted."""
        expected = self.predictor.predict(place.address, place.target)
        if self.made is not None and expected is not None:
            wrong = out.put(f"icmp ne i1 {outcome}, {expected}")
            self.made.count(out, place, out.put(f"zext i1 {wrong} to i64"))

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Return the mistakes, from how often the transfer was executed and taken."""
        return self.predictor.mispredicted(place.address, place.target, executed, taken)


# ----------------------------------------------------------------------------------------------------------------------
# Write branch predictors as LLVM IR for host code, without branches; `cache_sim.predictors.predictor` is the definition.
#
# A two-bit counter and its number of mistakes share a word.  The low six bits of the word are 16 times the counter.  Adding 8
# if the branch is taken gives the bit position of a byte in a constant of eight bytes.  That byte is what the outcome adds to
# the word; a mistake adds 64 more.  So an update is a shift and an addition, whatever the branch does.
#
# If a branch has the same outcome many times, its predictor may be updated later: three such outcomes leave the counter where
# more would.


def _deltas() -> int:
    """Return the constant of eight bytes, one for each counter and outcome."""
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
    """Return a constant of 16 nibbles: the counter after up to MANY equal outcomes, and then the other one if `left`.

    The index of a nibble is 4 times the counter plus the number of outcomes.  A nibble has the counter, and 4 for each
    mistake.
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


def _change(out: Writer, word: str, condition: str) -> str:
    """Return, as an i8, what an outcome adds to a word."""
    taken = out.put(f"shl i64 {out.put(f'zext i1 {condition} to i64')}, {TAKEN.bit_length() - 1}")
    place = out.put(f"and i64 {out.put(f'add i64 {word}, {taken}')}, 63")
    return out.put(f"trunc i64 {out.put(f'lshr i64 {DELTAS}, {place}')} to i8")


class BimodalCode(BaseCode):
    """A word for each entry.  A branch that shares its entry has its own number of mistakes."""

    def __init__(
        self, predictor: Bimodal, places: Sequence[Place], state: State, name: str, counting: Counting = ALWAYS
    ) -> None:
        super().__init__()
        used = Counter(predictor.index(place.address) for place in places if place.kind == Kind.BRANCH)
        self.entries = {index: number for number, index in enumerate(used)}
        self.shared = {index for index, number in used.items() if number > 1 or counting is not ALWAYS}
        self.predictor = predictor
        self.words = state.array("i64", max(len(used), 1), START * STEP)
        self.wrong = state.array("i64", max(len(places), 1) if self.shared else 1)
        self.made = Mistakes(self.wrong, counting, name)

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write the change of a word."""
        index = self.predictor.index(place.address)
        pointer = self.words.element(self.entries[index])
        word = _load(out, "i64", pointer)
        change = _change(out, word, outcome)
        word = out.put(f"add i64 {word}, {out.put(f'sext i8 {change} to i64')}")
        if index in self.shared:
            self.made.count_in(out, place, change)
            word = out.put(f"and i64 {word}, {WRONG - 1}")
        _store(out, "i64", pointer, word)

    def is_alone(self, place: Place, others: Collection[Place]) -> bool:
        """True if none of the others shares the entry."""
        index = self.predictor.index(place.address)
        return all(self.predictor.index(other.address) != index for other in others if other.kind == Kind.BRANCH)

    def take(self, out: Writer, place: Place, variable: str) -> None:
        """Load the word."""
        word = _load(out, "i64", self.words.element(self.entries[self.predictor.index(place.address)]))
        out.lines.append(f"store i64 {word}, ptr {variable}")

    def put_back(self, out: Writer, place: Place, variable: str) -> None:
        """Write the store of the word; the mistakes in a shared word are counted for this branch."""
        index = self.predictor.index(place.address)
        word = out.put(f"load i64, ptr {variable}")
        if index in self.shared:
            self.made.count(out, place, out.put(f"lshr i64 {word}, {WRONG.bit_length() - 1}"))
            word = out.put(f"and i64 {word}, {WRONG - 1}")
        _store(out, "i64", self.words.element(self.entries[index]), word)

    def change(self, out: Writer, variable: str, outcome: str) -> None:
        """Change the variable."""
        word = out.put(f"load i64, ptr {variable}")
        change = out.put(f"sext i8 {_change(out, word, outcome)} to i64")
        out.lines.append(f"store i64 {out.put(f'add i64 {word}, {change}')}, ptr {variable}")

    def repeat(self, out: Writer, place: Place, times: str, taken: bool, left: bool) -> None:
        """Write a table lookup of the counter and mistakes."""
        index = self.predictor.index(place.address)
        pointer = self.words.element(self.entries[index])
        word = _load(out, "i64", pointer)
        few = out.put(f"call i64 @llvm.umin.i64(i64 {times}, i64 {MANY})")
        counter = out.put(f"and i64 {word}, {3 * STEP}")
        place_ = out.put(f"add i64 {counter}, {out.put(f'shl i64 {few}, 2')}")
        nibble = out.put(f"and i64 {out.put(f'lshr i64 {_endings(taken, left)}, {place_}')}, 15")
        if index in self.shared:
            self.made.count(out, place, out.put(f"lshr i64 {nibble}, 2"))
            nibble = out.put(f"and i64 {nibble}, 3")
        rest = out.put(f"sub i64 {word}, {counter}")
        _store(out, "i64", pointer, out.put(f"add i64 {rest}, {out.put(f'shl i64 {nibble}, 4')}"))

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Return the mistakes of a transfer."""
        index = self.predictor.index(place.address)
        if index in self.shared:
            return read(self.wrong)[place.number]
        return read(self.words)[self.entries[index]] // WRONG


class CountedCode(BaseCode):
    """A predictor that counts the mistakes of each transfer in a number of its own."""

    def __init__(
        self, places: Sequence[Place], state: State, name: str, counting: Counting, past: Sequence[Past] = ()
    ) -> None:
        super().__init__(past)
        self.wrong = state.array("i64", max(len(places), 1))
        self.made = Mistakes(self.wrong, counting, name)

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Return the mistakes of a transfer."""
        return read(self.wrong)[place.number]


class GshareCode(CountedCode):
    """A byte for each entry, and the number of mistakes of each branch."""

    def __init__(
        self, predictor: Gshare, places: Sequence[Place], state: State, name: str, counting: Counting = ALWAYS
    ) -> None:
        super().__init__(places, state, name, counting, [Past(f"%predict.{name}.past")])
        self.predictor = predictor
        self.table = state.array("i8", predictor.entries, START * STEP)

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write the update of a byte and of the history."""
        predictor, variable = self.predictor, self.past[0].variable
        past = out.put(f"load i64, ptr {variable}")
        index = out.put(f"xor i64 {past}, {place.address // predictor.unit % predictor.entries}")
        pointer = out.put(f"getelementptr i8, ptr {self.table.pointer}, i64 {index}")
        byte = _load(out, "i8", pointer)
        change = _change(out, out.put(f"zext i8 {byte} to i64"), outcome)
        _store(out, "i8", pointer, out.put(f"and i8 {out.put(f'add i8 {byte}, {change}')}, {3 * STEP}"))
        self.made.count_in(out, place, change)
        shifted = out.put(f"or i64 {out.put(f'shl i64 {past}, 1')}, {out.put(f'zext i1 {outcome} to i64')}")
        kept = out.put(f"and i64 {shifted}, {(1 << predictor.history) - 1}")
        out.lines.append(f"store i64 {kept}, ptr {variable}")


class FunctionCode(CountedCode):
    """A predictor of branches by the outcomes of all: a function, and the number of mistakes of each branch."""

    def __init__(
        self, predictor: Perceptron | Tage, places: Sequence[Place], state: State, name: str, counting: Counting
    ) -> None:
        super().__init__(places, state, name, counting, [Past(f"%predict.{name}.past")])
        self.name, self.unit = f"@predict.{name}", predictor.unit

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write a call of the function, which says whether it was mistaken, and the update of the history."""
        variable, taken = self.past[0].variable, out.put(f"zext i1 {outcome} to i64")
        past = out.put(f"load i64, ptr {variable}")
        arguments = f"i64 {place.address // self.unit}, i64 {past}, i64 {taken}"
        self.made.count(out, place, out.put(f"call i64 {self.name}({arguments}), {STATE}"))
        longer = out.put(f"or i64 {out.put(f'shl i64 {past}, 1')}, {taken}")
        out.lines.append(f"store i64 {longer}, ptr {variable}")


class PerceptronCode(FunctionCode):
    """The weights of each entry, one behind the other, the bias first."""

    def __init__(
        self, predictor: Perceptron, places: Sequence[Place], state: State, name: str, counting: Counting = ALWAYS
    ) -> None:
        super().__init__(predictor, places, state, name, counting)
        self.predictor = predictor
        self.weights = state.array("i8", predictor.entries * (predictor.history + 1))

    def functions(self) -> str:
        """Return the sum and the training.  Behind the outcomes, the history has a 1 for the bias."""
        code, predictor = Code(), self.predictor
        number = predictor.history + 1
        first = code.put(f"mul i64 {code.put(f'and i64 %address, {predictor.entries - 1}')}, {number}")
        signs = code.put(f"or i64 {code.put('shl i64 %past, 1')}, 1")
        total = code.variable("i64", "0")
        with code.count_up("0", str(number)) as place:
            weight, plus, _ = self._weight(code, first, place, signs)
            signed = code.put(f"select i1 {plus}, i64 {weight}, i64 {code.put(f'sub i64 0, {weight}')}")
            code.set("i64", total, code.put(f"add i64 {code.get('i64', total)}, {signed}"))
        found = code.get("i64", total)
        wrong = code.put(f"xor i1 {code.put(f'icmp sge i64 {found}, 0')}, {code.put('icmp ne i64 %taken, 0')}")
        near = code.put(f"icmp ule i64 {code.put(f'add i64 {found}, {predictor.threshold}')}, {2 * predictor.threshold}")
        trained = code.put(f"or i1 {wrong}, {near}")
        with code.when(trained), code.count_up("0", str(number)) as place:
            weight, plus, pointer = self._weight(code, first, place, signs)
            more = code.put(f"icmp eq i1 {plus}, {code.put('icmp ne i64 %taken, 0')}")
            moved_ = code.put(f"add i64 {weight}, {code.put(f'select i1 {more}, i64 1, i64 -1')}")
            code.store("i8", pointer, code.put(f"trunc i64 {_clamped(code, moved_, *WEIGHTS)} to i8"))
        code.do(f"ret i64 {code.put(f'zext i1 {wrong} to i64')}")
        return code.function(f"i64 {self.name}(i64 %address, i64 %past, i64 %taken) noinline")

    def _weight(self, code: Code, first: str, place: str, signs: str) -> tuple[str, str, str]:
        """Return a weight, whether it counts with a plus, and where it is."""
        pointer = code.at(self.weights.pointer, code.put(f"add i64 {first}, {place}"), "i8")
        weight = code.put(f"sext i8 {code.load('i8', pointer)} to i64")
        return weight, code.put(f"trunc i64 {code.put(f'lshr i64 {signs}, {place}')} to i1"), pointer


def _clamped(code: Code, value: str, low: int, high: int) -> str:
    most = code.put(f"select i1 {code.put(f'icmp slt i64 {value}, {high}')}, i64 {value}, i64 {high}")
    return code.put(f"select i1 {code.put(f'icmp sgt i64 {most}, {low}')}, i64 {most}, i64 {low}")


class TageCode(FunctionCode):
    """Counters, tags and usefulness of each table, and a table of two-bit counters; tables are written out one by one."""

    def __init__(self, predictor: Tage, places: Sequence[Place], state: State, name: str, counting: Counting = ALWAYS) -> None:
        super().__init__(predictor, places, state, name, counting)
        self.predictor = predictor
        self.base = state.array("i8", predictor.entries, START)
        types = ("i8", "i32", "i8")
        self.tables = [[state.array(type_, predictor.entries) for type_ in types] for _ in range(predictor.tables)]

    def functions(self) -> str:
        """Return the lookup and the update."""
        code, predictor = Code(), self.predictor
        low = code.put(f"and i64 %address, {predictor.entries - 1}")
        base_at = code.at(self.base.pointer, low, "i8")
        base = code.wide("i8", code.load("i8", base_at))
        taken = code.put("icmp ne i64 %taken, 0")
        said = other = code.put(f"icmp uge i64 {base}, 2")
        number, found = "-1", []
        for table, (fields, length) in enumerate(zip(self.tables, predictor.histories, strict=True)):
            past = code.put(f"and i64 %past, {(1 << length) - 1}")
            hashed = code.put(f"xor i64 %address, {code.put(f'lshr i64 %address, {predictor.bits}')}")
            hashed = code.put(f"xor i64 {hashed}, {_folded(code, past, length, predictor.bits)}")
            index = code.put(f"and i64 {hashed}, {predictor.entries - 1}")
            shifted = code.put(f"shl i64 {_folded(code, past, length, TAG - 1)}, 1")
            tag = code.put(f"xor i64 {code.put(f'xor i64 %address, {_folded(code, past, length, TAG)}')}, {shifted}")
            tag = code.put(f"and i64 {tag}, {(1 << TAG) - 1}")
            places = [code.at(each.pointer, index, each.type) for each in fields]
            count, there, useful = (code.load(each.type, at) for each, at in zip(fields, places, strict=True))
            count = code.put(f"sext i8 {count} to i64")
            hit = code.put(f"icmp eq i64 {code.wide('i32', there)}, {tag}")
            other = code.put(f"select i1 {hit}, i1 {said}, i1 {other}")
            said = code.put(f"select i1 {hit}, i1 {code.put(f'icmp sge i64 {count}, 0')}, i1 {said}")
            number = code.put(f"select i1 {hit}, i64 {table}, i64 {number}")
            found.append((places, count, there, code.wide("i8", useful), tag))
        wrong = code.put(f"xor i1 {said}, {taken}")
        step = code.put(f"select i1 {taken}, i64 1, i64 -1")
        none = code.put(f"icmp slt i64 {number}, 0")
        moved_ = _clamped(code, code.put(f"add i64 {base}, {step}"), 0, 3)
        kept = code.put(f"select i1 {none}, i64 {moved_}, i64 {base}")
        code.store("i8", base_at, code.put(f"trunc i64 {kept} to i8"))
        differ = code.put(f"xor i1 {said}, {other}")
        towards = code.put(f"select i1 {wrong}, i64 -1, i64 1")
        looking = wrong  # for an entry that is useless
        for table, (places, count, there, useful, tag) in enumerate(found):
            own = code.put(f"icmp eq i64 {number}, {table}")
            after = _clamped(code, code.put(f"add i64 {count}, {step}"), *COUNTS)
            count = code.put(f"select i1 {own}, i64 {after}, i64 {count}")
            told = code.put(f"and i1 {own}, {differ}")
            after = _clamped(code, code.put(f"add i64 {useful}, {towards}"), 0, MOST_USEFUL)
            longer = code.put(f"icmp slt i64 {number}, {table}")
            free = code.put(f"and i1 {code.put(f'and i1 {looking}, {longer}')}, {code.put(f'icmp eq i64 {useful}, 0')}")
            looking = code.put(f"and i1 {looking}, {code.put(f'xor i1 {free}, true')}")
            count = code.put(f"select i1 {free}, i64 {code.put(f'select i1 {taken}, i64 0, i64 -1')}, i64 {count}")
            there = code.put(f"select i1 {free}, i32 {code.put(f'trunc i64 {tag} to i32')}, i32 {there}")
            useful = code.put(f"select i1 {told}, i64 {after}, i64 {useful}")
            code.store("i8", places[0], code.put(f"trunc i64 {count} to i8"))
            code.store("i32", places[1], there)
            code.store("i8", places[2], code.put(f"trunc i64 {useful} to i8"))
        with code.when(looking):
            for table, (places, _, _, useful, _) in enumerate(found):
                longer = code.put(f"icmp slt i64 {number}, {table}")
                less = code.put(f"sub i64 {useful}, {code.put(f'zext i1 {longer} to i64')}")
                with code.when(longer):
                    code.store("i8", places[2], code.put(f"trunc i64 {less} to i8"))
        code.do(f"ret i64 {code.put(f'zext i1 {wrong} to i64')}")
        return code.function(f"i64 {self.name}(i64 %address, i64 %past, i64 %taken) noinline")


def _folded(code: Code, value: str, length: int, bits: int) -> str:
    """Write a number of at most so many bits made shorter, as `folded` does it."""
    result = code.put(f"and i64 {value}, {(1 << bits) - 1}")
    for shift in range(bits, length, bits):
        piece = code.put(f"and i64 {code.put(f'lshr i64 {value}, {shift}')}, {(1 << bits) - 1}")
        result = code.put(f"xor i64 {result}, {piece}")
    return result


class ReturnStackCode(CountedCode):
    """A ring of return addresses, and the number of mistakes of each return."""

    def __init__(
        self, predictor: ReturnStack, places: Sequence[Place], state: State, name: str, counting: Counting = ALWAYS
    ) -> None:
        super().__init__(places, state, name, counting, [Past(f"%predict.{name}.top")])
        self.ring = state.array("i64", predictor.entries)

    def _top(self, out: Writer, move: int, before: bool) -> str:
        """Write the move of the top of the stack; return a pointer to the old or the new top."""
        variable = self.past[0].variable
        old = out.put(f"load i64, ptr {variable}")
        new = out.put(f"add i64 {old}, {move}")
        out.lines.append(f"store i64 {new}, ptr {variable}")
        index = out.put(f"and i64 {old if before else new}, {self.ring.count - 1}")
        return out.put(f"getelementptr i64, ptr {self.ring.pointer}, i64 {index}")

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write the prediction for a return."""
        expected = _load(out, "i64", self._top(out, -1, True))
        mistake = out.put(f"zext i1 {out.put(f'icmp ne i64 {expected}, {outcome}')} to i64")
        self.made.count(out, place, mistake)

    def called(self, out: Writer, back: int) -> None:
        """Write the push of a return address."""
        _store(out, "i64", self._top(out, 1, False), str(back))


class TargetBufferCode(CountedCode):
    """The addresses and targets of each set, newest first, and the number of mistakes of each transfer."""

    def __init__(
        self, predictor: TargetBuffer, places: Sequence[Place], state: State, name: str, counting: Counting = ALWAYS
    ) -> None:
        super().__init__(places, state, name, counting)
        self.predictor, self.name = predictor, f"@predict.{name}"
        self.addresses = state.array("i64", predictor.entries, -1)
        self.targets = state.array("i64", predictor.entries)

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write a call of the function that looks up a transfer."""
        first = self.predictor.index(place.address) * self.predictor.ways
        arguments = f"i64 {first}, i64 {place.address}, i64 {outcome}"
        self.made.count(out, place, out.put(f"call i64 {self.name}({arguments}), {STATE}"))

    def functions(self) -> str:
        """Return the lookup: it moves the entry of the transfer, or a new one, to the front of its set."""
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


_CODES: Mapping[type[Predictor], Callable[..., PredictorCode]] = {
    Bimodal: BimodalCode, Gshare: GshareCode, Perceptron: PerceptronCode, Tage: TageCode,
    ReturnStack: ReturnStackCode, TargetBuffer: TargetBufferCode,
}  # fmt: skip


def predictor_code(
    predictor: Predictor, places: Sequence[Place], state: State, name: str, counting: Counting = ALWAYS
) -> PredictorCode:
    """Lay out a predictor; `name` tells it from others in the text, `counting` how its mistakes are counted.

    Raises ValueError for one whose code nobody has written.
    """
    if isinstance(predictor, Static):
        summed = counting is not ALWAYS
        made = Mistakes(state.array("i64", max(len(places), 1)), counting, name) if summed else None
        return StaticCode(predictor=predictor, made=made)
    if type(predictor) not in _CODES:
        raise ValueError(f"{predictor!r} is only simulated plainly: it has no code")
    return _CODES[type(predictor)](predictor, places, state, name, counting)
