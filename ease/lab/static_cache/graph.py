"""Build the order of a program's fetches: for each function a graph of segments without transfers of control.

Between functions, control goes as in host code: calls return to the instruction behind them, and an indirect call may reach
every function whose address is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from vpo.analysis.cfg import Cfg, build_cfg, segments
from vpo.analysis.dominators import dominators, natural_loops
from vpo.analysis.transfers import INDIRECT, address_taken, callee_of
from vpo.program import Program
from vpo.rtl import Branch, Return, Rtl
from vpo.rtl.function import Block, Function


@dataclass(slots=True)
class Run:
    """Consecutive instructions in one line.

    `sites` are their numbers in the program.  If the last one reaches into the next line, it is also the first of another run.
    `line` is the address of the line divided by the line size.
    """

    line: int
    sites: list[int]

    @property
    def site(self) -> int:
        """The first instruction, the only one that can miss."""
        return self.sites[0]


@dataclass(slots=True)
class Node:
    """A straight-line segment of a block.

    `callees` are the functions that the instruction `call` at its end may call, None if there is no call.  A node with a call
    has one successor, in the same block.
    """

    block: int
    runs: list[Run] = field(default_factory=list)
    callees: tuple[str, ...] | None = None
    call: int = -1
    successors: list[int] = field(default_factory=list)
    returns: bool = False


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop of a function: the label of its header, and the source line at which it begins (0: unknown)."""

    function: str
    label: str
    source: int


@dataclass(slots=True)
class Graph:
    """The graph of a function.  Node 0 is its entry; nodes are in reverse postorder of blocks, without unreachable ones.

    `loops` maps each loop to its nodes, inner loops first.
    """

    name: str
    nodes: list[Node]
    loops: dict[Loop, frozenset[int]]


def graphs(program: Program, line: int) -> dict[str, Graph]:
    """Return the graphs of all functions for a line size in bytes."""
    taken = tuple(address_taken(program))
    return {name: _Builder(program, function, line, taken).graph() for name, function in program.functions.items()}


class _Builder:
    """Builds the graph of one function."""

    def __init__(self, program: Program, function: Function, line: int, taken: tuple[str, ...]) -> None:
        self.program, self.function, self.line, self.taken = program, function, line, taken
        self.first = program.first(function.name)
        self.fetched = program.fetched[function.name]
        self.cfg = build_cfg(function)
        self.starts: dict[int, int] = {}  # node at the head of each block
        self.nodes: list[Node] = []

    def graph(self) -> Graph:
        """Return the graph."""
        positions = self.function.block_starts()
        ends: list[tuple[Node, list[int]]] = []  # nodes, and the blocks that follow them
        for number in self.cfg.reverse_postorder():
            self.starts[number] = len(self.nodes)
            ends += self._block(number, positions[number])
        for node, blocks in ends:
            node.successors = [self.starts[block] for block in blocks]
        return Graph(self.function.name, self.nodes, self._loops(self.cfg))

    def _block(self, number: int, position: int) -> Iterator[tuple[Node, list[int]]]:
        """Append the nodes of a block, in the order in which host code executes them; yield those that end the block."""
        block = self.function.blocks[number]
        node = self._node(number)
        for segment in segments(self.program.machine, self.function, block):
            places = range(position + segment.first, position + segment.end)
            if segment.annullable:
                yield from self._annulling(node, block.rtls[segment.first - 1], places)
                return
            for place in places:
                self._fetch(node, place)
            if segment.call >= 0:
                node.callees, node.call = self._callees(block.rtls[segment.call]), self.first + position + segment.call
                node.successors = [len(self.nodes)]
                node = self._node(number)
        node.returns = any(isinstance(rtl.transfer, Return) for rtl in block.rtls)
        yield node, self.cfg.successors[number]

    def _annulling(self, node: Node, rtl: Rtl, slots: Sequence[int]) -> Iterator[tuple[Node, list[int]]]:
        """Put the slots of an annulling branch on the edge to its target."""
        branch, following = rtl.transfer, node.block + 1
        assert isinstance(branch, Branch)
        node.successors = [len(self.nodes), len(self.nodes) + 1]
        taken, passed = self._node(node.block), self._node(node.block)
        for position in slots:
            self._fetch(taken, position)
        yield taken, [self.cfg.labels[branch.label]]
        yield passed, [following] if following < len(self.function.blocks) else []

    def _node(self, block: int) -> Node:
        self.nodes.append(Node(block))
        return self.nodes[-1]

    def _fetch(self, node: Node, position: int) -> None:
        """Append the fetch of an instruction to a node, unless it is a part of another instruction."""
        start, end = self.fetched[position]
        site = self.first + position
        for line in range(start // self.line, (end - 1) // self.line + 1) if end > start else ():
            if node.runs and node.runs[-1].line == line:
                node.runs[-1].sites.append(site)
            else:
                node.runs.append(Run(line, [site]))

    def _callees(self, rtl: Rtl) -> tuple[str, ...]:
        assert rtl.call is not None
        callee = callee_of(self.program, rtl.call)
        return self.taken if callee == INDIRECT else (callee,)

    def _loops(self, cfg: Cfg) -> dict[Loop, frozenset[int]]:
        found = {}
        for loop in natural_loops(cfg, dominators(cfg)):
            header = self.function.blocks[loop.header]
            name = Loop(self.function.name, header.label, _source(header))
            found[name] = frozenset(number for number, node in enumerate(self.nodes) if node.block in loop.blocks)
        return found


def _source(block: Block) -> int:
    return min((line for rtl in block.rtls for line in rtl.lines if line), default=0)
