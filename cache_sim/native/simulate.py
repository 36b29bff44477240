"""Run compiled simulators over arrays of references.

A sweep over references that are there stands at the end.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from cache_sim.config import MemorySystem
from cache_sim.native.cache import ADDRESS_BITS, KINDS
from cache_sim.native.code import FEATURES, METADATA, Code, Field, State
from cache_sim.native.collect import collect
from cache_sim.native.sweep import SweepCode, collect_sweep
from cache_sim.native.system import SystemCode, is_seen
from cache_sim.results import Kinds, Results
from cache_sim.sweeps import Grid, Swept
from cache_sim.trace import Trace

# ----------------------------------------------------------------------------------------------------------------------
# Compile LLVM IR into a function of this process.


def compiled(text: str, name: str, kind: Any) -> Any:
    """Return a function of a module of IR text; `kind` is its type, as `ctypes.CFUNCTYPE` makes it."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten() + FEATURES, opt=2, jit=True
    )
    module = llvm.parse_assembly(text)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(module, builder)
    engine = llvm.create_mcjit_compiler(module, machine, use_lmm=True)
    engine.finalize_object()
    function = kind(engine.get_function_address(name))
    function.engine = engine  # the code lives as long as the function
    return function


# ----------------------------------------------------------------------------------------------------------------------


Counts = np.ndarray[Any, Any]  # of 64 bits
Column = np.ndarray[Any, Any]
_SPARSE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # without reserving memory (Linux)
_PROBE = 0x10000  # base of the state while its size is being found out


