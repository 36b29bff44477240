"""Simulate a memory system with write buffers in host code; `cache_sim.reference` is the definition.

The time is the sum of two parts.  A variable of the program has the cycles that instructions take without waiting for
memory.  The simulator's memory has the cycles that were waited.  Before a check calls a function, it stores the first part
in memory, too.
"""

from __future__ import annotations

from cache_sim.config import Delays, MemorySystem
from cache_sim.native.cache import KINDS, OUTSIDE, CacheCode
from cache_sim.native.check_code import MISSED_PATH, Alignment, Check, CheckCode
from cache_sim.native.code import STATE, UNLIKELY, Code, State, Writer, increase
from cache_sim.native.system import SystemCode

TIME = "%clock.time"  # the variable of each function: cycles so far without waiting


class Clock:
    """The state of the bus and of the write buffers, and the cycles waited at each site."""

    def __init__(self, delays: Delays, state: State, sites: int) -> None:
        self.delays = delays
        self.time, self.waited, self.free, self.slot, self.full = (state.array("i64", 1) for _ in range(5))
        self.prefetched = state.array("i64", 2)  # lines that were, of each cache, as far as the bus has brought them
        self.buffers = state.array("i64", delays.buffers)
        self.fills, self.waits = state.array("i64", sites), state.array("i64", sites)

    def pass_(self, out: Writer, cycles: str) -> None:
        """Write that time passes in the program."""
        increase(out, TIME, cycles)

    def stamp(self, out: Writer) -> None:
        """Write the store of the program's time, so that functions find it in memory."""
        out.lines.append(f"store i64 {out.put(f'load i64, ptr {TIME}')}, ptr {self.time.pointer}, {STATE}")

    def write(self, out: Writer, site: int, size: int) -> None:
        """Write code that puts the words of a write into buffers, and waits for the oldest buffer if it is in use."""
        passed = out.put(f"load i64, ptr {TIME}")
        now = out.put(f"add i64 {passed}, {self._load(out, self.waited.pointer)}")
        for _ in range(self.delays.words(size)):
            slot = self._load(out, self.slot.pointer)
            place = out.put(f"getelementptr i64, ptr {self.buffers.pointer}, i64 {slot}")
            done = self._load(out, place)
            late, later, after = out.put(f"icmp sgt i64 {done}, {now}"), out.label(), out.label()
            out.lines += [
                f"br i1 {late}, label %{later}, label %{after}, {UNLIKELY}", f"{later}:",
                f"call {OUTSIDE} void @clock.wait(i64 {now}, i64 {done}, i64 {site}), {STATE}",
                f"br label %{after}", f"{after}:",
            ]  # fmt: skip
            now = out.put(f"select i1 {late}, i64 {done}, i64 {now}")
            start = _larger(out, now, self._load(out, self.free.pointer))
            end = out.put(f"add i64 {start}, {self.delays.write}")
            following = out.put(f"add i64 {slot}, 1")
            last = out.put(f"icmp eq i64 {following}, {self.delays.buffers}")
            following = out.put(f"select i1 {last}, i64 0, i64 {following}")
            for pointer, value in ((place, end), (self.free.pointer, end), (self.slot.pointer, following)):
                out.lines.append(f"store i64 {value}, ptr {pointer}, {STATE}")

    @staticmethod
    def _load(out: Writer, pointer: str) -> str:
        return out.put(f"load i64, ptr {pointer}, {STATE}")

    def fill(self, code: Code, cache: CacheCode, missed: str, site: str) -> None:
        """Write code that waits for lines that a cache missed."""
        with code.when(code.put(f"icmp ne i64 {missed}, 0")):
            code.do(f"call {OUTSIDE} void @clock.fill.{cache.name}(i64 {missed}, i64 {site}), {STATE}")

    def functions(self, caches: list[CacheCode]) -> str:
        """Return the text of what is called."""
        return "\n".join([self._wait(), *(self._fill(cache, number) for number, cache in enumerate(caches))])

    def _wait(self) -> str:
        """Return the function that waits for a buffer."""
        code = Code()
        self._add(code, self.waits.pointer, code.put("sub i64 %done, %now"))
        code.add("i64", self.full.pointer)
        code.do("ret void")
        return code.function(f"{OUTSIDE} void @clock.wait(i64 %now, i64 %done, i64 %site) noinline")

    def _fill(self, cache: CacheCode, number: int) -> str:
        """Return the function that waits for missed lines; the bus brings these one by one, and then prefetched ones."""
        code = Code()
        line = self.delays.line(cache.cache.line)
        now = code.put(f"add i64 {code.load('i64', self.time.pointer)}, {code.load('i64', self.waited.pointer)}")
        start = _larger(code, now, code.load("i64", self.free.pointer))
        busy = code.put(f"add i64 {start}, {code.put(f'mul i64 %missed, {line}')}")
        resumed = code.put(f"add i64 {busy}, {self.delays.wait(cache.cache.line) - line}")
        self._add(code, self.fills.pointer, code.put(f"sub i64 {resumed}, {now}"))
        if cache.cache.prefetch == "next":
            brought = "0"
            for field in cache.prefetches.values():
                brought = code.put(f"add i64 {brought}, {code.load('i64', field.pointer)}")
            known = self.prefetched.element(number)
            new = code.put(f"sub i64 {brought}, {code.load('i64', known)}")
            code.store("i64", known, brought)
            busy = code.put(f"add i64 {busy}, {code.put(f'mul i64 {new}, {line}')}")
        code.store("i64", self.free.pointer, busy)
        code.do("ret void")
        return code.function(f"{OUTSIDE} void @clock.fill.{cache.name}(i64 %missed, i64 %site) noinline")

    def _add(self, code: Code, table: str, cycles: str) -> None:
        """Write the count of cycles that were waited at %site."""
        code.add("i64", code.at(table, "%site", "i64"), cycles)
        code.add("i64", self.waited.pointer, cycles)


