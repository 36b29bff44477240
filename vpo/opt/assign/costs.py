"""What registers cost that must be saved: at entry and exit if callers rely on them, around calls if callees do not keep them.

Costs count instructions and references to memory, as often as they are executed for each time the function is entered.
"""

from __future__ import annotations

from vpo.opt.assign.interference import MEMORY, Graph
from vpo.opt.frame.save_instructions import has_block_saves, pushes_several
from vpo.rtl import Register


class SaveCosts:
    """The prices of registers; `used` grows as they are chosen.  Those that are `free`, such as a window's, cost nothing.

    Others are saved `often` times for each time the function is entered: less than once if some ways have no need of them.
    """

    def __init__(self, graph: Graph, free: frozenset[Register], often: float = 1.0) -> None:
        self.graph, self.often = graph, often
        convention = graph.machine.convention
        self.preserved = graph.preserved & ~graph.numbering.mask(tuple(r for r in graph.registers if r in free))
        used = 0
        for accesses in graph.liveness.accesses:
            for entry in accesses:
                used |= entry.sets | entry.clobbers  # the link register by calls, others by code that names them
        self.used = used & self.preserved
        saved = [r for r in convention.saved if r not in free]
        self.together = pushes_several(graph.machine) or has_block_saves(saved, graph.machine)
        self.masked = convention.save_with == "mask"

    def price(self, node: int, occupied: int) -> float:
        """Return what it costs to keep a node in some hard registers."""
        graph = self.graph
        if not occupied & (graph.savable | self.preserved & ~self.used):
            return 0.0
        around_calls = 2 * MEMORY * graph.crossed.get(node, 0.0) if graph.savable & occupied else 0.0
        new = (occupied & self.preserved & ~self.used).bit_count()
        return around_calls + (self._at_entry(new) if new else 0)

    def _at_entry(self, count: int) -> float:
        """Return what it costs to save and restore some more registers: a reference each if one instruction saves them all."""
        if self.masked:
            return 2 * count
        if self.together:
            return self.often * (2 * count + (0 if self.used else 2))
        return self.often * 2 * MEMORY * count
