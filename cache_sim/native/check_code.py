"""Write checks into a program that is being translated: test the filters in line, and call a function if a test fails.

A check stands for consecutive references to one line.  If that line is the one last used of its set, the references change
nothing, whatever the policy: the filters tell (Puzak, "Analysis of Cache Replacement Algorithms", 1985, strips traces in this
way).  Otherwise the function does what the plain simulator does.

Context switches: a function is written in two copies (Arnold and Ryder, "A Framework for Reducing the Cost of Instrumented
Code", 2001).  In the fast copy, no context switch comes before the next switch check.  The head of each segment takes the
units of all hits of the segment, a miss takes its units when it happens, and nothing is tested.  In the exact copy, each
reference is followed by a call.  A switch check, of which every cycle has one, goes to the copy that fits the units left.
So context switches cost one subtraction a segment and one test a cycle, and come exactly where they must.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from cache_sim.config import MemorySystem
from cache_sim.native.cache import KINDS, OUTSIDE, CacheCode
from cache_sim.native.called_checks import EXACT_PATH, MISSED_PATH, SLOW_PATH, CalledChecks
from cache_sim.native.check import Check
from cache_sim.native.code import Writer, decrease, increase, unless
from cache_sim.native.feedback import Strategy
from cache_sim.native.gauge import ALWAYS, Counting
from cache_sim.native.lookup import Alignment, is_within, unless_present
from cache_sim.native.sets import Direct
from cache_sim.native.state import State
from cache_sim.native.system import SystemCode

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
