"""Write the checks of an instruction cache that data do not share: one check for all fetches of a segment.

The check stands at the head of the segment, since no other reference comes between the fetches and changes the cache.  A
line that is known to be the last used of its set needs no check: accessing it again changes nothing, whatever the policy.
Where a context switch may come, the exact copy of the function follows each fetch (`cache_sim.native.check_code`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import accumulate, pairwise

from cache_sim.native.cache import OUTSIDE
from cache_sim.native.check_code import LEFT, Strategy, call_slow_path
from cache_sim.native.code import Code, Field, Read, State, Writer, decrease, unless
from cache_sim.native.gauge import ALWAYS
from cache_sim.native.sets import Direct, set_of
from cache_sim.native.system import SystemCode

_COLUMNS = {"touches": ("line", "site"), "rows": ("first", "end"), "needs": ("line",), "sets": ("first", "end")}


@dataclass(frozen=True, slots=True)
class Touch:
    """The fetches of `count` consecutive instructions from one line; their sites are site, site + 1, ...

    If an instruction lies in two lines, the first of its two touches has count 0.  `known`: the line is known to be the last
    used of its set.
    """

    line: int
    site: int
    count: int
    known: bool = False
    strategy: Strategy = Strategy.BRANCHING


class FetchCode:
    """Writes the checks of fetches; the variable LEFT has the units that are left until the next context switch."""

    def __init__(self, code: SystemCode, state: State, sites: int, has_feedback: bool) -> None:
        assert code.instruction is not None
        self.code, self.cache = code, code.instruction
        self.has_feedback = has_feedback
        self.entered = state.array("i64", sites)
        self.touches: list[tuple[int, ...]] = []
        self.rows: list[tuple[int, ...]] = []
        self.needs: dict[tuple[int, ...], int] = {}  # rows of sets of lines that code takes for known
        self.state = state
        self.runs: list[tuple[Field, tuple[int, ...]]] = []  # misses of runs of lines, and their sites
        self.suffix = ""  # of functions and tables

    def silent(self, code: SystemCode) -> FetchCode:
        """Return the writer of checks that count nothing, for a memory system that does not, either."""
        assert code.instruction is not None
        other = copy(self)
        other.code, other.cache, other.has_feedback, other.suffix = code, code.instruction, True, ".silent"
        other.touches, other.rows, other.needs, other.runs = [], [], {}, []
        return other

    @staticmethod
    def suits(code: SystemCode) -> bool:
        """True if the fetches of a memory system can be checked in this way."""
        caches = code.path("fetch")
        return len(caches) == 1 and caches[0] is code.instruction and caches[0].alone and not code.system.unified

    # ---------------------------------------------------------------------------------- in the program

    def check(self, out: Writer, touches: Sequence[Touch]) -> None:
        """Write one check for touches of lines that are not known."""
        if not touches:
            return
        if all(touch.strategy is Strategy.CALLED for touch in touches):
            self._call(out, touches)
            return
        hard = self._hard(touches)
        easy = [touch for touch in touches if touch not in hard]
        if easy:
            slow, fast, after = out.label(), out.label(), out.label()
            for run in self._runs(easy):
                self._test(out, run, slow)
            out.lines += [f"br label %{fast}", f"{slow}:"]
            if self.has_feedback and isinstance(self.cache.sets, Direct):
                self._without_branch(out, touches)
            else:
                self._call(out, touches)
            out.lines += [f"br label %{after}", f"{fast}:"]
        if hard:
            self._without_branch(out, hard)
        if easy:
            out.lines += [f"br label %{after}", f"{after}:"]

    def unless_resident(self, out: Writer, lines: Iterable[int], otherwise: str) -> None:
        """Write a branch to a label, taken unless each line is the last used of its set."""
        for run in self._runs([Touch(line, 0, 0) for line in lines]):
            self._test(out, run, otherwise)

    def lines_resident(self, lines: Iterable[int]) -> str:
        """Return a call (an i1) that tests whether each line is the last used of its set; '' if there are no lines."""
        wanted = tuple(sorted(lines))
        if not wanted:
            return ""
        row = self.needs.setdefault(wanted, len(self.needs))
        return f"call {OUTSIDE} i1 @fetch.lines_resident(i64 {row}), !tbaa !6"

    def _hard(self, touches: Sequence[Touch]) -> list[Touch]:
        """Return the touches to check without branches: all touches of a set if one of them is to be."""
        sets = self.cache.cache.sets
        chosen = {touch.line % sets for touch in touches if touch.strategy is Strategy.BRANCHLESS and self.cache.short}
        return [touch for touch in touches if touch.line % sets in chosen]

    def _runs(self, touches: Sequence[Touch]) -> Iterator[list[Touch]]:
        """Yield the touches in runs of 1, 4 or 8 consecutive lines in consecutive sets; of 1 if not all misses count."""
        sets = self.cache.cache.sets
        run: list[Touch] = []
        for touch in sorted(touches, key=lambda touch: touch.line):
            follows = run and touch.line == run[-1].line + 1 and touch.line % sets and isinstance(self.cache.sets, Direct)
            if not follows or (self.code.counting is not ALWAYS and self.code.counting.counts):
                yield from _powers(run)
                run = []
            run.append(touch)
        yield from _powers(run)

    def _missed(self, out: Writer, run: Sequence[Touch]) -> str:
        """Write the lookup of a run of lines; return a vector of i1, true for each absent line."""
        type_, lines = f"<{len(run)} x i32>", ", ".join(f"i32 {touch.line}" for touch in run)
        tags = out.put(f"load {type_}, ptr {self.cache.entry(run[0].line)}, align 4, !tbaa !6")
        return out.put(f"icmp ne {type_} {tags}, <{lines}>")

    def _test(self, out: Writer, run: Sequence[Touch], slow: str) -> None:
        """Write a branch to `slow`, taken unless all lines of a run are present."""
        if len(run) == 1:
            named = out.put(f"load i32, ptr {self.cache.entry(run[0].line)}, !tbaa !6")
            unless(out, f"icmp eq i32 {named}, {run[0].line}", slow)
            return
        missed = out.put(f"bitcast <{len(run)} x i1> {self._missed(out, run)} to i{len(run)}")
        unless(out, f"icmp eq i{len(run)} {missed}, 0", slow)

    def _without_branch(self, out: Writer, touches: Sequence[Touch]) -> None:
        """Write code that looks up lines and brings them in."""
        total = "0"
        for run in self._runs(touches):
            total = out.put(f"add i64 {total}, {self._bring_in(out, run)}")
        if self.code.penalty:
            decrease(out, LEFT, out.put(f"mul i64 {total}, {self.code.penalty}"))

    def _bring_in(self, out: Writer, run: Sequence[Touch]) -> str:
        """Write code that looks up a run of lines at once, brings them in, and counts misses; return how many there are."""
        width = len(run)
        if width == 1:
            (touch,) = run
            return self.cache.call(out, "fetch", str(touch.line), str(touch.site), inline=True)
        missed = self._missed(out, run)
        lines = ", ".join(f"i32 {touch.line}" for touch in run)
        out.lines.append(f"store <{width} x i32> <{lines}>, ptr {self.cache.entry(run[0].line)}, align 4, !tbaa !6")
        if not self.code.counting.counts:
            return "0"
        counts = self.state.array("i64", width)
        self.runs.append((counts, tuple(touch.site for touch in run)))
        before = out.put(f"load <{width} x i64>, ptr {counts.pointer}, align 64, !tbaa !6")
        after = out.put(f"add <{width} x i64> {before}, {out.put(f'zext <{width} x i1> {missed} to <{width} x i64>')}")
        out.lines.append(f"store <{width} x i64> {after}, ptr {counts.pointer}, align 64, !tbaa !6")
        bits = out.put(f"bitcast <{width} x i1> {missed} to i{width}")
        return out.put(f"call i64 @llvm.ctpop.i64(i64 {out.put(f'zext i{width} {bits} to i64')})")

    def counted(self, read: Read) -> Read:
        """Return a `read` that adds the misses of runs to those of single lines."""
        field = self.cache.misses["fetch"]

        def read_all(wanted: Field) -> Sequence[int]:
            if wanted is not field:
                return read(wanted)
            found = list(read(wanted))
            for counts, sites in self.runs:
                for site, count in zip(sites, read(counts), strict=True):
                    found[site] += count
            return found

        return read_all

    def _call(self, out: Writer, touches: Sequence[Touch]) -> None:
        first = len(self.touches)
        self.touches += [(touch.line, touch.site) for touch in touches]
        self.rows.append((first, len(self.touches)))
        call_slow_path(out, f"@fetch.touches{self.suffix}", f"i64 {len(self.rows) - 1}", self.code.switching)

    # ------------------------------------------------------------------------------------- outside of it

    def functions(self) -> str:
        """Return the text of everything that checks call; call it last."""
        parts = ["declare i64 @llvm.ctpop.i64(i64)"] if self.runs else []
        parts += [self._table("touches", self.touches), self._table("rows", self.rows), self._touches()] if self.rows else []
        if self.needs:
            ends = accumulate(map(len, self.needs), initial=0)
            lines = [(line,) for wanted in self.needs for line in wanted]
            parts += [self._table("needs", lines), self._table("sets", list(pairwise(ends))), self._lines_resident()]
        return "\n".join(parts)

    def _touches(self) -> str:
        """Return the function that touches the lines of a row and takes the units of their misses."""
        code = Code()
        left = code.variable("i64", "%left" if self.code.switching else "0")
        with code.count_up(*(self._column(code, "rows", "%row", name) for name in ("first", "end"))) as touch:
            site = self._column(code, "touches", touch, "site")
            line = code.put(f"trunc i64 {self._column(code, 'touches', touch, 'line')} to i32")
            missed = self.cache.call(code, "fetch", line, site)
            if not self.has_feedback:
                code.add("i64", code.at(self.entered.pointer, site, "i64"), missed)
            taken = code.put(f"mul i64 {missed}, {self.code.penalty}")
            code.set("i64", left, code.put(f"sub i64 {code.get('i64', left)}, {taken}"))
        if not self.code.switching:
            code.do("ret void")
            return code.function(f"{OUTSIDE} void @fetch.touches{self.suffix}(i64 %row) noinline")
        code.do(f"ret i64 {code.get('i64', left)}")
        return code.function(f"{OUTSIDE} i64 @fetch.touches{self.suffix}(i64 %left, i64 %row) noinline")

    def _lines_resident(self) -> str:
        """Return the function that tests whether each line is the last used of its set."""
        code = Code()
        lines_resident = code.variable("i1", "true")
        with code.count_up(*(self._column(code, "sets", "%row", name) for name in ("first", "end"))) as number:
            line = code.put(f"trunc i64 {self._column(code, 'needs', number, 'line')} to i32")
            index = code.put(f"mul i64 {set_of(code, 'i32', line, self.cache.filters)}, {self.cache.stride}")
            same = code.put(f"icmp eq i32 {code.load('i32', code.at(self.cache.filter.pointer, index, 'i32'))}, {line}")
            code.set("i1", lines_resident, code.put(f"and i1 {code.get('i1', lines_resident)}, {same}"))
        code.do(f"ret i1 {code.get('i1', lines_resident)}")
        return code.function(f"{OUTSIDE} i1 @fetch.lines_resident(i64 %row) noinline cold")

    def _table(self, name: str, rows: Sequence[tuple[int, ...]]) -> str:
        width = len(_COLUMNS[name])
        content = ", ".join(f"[{width} x i64] [{', '.join(f'i64 {word}' for word in row)}]" for row in rows)
        return f"@fetch.{name}.table{self.suffix} = internal constant [{len(rows)} x [{width} x i64]] [{content}]"

    def _column(self, code: Code, table: str, row: str, name: str) -> str:
        """Read a column of a row of a table."""
        columns = _COLUMNS[table]
        name_of_table, column = f"@fetch.{table}.table{self.suffix}", columns.index(name)
        where = f"getelementptr [{len(columns)} x i64], ptr {name_of_table}, i64 {row}, i64 {column}"
        return code.put(f"load i64, ptr {code.put(where)}, !invariant.load !9")


def _powers(run: list[Touch]) -> Iterator[list[Touch]]:
    """Cut a run into runs of 8, 4 and 1 lines.

    There are none of 2: the host is slow to load at once what was stored in parts.
    """
    for width in (8, 4, 1):
        while len(run) >= width:
            yield run[:width]
            run = run[width:]