class Simulator:
    """A memory system compiled for this host; counts of successive calls of `run` add up.

    Raises OSError if there is no memory for it.
    """

    def __init__(self, system: MemorySystem, sites: int = 1) -> None:
        self.system, self.sites = system, sites
        word = self.word
        state, large = State(_PROBE), State(_PROBE)
        self.make_code(state, large, word)
        self._place(state)
        self.memory, self.large = mmap.mmap(-1, state.size), mmap.mmap(-1, large.size or 1, _SPARSE)
        self.state = State(_address(self.memory))
        self.code = self.make_code(self.state, State(_address(self.large)), word)
        self._place(self.state)
        self.state.initialise(self.memory)
        self._run = self._compile(word)
        self._count_dirty = ctypes.CFUNCTYPE(None)(self._run.engine.get_function_address("count_dirty"))
        self._flush = ctypes.CFUNCTYPE(None)(self._run.engine.get_function_address("flush"))
        self.words = np.frombuffer(self.memory, np.int64, self.state.size // 8)
        first = (self.referred.address - self.state.base) // 8
        self.references = self.words[first : first + len(KINDS)]

    def _place(self, state: State) -> None:
        """Lay out what the loop keeps: the units left until a context switch, and the references of each kind."""
        self.left = state.array("i64", 1, self.system.switch.every if self.system.switch else 0)
        self.referred = state.array("i64", len(KINDS))

    @property
    def word(self) -> str:
        """The type of addresses."""
        return "i32" if self.system.causes else "i64"

    def make_code(self, state: State, large: State, word: str) -> SystemCode:
        """Lay out the simulator."""
        code = SystemCode(self.system, state, large, word, self.sites)
        for cache in code.all:
            cache.dirty = state.array("i64", 1)
        return code

    def note(self, code: Code, number: str, misses: str) -> None:
        """Write what is done with the number of lines that a reference misses."""

    def _text(self, word: str) -> str:
        """Return the module: a loop over arrays of (kind, address, size, site); with one site, sites are not read."""
        code = Code()
        left = code.variable("i64", code.load("i64", self.left.pointer))
        made = [code.variable("i64", code.load("i64", self.referred.element(number))) for number in range(len(KINDS))]
        with code.count_up("0", "%count") as number:
            kind = code.load("i8", code.at("%kinds", number, "i8"))
            address = code.load("i64", code.at("%addresses", number, "i64"))
            size = code.load("i64", code.at("%sizes", number, "i64"))
            size = code.put(f"call i64 @llvm.umax.i64(i64 {size}, i64 1)")
            site = code.load("i64", code.at("%sites", number, "i64")) if self.sites > 1 else "0"
            seen = is_seen(code, self.system, "i64", address)
            if word != "i64":
                address = code.put(f"trunc i64 {address} to {word}")
            for value, name in enumerate(KINDS):
                this = code.put(f"icmp eq i8 {kind}, {value}")
                with code.when(code.put(f"and i1 {this}, {seen}") if seen else this):
                    code.set("i64", made[value], code.put(f"add i64 {code.get('i64', made[value])}, 1"))
                    self.code.before(code, name, left)
                    if self.code.path(name):
                        misses = self.code.reference(code, name, address, size, site)
                        self.note(code, number, misses)
                        self.code.after(code, left, misses)
        code.store("i64", self.left.pointer, code.get("i64", left))
        for kind_number, variable in enumerate(made):
            code.store("i64", self.referred.element(kind_number), code.get("i64", variable))
        code.do("ret void")
        head = "void @run(i64 %count, ptr %kinds, ptr %addresses, ptr %sizes, ptr %sites)"
        functions = [code.function(head), self._dirty_text(), self._flush_text()]
        return "\n".join([self.code.functions(), *(each.replace("define internal", "define") for each in functions), METADATA])

    def _dirty_text(self) -> str:
        """Return the function that notes how many lines are dirty."""
        code = Code()
        for cache in self.code.all if isinstance(self.code, SystemCode) else ():
            cache.count_dirty(code)
        code.do("ret void")
        return code.function("void @count_dirty()")

    def _flush_text(self) -> str:
        """Return the function that empties all caches between two references."""
        code = Code()
        if isinstance(self.code, SystemCode):
            self.code.empty(code)
        code.store("i64", self.left.pointer, str(self.system.switch.every if self.system.switch else 0))
        code.do("ret void")
        return code.function("void @flush()")

    def flush(self) -> None:
        """Empty all caches and TLBs, as a context switch does, and count it as one."""
        self._flush()

    def _compile(self, word: str) -> Any:
        return compiled(self._text(word), "run", ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 4))

    def run(self, trace: Trace) -> None:
        """Simulate references; their sites are below the number of sites."""
        sites = trace.sites if len(trace.sites) or self.sites == 1 else memoryview(bytearray(8 * len(trace))).cast("Q")
        self._run(len(trace), *map(_in_memory, (trace.kinds, trace.addresses, trace.sizes, sites)))

    def run_columns(self, kinds: Column, addresses: Column, sizes: Column) -> None:
        """Simulate references of site 0: columns of one length, without gaps, of bytes and of unsigned 64-bit words.

        A reference to 0 bytes is one to a byte.
        """
        assert self.sites == 1
        self._run(len(kinds), kinds.ctypes.data, addresses.ctypes.data, sizes.ctypes.data, None)

    @property
    def made(self) -> Kinds:
        """The references so far."""
        return _kinds(self.references.tolist())

    def read(self, field: Field) -> Sequence[int]:
        """Return the elements of an array of the state."""
        return self.state.read(field, self.memory)

    @cached_property
    def fields(self) -> list[Field]:
        """The arrays of numbers of which results are made."""
        found: dict[Field, None] = {}

        def noted(field: Field) -> Sequence[int]:
            found[field] = None
            return [0] * field.count

        collect(self.code, Kinds(), noted)
        return list(found)

    @cached_property
    def places(self) -> Counts:
        """Where these numbers stand among the words of the state."""
        return np.concatenate([np.arange(each.count) + (each.address - self.state.base) // 8 for each in self.fields])

    def counts(self) -> Counts:
        """Return all numbers so far, which add: results are made of these, or of what one part of the references adds."""
        self._count_dirty()
        return np.concatenate([self.references, self.words[self.places]])

    def results_of(self, counts: Counts) -> Results:
        """Return the results that numbers say."""
        numbers = counts.tolist()
        starts = dict(zip(self.fields, accumulate((each.count for each in self.fields), initial=len(KINDS)), strict=False))
        return collect(self.code, _kinds(numbers), lambda field: numbers[starts[field] : starts[field] + field.count])

    def results(self) -> Results:
        """Return what happened so far."""
        return self.results_of(self.counts())


def _kinds(numbers: Sequence[int]) -> Kinds:
    """Return numbers of references that begin with those of KINDS."""
    return Kinds(**dict(zip(KINDS, numbers, strict=False)))


def _address(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _in_memory(view: memoryview) -> Any:
    """Return an argument for C; a read-only array is copied, since ctypes accepts writable memory only."""
    kind = ctypes.c_char * view.nbytes
    return kind.from_buffer_copy(view) if view.readonly else kind.from_buffer(view)


# ----------------------------------------------------------------------------------------------------------------------
# A sweep on traces that are there: the code that is woven into programs otherwise, in a loop over references.


class SweepSimulator(Simulator):
    """A sweep compiled for this host, for arrays of references; counts of successive calls of `run` add up.

    Raises OSError if there is no memory for it.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        super().__init__(grid.smallest)

    @property
    def word(self) -> str:
        """The type of addresses."""
        return "i32" if self.grid.full else "i64"

    def make_code(self, state: State, large: State, word: str) -> SweepCode:
        """Lay out the simulator."""
        self.sweep = SweepCode(self.grid, state, large, word)
        return self.sweep

    def run(self, trace: Trace) -> None:
        """Simulate references.

        Raises ValueError for addresses beyond 32 bits if there are fully associative caches: those keep tables of all lines.
        """
        if self.grid.full and max(trace.addresses, default=0) + max(trace.sizes, default=0) > 1 << ADDRESS_BITS:
            raise ValueError(f"fully associative caches of a sweep take addresses of {ADDRESS_BITS} bits")
        super().run(trace)

    def swept(self) -> Swept:
        """Return what happened so far."""
        return collect_sweep(self.sweep, self.made, self.read)
