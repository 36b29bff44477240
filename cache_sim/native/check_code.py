"""Write checks into a program that is being translated: test the filters in line, and call a function if a test fails.

A check stands for consecutive references to one line.  If that line is the one last used of its set, the references change
nothing, whatever the policy: the filters tell (Puzak, "Analysis of Cache Replacement Algorithms", 1985, strips traces in
this way).  Otherwise the function does what the plain simulator does.

Context switches: a function is written in two copies (Arnold and Ryder, "A Framework for Reducing the Cost of Instrumented
Code", 2001).  In the fast copy, no context switch comes before the next switch check.  The head of each segment takes the
units of all hits of the segment, a miss takes its units when it happens, and nothing is tested.  In the exact copy, each
reference is followed by a call.  A switch check, of which every cycle has one, goes to the copy that fits the units left.
So context switches cost one subtraction a segment and one test a cycle, and come exactly where they must.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from enum import Enum

from cache_sim.config import MemorySystem
from cache_sim.native.cache import KINDS, OUTSIDE, CacheCode
from cache_sim.native.code import STATE, Code, State, Writer, decrease, increase, unless
from cache_sim.native.gauge import ALWAYS, Counting
from cache_sim.native.sets import Direct
from cache_sim.native.system import SystemCode

# ----------------------------------------------------------------------------------------------------------------------
# Profile feedback: what an earlier run measured at each site, and which strategy a check gets by it.


class Strategy(Enum):
    """How a check is written.

    `BRANCHING`: a test in line, and a call if it fails.  `BRANCHLESS`: everything in line.  `CALLED`: always a call.
    """

    BRANCHING = 0
    BRANCHLESS = 1
    CALLED = 2


@dataclass(frozen=True, slots=True)
class Feedback:
    """What an earlier run measured, by site.

    `hard`: the host predicts the test of the check badly.  `cold`: the check is hardly ever made, so small code is better.
    `apart`: the reference is often in another line than the reference with which it would be coalesced.  `made` is how often
    each fetch was made, unless it is cold; it is empty if nothing is known.
    """

    hard: Container[int] = frozenset()
    cold: Container[int] = frozenset()
    apart: Container[int] = frozenset()
    made: Mapping[int, int] = field(default_factory=dict)

    def strategy(self, site: int) -> Strategy:
        """Return the strategy for the check of a site."""
        return Strategy.CALLED if site in self.cold else Strategy.BRANCHLESS if site in self.hard else Strategy.BRANCHING

    def per_turn(self, sites: Iterable[int], header: int) -> float:
        """Return how many of some fetches a loop makes in the mean of its turns, each of which makes the fetch `header`."""
        return sum(self.made.get(site, 0) for site in sites) / max(1, self.made.get(header, 0))


# ----------------------------------------------------------------------------------------------------------------------
# A check: references of a program that one test in host code stands for.


@dataclass(frozen=True, slots=True)
class Check:
    """`count` references of a kind to one line, or one reference of `size` bytes; the sites of fetches are site, site + 1, ...

    `refetch` instructions in the line at `address` are fetched directly behind this reference to data; the first has the site
    `refetch_site`.  `guarded`: the reference may not be made, so its units do not belong to those of the segment.
    `coalesced` has the accesses that share the check, this one first, each with its offset from this one.  All bytes accessed
    begin at the offset `low` and are `span` long.
    """

    kind: str
    site: int
    count: int = 1
    size: int = 1
    address: int = 0
    refetch: int = 0
    refetch_site: int = 0
    guarded: bool = False
    strategy: Strategy = Strategy.BRANCHING
    coalesced: tuple[tuple[int, Check], ...] = ()
    low: int = 0
    span: int = 0


# ----------------------------------------------------------------------------------------------------------------------
# Write lookups of a reference's line in the filters of caches.
#
# The filter of a cache has the line last used of each set (`cache_sim.native.cache`).


def is_within(out: Writer, address: str, size: int, line: int) -> str:
    """Return a test of whether `size` bytes at an address are in one line of `line` bytes."""
    return f"icmp ule i32 {out.put(f'and i32 {address}, {line - 1}')}, {line - size}"


def unless_present(out: Writer, cache: CacheCode, kind: str, address: str, size: int, slow: str) -> None:
    """Write a branch to `slow`, taken unless the filter shows that the reference changes nothing.

    `size` is 1 if the reference is known to be in one line.
    """
    line = out.put(f"lshr i32 {address}, {cache.shift}")
    last = line
    if size > 1:
        last = out.put(f"lshr i32 {out.put(f'add i32 {address}, {size - 1}')}, {cache.shift}")
        if cache.filters <= -(-(size - 1) // cache.cache.line):  # both lines may have the same entry
            unless(out, f"icmp eq i32 {line}, {last}", slow)
    index = out.put(f"zext i32 {out.put(f'and i32 {line}, {cache.filters - 1}')} to i64")
    if cache.stride > 1:
        index = out.put(f"mul i64 {index}, {cache.stride}")
    place = out.put(f"getelementptr i32, ptr {cache.filter.pointer}, i64 {index}")
    if cache.paired and kind == "write":  # the word behind a dirty line is 0
        named = out.put(f"load i64, ptr {place}, {STATE}")
        unless(out, f"icmp eq i64 {named}, {out.put(f'zext i32 {last} to i64')}", slow)
        return
    named = out.put(f"load i32, ptr {place}, {STATE}")
    if not cache.marked:
        unless(out, f"icmp eq i32 {named}, {last}", slow)
        return
    clean = out.put(f"shl i32 {last}, 1")
    if kind == "write":
        unless(out, f"icmp eq i32 {named}, {out.put(f'or i32 {clean}, 1')}", slow)
    else:
        unless(out, f"icmp ult i32 {out.put(f'xor i32 {named}, {clean}')}, 2", slow)


@dataclass(frozen=True, slots=True)
class Alignment:
    """What is known of where references lie.

    `straddles`: a reference may touch several lines.  References of up to `usual` bytes mostly lie at a multiple of their
    size.
    """

    straddles: bool
    usual: int = 4

    def spans(self, size: int) -> int:
        """Return how many bytes to look up for a reference of a size: 1 if it is in one line anyway."""
        return size if self.straddles else 1

    def is_in_line(self, out: Writer, address: str, size: int, line: int) -> str:
        """Return a test that holds only if a reference is in one line; small references are mostly aligned and pass it."""
        if size <= min(self.usual, line) and size & (size - 1) == 0:
            return f"icmp eq i32 {out.put(f'and i32 {address}, {size - 1}')}, 0"
        return is_within(out, address, size, line)


# ----------------------------------------------------------------------------------------------------------------------
# Write the functions that checks call: the slow path of the fast copy, and what follows references in the exact copy.
#
# Everything that a function must know of a check stands in a row of a table, whose number the check hands over.


_COLUMNS = ("site", "count", "size", "address", "refetch", "refetch_site", "hits")
MISSED_PATH, EXACT_PATH, SLOW_PATH = "missed", "exact", "slow"  # what is called: if a filter misses; in the exact copy


class CalledChecks:
    """The functions that the checks of a memory system call.

    `guarded` counts the references with guards that were made, by kind.  A run that `learns` counts in `entered`, by site,
    how often a test failed.
    """

    def __init__(self, code: SystemCode, state: State, sites: int, alignment: Alignment, learns: bool) -> None:
        self.code, self.alignment, self.learns = code, alignment, learns
        self.suffix = ""  # of functions
        self.guarded = state.array("i64", len(KINDS))
        self.entered = state.array("i64", sites)
        self.rows: dict[tuple[int, ...], int] = {}
        self.used: dict[str, tuple[str, Check]] = {}  # by name, the functions that are called: variant and check

    def silent(self, code: SystemCode) -> CalledChecks:
        """Return functions of their own that count nothing, for a memory system that does not, either."""
        other = copy(self)
        other.code, other.learns, other.suffix = code, False, ".silent"
        other.rows, other.used = {}, {}
        return other

    def row(self, check: Check) -> int:
        """Return the number of the row of a check."""
        hits = self.code.cost(check.kind) * check.count + self.code.cost("fetch") * check.refetch
        row = (*(getattr(check, column) for column in _COLUMNS[:-1]), hits)
        return self.rows.setdefault(row, len(self.rows))

    def name(self, path: str, check: Check) -> str:
        """Return the name of the function for a check, and note that it is used."""
        size = f".{check.size}" if path == EXACT_PATH and check.kind != "fetch" and self.alignment.straddles else ""
        name = f"@{path}.{check.kind}{size}{'.guarded' if check.guarded else ''}{self.suffix}"
        if path == EXACT_PATH:
            self.name(SLOW_PATH, check)
        self.used.setdefault(name, (path, check))
        return name

    def functions(self) -> str:
        """Return the text of all functions; nothing may be called afterwards."""
        width = len(_COLUMNS)
        rows = ", ".join(f"[{width} x i64] [{', '.join(f'i64 {word}' for word in row)}]" for row in self.rows)
        parts = [f"@rows{self.suffix} = internal constant [{len(self.rows)} x [{width} x i64]] [{rows}]" if rows else ""]
        paths = {MISSED_PATH: self._missed, EXACT_PATH: self._exact, SLOW_PATH: self._slow}
        parts += [paths[path](name, check) for name, (path, check) in sorted(self.used.items())]
        return "\n".join(parts)

    def _column(self, code: Code, name: str) -> str:
        """Read a column of %row."""
        row = code.put(f"getelementptr [{len(_COLUMNS)} x i64], ptr @rows{self.suffix}, i64 %row, i64 {_COLUMNS.index(name)}")
        return code.put(f"load i64, ptr {row}, !invariant.load !9")

    def _count_guarded(self, code: Code, check: Check) -> None:
        if check.guarded:
            self.code.counting.count(code, self.guarded.element(KINDS.index(check.kind)), "1", f"{check.kind}s")

    def _missed(self, name: str, check: Check) -> str:
        """Return the function of a check that a filter missed: it updates tags and counts."""
        code, kind = Code(), check.kind
        self._count_guarded(code, check)
        missed = code.variable("i64", "0")
        if self.code.path(kind):
            site = self._column(code, "site")
            if self.learns and self.code.is_short(kind):
                code.add("i64", code.at(self.entered.pointer, site, "i64"))
            size = self._column(code, "size") if self.alignment.straddles else "1"
            code.set("i64", missed, self.code.reference(code, kind, "%address", size, site, inline=True))
        self._refetch(code, kind, missed)
        if not self.code.switching:
            code.do("ret void")
            return code.function(f"{OUTSIDE} void {name}(i32 %address, i64 %row) noinline")
        left = "%left"
        if check.guarded:
            left = code.put(f"sub i64 %left, {self.code.cost(kind)}")
        if self.code.penalty:
            cost = code.put(f"mul i64 {code.get('i64', missed)}, {self.code.penalty}")
            left = code.put(f"sub i64 {left}, {cost}")
        code.do(f"ret i64 {left}")
        return code.function(f"{OUTSIDE} i64 {name}(i64 %left, i32 %address, i64 %row) noinline")

    def _refetch(self, code: Code, kind: str, missed: str) -> None:
        """Write code that fetches the instructions behind a reference to data, which may have evicted their line."""
        if kind == "fetch" or not self.code.system.unified:
            return
        with code.when(code.put(f"icmp ne i64 {self._column(code, 'refetch')}, 0")):
            address = code.put(f"trunc i64 {self._column(code, 'address')} to i32")
            misses = self.code.reference(code, "fetch", address, "1", self._column(code, "refetch_site"))
            code.set("i64", missed, code.put(f"add i64 {code.get('i64', missed)}, {misses}"))

    def _exact(self, name: str, check: Check) -> str:
        """Return the function of a check in the exact copy.

        It is quick if no context switch can come and the access hits or is short; else it calls the slow function.
        """
        code, kind, slow = Code(), check.kind, "slow"
        left = code.put(f"sub i64 %left, {self._column(code, 'hits')}")
        size = 1 if kind == "fetch" else self.alignment.spans(check.size)  # a fetch is known to be in one line
        if self.code.is_short(kind):
            (cache,) = self.code.path(kind)
            refetch, penalty = self.code.system.unified and kind != "fetch", self.code.penalty_of(cache)
            unless(code, f"icmp sgt i64 {left}, {penalty * (1 + refetch)}", slow)
            if size > 1:
                unless(code, self.alignment.is_in_line(code, "%address", size, cache.cache.line), slow)
            line = code.put(f"lshr i32 %address, {cache.shift}")
            missed = code.variable("i64", cache.call(code, kind, line, self._column(code, "site"), inline=True))
            self._refetch(code, kind, missed)
            cost = code.put(f"mul i64 {code.get('i64', missed)}, {penalty}")
            left = code.put(f"sub i64 {left}, {cost}")
        else:
            unless(code, f"icmp sgt i64 {left}, 0", slow)
            for cache in self.code.path(kind):
                unless_present(code, cache, kind, "%address", size, slow)
        self._count_guarded(code, check)
        code.do(f"ret i64 {left}")
        code.do(f"{slow}:")
        called = self.name(SLOW_PATH, check)
        code.do(f"ret i64 {code.put(f'tail call {OUTSIDE} i64 {called}(i64 %left, i32 %address, i64 %row), {STATE}')}")
        return code.function(f"{OUTSIDE} i64 {name}(i64 %left, i32 %address, i64 %row) noinline")

    def _slow(self, name: str, check: Check) -> str:
        """Return the function that follows the references of a check one by one, with context switches."""
        code, kind = Code(), check.kind
        self._count_guarded(code, check)
        left = code.variable("i64", "%left")
        self._each(code, left, kind, "%address", "count", "site")
        if kind != "fetch" and self.code.matters("fetch"):
            address = code.put(f"trunc i64 {self._column(code, 'address')} to i32")
            self._each(code, left, "fetch", address, "refetch", "refetch_site")
        code.do(f"ret i64 {code.get('i64', left)}")
        return code.function(f"{OUTSIDE} i64 {name}(i64 %left, i32 %address, i64 %row) noinline cold")

    def _each(self, code: Code, left: str, kind: str, address: str, count: str, site: str) -> None:
        """Write code that makes a number of references of a kind; a context switch may come before and behind each."""
        first, number = self._column(code, site), self._column(code, count)
        size = self._column(code, "size") if count == "count" else "1"
        done = code.variable("i64", "0")
        if kind == "fetch":
            self._make_all(code, left, address, size, number, first, done)
        with code.count_up(code.get("i64", done), number) as step:
            self.code.before(code, kind, left)
            if self.code.path(kind):
                place = code.put(f"add i64 {first}, {step}")
                self.code.after(code, left, self.code.reference(code, kind, address, size, place))

    def _make_all(self, code: Code, left: str, address: str, size: str, number: str, site: str, done: str) -> None:
        """Write code that makes all fetches of a line at once, if no context switch can come before the last of them.

        Only the first can miss.
        """
        hits = code.put(f"mul i64 {number}, {self.code.cost('fetch')}")
        longest = max(row[_COLUMNS.index("size")] for row in self.rows)
        most = code.put(f"add i64 {hits}, {self.code.worst('fetch', longest) - self.code.cost('fetch')}")
        with code.when(code.put(f"icmp sgt i64 {code.get('i64', left)}, {most}")):
            with code.when(code.put(f"icmp ne i64 {number}, 0")):
                missed = self.code.reference(code, "fetch", address, size, site)
                if self.code.penalty:
                    cost = code.put(f"mul i64 {missed}, {self.code.penalty}")
                    hits = code.put(f"add i64 {hits}, {cost}")
                code.set("i64", left, code.put(f"sub i64 {code.get('i64', left)}, {hits}"))
            code.set("i64", done, number)


# ----------------------------------------------------------------------------------------------------------------------
# The main part, of which the head of the file tells.


# Suffixes of labels in the copies of a function.
FAST, EXACT = "", ".exact"
# Variables of each function: units left until the next switch, and misses whose units are not yet taken from them.
LEFT, MISSED = "%cache.left", "%cache.missed"


class CheckCode:
    """Writes the checks of one memory system; `state` and `large` hold its state.

    A run that `learns` collects what feedback needs.  With feedback, fewer checks are calls.
    """

    def __init__(
        self, system: MemorySystem, state: State, large: State, sites: int, alignment: Alignment,
        kinds: tuple[str, ...] = KINDS, learns: bool = False, has_feedback: bool = False,
        counting: Counting = ALWAYS,
    ) -> None:  # fmt: skip
        self.system, self.alignment, self.has_feedback, self.counting = system, alignment, has_feedback, counting
        self.code = self.make_code(state, large, sites, kinds)
        self.called = CalledChecks(self.code, state, sites, alignment, learns)
        self.apart = state.array("i64", sites)  # how often coalesced accesses were in other lines than the first

    def make_code(self, state: State, large: State, sites: int, kinds: tuple[str, ...]) -> SystemCode:
        """Return the simulator, laid out in memory."""
        return SystemCode(self.system, state, large, "i32", sites, self.alignment.straddles, kinds, self.counting)

    def silent(self) -> CheckCode:
        """Return the writer of checks that count nothing, of the same memory system."""
        other = copy(self)
        other.code = self.code.silent()
        other.called = self.called.silent(other.code)
        other.counting = other.code.counting
        return other

    # -------------------------------------------------------------------------------------- context switches

    def switch_check(self, out: Writer, enough: int, exact: str) -> None:
        """Write a switch check in the fast copy; `exact` is the label to which it goes in the exact copy.

        With more than `enough` units left, control stays: no context switch can come before the next switch check.
        """
        self.settle(out)
        left = out.put(f"load i64, ptr {LEFT}")
        unless(out, f"icmp sgt i64 {left}, {enough}", exact)

    def switch_check_back(self, out: Writer, enough: int, quick: str, lines_resident: str) -> None:
        """Write a switch check in the exact copy; `quick` is the label to which it goes in the fast copy.

        `lines_resident` is a call that tests whether the lines which the fast copy takes for known are in the cache, or ''.
        """
        near, far = out.label(), out.label()
        left = out.put(f"load i64, ptr {LEFT}")
        out.lines += [f"br i1 {out.put(f'icmp sgt i64 {left}, {enough}')}, label %{far}, label %{near}", f"{far}:"]
        known = out.put(lines_resident) if lines_resident else "true"
        out.lines += [f"br i1 {known}, label %{quick}, label %{near}", f"{near}:"]

    def settle(self, out: Writer) -> None:
        """Write code that takes the units of misses from those left; it must come before any use of the units left."""
        if self.code.penalty:
            decrease(out, LEFT, out.put(f"mul i64 {out.put(f'load i64, ptr {MISSED}')}, {self.code.penalty}"))
            out.lines.append(f"store i64 0, ptr {MISSED}")

    def begin(self, out: Writer, cost: int) -> None:
        """Write the head of a segment that takes `cost` units if all its references hit."""
        if cost:
            decrease(out, LEFT, str(cost))

    # ------------------------------------------------------------------------------------------------ checks

    def check(self, out: Writer, check: Check, address: str) -> None:
        """Write a check in the fast copy; the address is an i32."""
        caches = self.code.path(check.kind)
        if not caches:
            return
        if check.coalesced:
            self._coalesced(out, check, address)
            return
        fits = not check.guarded and self.code.is_short(check.kind) and check.size <= caches[0].cache.line
        if check.strategy is Strategy.BRANCHLESS and fits:
            self._in_line(out, caches[0], check, address, MISSED)
            return
        if check.strategy is Strategy.CALLED or check.guarded or self._is_shown(check):
            self._call(out, check, address)
            return
        slow, after = out.label(), out.label()
        for cache in caches:
            unless_present(out, cache, check.kind, address, self.alignment.spans(check.size), slow)
        out.lines += [f"br label %{after}", f"{slow}:"]
        if self.has_feedback and fits and isinstance(caches[0].sets, Direct) and not self.system.unified:  # else too much code
            self._in_line(out, caches[0], check, address, LEFT)
        else:
            self._call(out, check, address)
        out.lines += [f"br label %{after}", f"{after}:"]

    def follow(self, out: Writer, check: Check, address: str) -> None:
        """Write a check in the exact copy; the address is an i32."""
        self._call(out, check, address, EXACT_PATH if self._may_be_quick(check) else SLOW_PATH)

    def _coalesced(self, out: Writer, check: Check, address: str) -> None:
        """Write a check of coalesced accesses: one check if all are in one line, otherwise a call for each."""
        line = min(cache.cache.line for cache in self.code.path(check.kind))
        low = out.put(f"add i32 {address}, {check.low}")
        apart, after = out.label(), out.label()
        unless(out, is_within(out, low, check.span, line), apart)
        self.check(out, replace(check, coalesced=(), size=1), low)
        out.lines += [f"br label %{after}", f"{apart}:"]
        for offset, member in check.coalesced:
            self._call(out, member, out.put(f"add i32 {address}, {offset}"))
            if offset and self.called.learns:
                increase(out, self.apart.element(member.site), "1")
        out.lines += [f"br label %{after}", f"{after}:"]

    def _may_be_quick(self, check: Check) -> bool:
        """True if the filters can tell that a check changes nothing."""
        caches = self.code.path(check.kind)
        if check.kind == "fetch":
            end = check.address + check.size - 1
            return all(check.address >> cache.shift == end >> cache.shift for cache in caches)
        return not self._is_shown(check) and all(check.size <= cache.cache.line for cache in caches)

    def _is_shown(self, check: Check) -> bool:
        """True if the next level sees the reference even if it hits in the first level."""
        return check.kind == "write" and any(cache.shows_writes for cache in self.code.path("write"))

    def _in_line(self, out: Writer, cache: CacheCode, check: Check, address: str, variable: str) -> None:
        """Write a check without branches on hit or miss; it decreases LEFT, or increases MISSED, as `variable` says."""
        slow, after = out.label(), out.label()
        may_straddle = self.alignment.spans(check.size) > 1
        if may_straddle:
            unless(out, self.alignment.is_in_line(out, address, check.size, cache.cache.line), slow)
        line = out.put(f"lshr i32 {address}, {cache.shift}")
        missed = cache.call(out, check.kind, line, str(check.site), inline=True)
        penalty = self.code.penalty_of(cache)
        if penalty and variable == MISSED:
            increase(out, MISSED, missed)
        elif penalty:
            decrease(out, LEFT, out.put(f"mul i64 {missed}, {penalty}"))
        if check.refetch:
            refetch = Check("fetch", check.refetch_site, check.refetch, address=check.address)
            self.check(out, refetch, str(check.address))
        if may_straddle:
            out.lines += [f"br label %{after}", f"{slow}:"]
            self._call(out, check, address)
            out.lines += [f"br label %{after}", f"{after}:"]

    def _call(self, out: Writer, check: Check, address: str, path: str = MISSED_PATH) -> None:
        """Write the call of a function that makes all references of a check."""
        call_slow_path(out, self.called.name(path, check), f"i32 {address}, i64 {self.called.row(check)}", self.code.switching)

    def functions(self) -> str:
        """Return the functions that checks call; the last method to be called."""
        return self.code.functions() + self.called.functions()


def call_slow_path(out: Writer, name: str, arguments: str, switching: bool) -> None:
    """Write the call of a function that makes references; with context switches, it takes units from those left."""
    if not switching:
        out.lines.append(f"call {OUTSIDE} void {name}({arguments}), !tbaa !6")
        return
    left = out.put(f"load i64, ptr {LEFT}")
    left = out.put(f"call {OUTSIDE} i64 {name}(i64 {left}, {arguments}), !tbaa !6")
    out.lines.append(f"store i64 {left}, ptr {LEFT}")
