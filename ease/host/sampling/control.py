"""Write the function that is called when a phase of a sampled run is over: it keeps what was counted, and goes on.

Each function of the program has the number of instructions until then in a variable, and passes it on.  The number tells the
mode of the phase, too: 2 to the power of 60 times the mode is subtracted.  So one comparison with 0 finds out, in the fast
version, that the phase is over or that another version is to be executed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cache_sim.native.cache import OUTSIDE
from cache_sim.native.code import Code, Field, Read, State, Writer
from cache_sim.native.gauge import Gauge
from ease.host.sampling.metering import DECLARATION, Spending
from ease.model.sampling import ENDLESS, Mode, Schedule, Spent

LEFT = "%sample.left"
SHIFT = 60
ROWS = 4096  # samples whose counts are kept apart, at most; of more, each two, four, ... are kept as one
WORDS = 1 << 22  # of all rows, at most
NEXT, ARRIVE, MARK = "@sample.next", "@sample.arrive", "@sample.mark"


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is left of a sampled run: its instructions, and the totals at the end of each sample, from the start of the run.

    `instructions` is None if the program did not end by itself; then nothing is known of what was `spent`.  Of many
    `samples`, each `stride` make a row; the last one may have fewer.
    """

    instructions: int | None
    rows: Sequence[Sequence[int]]
    stride: int
    samples: int
    spent: tuple[Spent, ...] = ()


