"""Simulation in the line of a program that is being translated: filters are tested there, the rest is a call.

A check stands for references that are known to go to one line, one after the other.  If filters name what they refer
to, nothing changes, and nothing is done; else a function does what the plain simulator would do.

Context switches.  The program is cut into stretches without transfers of control.  At the head of each, the cost of all
its references as hits is taken from what is left until the next switch; misses take their part when they happen.  Here and
there, at least once on every cycle, it is tested whether so little is left that a switch might come before the next test.
Then filters are replaced by an array that names nothing: every check calls, and the function follows each reference exactly
(it knows what was taken too early), until a switch has happened.  So a switch costs a subtraction a stretch, and comes
exactly where it must.
"""

from __future__ import annotations

from dataclasses import dataclass

from cache_sim.config import MemorySystem
from cache_sim.native.advice import How
from cache_sim.native.cache import KINDS, OUTSIDE, CacheCode
from cache_sim.native.code import Code, Writer, decrease, unless
from cache_sim.native.state import State
from cache_sim.native.system import SystemCode

TIGHT = "{tight}"  # stands, in text, for the number of units below which references are followed exactly
_COLUMNS = ("site", "count", "size", "early", "rest", "address", "again", "again_site")
LEFT, FILTERS = "%cache.left", "%cache.filters"  # variables of each function: units left, and where filters are


@dataclass(frozen=True, slots=True)
class Check:
    """`count` references of a kind to one line (or one reference of `size` bytes); a fetch is of site, site + 1, ...

    `early`, `rest`: what was taken at the head of the stretch for these references and those behind them, and for the latter
    alone.  `again`: how many instructions in the line
    at `address`, the first of site `again_site`, are fetched directly behind this reference to data.  `guarded`: whether
    the reference was left out where the cost of the stretch was worked out.
    """

    kind: str
    site: int
    count: int = 1
    size: int = 1
    early: int = 0
    rest: int = 0
    address: int = 0
    again: int = 0
    again_site: int = 0
    guarded: bool = False
    how: How = How.BRANCHING


