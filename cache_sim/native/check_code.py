"""Write checks into a program that is being translated: test the filters in line, and call a function if a test fails.

A check stands for consecutive references to one line.  If the filters have that line, the references change nothing.
Otherwise the function does what the plain simulator does.

Context switches: a function is written in two copies (Arnold and Ryder, "A Framework for Reducing the Cost of Instrumented
Code", 2001).  In the fast copy, no context switch comes before the next switch check.  The head of each segment takes the
units of all hits of the segment, a miss takes its units when it happens, and nothing is tested.  In the exact copy, each
reference is followed by a call.  A switch check, of which every cycle has one, goes to the copy that fits the units left.
So context switches cost one subtraction a segment and one test a cycle, and come exactly where they must.
"""

from __future__ import annotations

from dataclasses import replace

from cache_sim.config import MemorySystem
from cache_sim.native.cache import KINDS, OUTSIDE, CacheCode
from cache_sim.native.check import Check
from cache_sim.native.code import STATE, Code, Writer, decrease, increase, unless
from cache_sim.native.feedback import Strategy
from cache_sim.native.sets import Direct
from cache_sim.native.state import State
from cache_sim.native.system import SystemCode

_COLUMNS = ("site", "count", "size", "address", "refetch", "refetch_site", "hits")
EXACT = ".exact"  # suffix of labels in the exact copy
VERSIONED = ".versioned"  # suffix of labels in versioned loops
# Variables of each function: units left until the next switch, and misses whose units are not yet taken from them.
LEFT, MISSED = "%cache.left", "%cache.missed"