class Control:
    """The state and the text of what decides when a run is measured.

    Of each sample, sums with `names` are kept, and behind these so many `further` numbers.
    """

    def __init__(self, schedule: Schedule, state: State, names: Sequence[str], further: int = 0) -> None:
        self.schedule, self.columns = schedule, len(names) + further
        self.most = min(ROWS, 1 << max(WORDS // self.columns, 16).bit_length() - 1)
        first = schedule.phases[0]
        self.totals = state.array("i64", self.columns)
        self.weight = state.array("i64", 1, int(first.mode is Mode.MEASURED))  # 1 while the run is being measured
        self.further = Field(self.totals.address + 8 * len(names), "i64", further)
        places = {name: self.totals.element(number) for number, name in enumerate(names)}
        self.gauge = Gauge(places, schedule.modes != (Mode.MEASURED,))
        self.phase = state.array("i64", 1)
        self.made = state.array("i64", 1)  # instructions up to the begin of the phase
        self.budget = state.array("i64", 1, first.length)  # of the phase, less what the one before took too much
        self.left = state.array("i64", 1, self.start)  # at the last system call
        self.passed, self.count = state.array("i64", 1), state.array("i64", 1)
        self.stride = state.array("i64", 1, 1)
        self.rows = state.array("i64", self.most * self.columns)
        self.spending = Spending(state)
        self.headers = {each: n for n, each in enumerate(dict.fromkeys((m.function, m.block) for m in schedule.marks))}
        self.marks = sorted(schedule.marks, key=lambda each: (self.headers[each.function, each.block], each.number))
        firsts = [next(n for n, m in enumerate(self.marks) if (m.function, m.block) == each) for each in self.headers]
        self.arrived = state.array("i64", max(len(self.headers), 1))  # how often control came to the blocks of marks
        self.next = state.array("i64", max(len(firsts), 1), 0, tuple(enumerate(firsts)))  # marks
        self.due = state.array("i64", max(len(firsts), 1), 0, tuple((n, self.marks[m].number) for n, m in enumerate(firsts)))
        self.wanted = state.array("i64", 1)  # 0, or ON in `ease.host.sampling.attaching`, by another process

    @property
    def start(self) -> int:
        """The value of LEFT at the start."""
        first = self.schedule.phases[0]
        return encoded(first.mode, first.length)

    def recorded(self, read: Read, ended: bool) -> Recorded:
        """Return what a run left; `ended`: by itself."""
        flat, (count,), (stride,) = read(self.rows), read(self.count), read(self.stride)
        rows = [flat[row * self.columns : (row + 1) * self.columns] for row in range(count)]
        (made,), (budget,), (left,), (weight,) = map(read, (self.made, self.budget, self.left, self.weight))
        last, (samples,) = read(self.totals), read(self.passed)
        if (weight or samples % stride) and (not rows or list(rows[-1]) != list(last)):
            rows.append(last)  # a sample under way, or fewer than make a row
            samples += weight
        if not ended:
            return Recorded(None, rows, stride, samples)
        executed = budget - remaining(left)
        return Recorded(made + executed, rows, stride, samples, self.spending.told(read, mode_in(left), executed))

    def text(self) -> str:
        """Return the functions."""
        phases = self.schedule.phases
        content = ", ".join(f"[2 x i64] [i64 {int(phase.mode)}, i64 {phase.length}]" for phase in phases)
        table = f"@sample.phases = internal constant [{len(phases)} x [2 x i64]] [{content}]"
        mark = self._mark() if self.marks else ""
        return "\n".join([DECLARATION, table, self._next(), self._arrive(), self._begin(), self._record(), mark])

    def _mark(self) -> str:
        """Return the function that goes on with a phase because control has come to a mark of a header."""
        code, count = Code(), len(self.marks)
        rows = [(mark.number, mark.phase) for mark in self.marks]
        content = ", ".join(f"[2 x i64] [i64 {number}, i64 {phase}]" for number, phase in [*rows, (0, 0)])
        table = f"@sample.marks = internal constant [{count + 1} x [2 x i64]] [{content}]"
        mode, rest = decode(code, "%left")
        self._leave(code, mode, rest)
        with code.when(code.put(f"icmp eq i64 {mode}, {int(Mode.MEASURED)}")):
            code.do(f"call {OUTSIDE} void @sample.record(), !tbaa !6")
        place = code.at(self.next.pointer, "%header", "i64")
        number = code.load("i64", place)
        phase = self._column(code, "marks", number, 1)
        after = code.put(f"add i64 {number}, 1")
        code.store("i64", place, after)
        code.store("i64", code.at(self.due.pointer, "%header", "i64"), self._column(code, "marks", after, 0))
        length = self._column(code, "phases", phase, 1)
        begun = code.put(f"call {OUTSIDE} i64 @sample.begin(i64 {phase}, i64 {length}), !tbaa !6")
        code.do(f"ret i64 {begun}")
        return "\n".join([table, code.function(f"{OUTSIDE} i64 {MARK}(i64 %left, i64 %header) noinline cold")])

    def _leave(self, code: Code, mode: str, rest: str) -> None:
        """Write code that ends a phase of a mode in which `rest` of its instructions are left."""
        executed = code.put(f"sub i64 {code.load('i64', self.budget.pointer)}, {rest}")
        code.add("i64", self.made.pointer, executed)
        self.spending.leave(code, mode, executed)

    def _arrive(self) -> str:
        """Return the function that goes on with a phase because control has come to a function, unless it is measured."""
        code = Code()
        mode, rest = decode(code, "%left")
        with code.when(code.put(f"icmp eq i64 {mode}, {int(Mode.MEASURED)}")):
            code.do("ret i64 %left")
        self._leave(code, mode, rest)
        length = self._phase(code, "%phase", 1)
        begun = code.put(f"call {OUTSIDE} i64 @sample.begin(i64 %phase, i64 {length}), !tbaa !6")
        code.do(f"ret i64 {begun}")
        return code.function(f"{OUTSIDE} i64 {ARRIVE}(i64 %left, i64 %phase) noinline cold")

    def _begin(self) -> str:
        """Return the function that begins a phase in which so many instructions are left; it returns the value of LEFT."""
        code = Code()
        mode = self._phase(code, "%phase", 0)
        code.store("i64", self.phase.pointer, "%phase")
        code.store("i64", self.budget.pointer, "%rest")
        weight = code.wide("i1", code.put(f"icmp eq i64 {mode}, {int(Mode.MEASURED)}"))
        code.store("i64", self.weight.pointer, weight)
        base = code.put(f"shl i64 {mode}, {SHIFT}")
        code.do(f"ret i64 {code.put(f'sub i64 %rest, {base}')}")
        return code.function(f"{OUTSIDE} i64 @sample.begin(i64 %phase, i64 %rest) noinline cold")

    def _next(self) -> str:
        """Return the function that goes on to the next phase if the one under way is over, or another one is wanted."""
        code = Code()
        mode, rest = decode(code, "%left")
        stays = code.put(f"icmp sgt i64 {rest}, 0")
        if self.schedule.attached:
            wanted = code.put(f"icmp ne i64 {code.put(f'load volatile i64, ptr {self.wanted.pointer}')}, 0")
            measured = code.put(f"icmp eq i64 {mode}, {int(Mode.MEASURED)}")
            stays = code.put(f"icmp eq i1 {wanted}, {measured}")
        with code.when(stays):
            code.do("ret i64 %left")
        self._leave(code, mode, rest)
        with code.when(code.put(f"icmp eq i64 {mode}, {int(Mode.MEASURED)}")):
            code.do(f"call {OUTSIDE} void @sample.record(), !tbaa !6")
        if self.schedule.attached:
            phase = code.wide("i1", wanted)
            code.do(f"ret i64 {code.put(f'call {OUTSIDE} i64 @sample.begin(i64 {phase}, i64 {ENDLESS}), !tbaa !6')}")
            return code.function(f"{OUTSIDE} i64 {NEXT}(i64 %left) noinline cold")
        number, left = code.variable("i64", code.load("i64", self.phase.pointer)), code.variable("i64", rest)
        again, done = code.label(), code.label()
        code.do(f"br label %{again}")
        code.do(f"{again}:")
        after = code.put(f"add i64 {code.get('i64', number)}, 1")
        last = code.put(f"icmp eq i64 {after}, {len(self.schedule.phases)}")
        code.set("i64", number, code.put(f"select i1 {last}, i64 {self.schedule.again}, i64 {after}"))
        length = self._phase(code, code.get("i64", number), 1)
        code.set("i64", left, code.put(f"add i64 {code.get('i64', left)}, {length}"))
        more = code.put(f"icmp sgt i64 {code.get('i64', left)}, 0")
        code.do(f"br i1 {more}, label %{done}, label %{again}")
        code.do(f"{done}:")
        given = f"i64 {code.get('i64', number)}, i64 {code.get('i64', left)}"
        code.do(f"ret i64 {code.put(f'call {OUTSIDE} i64 @sample.begin({given}), !tbaa !6')}")
        return code.function(f"{OUTSIDE} i64 {NEXT}(i64 %left) noinline cold")

    @staticmethod
    def _column(code: Code, table: str, row: str, column: int) -> str:
        where = code.put(f"getelementptr [2 x i64], ptr @sample.{table}, i64 {row}, i64 {column}")
        return code.put(f"load i64, ptr {where}, !invariant.load !9")

    def _phase(self, code: Code, number: str, column: int) -> str:
        return self._column(code, "phases", number, column)

    def _record(self) -> str:
        """Return the function that keeps the totals at the end of a sample; full rows are thinned."""
        code = Code()
        code.add("i64", self.passed.pointer)
        stride = code.load("i64", self.stride.pointer)
        between = code.put(f"urem i64 {code.load('i64', self.passed.pointer)}, {stride}")
        with code.when(code.put(f"icmp ne i64 {between}, 0")):
            code.do("ret void")
        count = code.load("i64", self.count.pointer)
        self._copy(code, self.totals.pointer, self._row(code, count))
        count = code.put(f"add i64 {count}, 1")
        code.store("i64", self.count.pointer, count)
        with code.when(code.put(f"icmp eq i64 {count}, {self.most}")):
            with code.count_up("0", str(self.most // 2)) as kept:
                old = code.put(f"add i64 {code.put(f'shl i64 {kept}, 1')}, 1")
                self._copy(code, self._row(code, old), self._row(code, kept))
            code.store("i64", self.count.pointer, str(self.most // 2))
            code.store("i64", self.stride.pointer, code.put(f"shl i64 {stride}, 1"))
        code.do("ret void")
        return code.function(f"{OUTSIDE} void @sample.record() noinline cold")

    def _row(self, code: Code, number: str) -> str:
        return code.at(self.rows.pointer, code.put(f"mul i64 {number}, {self.columns}"), "i64")

    def _copy(self, code: Code, source: str, target: str) -> None:
        with code.count_up("0", str(self.columns)) as column:
            code.store("i64", code.at(target, column, "i64"), code.load("i64", code.at(source, column, "i64")))


def encoded(mode: Mode, rest: int) -> int:
    """Return the value of LEFT in a mode with so many instructions left."""
    return rest - (mode << SHIFT)


def remaining(left: int) -> int:
    """Return the instructions that a value of LEFT tells."""
    return (left + (1 << SHIFT - 1)) % (1 << SHIFT) - (1 << SHIFT - 1)


def mode_in(left: int) -> Mode:
    """Return the mode that a value of LEFT tells."""
    return Mode(remaining(left) - left >> SHIFT)


def decode(code: Code, left: str) -> tuple[str, str]:
    """Write code that takes a value of LEFT apart; return the mode and the instructions left."""
    mode = mode_of(code, left)
    return mode, code.put(f"add i64 {left}, {code.put(f'shl i64 {mode}, {SHIFT}')}")


def mode_of(code: Writer, left: str) -> str:
    """Write code that finds the mode in a value of LEFT; return it."""
    negative = code.put(f"ashr i64 {code.put(f'add i64 {left}, {1 << SHIFT - 1}')}, {SHIFT}")
    return code.put(f"sub i64 0, {negative}")


def is_on(code: Writer, mode: Mode, left: str, wanted: str = "") -> str:
    """Write the test that a phase of a mode is under way and not over; return an i1.

    `wanted` is the place of the word by which another process says that the run is to be measured.
    """
    word = code.put(f"load volatile i64, ptr {wanted}") if wanted else "0"
    if mode is Mode.FAST:
        return code.put(f"icmp sgt i64 {left}, {word}")
    rest = code.put(f"add i64 {left}, {(mode << SHIFT) - 1}")
    stays = code.put(f"icmp ult i64 {rest}, {1 << SHIFT - 1}")
    if not wanted:
        return stays
    measured = code.put(f"icmp {'ne' if mode is Mode.MEASURED else 'eq'} i64 {word}, 0")
    return code.put(f"and i1 {stays}, {measured}")