class Inline:
    """Checks for one memory system; `state` and `large` say where its state lies."""

    def __init__(
        self, system: MemorySystem, state: State, large: State, sites: int, straddles: bool, kinds: tuple[str, ...]
    ) -> None:
        self.system, self.straddles = system, straddles
        self.without_fetches = False  # whether somebody else checks fetches, and sees to context switches
        trial = State(0)
        self.make_code(State(0), State(0), sites, kinds, trial)
        filters = state.array("i64", max(trial.size, 8) // 8)
        self.nowhere = state.array("i64", max(trial.size, 8) // 8, -1)
        self.near = State(filters.address)
        self.code = self.make_code(state, large, sites, kinds, self.near)
        self.where = state.array("i64", 1)
        self.guarded = state.array("i64", len(KINDS))
        self.entered = state.array("i64", sites)
        self.rows: dict[tuple[int, ...], int] = {}
        self.tight = 0
        self.used: set[tuple[str, bool]] = set()

    def make_code(self, state: State, large: State, sites: int, kinds: tuple[str, ...], near: State) -> SystemCode:
        """Lay out the simulator."""
        return SystemCode(self.system, state, large, "i32", sites, self.straddles, kinds, near)

    @property
    def switching(self) -> bool:
        """Whether there are context switches."""
        return self.system.switch is not None and not self.without_fetches

    def initialise(self, memory: bytearray, offset: int) -> None:
        """Write into the state, which begins `offset` bytes before its address says, what it must hold at the start."""
        for field in self.near.fields:
            start = field.address - offset
            memory[start : start + field.bytes] = b"\xff" * field.bytes
        start = self.where.address - offset
        place = self.near.base if self.every > self.tight else self.nowhere.address
        memory[start : start + 8] = place.to_bytes(8, "little")

    @property
    def every(self) -> int:
        """Units from one switch to the next."""
        return self.system.switch.every if self.system.switch is not None else 0

    def cost(self, kind: str) -> int:
        """The units that a reference takes if it hits."""
        switch = self.system.switch
        if switch is None:
            return 0
        if switch.unit == "instructions":
            return int(kind == "fetch")
        return switch.hit if self.code.path(kind) else 0

    def worst(self, kind: str, size: int) -> int:
        """The most units that a reference takes."""
        switch, cache = self.system.switch, self.code.instruction if kind == "fetch" else self.code.data
        if switch is None or switch.unit == "instructions" or cache is None:
            return self.cost(kind)
        lines = 1 + (-(-(size - 1) // cache.cache.line) if self.straddles else 0)
        again = 1 if self.system.unified and kind != "fetch" else 0
        return self.cost(kind) + (lines + again) * (switch.miss - switch.hit)

    def matters(self, kind: str) -> bool:
        """Whether references of a kind have to be followed."""
        if self.without_fetches and kind == "fetch":
            return False
        return bool(self.code.path(kind)) or self.cost(kind) > 0

    def may_be_branchless(self, kind: str) -> bool:
        """Whether checks of a kind can do without branches."""
        caches = self.code.path(kind)
        return len(caches) == 1 and caches[0].short

    def is_hard(self, kind: str, entered: int, made: int) -> bool:
        """Whether a check that was made so often, and had to do something `entered` times, is better without branches."""
        return self.may_be_branchless(kind) and self.code.path(kind)[0].is_hard(entered, made)

    # ---------------------------------------------------------------------------------- in the program

    def enter(self, out: Writer) -> None:
        """Write, at the head of a function and behind each call, where filters are, and a test."""
        if self.switching:
            out.lines.append(f"store ptr {self.near_pointer}, ptr {FILTERS}")
            self.test(out)

    def test(self, out: Writer) -> None:
        """Write a test of whether references have to be followed exactly."""
        left = out.put(f"load i64, ptr {LEFT}")
        little, enough = out.label(), out.label()
        out.lines.append(f"br i1 {out.put(f'icmp sle i64 {left}, {TIGHT}')}, label %{little}, label %{enough}, !prof !3")
        nowhere = self.nowhere.pointer
        out.lines += [
            f"{little}:", f"store ptr {nowhere}, ptr {FILTERS}", f"store ptr {nowhere}, ptr {self.where.pointer}, !tbaa !6",
            f"br label %{enough}", f"{enough}:",
        ]  # fmt: skip

    def begin(self, out: Writer, cost: int) -> None:
        """Write the head of a stretch that takes `cost` units if all references hit."""
        if cost:
            decrease(out, LEFT, str(cost))

    def check(self, out: Writer, check: Check, address: str) -> None:
        """Write a check; the address is an i32."""
        caches = self.code.path(check.kind)
        fits = not check.guarded and self.may_be_branchless(check.kind) and check.size <= caches[0].cache.line
        if check.how is How.BRANCHLESS and fits:
            self._without_branch(out, caches[0], check, address)
            return
        if check.how is How.CALLED and caches:
            self._call(out, check, address)
            return
        slow, after = out.label(), out.label()
        always = check.guarded or any(cache.passes_writes and self.code.second and check.kind == "write" for cache in caches)
        if always:
            out.lines.append(f"br label %{slow}")
        elif not caches:
            place = out.put(f"load ptr, ptr {FILTERS}")
            known = out.put(f"icmp eq ptr {place}, {self.near_pointer}")
            out.lines.append(f"br i1 {known}, label %{after}, label %{slow}, !prof !7")
        else:
            for cache in caches:
                self._test(out, cache, check, address, slow)
            out.lines.append(f"br label %{after}")
        out.lines.append(f"{slow}:")
        self._call(out, check, address)
        out.lines += [f"br label %{after}", f"{after}:"]

    def _without_branch(self, out: Writer, cache: CacheCode, check: Check, address: str) -> None:
        """Write a check that goes the same way whether it hits or misses."""
        slow, after = out.label(), out.label()
        if self.switching:
            place = out.put(f"load ptr, ptr {FILTERS}")
            unless(out, f"icmp eq ptr {place}, {self.near_pointer}", slow)
        if self.straddles and check.size > 1:
            unless(out, self._whole(out, address, check.size, cache), slow)
        line = out.put(f"lshr i32 {address}, {cache.shift}")
        missed = out.put(f"call {OUTSIDE} i64 @{cache.name}.{check.kind}(i32 {line}, i64 {check.site}) alwaysinline, !tbaa !6")
        works = cache in (self.code.instruction, self.code.data)  # missing a page costs nothing
        if works and self.system.switch is not None and self.system.switch.unit == "work":
            cost = out.put(f"mul i64 {missed}, {self.system.switch.miss - self.system.switch.hit}")
            decrease(out, LEFT, cost)
        if check.again:
            again = Check("fetch", check.again_site, check.again, address=check.address, early=check.rest, rest=check.rest)
            self.check(out, again, str(check.address))
        if self.switching or (self.straddles and check.size > 1):
            out.lines += [f"br label %{after}", f"{slow}:"]
            self._call(out, check, address)
            out.lines += [f"br label %{after}", f"{after}:"]

    @staticmethod
    def _whole(out: Writer, address: str, size: int, cache: CacheCode) -> str:
        """Return a test that holds only for references that lie in one line: aligned ones, as small ones mostly are."""
        if size <= min(4, cache.cache.line) and size & (size - 1) == 0:
            return f"icmp eq i32 {out.put(f'and i32 {address}, {size - 1}')}, 0"
        within = out.put(f"and i32 {address}, {cache.cache.line - 1}")
        return f"icmp ule i32 {within}, {cache.cache.line - size}"

    @property
    def near_pointer(self) -> str:
        """Where filters really are."""
        return f"inttoptr (i64 {self.near.base} to ptr)"

    def _test(self, out: Writer, cache: CacheCode, check: Check, address: str, slow: str) -> None:
        """Go to `slow` unless the filter of a cache names the line."""
        line = out.put(f"lshr i32 {address}, {cache.shift}")
        last = line
        if self.straddles and check.size > 1:
            last = out.put(f"lshr i32 {out.put(f'add i32 {address}, {check.size - 1}')}, {cache.shift}")
            if cache.filters == 1:  # else no entry names the last line of several where it names the first
                unless(out, f"icmp eq i32 {line}, {last}", slow)
        field = cache.filtered(check.kind)
        index = out.put(f"zext i32 {out.put(f'and i32 {line}, {cache.filters - 1}')} to i64")
        if cache.stride > 1:
            index = out.put(f"mul i64 {index}, {cache.stride}")
        if self.switching:
            base = out.put(f"load ptr, ptr {FILTERS}")
            first = out.put(f"getelementptr i8, ptr {base}, i64 {field.address - self.near.base}")
        else:
            first = field.pointer
        named = out.put(f"load i32, ptr {out.put(f'getelementptr i32, ptr {first}, i64 {index}')}, !tbaa !6")
        if cache.marked:
            last = out.put(f"shl i32 {last}, 1")
            marked = out.put(f"or i32 {last}, 1")
            named, last = (named, marked) if check.kind == "write" else (out.put(f"or i32 {named}, 1"), marked)
        unless(out, f"icmp eq i32 {named}, {last}", slow)

    def _call(self, out: Writer, check: Check, address: str) -> None:
        """Write the call of the function that does everything."""
        self.used.add((check.kind, check.guarded))
        row = self._row(check)
        name = f"@inline.{check.kind}{'.guarded' if check.guarded else ''}"
        if not self.switching:
            out.lines.append(f"call {OUTSIDE} void {name}(i32 {address}, i64 {row}), !tbaa !6")
            return
        left = out.put(f"load i64, ptr {LEFT}")
        left = out.put(f"call {OUTSIDE} i64 {name}(i64 {left}, i32 {address}, i64 {row}), !tbaa !6")
        place = out.put(f"load ptr, ptr {self.where.pointer}, !tbaa !6")
        out.lines += [f"store i64 {left}, ptr {LEFT}", f"store ptr {place}, ptr {FILTERS}"]

    def _row(self, check: Check) -> int:
        return self.rows.setdefault(tuple(getattr(check, column) for column in _COLUMNS), len(self.rows))

    # ------------------------------------------------------------------------------------- outside of it

    def functions(self) -> str:
        """Return the text of everything that checks call; call it last, and put `tight` for TIGHT into everything."""
        width = len(_COLUMNS)
        rows = ", ".join(f"[{width} x i64] [{', '.join(f'i64 {word}' for word in row)}]" for row in self.rows)
        parts = [
            f"@rows = internal constant [{len(self.rows)} x [{width} x i64]] [{rows}]" if rows else "",
            self.code.functions(),
        ]
        for kind, guarded in sorted(self.used):
            parts.append(self._outside(kind, guarded))
            if (self.switching and not guarded) or (self.switching and (kind, False) not in self.used):
                parts.append(self._exactly(kind))
        return "\n".join(parts)

    def _column(self, code: Code, name: str) -> str:
        """Read a column of %row."""
        row = code.put(f"getelementptr [{len(_COLUMNS)} x i64], ptr @rows, i64 %row, i64 {_COLUMNS.index(name)}")
        return code.put(f"load i64, ptr {row}, !invariant.load !9")

    def _outside(self, kind: str, guarded: bool) -> str:
        """The function of a check: what is known to change something is done."""
        code = Code()
        if guarded:
            code.add("i64", self.guarded.element(KINDS.index(kind)))
        if self.switching:
            place = code.load("i64", self.where.pointer)
            with code.when(code.put(f"icmp ne i64 {place}, {self.near.base}"), "!prof !3"):
                code.do(f"ret i64 {code.put(f'call {OUTSIDE} i64 @exactly.{kind}(i64 %left, i32 %address, i64 %row)')}")
        missed = code.variable("i64", "0")
        if self.code.path(kind):
            if self.may_be_branchless(kind):
                code.add("i64", code.at(self.entered.pointer, self._column(code, "site"), "i64"))
            code.set("i64", missed, self._refer(code, kind))
        if self.system.unified and kind != "fetch":
            self._fetch_again(code, missed)
        if not self.switching:
            code.do("ret void")
            return code.function(f"{OUTSIDE} void {self._name(kind, guarded)}(i32 %address, i64 %row) noinline")
        left = "%left"
        if guarded:
            left = code.put(f"sub i64 %left, {self.cost(kind)}")
        if self.system.switch is not None and self.system.switch.unit == "work":
            cost = code.put(f"mul i64 {code.get('i64', missed)}, {self.system.switch.miss - self.system.switch.hit}")
            left = code.put(f"sub i64 {left}, {cost}")
        code.do(f"ret i64 {left}")
        return code.function(f"{OUTSIDE} i64 {self._name(kind, guarded)}(i64 %left, i32 %address, i64 %row) noinline")

    @staticmethod
    def _name(kind: str, guarded: bool) -> str:
        return f"@inline.{kind}{'.guarded' if guarded else ''}"

    def _refer(self, code: Code, kind: str) -> str:
        """Make the reference of a row; return how many lines it misses."""
        site = self._column(code, "site")
        size = self._column(code, "size") if self.straddles else "1"
        return self.code.reference(code, kind, "%address", size, site, inline=True)

    def _fetch_again(self, code: Code, missed: str) -> None:
        """A reference to data may have thrown out the line of the instructions behind it: their fetch brings it back."""
        with code.when(code.put(f"icmp ne i64 {self._column(code, 'again')}, 0")):
            address = code.put(f"trunc i64 {self._column(code, 'address')} to i32")
            misses = self.code.reference(code, "fetch", address, "1", self._column(code, "again_site"))
            code.set("i64", missed, code.put(f"add i64 {code.get('i64', missed)}, {misses}"))

    def _exactly(self, kind: str) -> str:
        """Follow each reference of a check, one by one, with its context switches."""
        code = Code()
        switches = code.load("i64", self.code.switches.pointer)
        left = code.variable("i64", code.put(f"add i64 %left, {self._column(code, 'early')}"))
        self._each(code, left, kind, "%address", "count", "site")
        if kind != "fetch" and self.matters("fetch"):
            address = code.put(f"trunc i64 {self._column(code, 'address')} to i32")
            self._each(code, left, "fetch", address, "again", "again_site")
        now = code.load("i64", self.code.switches.pointer)
        loose = code.put(f"icmp sgt i64 {self.every}, {TIGHT}")
        with code.when(code.put(f"and i1 {loose}, {code.put(f'icmp ne i64 {now}, {switches}')}")):
            code.store("ptr", self.where.pointer, self.near_pointer)
        after = code.get("i64", left)
        rest = self._column(code, "rest")
        code.do(f"ret i64 {code.put(f'sub i64 {after}, {rest}')}")
        return code.function(f"{OUTSIDE} i64 @exactly.{kind}(i64 %left, i32 %address, i64 %row) noinline cold")

    def _each(self, code: Code, left: str, kind: str, address: str, count: str, site: str) -> None:
        first = self._column(code, site)
        size = self._column(code, "size") if count == "count" else "1"
        with code.count_up("0", self._column(code, count)) as number:
            self.code.before(code, kind, left)
            if self.code.path(kind):
                place = code.put(f"add i64 {first}, {number}")
                self.code.after(code, left, self.code.reference(code, kind, address, size, place))