def _larger(out: Writer, one: str, other: str) -> str:
    """Return the larger one of two i64."""
    return out.put(f"select i1 {out.put(f'icmp sgt i64 {one}, {other}')}, i64 {one}, i64 {other}")


class ClockedSystem(SystemCode):
    """A memory system for which the processor waits."""

    clock: Clock

    def reference(self, code: Code, kind: str, address: str, size: str, site: str, inline: bool = False) -> str:
        """Write code for a reference; return how many lines it misses in the first level, an i64."""
        missed = super().reference(code, kind, address, size, site, inline)
        cache = self.instruction if kind == "fetch" else self.data
        if cache is not None and (kind != "write" or cache.cache.allocate):
            self.clock.fill(code, cache, missed, site)
        return missed

    def is_short(self, kind: str) -> bool:
        """Return False: code that may wait branches."""
        return False


class ClockedCheckCode(CheckCode):
    """The checks for a memory system for which the processor waits."""

    def __init__(
        self,
        system: MemorySystem,
        state: State,
        large: State,
        sites: int,
        alignment: Alignment,
        kinds: tuple[str, ...] = KINDS,
    ) -> None:
        self.clock = Clock(system.delays or Delays(), state, sites)
        super().__init__(system, state, large, sites, alignment, kinds)

    def make_code(self, state: State, large: State, sites: int, kinds: tuple[str, ...]) -> SystemCode:
        """Lay out the simulator."""
        code = ClockedSystem(self.system, state, large, "i32", sites, self.alignment.straddles, kinds)
        code.clock = self.clock
        return code

    def functions(self) -> str:
        """Return the text of everything that checks call."""
        caches = {self.code.instruction, self.code.data}
        return super().functions() + self.clock.functions(sorted((c for c in caches if c), key=lambda cache: cache.name))

    def _call(self, out: Writer, check: Check, address: str, path: str = MISSED_PATH) -> None:
        self.clock.stamp(out)
        super()._call(out, check, address, path)
