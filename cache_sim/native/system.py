"""Write a whole memory system as LLVM IR: references go through TLBs and caches, context switches empty these."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from cache_sim.config import Cache, MemorySystem
from cache_sim.native.cache import KINDS, OUTSIDE, CacheCode, Memory, Next, reading
from cache_sim.native.code import Code, Field, State, Writer
from cache_sim.native.gauge import ALWAYS, NEVER, Counting


def is_seen(out: Writer, system: MemorySystem, word: str, address: str) -> str:
    """Return a value that tells whether references to an address are seen, '' if all are."""
    seen = ""
    for start, size in system.uncached:
        outside = out.put(f"icmp uge {word} {out.put(f'sub {word} {address}, {start}')}, {size}")
        seen = out.put(f"and i1 {seen}, {outside}") if seen else outside
    return seen


class Second:
    """The second level, as the first level sees it."""

    def __init__(self, cache: CacheCode, first: Cache) -> None:
        self.cache = cache
        self.shift = cache.shift - (first.line.bit_length() - 1)

    def read(self, code: Code, line: str, kind: str, site: str) -> None:
        """Read a line of the first level."""
        self._access(code, reading(kind), line, site)

    def write(self, code: Code, line: str, site: str) -> None:
        """Write a line of the first level."""
        self._access(code, "write", line, site)

    def _access(self, code: Code, kind: str, line: str, site: str) -> None:
        moved = code.put(f"lshr {self.cache.word} {line}, {self.shift}") if self.shift else line
        self.cache.call(code, kind, moved, site)


class SystemCode:
    """The state and text of a memory system.

    `word` is the LLVM type of addresses.  Misses are attributed to one of so many `sites`.  `straddles`: a reference may
    touch several lines.  `kinds` are the kinds of references that occur.
    """

    def __init__(
        self, system: MemorySystem, state: State, large: State, word: str = "i32", sites: int = 1, straddles: bool = True,
        kinds: Iterable[str] = KINDS, counting: Counting = ALWAYS,
    ) -> None:  # fmt: skip
        self.system, self.word, self.straddles, self.counting = system, word, straddles, counting
        used = tuple(kinds)
        data = tuple(kind for kind in used if kind != "fetch")
        behind: Next = Memory()
        self.second: CacheCode | None = None
        if system.second is not None:
            self.second = CacheCode(
                system.second, "second", state, large, word, KINDS, sites, behind, 1, system.causes, False, counting
            )

        def first(cache: Cache | None, name: str, served: tuple[str, ...]) -> CacheCode | None:
            if cache is None or not served:
                return None
            after = Second(self.second, cache) if self.second is not None else behind
            filters = 1 if system.causes else cache.sets
            return CacheCode(
                cache, name, state, large, word, served, sites, after, filters, system.causes, counting=counting
            )  # fmt: skip

        def tlb(cache: Cache | None, name: str, served: tuple[str, ...]) -> CacheCode | None:
            if cache is None or not served:
                return None
            return CacheCode(cache, name, state, large, word, served, sites, behind, cache.sets, False, True, counting)

        if system.unified:
            self.instruction = self.data = first(system.data, "unified", used)
        else:
            self.instruction = first(system.instruction, "instruction", ("fetch",) if "fetch" in used else ())
            self.data = first(system.data, "data", data)
        if system.instruction_tlb is not None and system.instruction_tlb == system.data_tlb:
            self.instruction_tlb = self.data_tlb = tlb(system.data_tlb, "tlb", used)
        else:
            fetches = ("fetch",) if "fetch" in used else ()
            self.instruction_tlb = tlb(system.instruction_tlb, "instruction_tlb", fetches)
            self.data_tlb = tlb(system.data_tlb, "data_tlb", data)
        self.switches = state.array("i64", 1)
        self.on_switch = ""  # an instruction that is done before caches are emptied
        self.splits = {cache.name: state.array("i64", len(KINDS)) for cache in self.firsts}
        self.suffix = ""  # of functions

    def silent(self) -> SystemCode:
        """Return the same memory system, with functions of their own that count nothing."""
        other = copy(self)
        other.suffix, other.counting = ".silent", NEVER
        second = other.second = None if self.second is None else self.second.silent(self.second.behind)

        def in_front(cache: CacheCode) -> CacheCode:
            if second is not None and isinstance(cache.behind, Second):
                return cache.silent(Second(second, cache.cache))
            return cache.silent(cache.behind)

        made = {cache: in_front(cache) for cache in self.firsts}
        other.instruction, other.data, other.instruction_tlb, other.data_tlb = (
            None if cache is None else made[cache]
            for cache in (self.instruction, self.data, self.instruction_tlb, self.data_tlb)
        )
        return other

    @property
    def firsts(self) -> list[CacheCode]:
        """First-level caches and TLBs, each once."""
        found = (self.instruction, self.data, self.instruction_tlb, self.data_tlb)
        return list(dict.fromkeys(cache for cache in found if cache is not None))

    @property
    def all(self) -> list[CacheCode]:
        """Every cache and TLB."""
        return [*self.firsts, *([self.second] if self.second is not None else [])]

    @property
    def switching(self) -> bool:
        """Whether there are context switches."""
        return self.system.switch is not None

    @property
    def penalty(self) -> int:
        """The units that a miss takes beyond those of a hit."""
        switch = self.system.switch
        return switch.miss - switch.hit if switch is not None and switch.unit == "work" else 0

    def cost(self, kind: str) -> int:
        """The units that a reference takes if it hits."""
        switch = self.system.switch
        if switch is None:
            return 0
        if switch.unit == "instructions":
            return int(kind == "fetch")
        return switch.hit if self.path(kind) else 0

    def path(self, kind: str) -> list[CacheCode]:
        """Return the TLB and cache that a reference of a kind goes through, the TLB first."""
        found = (self.instruction_tlb, self.instruction) if kind == "fetch" else (self.data_tlb, self.data)
        return [cache for cache in found if cache is not None]

    def worst(self, kind: str, size: int) -> int:
        """Return the most units that a reference of so many bytes takes."""
        switch, cache = self.system.switch, self.instruction if kind == "fetch" else self.data
        if switch is None or switch.unit == "instructions" or cache is None:
            return self.cost(kind)
        lines = 1 + (-(-(size - 1) // cache.cache.line) if self.straddles else 0)
        refetch = 1 if self.system.unified and kind != "fetch" else 0
        return self.cost(kind) + (lines + refetch) * self.penalty

    def penalty_of(self, cache: CacheCode) -> int:
        """Return the units that a miss of a cache takes beyond those of a hit; a miss of a TLB takes none."""
        return self.penalty if cache in (self.instruction, self.data) else 0

    def matters(self, kind: str) -> bool:
        """True if references of a kind change caches or take units."""
        return bool(self.path(kind)) or self.cost(kind) > 0

    def is_short(self, kind: str) -> bool:
        """True if a reference of a kind is a few host instructions without branches."""
        caches = self.path(kind)
        return len(caches) == 1 and caches[0].short

    def is_hard(self, kind: str, entered: int, made: int) -> bool:
        """True if a check should have no branches: `made` times it was made, and `entered` times its test failed."""
        return self.is_short(kind) and self.path(kind)[0].is_hard(entered, made)

    def has_causes(self, cache: Cache) -> bool:
        """True if the causes of a cache's misses are counted."""
        return self.system.causes and cache in (self.system.instruction, self.system.data, self.system.second)

    # ------------------------------------------------------------------------------------------- text

    def functions(self) -> str:
        """Return the text of all functions."""
        parts = [cache.functions() for cache in self.all]
        parts += [self._reference(kind) for kind in KINDS if self.path(kind)]
        if self.system.switch is not None:
            parts.append(self._empty())
        return "\n".join(parts)

    def reference(self, code: Code, kind: str, address: str, size: str, site: str, inline: bool = False) -> str:
        """Write code for a reference; return how many lines it misses in the first level, an i64."""
        if not self.path(kind):
            return "0"
        how = "alwaysinline" if inline else "noinline"
        given = f"{self.word} {address}, i64 {size}, i64 {site}"
        return code.put(f"call {OUTSIDE} i64 @reference.{kind}{self.suffix}({given}) {how}, !tbaa !6")

    def _reference(self, kind: str) -> str:
        """Return the function of a reference: it accesses each line that the reference touches, in order."""
        code = Code()
        missed = code.variable("i64", "0")
        for cache in self.path(kind):
            first = code.put(f"lshr {self.word} %address, {cache.shift}")
            misses = cache.call(code, kind, first, "%site", inline=True)
            if cache in (self.instruction, self.data):
                code.set("i64", missed, misses)
            if self.straddles:
                self._rest(code, cache, kind, first, missed)
        code.do(f"ret i64 {code.get('i64', missed)}")
        return code.function(f"{OUTSIDE} i64 @reference.{kind}{self.suffix}({self.word} %address, i64 %size, i64 %site)")

    def _rest(self, code: Code, cache: CacheCode, kind: str, first: str, missed: str) -> None:
        """Write accesses to the lines of a reference behind its first."""
        size = code.put(f"trunc i64 %size to {self.word}") if self.word != "i64" else "%size"
        end = code.put(f"add {self.word} %address, {code.put(f'add {self.word} {size}, -1')}")
        last = code.put(f"lshr {self.word} {end}, {cache.shift}")
        more = code.wide(self.word, code.put(f"sub {self.word} {last}, {first}"))
        with code.when(code.put(f"icmp sgt i64 {more}, 0"), "!prof !3"):
            self.counting.count(code, self.splits[cache.name].element(KINDS.index(kind)), more, f"{cache.name} splits")
            with code.count_up("0", more) as step:
                short = code.put(f"trunc i64 {step} to {self.word}") if self.word != "i64" else step
                line = code.put(f"add {self.word} {code.put(f'add {self.word} {first}, 1')}, {short}")
                misses = cache.call(code, kind, line, "%site")
                if cache in (self.instruction, self.data):
                    code.set("i64", missed, code.put(f"add i64 {code.get('i64', missed)}, {misses}"))

    def _empty(self) -> str:
        """Return the function of a context switch."""
        code = Code()
        if self.on_switch:
            code.do(self.on_switch)
        self.empty(code)
        code.do("ret void")
        return code.function(f"{OUTSIDE} void @empty() noinline cold")

    def empty(self, code: Code) -> None:
        """Write code that empties all caches, and counts that as a context switch."""
        for cache in self.all:
            cache.empty(code)
            for field in cache.flushed:
                fill(code, field)
        code.add("i64", self.switches.pointer)

    # ------------------------------------------------------------------------------------- context switches

    def before(self, code: Code, kind: str, left: str) -> None:
        """Write a context switch before a fetch, if `left`, which counts instructions, is used up."""
        switch = self.system.switch
        if switch is not None and switch.unit == "instructions" and kind == "fetch":
            self._switch_if(code, left, f"icmp sle i64 {code.get('i64', left)}, 0")
            code.set("i64", left, code.put(f"add i64 {code.get('i64', left)}, -1"))

    def after(self, code: Code, left: str, misses: str) -> None:
        """Write a context switch after a reference, if `left`, which counts work, is used up."""
        switch = self.system.switch
        if switch is not None and switch.unit == "work":
            cost = code.put(f"add i64 {code.put(f'mul i64 {misses}, {self.penalty}')}, {switch.hit}")
            code.set("i64", left, code.put(f"sub i64 {code.get('i64', left)}, {cost}"))
            self._switch_if(code, left, f"icmp sle i64 {code.get('i64', left)}, 0")

    def _switch_if(self, code: Code, left: str, test: str) -> None:
        assert self.system.switch is not None
        with code.when(code.put(test), "!prof !3"):
            code.do(f"call {OUTSIDE} void @empty(), !tbaa !6")
            code.set("i64", left, str(self.system.switch.every))


def fill(code: Code, field: Field) -> None:
    """Write code that gives an array its initial value."""
    value = "-1" if field.initial else "0"
    if field.count == 1:
        code.store(field.type, field.pointer, str(field.initial))
        return
    steps = -(-field.bytes // 32)  # the last may reach into what aligns the next field
    with code.count_up("0", str(steps)) as step:
        place = code.at(field.pointer, step, "<4 x i64>")
        code.do(f"store <4 x i64> splat (i64 {value}), ptr {place}, align 32, !tbaa !6")
