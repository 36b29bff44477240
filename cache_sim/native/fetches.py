"""An instruction cache by itself, in the line of a program: checks of whole stretches of instructions at once.

Where no data come between, the fetches of a stretch without transfers of control can be checked at its head.  What is
known to be the last line used of its set needs no check at all, and an access to it changes nothing in any policy.

Context switches.  At the head of a stretch its cost as hits is taken from what is left until the next switch.  If so much
is left that no switch can come in the stretch, only the lines that are not known have to be checked.  Else a function
follows each instruction.  After a switch nothing is known any more: what is left is lowered by BIAS, so that every stretch
goes to that function, until all lines that are taken to be known there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from cache_sim.native.advice import How
from cache_sim.native.cache import OUTSIDE
from cache_sim.native.code import UNLIKELY, Code, Writer, decrease, unless
from cache_sim.native.inline import LEFT
from cache_sim.native.sets import set_of
from cache_sim.native.state import State
from cache_sim.native.system import SystemCode

BIAS, BIASED = 1 << 40, -(1 << 39)  # more units than there ever are; below BIASED, what is left is lowered
_COLUMNS = {
    "touches": ("line", "site", "count", "known"),
    "stretches": ("first", "end", "cost", "enough", "needs", "needs_end"),
    "needs": ("line",),
}


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
        self.needs: list[int] = []
        self.rows: list[tuple[int, ...]] = []

    @staticmethod
    def suits(code: SystemCode) -> bool:
        """Whether fetches of a memory system can be checked in this way."""
        caches = code.path("fetch")
        alone = len(caches) == 1 and caches[0] is code.instruction and caches[0].alone and not code.system.unified
        return alone and (code.system.switch is None or not code.path("read"))

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

    def stretch(self, out: Writer, touches: list[Touch], needs: Iterable[int]) -> None:
        """Write the check of a stretch; `needs` are the lines known behind it that later stretches rely on."""
        tested = [touch for touch in touches if not touch.known]
        cost, enough = sum(touch.count for touch in touches) * self.unit, len(tested) * self.penalty
        if not tested and not self.switching:
            return
        left = decrease(out, LEFT, str(cost)) if self.switching else ""
        if all(touch.how is How.CALLED for touch in touches):
            self._call(out, "stretch", self._row(touches, cost, enough, needs))
            return
        slow, after = out.label(), out.label()
        if self.switching:
            unless(out, f"icmp sgt i64 {left}, {enough}", slow)
        hard = self._hard(tested)
        for touch in tested:
            if touch not in hard:
                self._test(out, touch.line, slow)
        for touch in hard:
            self._without_branch(out, touch)
        out.lines.append(f"br label %{after}")
        out.lines.append(f"{slow}:")
        self._call(out, "stretch", self._row(touches, cost, enough, needs))
        out.lines += [f"br label %{after}", f"{after}:"]

    def ahead(self, out: Writer, touches: list[Touch], worst: int) -> None:
        """Write the check of lines that are sure to be touched before more than `worst` units are taken."""
        if all(touch.how is How.CALLED for touch in touches):
            self._call(out, "ahead", self._row(touches, 0, worst, ()))
            return
        slow, after = out.label(), out.label()
        for touch in touches:
            self._test(out, touch.line, slow)
        out.lines += [f"br label %{after}", f"{slow}:"]
        self._call(out, "ahead", self._row(touches, 0, worst, ()))
        out.lines += [f"br label %{after}", f"{after}:"]

    def _hard(self, tested: list[Touch]) -> list[Touch]:
        """Return what is checked without branches: all touches of a set, if one is."""
        sets = self.cache.cache.sets
        chosen = {touch.line % sets for touch in tested if touch.how is How.BRANCHLESS and self.cache.short}
        return [touch for touch in tested if touch.line % sets in chosen]

    def _test(self, out: Writer, line: int, slow: str) -> None:
        named = out.put(f"load i32, ptr {self.cache.entry(line)}, !tbaa !6")
        unless(out, f"icmp eq i32 {named}, {line}", slow)

    def _without_branch(self, out: Writer, touch: Touch) -> None:
        name = f"@{self.cache.name}.fetch"
        missed = out.put(f"call {OUTSIDE} i64 {name}(i32 {touch.line}, i64 {touch.site}) alwaysinline, !tbaa !6")
        if self.penalty:
            decrease(out, LEFT, out.put(f"mul i64 {missed}, {self.penalty}"))

    def _call(self, out: Writer, name: str, row: int) -> None:
        if not self.switching:
            out.lines.append(f"call {OUTSIDE} void @fetch.touches(i64 {row}), !tbaa !6")
            return
        left = out.put(f"load i64, ptr {LEFT}")
        left = out.put(f"call {OUTSIDE} i64 @fetch.{name}(i64 {left}, i64 {row}), !tbaa !6")
        out.lines.append(f"store i64 {left}, ptr {LEFT}")

    def _row(self, touches: list[Touch], cost: int, enough: int, needs: Iterable[int]) -> int:
        first, wanted = len(self.touches), len(self.needs)
        self.touches += [(touch.line, touch.site, touch.count, int(touch.known)) for touch in touches]
        self.needs += sorted(needs)
        self.rows.append((first, len(self.touches), cost, enough, wanted, len(self.needs)))
        return len(self.rows) - 1

    # ------------------------------------------------------------------------------------- outside of it

    def functions(self) -> str:
        """Return the text of everything that checks call; call it last."""
        if not self.rows:
            return ""
        parts = [
            _table("touches", self.touches),
            _table("stretches", self.rows),
            _table("needs", [(line,) for line in self.needs]),
            self._touches(),
        ]
        if self.switching:
            parts += [self._stretch(), self._ahead(), self._followed()]
        return "\n".join(parts)

    def _touches(self) -> str:
        """Touch the lines of a row that are not known; return what that takes beyond hits."""
        code = Code()
        taken = code.variable("i64", "0")
        with self._each(code, "%row") as touch:
            known = _column(code, "touches", touch, "known")
            with code.when(code.put(f"icmp eq i64 {known}, 0")):
                site = _column(code, "touches", touch, "site")
                missed = self._access(code, touch, site)
                code.add("i64", code.at(self.entered.pointer, site, "i64"), missed)
                cost = code.put(f"mul i64 {missed}, {self.penalty}")
                code.set("i64", taken, code.put(f"add i64 {code.get('i64', taken)}, {cost}"))
        if not self.switching:
            code.do("ret void")
            return code.function(f"{OUTSIDE} void @fetch.touches(i64 %row) noinline")
        code.do(f"ret i64 {code.get('i64', taken)}")
        return code.function(f"{OUTSIDE} i64 @fetch.touches(i64 %row) noinline")

    def _stretch(self) -> str:
        """A stretch, from whose cost as hits has been taken: its misses are, or all is followed exactly."""
        code = Code()
        with code.when(code.put(f"icmp sle i64 %left, {_column(code, 'stretches', '%row', 'enough')}"), UNLIKELY):
            code.do(f"ret i64 {code.put(f'call {OUTSIDE} i64 @fetch.followed(i64 %left, i64 %row)')}")
        self._take_misses(code)
        return code.function(f"{OUTSIDE} i64 @fetch.stretch(i64 %left, i64 %row) noinline")

    def _ahead(self) -> str:
        """Lines ahead: if a switch may come before they are touched, nothing is done but that all is followed exactly."""
        code = Code()
        with code.when(code.put(f"icmp slt i64 %left, {BIASED}"), UNLIKELY):
            code.do("ret i64 %left")
        with code.when(code.put(f"icmp sle i64 %left, {_column(code, 'stretches', '%row', 'enough')}"), UNLIKELY):
            code.do(f"ret i64 {code.put(f'sub i64 %left, {BIAS}')}")
        self._take_misses(code)
        return code.function(f"{OUTSIDE} i64 @fetch.ahead(i64 %left, i64 %row) noinline")

    @staticmethod
    def _take_misses(code: Code) -> None:
        taken = code.put(f"call {OUTSIDE} i64 @fetch.touches(i64 %row)")
        code.do(f"ret i64 {code.put(f'sub i64 %left, {taken}')}")

    def _followed(self) -> str:
        """Follow each instruction of a stretch, with its context switches."""
        code = Code()
        cost = _column(code, "stretches", "%row", "cost")
        lowered = code.put(f"icmp slt i64 %left, {BIASED}")
        back = code.put(f"select i1 {lowered}, i64 {BIAS}, i64 0")
        left = code.variable("i64", code.put(f"add i64 {code.put(f'add i64 %left, {cost}')}, {back}"))
        half, missed = code.variable("i1", "false"), code.variable("i64", "0")
        with self._each(code, "%row") as touch:
            site, count = (_column(code, "touches", touch, name) for name in ("site", "count"))
            with code.when(code.put(f"icmp eq i64 {count}, 0")):
                self._begin(code, half, left)
                misses = self._access(code, touch, site)
                code.set("i64", missed, code.put(f"add i64 {misses}, {code.get('i64', missed)}"))
                code.set("i1", half, "true")
            rest = code.variable("i64", "0")
            self._whole(code, touch, left, half, rest)
            with code.count_up(code.get("i64", rest), count) as number:
                self._begin(code, half, left)
                misses = self._access(code, touch, code.put(f"add i64 {site}, {number}"))
                self.code.after(code, left, code.put(f"add i64 {misses}, {code.get('i64', missed)}"))
                code.set("i1", half, "false")
                code.set("i64", missed, "0")
        lower = code.put(f"select i1 {self._all_there(code)}, i64 0, i64 {BIAS}")
        after = code.get("i64", left)
        code.do(f"ret i64 {code.put(f'sub i64 {after}, {lower}')}")
        return code.function(f"{OUTSIDE} i64 @fetch.followed(i64 %left, i64 %row) noinline cold")

    def _whole(self, code: Code, touch: str, left: str, half: str, done: str) -> None:
        """Make a touch as a whole if no switch can come in it: only its first instruction may miss."""
        site, count = (_column(code, "touches", touch, name) for name in ("site", "count"))
        units = code.put(f"mul i64 {count}, {self.unit}")
        most = code.put(f"add i64 {units}, {self.penalty}")
        far = code.put(f"icmp sgt i64 {code.get('i64', left)}, {most}")
        begun = code.put(f"or i1 {code.get('i1', half)}, {code.put(f'icmp eq i64 {count}, 0')}")
        with code.when(code.put(f"and i1 {far}, {code.put(f'xor i1 {begun}, true')}")):
            cost = code.put(f"mul i64 {self._access(code, touch, site)}, {self.penalty}")
            taken = code.put(f"add i64 {units}, {cost}")
            code.set("i64", left, code.put(f"sub i64 {code.get('i64', left)}, {taken}"))
            code.set("i64", done, count)

    def _begin(self, code: Code, half: str, left: str) -> None:
        """Before an instruction, unless part of it has been fetched."""
        with code.when(code.put(f"xor i1 {code.get('i1', half)}, true")):
            self.code.before(code, "fetch", left)

    def _all_there(self, code: Code) -> str:
        """Return whether what later stretches rely on is so."""
        there = code.variable("i1", "true")
        with code.count_up(*(_column(code, "stretches", "%row", name) for name in ("needs", "needs_end"))) as number:
            line = code.put(f"trunc i64 {_column(code, 'needs', number, 'line')} to i32")
            index = code.put(f"mul i64 {set_of(code, 'i32', line, self.cache.filters)}, {self.cache.stride}")
            place = code.at(self.cache.filter.pointer, index, "i32")
            same = code.put(f"icmp eq i32 {code.load('i32', place)}, {line}")
            code.set("i1", there, code.put(f"and i1 {code.get('i1', there)}, {same}"))
        return code.get("i1", there)

    @staticmethod
    def _each(code: Code, row: str) -> AbstractContextManager[str]:
        return code.count_up(*(_column(code, "stretches", row, name) for name in ("first", "end")))

    def _access(self, code: Code, touch: str, site: str) -> str:
        line = code.put(f"trunc i64 {_column(code, 'touches', touch, 'line')} to i32")
        return self.cache.call(code, "fetch", line, site)


def _table(name: str, rows: Sequence[tuple[int, ...]]) -> str:
    width = len(_COLUMNS[name])
    content = ", ".join(f"[{width} x i64] [{', '.join(f'i64 {word}' for word in row)}]" for row in rows or [(0,) * width])
    return f"@fetch.rows.{name} = internal constant [{max(len(rows), 1)} x [{width} x i64]] [{content}]"


def _column(code: Code, table: str, row: str, name: str) -> str:
    """Read a column of a row of a table."""
    columns = _COLUMNS[table]
    where = f"getelementptr [{len(columns)} x i64], ptr @fetch.rows.{table}, i64 {row}, i64 {columns.index(name)}"
    return code.put(f"load i64, ptr {code.put(where)}, !invariant.load !9")
