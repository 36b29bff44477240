"""Record the history of a simulation in LLVM IR: at each moment, a row of all counts from which results follow.

Each moment adds up the arrays of counts by site, and counts dirty lines.  So moments should be some thousand instructions
apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from cache_sim.history import MOST
from cache_sim.native.cache import KINDS, OUTSIDE
from cache_sim.native.check_code import CheckCode
from cache_sim.native.code import Code, Field, Read, State
from cache_sim.native.collect import collect
from cache_sim.native.sets import Sets
from cache_sim.results import History, Kinds, Results

MOMENT = f"call {OUTSIDE} void @history.moment(), !tbaa !6"
_FEW = len(KINDS)  # fields of so many elements are kept as they are, others are added up


class HistoryCode:
    """Records rows of a simulator in host code; `made` counts references without guards, by kind."""

    def __init__(self, check_code: CheckCode, state: State, every: int, most: int = MOST) -> None:
        self.check_code, self.every, self.most = check_code, every, most
        self.made = state.array("i64", len(KINDS))
        self.fields = [self.made, check_code.called.guarded, *_fields_of(check_code)]
        self.entries: dict[Field, Sets] = {cache.sets.flushed[0]: cache.sets for cache in check_code.code.all}
        self.width = sum(map(self._columns, self.fields))
        self.due = state.array("i64", 1, every)
        self.passed, self.kept = (state.array("i64", 1) for _ in range(2))
        self.stride = state.array("i64", 1, 1)
        self.rows = state.array("i64", most * self.width)
        if not every:
            check_code.code.on_switch = MOMENT

    def functions(self) -> str:
        """Return the function that is called at each moment."""
        code = Code()
        if self.every:
            code.add("i64", self.due.pointer, str(self.every))
        code.add("i64", self.passed.pointer)
        stride = code.load("i64", self.stride.pointer)
        rest = code.put(f"urem i64 {code.load('i64', self.passed.pointer)}, {stride}")
        with code.when(code.put(f"icmp eq i64 {rest}, 0")):
            self._keep(code)
            with code.when(code.put(f"icmp eq i64 {code.load('i64', self.kept.pointer)}, {self.most}")):
                self._thin(code)
        code.do("ret void")
        return code.function(f"{OUTSIDE} void @history.moment() noinline cold")

    def _keep(self, code: Code) -> None:
        """Write code that appends a row."""
        start = code.put(f"mul i64 {code.load('i64', self.kept.pointer)}, {self.width}")
        column = 0
        for field in self.fields:
            for value in self._values(code, field):
                place = code.put(f"add i64 {start}, {column}")
                code.store("i64", code.at(self.rows.pointer, place, "i64"), value)
                column += 1
        code.add("i64", self.kept.pointer)

    def _columns(self, field: Field) -> int:
        """Return how many counts of a row belong to a field."""
        return 1 if field in self.entries or field.count > _FEW else field.count

    def _values(self, code: Code, field: Field) -> list[str]:
        """Return the counts of a field: its elements if it is short, else their sum; of lines, how many are dirty."""
        if field in self.entries:
            return [self.entries[field].dirty(code)]
        if field.count <= _FEW:
            return [code.wide(field.type, code.load(field.type, field.element(index))) for index in range(field.count)]
        total = code.variable("i64", "0")
        with code.count_up("0", str(field.count)) as index:
            value = code.wide(field.type, code.load(field.type, code.at(field.pointer, index, field.type)))
            code.set("i64", total, code.put(f"add i64 {code.get('i64', total)}, {value}"))
        return [code.get("i64", total)]

    def _thin(self, code: Code) -> None:
        """Write code that drops every second row, and doubles the time between moments."""
        with code.count_up("0", str(self.most // 2)) as row:
            to = code.put(f"mul i64 {row}, {self.width}")
            odd = code.put(f"add i64 {code.put(f'shl i64 {row}, 1')}, 1")
            source = code.put(f"mul i64 {odd}, {self.width}")
            with code.count_up("0", str(self.width)) as column:
                value = code.load("i64", code.at(self.rows.pointer, code.put(f"add i64 {source}, {column}"), "i64"))
                code.store("i64", code.at(self.rows.pointer, code.put(f"add i64 {to}, {column}"), "i64"), value)
        code.store("i64", self.kept.pointer, str(self.most // 2))
        stride = code.load("i64", self.stride.pointer)
        code.store("i64", self.stride.pointer, code.put(f"shl i64 {stride}, 1"))

    def history(self, read: Read, end: Results) -> History:
        """Return the recorded rows of a run as results, with those of its end."""
        (kept,), (stride,), cells = read(self.kept), read(self.stride), read(self.rows)
        starts = range(0, kept * self.width, self.width)
        moments = [self._results(cells[start : start + self.width]) for start in starts]
        return History(self.every, stride, (*moments, end.without_sites()))

    def _results(self, row: Sequence[int]) -> Results:
        known: dict[Field, Sequence[int]] = {}
        column = 0
        for field in self.fields:
            values = row[column : column + self._columns(field)]
            known[field] = self.entries[field].with_dirty(values[0]) if field in self.entries else values
            column += len(values)
        read = known.__getitem__
        return collect(self.check_code.code, self.references(read), read).without_sites()

    def references(self, read: Read) -> Kinds:
        """Return how many references were made."""
        counts = (Kinds(**dict(zip(KINDS, read(field), strict=True))) for field in (self.made, self.check_code.called.guarded))
        return sum(counts, Kinds())


def _fields_of(check_code: CheckCode) -> list[Field]:
    """Return the fields that are read to make results."""
    found: dict[Field, None] = {}

    def read(field: Field) -> Sequence[int]:
        found[field] = None
        return [0] * field.count

    collect(check_code.code, Kinds(), read)
    return list(found)