class CheckCode:
    """Writes the checks of one memory system; `state` and `large` hold its state."""

    def __init__(
        self, system: MemorySystem, state: State, large: State, sites: int, straddles: bool, kinds: tuple[str, ...]
    ) -> None:
        self.system, self.straddles = system, straddles
        self.learns = False  # whether the run collects what feedback needs
        self.has_feedback = False  # then fewer checks are calls
        self.aligned = 4  # references of up to so many bytes are mostly aligned to their size
        self.code = self.make_code(state, large, sites, kinds)
        self.guarded = state.array("i64", len(KINDS))
        self.entered = state.array("i64", sites)
        self.apart = state.array("i64", sites)  # how often coalesced accesses were in other lines than the first
        self.rows: dict[tuple[int, ...], int] = {}
        self.used: dict[str, tuple[str, Check]] = {}  # by name, the functions that are called: variant and check

    def make_code(self, state: State, large: State, sites: int, kinds: tuple[str, ...]) -> SystemCode:
        """Return the simulator, laid out in memory."""
        return SystemCode(self.system, state, large, "i32", sites, self.straddles, kinds)

    def worst(self, kind: str, size: int) -> int:
        """The most units that a reference takes."""
        switch, cache = self.system.switch, self.code.instruction if kind == "fetch" else self.code.data
        if switch is None or switch.unit == "instructions" or cache is None:
            return self.code.cost(kind)
        lines = 1 + (-(-(size - 1) // cache.cache.line) if self.straddles else 0)
        refetch = 1 if self.system.unified and kind != "fetch" else 0
        return self.code.cost(kind) + (lines + refetch) * self.code.penalty

    def matters(self, kind: str) -> bool:
        """True if references of a kind must be followed in the exact copy."""
        return bool(self.code.path(kind)) or self.code.cost(kind) > 0

    def may_be_branchless(self, kind: str) -> bool:
        """True if checks of a kind can be written without branches."""
        caches = self.code.path(kind)
        return len(caches) == 1 and caches[0].short

    def is_hard(self, kind: str, entered: int, made: int) -> bool:
        """True if a check should have no branches: `made` times it was made, and `entered` times its test failed."""
        return self.may_be_branchless(kind) and self.code.path(kind)[0].is_hard(entered, made)

    # ---------------------------------------------------------------------------------- in the program

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

    def check(self, out: Writer, check: Check, address: str) -> None:
        """Write a check; the address is an i32."""
        caches = self.code.path(check.kind)
        if not caches:
            return
        if check.coalesced:
            self._coalesced(out, check, address)
            return
        fits = not check.guarded and self.may_be_branchless(check.kind) and check.size <= caches[0].cache.line
        if check.strategy is Strategy.BRANCHLESS and fits:
            self._in_line(out, caches[0], check, address, MISSED)
            return
        if check.strategy is Strategy.CALLED or check.guarded or self._is_shown(check):
            self._call(out, check, address)
            return
        slow, after = out.label(), out.label()
        for cache in caches:
            self._test(out, cache, check, address, slow)
        out.lines += [f"br label %{after}", f"{slow}:"]
        if (
            self.has_feedback and fits and isinstance(caches[0].sets, Direct) and not self.system.unified
        ):  # it would be too much code
            self._in_line(out, caches[0], check, address, LEFT)
        else:
            self._call(out, check, address)
        out.lines += [f"br label %{after}", f"{after}:"]

    def _coalesced(self, out: Writer, check: Check, address: str) -> None:
        """Write a check of coalesced accesses: one check if all are in one line, otherwise a call for each."""
        line = min(cache.cache.line for cache in self.code.path(check.kind))
        low = out.put(f"add i32 {address}, {check.low}")
        apart, after = out.label(), out.label()
        unless(out, _within(out, low, check.span, line), apart)
        self.check(out, replace(check, coalesced=(), size=1), low)
        out.lines += [f"br label %{after}", f"{apart}:"]
        for offset, member in check.coalesced:
            self._call(out, member, out.put(f"add i32 {address}, {offset}"))
            if offset and self.learns:
                increase(out, self.apart.element(member.site), "1")
        out.lines += [f"br label %{after}", f"{after}:"]

    def follow(self, out: Writer, check: Check, address: str) -> None:
        """Write a check in the exact copy; the address is an i32."""
        self._call(out, check, address, "exactly" if self._may_be_quick(check) else "slowly")

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
        may_straddle = self.straddles and check.size > 1
        if may_straddle:
            unless(out, self._whole(out, address, check.size, cache), slow)
        line = out.put(f"lshr i32 {address}, {cache.shift}")
        missed = cache.call(out, check.kind, line, str(check.site), inline=True)
        penalty = self._penalty(cache)
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

    def _penalty(self, cache: CacheCode) -> int:
        """Return the units that a miss takes beyond those of a hit; a miss of a TLB takes none."""
        return self.code.penalty if cache in (self.code.instruction, self.code.data) else 0

    def _whole(self, out: Writer, address: str, size: int, cache: CacheCode) -> str:
        """Return a test that holds only if a reference is in one line; small references are mostly aligned and pass it."""
        if size <= min(self.aligned, cache.cache.line) and size & (size - 1) == 0:
            return f"icmp eq i32 {out.put(f'and i32 {address}, {size - 1}')}, 0"
        return _within(out, address, size, cache.cache.line)

    def _test(self, out: Writer, cache: CacheCode, check: Check, address: str, slow: str) -> None:
        """Write a branch to `slow`, taken unless the filter of a cache has the line."""
        line = out.put(f"lshr i32 {address}, {cache.shift}")
        last = line
        if self.straddles and check.size > 1:
            last = out.put(f"lshr i32 {out.put(f'add i32 {address}, {check.size - 1}')}, {cache.shift}")
            if cache.filters <= -(-(check.size - 1) // cache.cache.line):  # both lines may have the same entry
                unless(out, f"icmp eq i32 {line}, {last}", slow)
        index = out.put(f"zext i32 {out.put(f'and i32 {line}, {cache.filters - 1}')} to i64")
        if cache.stride > 1:
            index = out.put(f"mul i64 {index}, {cache.stride}")
        place = out.put(f"getelementptr i32, ptr {cache.filter.pointer}, i64 {index}")
        if cache.paired and check.kind == "write":  # the word behind a dirty line is 0
            named = out.put(f"load i64, ptr {place}, {STATE}")
            unless(out, f"icmp eq i64 {named}, {out.put(f'zext i32 {last} to i64')}", slow)
            return
        named = out.put(f"load i32, ptr {place}, {STATE}")
        if not cache.marked:
            unless(out, f"icmp eq i32 {named}, {last}", slow)
            return
        clean = out.put(f"shl i32 {last}, 1")
        if check.kind == "write":
            unless(out, f"icmp eq i32 {named}, {out.put(f'or i32 {clean}, 1')}", slow)
        else:
            unless(out, f"icmp ult i32 {out.put(f'xor i32 {named}, {clean}')}, 2", slow)

    def _call(self, out: Writer, check: Check, address: str, variant: str = "inline") -> None:
        """Write the call of a function that makes all references of a check."""
        row, name = self._row(check), self._use(variant, check)
        if not self.code.switching:
            out.lines.append(f"call {OUTSIDE} void {name}(i32 {address}, i64 {row}), !tbaa !6")
            return
        left = out.put(f"load i64, ptr {LEFT}")
        left = out.put(f"call {OUTSIDE} i64 {name}(i64 {left}, i32 {address}, i64 {row}), !tbaa !6")
        out.lines.append(f"store i64 {left}, ptr {LEFT}")

    def _row(self, check: Check) -> int:
        hits = self.code.cost(check.kind) * check.count + self.code.cost("fetch") * check.refetch
        row = (*(getattr(check, column) for column in _COLUMNS[:-1]), hits)
        return self.rows.setdefault(row, len(self.rows))

    def _use(self, variant: str, check: Check) -> str:
        """Return the name of a function to call, and note that it is used."""
        size = f".{check.size}" if variant == "exactly" and check.kind != "fetch" and self.straddles else ""
        name = f"@{variant}.{check.kind}{size}{'.guarded' if check.guarded else ''}"
        if variant == "exactly":
            self._use("slowly", check)
        self.used.setdefault(name, (variant, check))
        return name

    # ------------------------------------------------------------------------------------- outside of it

    def functions(self) -> str:
        """Return the functions that checks call; the last method to be called."""
        width = len(_COLUMNS)
        rows = ", ".join(f"[{width} x i64] [{', '.join(f'i64 {word}' for word in row)}]" for row in self.rows)
        parts = [
            f"@rows = internal constant [{len(self.rows)} x [{width} x i64]] [{rows}]" if rows else "",
            self.code.functions(),
        ]
        variants = {"inline": self._outside, "exactly": self._exactly, "slowly": self._slowly}
        parts += [variants[variant](name, check) for name, (variant, check) in sorted(self.used.items())]
        return "\n".join(parts)

    def _column(self, code: Code, name: str) -> str:
        """Read a column of %row."""
        row = code.put(f"getelementptr [{len(_COLUMNS)} x i64], ptr @rows, i64 %row, i64 {_COLUMNS.index(name)}")
        return code.put(f"load i64, ptr {row}, !invariant.load !9")

    def _outside(self, name: str, check: Check) -> str:
        """Return the slow path of a check: the function that updates tags and counts."""
        code, kind = Code(), check.kind
        if check.guarded:
            code.add("i64", self.guarded.element(KINDS.index(kind)))
        missed = code.variable("i64", "0")
        if self.code.path(kind):
            if self.learns and self.may_be_branchless(kind):
                code.add("i64", code.at(self.entered.pointer, self._column(code, "site"), "i64"))
            code.set("i64", missed, self._refer(code, kind))
        if self.system.unified and kind != "fetch":
            self._refetch(code, missed)
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

    def _refer(self, code: Code, kind: str) -> str:
        """Write code that makes the reference of a row; return how many lines it misses."""
        site = self._column(code, "site")
        size = self._column(code, "size") if self.straddles else "1"
        return self.code.reference(code, kind, "%address", size, site, inline=True)

    def _refetch(self, code: Code, missed: str) -> None:
        """Write code that fetches the instructions behind a reference to data, which may have evicted their line."""
        with code.when(code.put(f"icmp ne i64 {self._column(code, 'refetch')}, 0")):
            address = code.put(f"trunc i64 {self._column(code, 'address')} to i32")
            misses = self.code.reference(code, "fetch", address, "1", self._column(code, "refetch_site"))
            code.set("i64", missed, code.put(f"add i64 {code.get('i64', missed)}, {misses}"))

    def _exactly(self, name: str, check: Check) -> str:
        """Return the function of a check in the exact copy.

        It is quick if no context switch can come and the access hits or is short; else it calls the slow function.
        """
        code, kind, slow = Code(), check.kind, "slow"
        left = code.put(f"sub i64 %left, {self._column(code, 'hits')}")
        one = replace(check, size=1) if kind == "fetch" else check  # it is known to be in one line
        if self.may_be_branchless(kind):
            (cache,) = self.code.path(kind)
            refetch, penalty = self.system.unified and kind != "fetch", self._penalty(cache)
            unless(code, f"icmp sgt i64 {left}, {penalty * (1 + refetch)}", slow)
            if self.straddles and one.size > 1:
                unless(code, self._whole(code, "%address", one.size, cache), slow)
            line = code.put(f"lshr i32 %address, {cache.shift}")
            missed = code.variable("i64", cache.call(code, kind, line, self._column(code, "site"), inline=True))
            if refetch:
                self._refetch(code, missed)
            cost = code.put(f"mul i64 {code.get('i64', missed)}, {penalty}")
            left = code.put(f"sub i64 {left}, {cost}")
        else:
            unless(code, f"icmp sgt i64 {left}, 0", slow)
            for cache in self.code.path(kind):
                self._test(code, cache, one, "%address", slow)
        if check.guarded:
            code.add("i64", self.guarded.element(KINDS.index(kind)))
        code.do(f"ret i64 {left}")
        code.do(f"{slow}:")
        slowly = self._use("slowly", check)
        code.do(f"ret i64 {code.put(f'tail call {OUTSIDE} i64 {slowly}(i64 %left, i32 %address, i64 %row), {STATE}')}")
        return code.function(f"{OUTSIDE} i64 {name}(i64 %left, i32 %address, i64 %row) noinline")

    def _slowly(self, name: str, check: Check) -> str:
        """Return the function that follows the references of a check one by one, with context switches."""
        code, kind = Code(), check.kind
        if check.guarded:
            code.add("i64", self.guarded.element(KINDS.index(kind)))
        left = code.variable("i64", "%left")
        self._each(code, left, kind, "%address", "count", "site")
        if kind != "fetch" and self.matters("fetch"):
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
        most = code.put(f"add i64 {hits}, {self.worst('fetch', longest) - self.code.cost('fetch')}")
        with code.when(code.put(f"icmp sgt i64 {code.get('i64', left)}, {most}")):
            with code.when(code.put(f"icmp ne i64 {number}, 0")):
                missed = self.code.reference(code, "fetch", address, size, site)
                if self.code.penalty:
                    cost = code.put(f"mul i64 {missed}, {self.code.penalty}")
                    hits = code.put(f"add i64 {hits}, {cost}")
                code.set("i64", left, code.put(f"sub i64 {code.get('i64', left)}, {hits}"))
            code.set("i64", done, number)


def _within(out: Writer, address: str, size: int, line: int) -> str:
    """Return a test of whether `size` bytes at an address are in one line."""
    return f"icmp ule i32 {out.put(f'and i32 {address}, {line - 1}')}, {line - size}"
