"""What the functions of a module share while they are translated: options, and what they pass to each other.

Which functions are inlined when each has two copies is decided first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ease.host.instruments.instrument import Instrument, RegisterReader
from ease.host.process.job import BASE, GUARD, SHARED
from ease.host.translation.counting import FunctionProbes
from ease.host.translation.demand import removable_reads
from ease.host.translation.ir_builder import LLVM
from ease.host.translation.stack_walks import walks_stack
from vpo.analysis.register_summaries import Key, RegisterSummaries
from vpo.analysis.transfers import callee_of, context_savers, fault_sites, may_jump
from vpo.il.routine_names import RESUME_CONTEXT
from vpo.program import Program
from vpo.system.address_space import regions
from vpo.system.faults import fault_delivery

# ----------------------------------------------------------------------------------------------------------------------
# Choose the functions that are inlined when each function has two copies.
#
# LLVM would judge a function by the size of both copies.  But control is hardly ever in the exact copy, whose calls need
# no inlining.  So the size of a function in the program decides.


MOST = 100  # RTLs of an inlined function, with those inlined into it
ALL = 400  # RTLs of all its inlined copies


def inlined(program: Program, probes: Mapping[str, FunctionProbes]) -> frozenset[str]:
    """Return the functions to inline: called often, small together with what is inlined into them, and not recursive."""
    sizes = {name: sum(1 for _ in function.rtls()) for name, function in program.functions.items()}
    waiting = {name for name, found in probes.items() if found.eager and sizes[name] <= MOST}
    calls = {
        name: Counter(callee_of(program, rtl.call) for rtl in function.rtls() if rtl.call is not None)
        for name, function in program.functions.items()
    }
    sites = sum(calls.values(), Counter[str]())
    chosen: set[str] = set()
    while ready := [name for name in waiting if waiting.isdisjoint(calls[name])]:  # the rest is recursive
        waiting.difference_update(ready)
        for name in ready:
            sizes[name] += sum(sizes[callee] * times for callee, times in calls[name].items() if callee in chosen)
            if sizes[name] <= MOST and sizes[name] * sites[name] <= ALL:
                chosen.add(name)
    return frozenset(chosen)


# ----------------------------------------------------------------------------------------------------------------------
# What functions of a module share.


@dataclass(frozen=True, slots=True)
class Options:
    """How to translate.

    `limit`: the run ends after a number of instructions.  `check_returns`: a return must go to the address behind its call.
    `trust_saves`: functions are taken to restore the registers that they save, so these stay in the caller's variables and the
    cells that hold them are written as 0; not in programs that walk their stacks.  `base` and `shared` are the host addresses
    of target memory and of the memory that parent and child share.  `deliver`: faults have the handlers that the program sets.
    `quick`: the code is for the tier of this name, so the translation is to be quick, too.  `apart`: each function is a module
    of its own, whose code does not depend on where anything is (`ease.host.translation.apart`).
    """

    limit: bool = False
    check_returns: bool = True
    trust_saves: bool = True
    base: int = BASE
    shared: int = SHARED
    deliver: bool = True
    quick: bool = False
    apart: bool = False


class ModuleContext:
    """What is decided for a whole module, and what its functions pass to each other."""

    def __init__(
        self, program: Program, probes: Mapping[str, FunctionProbes], options: Options, instruments: Sequence[Instrument]
    ) -> None:
        self.program, self.probes, self.instruments = program, probes, instruments
        self.jumping = may_jump(program)  # functions out of which longjmp may go
        self.saving = context_savers(program)  # what may be `__setjmp`
        readers = [each for each in instruments if isinstance(each, RegisterReader)]
        looked_at = [found for each in readers if (found := each.registers_read()) is not None]
        trusting = options.trust_saves and not looked_at  # else registers and what they are saved as have their true values
        self.threads = [thread for instrument in instruments for thread in instrument.threads]
        observed = {name: frozenset().union(*(each.get(name, ()) for each in looked_at)) for name in program.functions}
        self.summaries = RegisterSummaries(program, trusting, observed if looked_at else {})
        if trusting and walks_stack(program, self.summaries):
            trusting, self.summaries = False, RegisterSummaries(program, trust=False)
        self.options = replace(options, check_returns=options.check_returns or bool(self.jumping), trust_saves=trusting)
        self.restored = self._restored()
        self.word = LLVM[program.machine.address_type]
        for name, function in program.functions.items():
            if function.stage not in ("framed", "final"):
                raise ValueError(f"{name}: host code needs entry and exit code, but this is stage {function.stage}")
        self.removable = None if options.quick else removable_reads(self.summaries)
        self.sites = fault_sites(program) if options.deliver else None
        self.delivery = fault_delivery(program) if options.deliver else None
        self.fold_up, self.fold_down = self._guards() if self.sites is None else (0, 0)

    def keeps_reads(self, name: str, index: int) -> bool:
        """Whether LLVM must be kept from removing the reads of an RTL: if in doubt, and where to find out takes too long."""
        return self.removable is None or (name, index) in self.removable

    def _restored(self) -> int:
        """Return the registers that `__longjmp` sets."""
        result = 0
        if self.jumping:
            for rtl in self.program.functions[RESUME_CONTEXT].rtls():
                for register in rtl.sets:
                    result |= self.summaries.registers.bits(register)
        return result

    @cached_property
    def inlined(self) -> frozenset[str]:
        """The functions to inline if functions have copies."""
        return inlined(self.program, self.probes)

    def _guards(self) -> tuple[int, int]:
        """Return the displacements that cannot get from one end of the address space to mapped memory at the other end."""
        mapped = regions(self.program)
        low = min([self.program.end, *[r.start for r in mapped]])
        high = max(r.end for r in mapped)
        up = max(min(low - 8, GUARD - 8), 0)
        return up, max(min((1 << 32) - high - 8, GUARD - 8), 0)

    def parts(self, key: Key) -> list[tuple[str, str]]:
        """Return the LLVM type and the suffix of each value that a register consists of."""
        type_ = self.summaries.registers.types[key[0]]
        return [(LLVM[type_], ".a"), (LLVM[type_], ".b")] if type_ in "CG" else [(LLVM[type_], "")]

    def values(self, registers: int) -> list[tuple[str, str, Key]]:
        """List (type, suffix, key) of everything in a set of registers; if apart, in an order that all programs have."""
        keys = self.summaries.registers.members(registers)
        return [(t, suffix, key) for key in (sorted(keys) if self.options.apart else keys) for t, suffix in self.parts(key)]

    def arguments(self, callee: str) -> list[str]:
        """Return the types of what a function is passed."""
        given = [] if callee else [self.word, "i64"]
        given += [thread.type for thread in self.threads]
        return given + [t for t, _, _ in self.values(self.summaries.signatures[callee].read)]

    def result_type(self, callee: str) -> str:
        """Return the struct that a function returns: where to, threads, then registers."""
        types = [self.word] if self.options.check_returns else []
        types += [thread.type for thread in self.threads]
        types += [t for t, _, _ in self.values(self.summaries.signatures[callee].returned)]
        return f"{{ {', '.join(types)} }}" if types else "void"
