"""Instructions that compute of one cell of memory or two, by what they mean, on SSA form: loads, and stores to a cell read.

Stores, too, that compute of registers what no instruction leaves in one: bytes that they turn around.

    r[t1]=zxL(B[r[t8]]);
    r[t2]=r[t1]|16;               =>      B[r[t8]]=zxL(B[r[t8]])|(1<<4);      as the description writes it
    B[r[t8]]=r[t2];

What a load reads is a leaf of its own among those of a value (`value_graph.py`).  The load moves to who uses it, where
nothing in between may change the cell.  The instruction may compute its address, too, as no load does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vpo.algebra import rebuild, unary
from vpo.analysis.liveness import does_more_than_set
from vpo.machines.match.cell_meanings import CELLS
from vpo.machines.match.meanings import ADDRESS, CELL, STORED
from vpo.opt.selection.cover import NAME, Saving, Uses, with_part
from vpo.opt.selection.covering import literal
from vpo.opt.selection.value_graph import Cut, ValueGraph
from vpo.opt.state import ALIASES, FunctionState
from vpo.rtl import BITS, INTEGER_TYPES, Branch, Const, Effect, Expr, Mem, Op, Register, Rtl, Set, subexpressions

if TYPE_CHECKING:
    from vpo.machines.match.meanings import Meanings


def cover_cells(state: FunctionState) -> None:
    """Let one instruction read a cell and do what was done with what is there."""
    _Cells(state).run()


@dataclass(frozen=True, slots=True, eq=False)
class _AddressedCut(Cut):
    """A value as a function of registers and a cell, with what the address of that is computed of."""

    address: Expr  # as an instruction computes it


class _CellGraph(ValueGraph):
    """The values of a function, of which some are those of cells."""

    cells: dict[Register, Mem]

    def expressions(self, target: Register, cut: Cut, part: str = "") -> Iterator[Expr]:
        """Yield what instructions compute that is likely to be the value of a cut, with the cell in it."""
        for expression in super().expressions(target, cut, part):
            yield rebuild(expression, lambda node: self._cell(node, cut) if isinstance(node, Register) else None)

    def _cell(self, leaf: Register, cut: Cut) -> Mem | None:
        cell = self.cells.get(leaf)
        return cell.at(cut.address) if cell is not None and isinstance(cut, _AddressedCut) else cell

    def _known(self, target: Register, cut: Cut, part: str) -> dict[Expr, Expr]:
        known = super()._known(target, cut, part)
        cells: dict[Expr, Expr] = {cell: known[leaf] for leaf in cut.leaves if (cell := self._cell(leaf, cut)) is not None}
        return {**known, **cells}


class _Cells(Uses):
    """The work on one function."""

    def __init__(self, state: FunctionState) -> None:
        self.cells: dict[Register, Mem] = {}
        self.loads: dict[Register, Rtl] = {}  # who reads each cell
        self.addresses: dict[Register, list[tuple[Expr, int]]] = {}  # of cells, as instructions compute them, and of what
        self.written: dict[Expr, Expr] = {}  # how the program has these
        super().__init__(state, state.machine.sought[4])
        self.aliases = state.get(ALIASES)
        self.read_addresses = state.machine.sought[5]
        self.stores_alone = self.meanings.has_stores_alone  # whether stores may compute of what is in no cell
        self.block = self.blocks[0][0]  # in which something is looked for

    def _graph(self, meanings: Meanings) -> ValueGraph:
        graph = _CellGraph(self.machine, self.sources, meanings)
        graph.cells = self.cells
        graph.define_all([block for block, _ in self.blocks], self.function.arriving)
        graph.tests = self.tested
        graph.order.update(self.ranks)
        return graph

    def run(self) -> None:
        """Look at each value, store and branch behind a load."""
        graph = self.graph
        for block, _ in self.blocks:
            self.block, before = block, len(self.cells)
            for rtl in list(self.block.rtls):
                self._note_load(rtl)
                if len(self.cells) == before and not (self.stores_alone and rtl.stores):
                    continue
                if isinstance(rtl.transfer, Branch):
                    if len(rtl.effects) == 1:
                        self._branch(self.block, rtl, graph)
                        self.beside, self.unwanted = (), []
                elif rtl.stores:
                    self._store(rtl, graph)
                else:
                    self.graph = graph
                    for target in rtl.sets:
                        if self.definitions.get(target) is rtl:
                            self._value(self.block, rtl, target)

    def _note_load(self, rtl: Rtl) -> None:
        """Take down which cell an RTL loads, if it does nothing else."""
        effect = rtl.single_set
        if effect is None or type(effect.target) is not Register or not effect.target.pseudo or does_more_than_set(effect):
            return
        match literal(effect.source):
            case Mem() as cell:
                op = ""
            case Op(op="sx" | "zx" as op, args=(Mem() as cell,)):
                pass
            case Op(op="|", args=(Op(op="&", args=(Register() as rest, Const(value=mask))), Op(op="zx" as op, args=(read,)))):
                held = self.sources.get(rest)
                if type(held) is not Const or held.value & mask or not isinstance(read, Mem):
                    return  # the rest of a register of which only a part is loaded
                cell = read
            case _:
                return
        if cell.type in INTEGER_TYPES and effect.target.type in INTEGER_TYPES:
            name = Register(f"{CELL}{cell.type}", len(self.cells), cell.type, True)
            self.cells[name], self.loads[name] = cell, rtl
            self.definitions[effect.target] = rtl
            self.sources[effect.target] = unary(op, effect.target.type, name) if op else name

    def _store(self, rtl: Rtl, graph: ValueGraph) -> None:
        """Let a store compute what it stores."""
        effect = rtl.single_set
        if effect is None or type(effect.target) is not Mem or effect.source.memory or effect.source.type not in INTEGER_TYPES:
            return
        type_ = effect.target.type
        narrow = type_ in INTEGER_TYPES and BITS[type_] < BITS[effect.source.type]
        source = unary("tr", type_, effect.source) if narrow else effect.source
        name = Register(f"{STORED}{type_}", NAME, type_, True)
        self._use(self.block, rtl, self._best(rtl, graph, name, source))

    def _saving(self, rtl: Rtl, cuts: Iterable[Cut]) -> Iterator[Saving]:
        yield from super()._saving(rtl, self._addressed([cut for cut in cuts if self._reads_cells(rtl, cut)]))

    def _cuts(self, rtl: Rtl, name: Register) -> Iterable[Cut]:
        return [*self._addressed([cut for cut in super()._cuts(rtl, name) if self._reads_cells(rtl, cut)])]

    def _addressed(self, cuts: Iterable[Cut]) -> Iterator[Cut]:
        """Yield cuts, and with each of one cell those in which an instruction computes the address of that."""
        for cut in cuts:
            yield cut
            alone = sum(leaf in self.cells for leaf in cut.leaves) == 1
            for leaf in cut.leaves if alone and self.read_addresses.exist else ():
                for address, inside in self._addresses(leaf) if leaf in self.cells else ():
                    yield _AddressedCut(
                        cut.leaves, cut.number, cut.inside | inside, cut.numbers, cut.leaf_set, cut.colours, address
                    )

    def _addresses(self, leaf: Register) -> list[tuple[Expr, int]]:
        """Return how instructions compute the address of a cell, and what then is computed inside (a bit set)."""
        known = self.addresses.get(leaf)
        if known is None:
            known = self.addresses[leaf] = []
            graph, source = self.graph, self.cells[leaf].address
            name = Register(ADDRESS, NAME + len(self.addresses), self.machine.address_type, True)
            if all(register in self.sources or register.pseudo for register in source.uses):
                self.sources[name], graph.order[name] = source, len(graph.order)
                for cut in graph.find_cuts(name, source):
                    if not cut.leaves or not self.cells.keys().isdisjoint(cut.leaves):
                        continue
                    sought = graph.sought(name, cut)
                    back = {place.register: own for place, own in zip(sought.leaves, cut.leaves, strict=True)}
                    for found in self.read_addresses.likely(sought, self.machine.half):
                        address = rebuild(found, back.get)  # type: ignore[arg-type]
                        if address is not source and graph.is_proven_of(name, cut, address):
                            self.written[address] = source
                            known.append((address, cut.inside & ~graph.set_of((name,))))
                graph.cuts.pop(name, None)
                del self.sources[name]
        return known

    def _reads_cells(self, rtl: Rtl, cut: Cut) -> bool:
        """Whether an RTL can read the cells in a cut, one or two, and nobody else wants what they hold.

        Or whether it stores, and needs none.
        """
        cells = [leaf for leaf in cut.leaves if leaf in self.cells]
        if not cells:
            return self.stores_alone and bool(rtl.stores)
        loads = [self.loads[leaf] for leaf in cells]
        if len(cells) > CELLS or not all(load in self.block.rtls for load in loads):
            return False
        freed, rtls, until = self._freed(rtl, cut), self.block.rtls, self.block.rtls.index(rtl)
        return all(load in freed for load in loads) and not any(
            self.aliases.may_change(each, self.cells[leaf])
            for leaf, load in zip(cells, loads, strict=True)
            for each in rtls[rtls.index(load) + 1 : until]
        )

    def _with_part(self, rtl: Rtl, part: Expr, expression: Expr) -> tuple[Effect, ...]:
        (effect,) = rtl.effects
        if not isinstance(effect, Set):
            return with_part(rtl, part, expression)
        value = expression.args[0] if isinstance(expression, Op) and expression.op == "tr" else expression
        target = effect.target
        for cell in (node for node in subexpressions(value) if isinstance(node, Mem)):
            if isinstance(target, Mem) and target.address is self.written.get(cell.address):
                target = target.at(cell.address)
        return (Set(target, value),)
