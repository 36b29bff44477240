"""Simulation in the line of a program that is being translated: filters are tested there, the rest is a call.

A check stands for references that are known to go to one line, one after the other.  If filters name what they refer
to, nothing changes, and nothing is done; else a function does what the plain simulator would do.

Context switches.  A function is written in two copies.  In one, no switch can come before the next switch check: costs of hits
are taken from what is left until the switch at the head of each segment of code without transfers of control, misses take
their part when they happen, and nothing is tested.  In the other, each reference is followed exactly, by a call.  At
switch checks, at least one on every cycle, control goes over to the copy that fits what is left.  So a switch costs a
subtraction a segment and a test a cycle, and comes exactly where it must.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cache_sim.config import MemorySystem
from cache_sim.native.cache import KINDS, OUTSIDE, CacheCode
from cache_sim.native.code import STATE, Code, Writer, decrease, increase, unless
from cache_sim.native.feedback import Strategy
from cache_sim.native.sets import Direct
from cache_sim.native.state import State
from cache_sim.native.system import SystemCode

_COLUMNS = ("site", "count", "size", "address", "refetch", "refetch_site", "hits")
EXACT = ".exact"  # what names of labels end in where each reference is followed
VERSIONED = ".versioned"  # what they end in where no switch can come before a loop is left
# Variables of each function: units left until the next switch, and misses that are still to be taken from them.
LEFT, MISSED = "%cache.left", "%cache.missed"


@dataclass(frozen=True, slots=True)
class Check:
    """`count` references of a kind to one line (or one reference of `size` bytes); a fetch is of site, site + 1, ...

    `refetch`: how many instructions in the line at `address`, the first of site `refetch_site`, are fetched directly behind this
    reference to data.  `guarded`: whether the reference may not be made, so that it is no part of the cost of the segment.
    `coalesced`: references to data that are made one after the other, of which this is the first, and how far behind it
    they are; `low` and `span` are how far behind it the first byte of all is, and how many bytes they are.
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


