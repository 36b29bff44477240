"""Count how often the scopes of classes began in a run: loops entered, calls made."""

from __future__ import annotations

from ease.model.results import Counts
from ease.static_cache.graph import Loop
from ease.static_cache.line_sets import Called, Scope
from vpo.analysis.cfg import build_cfg, transfer_of
from vpo.analysis.dominators import dominates, dominators
from vpo.analysis.program import Program
from vpo.rtl import Branch


def executions(program: Program, counts: Counts) -> dict[int, int]:
    """Return how often each instruction was executed, by its number in the program."""
    found: dict[int, int] = {}
    for name in program.functions:
        found.update(enumerate(counts.rtls[name], program.first(name)))
    return found


class Entries:
    """Counts the beginnings of scopes in a run."""

    def __init__(self, program: Program, counts: Counts) -> None:
        self.program, self.counts = program, counts
        self.executed = executions(program, counts)
        self.known: dict[Scope, int] = {}

    def of(self, scope: Scope) -> int:
        """Return how often a scope began; a lower bound for a loop that an indirect jump enters."""
        if scope not in self.known:
            self.known[scope] = self._of(scope)
        return self.known[scope]

    def _of(self, scope: Scope) -> int:
        match scope:
            case Called(site=site):
                return self.executed[site]
            case Loop(function=name, label=label):
                return _Flow(self.program, self.counts, name).entries(label)
        return 1


class _Flow:
    """Counts how often control took the edges of a function."""

    def __init__(self, program: Program, counts: Counts, name: str) -> None:
        self.function = program.functions[name]
        self.rtls, self.taken = counts.rtls[name], counts.taken[name]
        self.cfg = build_cfg(self.function)
        self.idom = dominators(self.cfg)
        self.starts = self.function.block_starts()

    def entries(self, label: str) -> int:
        """Return how often the loop with a header was entered."""
        header = self.cfg.labels[label]
        back = [p for p in self.cfg.predecessors[header] if p in self.idom and dominates(self.idom, header, p)]
        if header == 0:  # entered by calls
            return self._block(header, set()) - sum(self._edge(p, header, set()) for p in back)
        return sum(self._edge(p, header, set()) for p in self.cfg.predecessors[header] if p not in back)

    def _block(self, block: int, seen: set[int]) -> int:
        """Return how often a block was entered; for an empty block, from the edges into it."""
        if self.function.blocks[block].rtls:
            return self.rtls[self.starts[block]]
        if block in seen:
            return 0
        return sum(self._edge(p, block, seen | {block}) for p in self.cfg.predecessors[block])

    def _edge(self, block: int, successor: int, seen: set[int]) -> int:
        """Return how often control took the edge to a successor; for an indirect jump, the edges to all of them."""
        rtls = self.function.blocks[block].rtls
        transfer = transfer_of(self.function.blocks[block], self.function.stage == "final")
        if not rtls or transfer is None:
            return self.rtls[self.starts[block] + len(rtls) - 1] if rtls else self._block(block, seen)
        position = next(i for i, rtl in enumerate(rtls) if rtl is transfer)
        count = self.rtls[self.starts[block] + position]
        if not isinstance(transfer.transfer, Branch):
            return count
        target = self.cfg.labels[transfer.transfer.label]
        passed = (count - self.taken[block]) * (successor == block + 1)
        return passed + self.taken[block] * (successor == target)
