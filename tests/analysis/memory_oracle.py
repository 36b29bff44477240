"""A run of the plain interpreter that tells wherever analyses of memory were wrong.

Cells that do not alias must have no byte in common within one activation, and a cell must hold what it held when the
definition that memory SSA names was executed: nothing may have written to it since.
"""

from __future__ import annotations

from itertools import combinations

from vpo.analysis.alias import NO_FACTS
from vpo.analysis.ssa import Entry, MemoryPhi
from vpo.interpret.plain import PlainInterpreter
from vpo.opt.state import ALIASES, MEMORY_SSA, FunctionState
from vpo.rtl import BITS, Return


class Seen:
    """What one activation has done: when definitions were executed, and which bytes each cell was."""

    def __init__(self, now):
        self.begun, self.done, self.arrived, self.bytes, self.last = now, {}, {}, {}, None


class Oracle(PlainInterpreter):
    """An interpreter that compares functions of some names with their analyses."""

    def __init__(self, program, functions, facts=NO_FACTS, limit=20_000):
        super().__init__(program, ["test"], (0, 1, 2), (), limit, None)
        self.states = {f.name: FunctionState(f, program.machine, facts) for f in functions}
        self.activations, self.written, self.now, self.problems, self.checked = [], {}, 0, [], 0

    def enter(self, *arguments):
        self.activations.append(Seen(self.now))
        super().enter(*arguments)

    def leave(self, target):
        seen = self.activations.pop()
        self.compare_cells(self.function, seen)
        super().leave(target)

    def go_to(self, block):
        self.finish()
        super().go_to(block)
        self.activations[-1].arrived[block] = self.now

    def finish(self):
        """Note that the RTL before this one, and whatever it called, is done."""
        seen = self.activations[-1]
        if seen.last is not None:
            seen.done[seen.last] = self.now
        seen.last = None

    def execute(self, rtl):
        seen, function = self.activations[-1], self.function
        self.finish()
        self.now += 1
        seen.last = rtl
        if function.name in self.states and not isinstance(rtl.transfer, Return):  # there is no frame yet that it could leave
            for cell in (*rtl.loads, *rtl.stores):
                start = self.evaluate(cell.address)
                touched = range(start, start + BITS[cell.type] // 8)
                seen.bytes.setdefault(cell, set()).update(touched)
                self.check(self.states[function.name], cell, touched)
        stored = [byte for cell in rtl.stores for byte in self.extent(cell)]
        going = super().execute(rtl)
        self.written.update(dict.fromkeys(stored, self.now))
        return going

    def extent(self, cell):
        start = self.evaluate(cell.address)
        return range(start, start + BITS[cell.type] // 8)

    def check(self, state, cell, touched):
        """Compare when a cell was last written with the definition that memory SSA names."""
        seen = self.activations[-1]
        definition = state.get(MEMORY_SSA).clobber(self.block, self.index, cell)
        if isinstance(definition, Entry):
            since = seen.begun
        else:
            since = seen.arrived[definition.block] if isinstance(definition, MemoryPhi) else seen.done[definition]
        self.checked += 1
        if max(self.written.get(byte, 0) for byte in touched) > since:
            self.problems.append(f"{state.function.name}: {cell} in block {self.block} changed since {definition}")

    def compare_cells(self, function, seen):
        """Compare the bytes that cells were in one activation."""
        if function.name not in self.states:
            return
        aliases = self.states[function.name].get(ALIASES)
        for a, b in combinations(list(seen.bytes)[:60], 2):
            self.checked += 1
            if not aliases.may_alias(a, b, same_values=False) and not seen.bytes[a].isdisjoint(seen.bytes[b]):
                self.problems.append(f"{function.name}: {a} and {b} overlap")


def problems(program, functions, facts=NO_FACTS, limit=20_000):
    """Run a program for a while; return what was wrong, and how many answers were compared."""
    oracle = Oracle(program, functions, facts, limit)
    oracle.run()
    return oracle.problems, oracle.checked
