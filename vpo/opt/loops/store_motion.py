"""Store motion, on SSA form: a variable that a loop changes is in a register while the loop runs.

    L4: r[t1]=L[r[t9]+LO[_x]];             L3: r[t3.1]=L[r[t9]+LO[_x]];
        r[t2]=r[t1]+r[t8];                 L4: r[t3.2]=PHI(L3:r[t3.1],L4:r[t3.3]);
        L[r[t9]+LO[_x]]=r[t2];       =>        r[t1]=r[t3.2];
        PC=r[t7]!=0,L4;                        r[t2]=r[t1]+r[t8];
                                               r[t3.3]=r[t2];
                                               PC=r[t7]!=0,L4;
                                           L5: L[r[t9]+LO[_x]]=r[t3.3];

The cell is loaded in the preheader and stored where control leaves the loop, if all that the loop has to do with these bytes
are loads and stores of the whole cell, and if both are executed more rarely there.  A cell whose store might fault, or might
change what is constant, must be stored by the loop in any case, or on every way to the loop.

Called so by gcc; "scalar promotion" by others, after Cooper and Lu, "Register Promotion in C Programs" (1997).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from vpo.algebra import apply, binary, rebuild
from vpo.analysis.alias import Aliases, is_opaque
from vpo.analysis.cfg import end_of
from vpo.analysis.dominators import Loop, dominance_frontiers, dominates
from vpo.analysis.induction import LinearForm
from vpo.analysis.ssa import defining_blocks
from vpo.opt.loops.loop_variables import Room, calls_in, named_in
from vpo.opt.ssa.split_edges import preheader_of
from vpo.opt.state import ALIASES, CFG, DOMINATORS, LIVENESS, LOOPS, FunctionState, merged
from vpo.rtl import BITS, Const, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

BEFORE = 4  # blocks before a loop in which a store tells that the cell can be stored

def move_stores(state: FunctionState) -> None:
    """Keep variables that loops change in registers, and store them behind the loops."""
    if state.function.stage != "ssa":
        return
    homes, aliases = defining_blocks(state.function), state.get(ALIASES)
    for loop in state.get(LOOPS):
        place = preheader_of(state.get(CFG), loop)
        exits = _exits(state, loop)
        if place is None or exits is None:
            continue
        work = _Loop(state, loop, place, exits, homes, aliases)
        for cell in work.cells():
            cell.promote()


def _exits(state: FunctionState, loop: Loop) -> list[int] | None:
    """Return the blocks where control goes on behind a loop; None if one of them is reached in other ways, too."""
    cfg = state.get(CFG)
    found = {target for number in loop.blocks for target in cfg.successors[number] if target not in loop.blocks}
    return sorted(found) if all(len(cfg.predecessors[target]) == 1 for target in found) else None


@dataclass
class _Loop:
    """A loop with its preheader `place`; `homes` are the blocks that define registers."""

    state: FunctionState
    loop: Loop
    place: int
    exits: list[int]
    homes: dict[Register, int]
    aliases: Aliases

    def cells(self) -> Iterator[_Cell]:
        """Yield the cells that may be kept in registers."""
        found: dict[tuple[LinearForm, str], _Cell] = {}
        blocks = self.state.function.blocks
        rtls = [(number, rtl) for number in sorted(self.loop.blocks) for rtl in blocks[number].rtls]
        for _, rtl in rtls:
            for store in rtl.stores:
                key = self.key(store)
                if key is not None and all(self._is_invariant(register) for register in store.uses):
                    found.setdefault(key, _Cell(self, key, store))
        for cell in found.values():
            if cell.gather(rtls):
                yield cell

    def has_room(self, name: str) -> bool:
        """Whether the loop can keep one more register of a class."""
        state, cls = self.state, self.state.machine.classes[name]
        calls = calls_in(state.function.blocks, self.loop)
        named = named_in(state.function, self.loop)
        return Room(state.machine, state.get(LIVENESS), self.loop, calls, named).has(cls.bank, cls.width)

    def key(self, cell: Mem) -> tuple[LinearForm, str] | None:
        """Return what tells a cell from others: its address, as a sum, and its type."""
        form = self.aliases.form(cell.address) if not cell.volatile else None
        return (form, cell.type) if form is not None else None

    def _is_invariant(self, register: Register) -> bool:
        if not register.pseudo:
            return register in self.state.machine.zero or register is self.state.machine.stack_pointer
        return self.homes.get(register) not in self.loop.blocks


@dataclass
class _Cell:
    """A cell that a loop stores, and the RTLs of the loop that load or store it, by block."""

    around: _Loop
    key: tuple[LinearForm, str]
    cell: Mem
    members: dict[Rtl, int] = field(default_factory=dict)
    stored: Mem = field(init=False)  # the cell as it is after a store of the loop, which may have changed its C type

    def gather(self, rtls: list[tuple[int, Rtl]]) -> bool:
        """Find the members; False if some other RTL has to do with the cell."""
        types = {store.effective for _, rtl in rtls for store in rtl.stores if self.around.key(store) == self.key}
        self.stored = self.cell if len(types) == 1 else self.cell.of_any_type
        for number, rtl in rtls:
            if any(self.around.key(cell) == self.key for cell in (*rtl.loads, *rtl.stores)):
                if not self._is_plain(rtl):
                    return False
                self.members[rtl] = number
            elif self._concerns(rtl):
                return False
        return True

    def _concerns(self, rtl: Rtl) -> bool:
        """Whether an RTL may read what the loop stores, or change the cell."""
        aliases = self.around.aliases
        refers = bool(rtl.loads or rtl.stores or is_opaque(rtl))
        return refers and (aliases.may_change(rtl, self.cell.of_any_type) or aliases.may_read(rtl, self.stored))

    def _is_plain(self, rtl: Rtl) -> bool:
        """Whether an RTL loads the cell or stores it, and refers to no other cell that may be the same."""
        effect = rtl.single_set
        if effect is None or not isinstance(effect.target, Register | Mem):
            return False
        aliases, anything = self.around.aliases, self.cell.of_any_type
        loads, stores = ([cell for cell in cells if self.around.key(cell) != self.key] for cells in (rtl.loads, rtl.stores))
        return not (
            any(aliases.may_alias(cell, self.stored) for cell in loads)
            or any(aliases.may_alias(cell.of_any_type, anything) for cell in stores)
        )

    # ------------------------------------------------------------------------------------------- whether to

    def promote(self) -> bool:
        """Keep the cell in a register while the loop runs, if that is possible, safe, and pays."""
        register = self._register()
        if register is None or not self._pays() or not self._is_safe():
            return False
        return self.around.has_room(register.cls) and _Promotion(self, register).run()

    def _register(self) -> Register | None:
        """Return a new register of the class of those that the loop stores."""
        for rtl in self.members:
            effect = rtl.single_set
            source = effect.source if effect is not None and isinstance(effect.target, Mem) else None
            if isinstance(source, Register) and source.pseudo:
                return self.around.state.function.pseudo(source.cls, source.type)
        return None

    def _pays(self) -> bool:
        weights = self.around.state.weights()
        gain = sum(weights[number] for number in self.members.values())
        return gain > weights[self.around.place] + sum(weights[number] for number in self.around.exits)

    def _is_safe(self) -> bool:
        """Whether the cell may be loaded before the loop and stored behind it whatever the loop does."""
        if self.around.aliases.is_variable(self.cell):
            return True
        cfg, idom = self.around.state.get(CFG), self.around.state.get(DOMINATORS)
        inside, header = self.around.loop.blocks, self.around.loop.header
        ends = [n for n in inside if any(s not in inside or s == header for s in cfg.successors[n])]
        stored = {number for rtl, number in self.members.items() if rtl.stores}
        return any(all(dominates(idom, number, end) for end in ends) for number in stored) or self._is_stored_before(idom)

    def _is_stored_before(self, idom: Mapping[int, int]) -> bool:
        """Whether the cell is stored on every way to the loop, a few blocks before it."""
        number, blocks = self.around.place, self.around.state.function.blocks
        for _ in range(BEFORE):
            if any(self.around.key(store) == self.key for rtl in blocks[number].rtls for store in rtl.stores):
                return True
            if (above := idom.get(number, number)) == number:
                break
            number = above
        return False


class _Promotion:
    """The rewriting of a loop for one cell, of which `name` is the register."""

    def __init__(self, cell: _Cell, name: Register) -> None:
        self.cell, self.name, self.around = cell, name, cell.around
        self.state, self.blocks = cell.around.state, cell.around.state.function.blocks
        self.versions = 0
        self.first = self._version()
        self.phis: dict[int, Register] = {}
        self.last: dict[int, Register] = {}  # what blocks of the loop store last
        self.contents: dict[Block, list[Rtl]] = {}

    def _version(self) -> Register:
        self.versions += 1
        return Register(self.name.cls, self.name.index, self.name.type, True, self.versions)

    def run(self) -> bool:
        """Make the change if all its RTLs are legal."""
        stored = [rtl for rtl in self.cell.members if rtl.stores]
        self._place_phis({self.cell.members[rtl] for rtl in stored})
        order = [n for n in self.state.get(CFG).reverse_postorder() if n in self.around.loop.blocks]
        for number in order:
            self._rewrite(number)
        like = next(iter(self.cell.members))
        cell = self.cell.cell
        load = Set(self.first, cell if self.name.type == cell.type else Op("zx", self.name.type, cell))
        self._insert(self.around.place, merged((load,), like), end_of)
        for number in self.around.exits:
            (way,) = self.state.get(CFG).predecessors[number]
            value = self.last.get(way) or self._at_entry(way)
            self._insert(number, merged((Set(cell, value),), stored[-1]), lambda block: 0)
        return self.state.change(self.contents, phis=self._new_phis(stored[-1]))

    def _insert(self, number: int, rtl: Rtl, where: Callable[[Block], int]) -> None:
        block = self.blocks[number]
        place = where(block)
        self.contents[block] = [*block.rtls[:place], rtl, *block.rtls[place:]]

    def _place_phis(self, stored: set[int]) -> None:
        """Find the blocks of the loop where several values of the cell join."""
        frontiers = dominance_frontiers(self.state.get(CFG), self.state.get(DOMINATORS))
        work = sorted(stored)
        while work:
            for join in sorted(frontiers[work.pop()] & self.around.loop.blocks):
                if join not in self.phis:
                    self.phis[join] = self._version()
                    work.append(join)

    def _at_entry(self, number: int) -> Register:
        """Return what the cell holds at the entry of a block of the loop."""
        idom = self.state.get(DOMINATORS)
        while number not in self.phis:
            number = idom[number]
            if number in self.last:
                return self.last[number]
        return self.phis[number]

    def _rewrite(self, number: int) -> None:
        block, members = self.blocks[number], self.cell.members
        if not any(rtl in members for rtl in block.rtls):
            return
        current, rtls = self._at_entry(number), []
        for rtl in block.rtls:
            effect = rtl.single_set if rtl in members else None
            if effect is None:
                rtls.append(rtl)
                continue
            source, target = self._source(effect.source, current), effect.target
            if isinstance(target, Mem) and self._is_cell(target):
                current = target = self.last[number] = self._version()
            rtls.append(merged((Set(target, source),), rtl))
        self.contents[block] = rtls

    def _source(self, source: Expr, current: Register) -> Expr:
        """Return an expression with a register for the cell, or the bits of it that the cell has."""
        narrow = source.args[0].type if isinstance(source, Op) and source.op == "zx" and self._is_cell(source.args[0]) else ""
        if narrow and current.type != narrow:
            extended = apply("zx", source.type, (apply("tr", narrow, (current,)),))
            legal = self.state.machine.is_legal((Set(self.first, extended),))
            return extended if legal else binary("&", current, Const((1 << BITS[narrow]) - 1))
        return rebuild(source, partial(self._value, current))

    def _value(self, current: Register, node: Expr) -> Expr | None:
        if not self._is_cell(node):
            return None
        return current if current.type == node.type else apply("tr", node.type, (current,))

    def _is_cell(self, node: Expr) -> bool:
        return isinstance(node, Mem) and self.around.key(node) == self.cell.key

    def _new_phis(self, like: Rtl) -> dict[Block, list[Phi]]:
        cfg, result = self.state.get(CFG), {}
        for number, target in self.phis.items():
            sources = {
                self.blocks[p].label: (self.last.get(p) or self._at_entry(p)) if p in self.around.loop.blocks else self.first
                for p in cfg.predecessors[number]
            }
            result[self.blocks[number]] = [*self.blocks[number].phis, Phi(target, sources, like.lines, like.cause)]
        return result
