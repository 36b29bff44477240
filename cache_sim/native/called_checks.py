"""Write the functions that checks call: the slow path of the fast copy, and what follows references in the exact copy.

Everything that a function must know of a check stands in a row of a table, whose number the check hands over.
"""

from __future__ import annotations

from copy import copy

from cache_sim.native.cache import KINDS, OUTSIDE
from cache_sim.native.check import Check
from cache_sim.native.code import STATE, Code, unless
from cache_sim.native.lookup import Alignment, unless_present
from cache_sim.native.state import State
from cache_sim.native.system import SystemCode

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
