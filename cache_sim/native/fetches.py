"""An instruction cache that is asked apart from data, in the line of a program: checks of stretches of instructions at once.

Where nothing comes between that matters, the fetches of a stretch without transfers of control can be checked at its head.
What is known to be the last line used of its set needs no check at all, and an access to it changes nothing in any policy.
Where a context switch may come, all is followed in another copy of the function (`cache_sim.native.inline`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cache_sim.native.advice import How
from cache_sim.native.cache import OUTSIDE
from cache_sim.native.code import Code, Writer, decrease, unless
from cache_sim.native.inline import LEFT
from cache_sim.native.sets import set_of
from cache_sim.native.state import State
from cache_sim.native.system import SystemCode

_COLUMNS = {"touches": ("line", "site"), "rows": ("first", "end"), "needs": ("line",), "sets": ("first", "end")}


@dataclass(frozen=True, slots=True)
class Touch:
    """`count` instructions, of site, site + 1, ..., that are fetched from a line.

    The first of two touches of an instruction that lies in two lines has count 0.
    `known`: whether the line is known to be the last used of its set.
    """

    line: int
    site: int
    count: int
    known: bool = False
    how: How = How.BRANCHING


class Fetches:
    """Checks of fetches; what is left until a switch is in the variable LEFT."""

    def __init__(self, code: SystemCode, state: State, sites: int) -> None:
        assert code.instruction is not None
        self.code, self.cache = code, code.instruction
        self.entered = state.array("i64", sites)
        self.touches: list[tuple[int, ...]] = []
        self.rows: list[tuple[int, ...]] = []
        self.needs: list[int] = []
        self.sets: dict[tuple[int, ...], tuple[int, ...]] = {}  # of needs

    @staticmethod
    def suits(code: SystemCode) -> bool:
        """Whether fetches of a memory system can be checked in this way."""
        caches = code.path("fetch")
        return len(caches) == 1 and caches[0] is code.instruction and caches[0].alone and not code.system.unified

    @property
    def switching(self) -> bool:
        """Whether there are context switches."""
        return self.code.system.switch is not None

    @property
    def penalty(self) -> int:
        """The units that a miss takes beyond those of a hit."""
        switch = self.code.system.switch
        return switch.miss - switch.hit if switch is not None and switch.unit == "work" else 0

    @property
    def unit(self) -> int:
        """The units that a hit takes."""
        switch = self.code.system.switch
        return 0 if switch is None else switch.hit if switch.unit == "work" else 1

    # ---------------------------------------------------------------------------------- in the program

    def check(self, out: Writer, touches: Sequence[Touch]) -> None:
        """Write the check of touches of lines that are not known."""
        if not touches:
            return
        if all(touch.how is How.CALLED for touch in touches):
            self._call(out, touches)
            return
        hard = self._hard(touches)
        easy = [touch for touch in touches if touch not in hard]
        if easy:
            slow, fast, after = out.label(), out.label(), out.label()
            for touch in easy:
                named = out.put(f"load i32, ptr {self.cache.entry(touch.line)}, !tbaa !6")
                unless(out, f"icmp eq i32 {named}, {touch.line}", slow)
            out.lines += [f"br label %{fast}", f"{slow}:"]
            self._call(out, touches)
            out.lines += [f"br label %{after}", f"{fast}:"]
        for touch in hard:
            self._without_branch(out, touch)
        if easy:
            out.lines += [f"br label %{after}", f"{after}:"]

    def there(self, lines: Iterable[int]) -> str:
        """Return the call that tells (an i1) whether lines are the last used of their sets; '' if there are none."""
        wanted = tuple(sorted(lines))
        if not wanted:
            return ""
        if wanted not in self.sets:
            self.sets[wanted] = (len(self.needs), len(self.needs) + len(wanted))
            self.needs += wanted
        return f"call {OUTSIDE} i1 @fetch.there(i64 {list(self.sets).index(wanted)}), !tbaa !6"

    def _hard(self, touches: Sequence[Touch]) -> list[Touch]:
        """Return what is checked without branches: all touches of a set, if one is."""
        sets = self.cache.cache.sets
        chosen = {touch.line % sets for touch in touches if touch.how is How.BRANCHLESS and self.cache.short}
        return [touch for touch in touches if touch.line % sets in chosen]

    def _without_branch(self, out: Writer, touch: Touch) -> None:
        name = f"@{self.cache.name}.fetch"
        missed = out.put(f"call {OUTSIDE} i64 {name}(i32 {touch.line}, i64 {touch.site}) alwaysinline, !tbaa !6")
        if self.penalty:
            decrease(out, LEFT, out.put(f"mul i64 {missed}, {self.penalty}"))

    def _call(self, out: Writer, touches: Sequence[Touch]) -> None:
        first = len(self.touches)
        self.touches += [(touch.line, touch.site) for touch in touches]
        self.rows.append((first, len(self.touches)))
        row = len(self.rows) - 1
        if not self.switching:
            out.lines.append(f"call {OUTSIDE} void @fetch.touches(i64 {row}), !tbaa !6")
            return
        left = out.put(f"load i64, ptr {LEFT}")
        left = out.put(f"call {OUTSIDE} i64 @fetch.touches(i64 {left}, i64 {row}), !tbaa !6")
        out.lines.append(f"store i64 {left}, ptr {LEFT}")

    # ------------------------------------------------------------------------------------- outside of it

    def functions(self) -> str:
        """Return the text of everything that checks call; call it last."""
        parts = [_table("touches", self.touches), _table("rows", self.rows), self._touches()] if self.rows else []
        if self.sets:
            parts += [_table("needs", [(line,) for line in self.needs]), _table("sets", [*self.sets.values()]), self._there()]
        return "\n".join(parts)

    def _touches(self) -> str:
        """Touch the lines of a row, and take what that costs beyond hits."""
        code = Code()
        left = code.variable("i64", "%left" if self.switching else "0")
        with code.count_up(*(_column(code, "rows", "%row", name) for name in ("first", "end"))) as touch:
            site = _column(code, "touches", touch, "site")
            line = code.put(f"trunc i64 {_column(code, 'touches', touch, 'line')} to i32")
            missed = self.cache.call(code, "fetch", line, site)
            code.add("i64", code.at(self.entered.pointer, site, "i64"), missed)
            taken = code.put(f"mul i64 {missed}, {self.penalty}")
            code.set("i64", left, code.put(f"sub i64 {code.get('i64', left)}, {taken}"))
        if not self.switching:
            code.do("ret void")
            return code.function(f"{OUTSIDE} void @fetch.touches(i64 %row) noinline")
        code.do(f"ret i64 {code.get('i64', left)}")
        return code.function(f"{OUTSIDE} i64 @fetch.touches(i64 %left, i64 %row) noinline")

    def _there(self) -> str:
        """Tell whether lines are the last used of their sets."""
        code = Code()
        there = code.variable("i1", "true")
        with code.count_up(*(_column(code, "sets", "%row", name) for name in ("first", "end"))) as number:
            line = code.put(f"trunc i64 {_column(code, 'needs', number, 'line')} to i32")
            index = code.put(f"mul i64 {set_of(code, 'i32', line, self.cache.filters)}, {self.cache.stride}")
            same = code.put(f"icmp eq i32 {code.load('i32', code.at(self.cache.filter.pointer, index, 'i32'))}, {line}")
            code.set("i1", there, code.put(f"and i1 {code.get('i1', there)}, {same}"))
        code.do(f"ret i1 {code.get('i1', there)}")
        return code.function(f"{OUTSIDE} i1 @fetch.there(i64 %row) noinline cold")


def _table(name: str, rows: Sequence[tuple[int, ...]]) -> str:
    width = len(_COLUMNS[name])
    content = ", ".join(f"[{width} x i64] [{', '.join(f'i64 {word}' for word in row)}]" for row in rows)
    return f"@fetch.{name}.table = internal constant [{len(rows)} x [{width} x i64]] [{content}]"


def _column(code: Code, table: str, row: str, name: str) -> str:
    """Read a column of a row of a table."""
    columns = _COLUMNS[table]
    where = f"getelementptr [{len(columns)} x i64], ptr @fetch.{table}.table, i64 {row}, i64 {columns.index(name)}"
    return code.put(f"load i64, ptr {code.put(where)}, !invariant.load !9")