class Inline:
    """Checks for one memory system; `state` and `large` say where its state lies."""

    def __init__(
        self, system: MemorySystem, state: State, large: State, sites: int, straddles: bool, kinds: tuple[str, ...]
    ) -> None:
        self.system, self.straddles = system, straddles
        self.learns = False  # whether the run collects what feedback needs
        self.has_feedback = False  # then fewer checks are calls
        self.aligned = 4  # what takes up to so many bytes mostly lies at multiples of its size
        self.code = self.make_code(state, large, sites, kinds)
        self.guarded = state.array("i64", len(KINDS))
        self.entered = state.array("i64", sites)
        self.apart = state.array("i64", sites)  # how often coalesced accesses were in other lines than the first
        self.rows: dict[tuple[int, ...], int] = {}
        self.used: dict[str, tuple[str, Check]] = {}  # the functions that are called, in what way, and for what

    def make_code(self, state: State, large: State, sites: int, kinds: tuple[str, ...]) -> SystemCode:
        """Lay out the simulator."""
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
        """Whether references of a kind have to be followed where switches are."""
        return bool(self.code.path(kind)) or self.code.cost(kind) > 0

    def may_be_branchless(self, kind: str) -> bool:
        """Whether checks of a kind can do without branches."""
        caches = self.code.path(kind)
        return len(caches) == 1 and caches[0].short

    def is_hard(self, kind: str, entered: int, made: int) -> bool:
        """Whether a check that was made so often, and had to do something `entered` times, is better without branches."""
        return self.may_be_branchless(kind) and self.code.path(kind)[0].is_hard(entered, made)

    # ---------------------------------------------------------------------------------- in the program

    def switch_check(self, out: Writer, enough: int, exact: str) -> None:
        """Write a switch check in the copy without switches; `exact` is the label of its other end.

        If more than `enough` units are left, no switch can come before the next switch check.
        """
        self.settle(out)
        left = out.put(f"load i64, ptr {LEFT}")
        unless(out, f"icmp sgt i64 {left}, {enough}", exact)

    def switch_check_back(self, out: Writer, enough: int, quick: str, lines_resident: str) -> None:
        """Write, in the exact copy, a switch check to the other one, where its end has the label `quick`.

        `lines_resident`: a call that tells whether what the other copy takes to be known is so; '' if that is nothing.
        """
        near, far = out.label(), out.label()
        left = out.put(f"load i64, ptr {LEFT}")
        out.lines += [f"br i1 {out.put(f'icmp sgt i64 {left}, {enough}')}, label %{far}, label %{near}", f"{far}:"]
        known = out.put(lines_resident) if lines_resident else "true"
        out.lines += [f"br i1 {known}, label %{quick}, label %{near}", f"{near}:"]

    def settle(self, out: Writer) -> None:
        """Take from what is left what misses cost, before anybody looks at it."""
        if self.code.penalty:
            decrease(out, LEFT, out.put(f"mul i64 {out.put(f'load i64, ptr {MISSED}')}, {self.code.penalty}"))
            out.lines.append(f"store i64 0, ptr {MISSED}")

    def begin(self, out: Writer, cost: int) -> None:
        """Write the head of a segment that takes `cost` units if all references hit."""
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
        ):  # that is too much code
            self._in_line(out, caches[0], check, address, LEFT)
        else:
            self._call(out, check, address)
        out.lines += [f"br label %{after}", f"{after}:"]

    def _coalesced(self, out: Writer, check: Check, address: str) -> None:
        """Write a check of references side by side: of one, if all are in one line, or of each."""
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
        """Write what stands for a check where each reference is followed; the address is an i32."""
        self._call(out, check, address, "exactly" if self._may_be_quick(check) else "slowly")

    def _may_be_quick(self, check: Check) -> bool:
        """Whether filters can tell that nothing changes."""
        caches = self.code.path(check.kind)
        if check.kind == "fetch":
            end = check.address + check.size - 1
            return all(check.address >> cache.shift == end >> cache.shift for cache in caches)
        return not self._is_shown(check) and all(check.size <= cache.cache.line for cache in caches)

    def _is_shown(self, check: Check) -> bool:
        """Whether the next level sees the reference even if nothing changes in the first."""
        return check.kind == "write" and any(cache.shows_writes for cache in self.code.path("write"))

    def _in_line(self, out: Writer, cache: CacheCode, check: Check, address: str, variable: str) -> None:
        """Write a check that goes the same way if it hits or misses; LEFT is decreased, or MISSED increased."""
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
        """The units that a line missed takes beyond those of a hit: missing a page costs nothing."""
        return self.code.penalty if cache in (self.code.instruction, self.code.data) else 0

    def _whole(self, out: Writer, address: str, size: int, cache: CacheCode) -> str:
        """Return a test that holds only for references that lie in one line: aligned ones, as small ones mostly are."""
        if size <= min(self.aligned, cache.cache.line) and size & (size - 1) == 0:
            return f"icmp eq i32 {out.put(f'and i32 {address}, {size - 1}')}, 0"
        return _within(out, address, size, cache.cache.line)

    def _test(self, out: Writer, cache: CacheCode, check: Check, address: str, slow: str) -> None:
        """Go to `slow` unless the filter of a cache names the line."""
        line = out.put(f"lshr i32 {address}, {cache.shift}")
        last = line
        if self.straddles and check.size > 1:
            last = out.put(f"lshr i32 {out.put(f'add i32 {address}, {check.size - 1}')}, {cache.shift}")
            if cache.filters <= -(-(check.size - 1) // cache.cache.line):  # the entry of the first line may name the last
                unless(out, f"icmp eq i32 {line}, {last}", slow)
        index = out.put(f"zext i32 {out.put(f'and i32 {line}, {cache.filters - 1}')} to i64")
        if cache.stride > 1:
            index = out.put(f"mul i64 {index}, {cache.stride}")
        place = out.put(f"getelementptr i32, ptr {cache.filter.pointer}, i64 {index}")
        if cache.paired and check.kind == "write":  # the word behind the line is 0
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
        """Write the call of the function that does everything."""
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
        """Return the name of a function that is called."""
        size = f".{check.size}" if variant == "exactly" and check.kind != "fetch" and self.straddles else ""
        name = f"@{variant}.{check.kind}{size}{'.guarded' if check.guarded else ''}"
        if variant == "exactly":
            self._use("slowly", check)
        self.used.setdefault(name, (variant, check))
        return name

    # ------------------------------------------------------------------------------------- outside of it

    def functions(self) -> str:
        """Return the text of everything that checks call; call it last."""
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
        """The function of a check: what is known to change something is done."""
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
        """Make the reference of a row; return how many lines it misses."""
        site = self._column(code, "site")
        size = self._column(code, "size") if self.straddles else "1"
        return self.code.reference(code, kind, "%address", size, site, inline=True)

    def _refetch(self, code: Code, missed: str) -> None:
        """A reference to data may have thrown out the line of the instructions behind it: their fetch brings it back."""
        with code.when(code.put(f"icmp ne i64 {self._column(code, 'refetch')}, 0")):
            address = code.put(f"trunc i64 {self._column(code, 'address')} to i32")
            misses = self.code.reference(code, "fetch", address, "1", self._column(code, "refetch_site"))
            code.set("i64", missed, code.put(f"add i64 {code.get('i64', missed)}, {misses}"))

    def _exactly(self, name: str, check: Check) -> str:
        """Follow the references of a check where no switch can come, and an access is short or changes nothing."""
        code, kind, slow = Code(), check.kind, "slow"
        left = code.put(f"sub i64 %left, {self._column(code, 'hits')}")
        one = replace(check, size=1) if kind == "fetch" else check  # that all is in one line is known
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
        """Follow each reference of a check, one by one, with its context switches."""
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
        """Make so many references of a kind; a switch may come before, between and behind them."""
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
        """Make all fetches of a line at once if no switch can come before the last is made: only the first may miss."""
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
    """Return a test of whether bytes lie in one line of so many."""
    return f"icmp ule i32 {out.put(f'and i32 {address}, {line - 1}')}, {line - size}"
