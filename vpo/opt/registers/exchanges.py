"""Registers exchanged where that makes code shorter, after all have been chosen.

Nodes of the interference graph that have one of two colours, and are connected by nodes of these, may exchange them: a chain
of Kempe (1879).  It is done where instructions in the registers of short forms become shorter by more bytes than moves and
saves add.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from vpo.analysis.liveness import bits
from vpo.opt.registers.interference import Graph

Form = tuple[tuple[int, ...], int]  # nodes of an instruction, and the bytes by which it is shorter if all have short registers
MOVE = 4  # bytes that a move is worth: those of a short one, and as many for its time
LONGEST = 24  # nodes of a chain


@dataclass(eq=False)
class Exchanges:
    """Exchanges colours, so that instructions have `short` ones.

    `colours` are those of nodes, `holders` the nodes, and hard registers, of each; `saving` tells the bytes that saves take of
    colours which nothing had before.
    """

    graph: Graph
    colours: dict[int, int]
    holders: list[int]
    short: set[int]
    saving: Callable[[Iterable[int]], int]
    forms: dict[int, list[Form]] = field(default_factory=lambda: defaultdict(list), init=False)
    pairs: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list), init=False)

    def note(self, forms: Sequence[Form], pairs: Sequence[tuple[int, int]]) -> None:
        """Take down instructions that may be short, and nodes that had better share a register."""
        for form in forms:
            for node in dict.fromkeys(form[0]):
                self.forms[node].append(form)
        for one, other in pairs:
            self.pairs[one].append(other)
            self.pairs[other].append(one)

    def run(self) -> None:
        """Exchange while that pays, the nodes first that are in most instructions."""
        weights = {node: sum(saving for _, saving in forms) for node, forms in self.forms.items()}
        for node in sorted(weights, key=lambda node: -weights[node]):
            if self.colours.get(node) in self.short or node not in self.colours:
                continue
            chains = [chain for colour in sorted(self.short) if (chain := self._chain(node, colour))]
            best = max(chains, key=self._saved, default=None)
            if best is not None and self._saved(best) > 0:
                self._exchange(best)

    def _chain(self, node: int, colour: int) -> dict[int, int] | None:
        """Return the colours that nodes get if one is to have a colour, and others theirs in turn; None if they cannot."""
        graph, holders, old = self.graph, self.holders, self.colours[node]
        if graph.banks[old] != graph.banks[colour]:
            return None
        found, work = dict[int, int](), [node]
        while work:
            each = work.pop()
            if each in found:
                continue
            new = colour if self.colours[each] == old else old
            if graph.widths[each] != 1 or new not in graph.allowed[each] or graph.adjacent[each] >> new & 1:
                return None
            if graph.savable >> new & 1 and graph.crossed.get(each):
                return None
            found[each] = new
            if len(found) > LONGEST:
                return None
            work += bits(graph.adjacent[each] & holders[new] & ~graph.hard_mask)
        return found

    def _saved(self, chain: dict[int, int]) -> int:
        """Return the bytes by which code is shorter with other colours."""
        before, short = self.colours, self.short
        saved = 0
        for form, saving in {id(form): form for node in chain for form in self.forms[node]}.values():
            now = all(before.get(node) in short for node in form)
            then = all(chain.get(node, before.get(node)) in short for node in form)
            saved += saving * (then - now)
        for node, colour in chain.items():
            for other in self.pairs[node]:
                if other not in chain or other < node:
                    place = other if self.graph.hard[other] else before.get(other)
                    saved += MOVE * ((chain.get(other, place) == colour) - (place == before[node]))
        return saved - self.saving(chain.values())

    def _exchange(self, chain: dict[int, int]) -> None:
        for node, colour in chain.items():
            self.holders[self.colours[node]] &= ~(1 << node)
            self.holders[colour] |= 1 << node
        self.colours.update(chain)
