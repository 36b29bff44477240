"""Which RTL may last have changed a cell, as far as control has only one way to come."""

from __future__ import annotations

from collections.abc import Hashable

from vpo.analysis.alias import may_alias
from vpo.analysis.cfg import Cfg
from vpo.function import Function
from vpo.rtl import Mem, Rtl

STEPS = 64  # definitions of memory to look at before giving up


class Memory:
    """The definitions of memory: RTLs that store, call or ask the system, found backwards through single predecessors."""

    def __init__(self, function: Function, cfg: Cfg) -> None:
        self.cfg = cfg
        self.places: dict[Rtl, tuple[int, int]] = {}  # block, and how many definitions of it come before
        self.definitions: list[list[Rtl]] = []
        for number, block in enumerate(function.blocks):
            found: list[Rtl] = []
            for rtl in block.rtls:
                self.places[rtl] = number, len(found)
                if rtl.stores or rtl.call is not None or rtl.system_call is not None:
                    found.append(rtl)
            self.definitions.append(found)

    def clobber(self, rtl: Rtl, cell: Mem) -> Rtl | Hashable:
        """Return the RTL that may last have changed a cell before an RTL reads it, or the block where control joins."""
        return self._search(*self.places[rtl], cell)

    def clobber_at_end(self, block: int, cell: Mem) -> Rtl | Hashable:
        """Return the RTL that may last have changed a cell at the end of a block, or the block where control joins."""
        return self._search(block, len(self.definitions[block]), cell)

    def _search(self, block: int, count: int, cell: Mem) -> Rtl | Hashable:
        steps = STEPS
        while True:
            for rtl in reversed(self.definitions[block][:count]):
                steps -= 1
                if not steps or rtl.call is not None or rtl.system_call is not None:
                    return rtl
                if any(may_alias(store, cell) for store in rtl.stores):
                    return rtl
            ways = self.cfg.predecessors[block]
            if len(ways) != 1 or block == 0:
                return block
            block = ways[0]
            count = len(self.definitions[block])
