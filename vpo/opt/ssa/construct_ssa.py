"""Construct SSA form: each pseudo-register gets one definition, and phis stand where control joins.

    before                          after
    L1: r[t1]=0;                    L1: r[t1.1]=0;
    L2: r[t1]=r[t1]+1;              L2: r[t1.2]=PHI(L1:r[t1.1],L2:r[t1.3]);
        PC=r[t1]<9,L2;                  r[t1.3]=r[t1.2]+1;
                                        PC=r[t1.3]<9,L2;

The values of a pseudo-register become its versions; one that has a single definition is left as it is, and version 0 of
another is undefined.  Phis are pruned by liveness.  Hard registers, condition codes and memory stay outside.

Every RTL stays a legal instruction up to this renaming: one that needs the register it sets among its operands, as
instructions with two addresses, parts of registers and predicated ones do, is legal if it is after `vpo.rtl.tie`, which
takes another version of the same register for the same one.  `vpo/opt/ssa/leave_ssa.py` sees to it that it is.

Cytron et al., "Efficiently Computing Static Single Assignment Form and the Control Dependence Graph" (1991).
"""

from __future__ import annotations

from collections.abc import Callable

from vpo.algebra import rebuild_effect
from vpo.analysis.cfg import Cfg, build_cfg
from vpo.analysis.dominators import dominance_frontiers, dominator_tree, dominators
from vpo.analysis.liveness import Liveness, compute_liveness
from vpo.opt.state import CFG, FunctionState
from vpo.rtl import Effect, Expr, Register, Rtl, Set
from vpo.rtl.function import Block, Function, Phi


def construct_ssa(state: FunctionState) -> None:
    """Construct SSA form: one definition for each pseudo-register, phis where control joins."""
    function, machine = state.function, state.machine
    if function.stage != "pseudo":
        return
    cfg = state.get(CFG)
    if len(reachable := cfg.reachable()) < len(function.blocks):
        function.blocks = [block for number, block in enumerate(function.blocks) if number in reachable]
        cfg = build_cfg(function)
    if cfg.predecessors[0]:
        function.blocks.insert(0, Block(function.label()))  # phis of a loop at the entry need a way in
        cfg = build_cfg(function)
    function.stage = "ssa"
    liveness = compute_liveness(function, cfg, machine)
    definitions = _definitions(function, liveness)
    if definitions:
        _Renaming(function, cfg, liveness, definitions).run()
    state.invalidate()


def _definitions(function: Function, liveness: Liveness) -> dict[Register, list[int]]:
    """Return the blocks that define each register that has several definitions, or may be read before its only one."""
    found: dict[Register, list[int]] = {}
    partial: set[Register] = set()
    for number, block in enumerate(function.blocks):
        for rtl in block.rtls:
            for register in rtl.sets:
                if register.pseudo:
                    found.setdefault(register, []).append(number)
                    if register in rtl.uses:
                        partial.add(register)
    live, numbering = liveness.live_in[0], liveness.numbering
    return {
        register: blocks
        for register, blocks in found.items()
        if len(blocks) > 1 or register in partial or live >> numbering.number(register) & 1
    }


class _Renaming:
    """The work of one construction: `definitions` has the registers to rename."""

    def __init__(self, function: Function, cfg: Cfg, liveness: Liveness, definitions: dict[Register, list[int]]) -> None:
        self.function, self.cfg, self.liveness, self.definitions = function, cfg, liveness, definitions
        self.idom = dominators(cfg)
        self.versions = dict.fromkeys(definitions, 0)
        self.current = {register: register for register in definitions}
        self.replaced: list[tuple[Register, Register]] = []  # registers and what was current, to go back to

    def run(self) -> None:
        """Insert phis, and walk the dominator tree to rename."""
        self._insert_phis()
        children = dominator_tree(self.idom)
        work: list[tuple[int, int | None]] = [(0, None)]
        while work:
            number, mark = work.pop()
            if mark is None:
                work.append((number, len(self.replaced)))
                self._rename_block(number)
                work += [(child, None) for child in reversed(children[number])]
            else:  # all that the block dominates is done
                while len(self.replaced) > mark:
                    register, before = self.replaced.pop()
                    self.current[register] = before

    def _insert_phis(self) -> None:
        frontiers = dominance_frontiers(self.cfg, self.idom)
        for register, blocks in self.definitions.items():
            bit = 1 << self.liveness.numbering.number(register)
            work, joins = list(dict.fromkeys(blocks)), set[int]()
            while work:
                for join in frontiers[work.pop()]:
                    if join not in joins and self.liveness.live_in[join] & bit:
                        joins.add(join)
                        work.append(join)
            for join in joins:
                self.function.blocks[join].phis.append(self._phi(register, join))
        for block in self.function.blocks:
            block.phis.sort(key=lambda phi: (phi.target.index, phi.target.cls))

    def _phi(self, register: Register, join: int) -> Phi:
        """Return a phi still without versions; it belongs to the lines of the first RTL where control joins."""
        block = self.function.blocks[join]
        lines = block.rtls[0].lines if block.rtls else (self.function.line,)
        sources = {self.function.blocks[p].label: register for p in self.cfg.predecessors[join]}
        return Phi(register, sources, lines)

    def _rename_block(self, number: int) -> None:
        block = self.function.blocks[number]
        for phi in block.phis:
            phi.target = self._define(phi.target)
        accesses, numbering = self.liveness.accesses[number], self.liveness.numbering
        for position, rtl in enumerate(block.rtls):
            # a value that liveness does not count as read, such as bits that are replaced next, need not be kept: version 0
            read = [r for r in rtl.uses if r in self.versions and accesses[position].uses >> numbering.number(r) & 1]
            uses = {register: self.current[register] for register in read}
            sets = {register: self._define(register) for register in rtl.sets if register in self.versions}
            if uses or sets:
                block.rtls[position] = rename(rtl, uses, sets)
        for successor in self.cfg.successors[number]:
            for phi in self.function.blocks[successor].phis:
                origin = phi.sources[block.label]
                phi.sources[block.label] = self.current[origin]

    def _define(self, register: Register) -> Register:
        self.versions[register] += 1
        new = Register(register.cls, register.index, register.type, True, self.versions[register])
        self.replaced.append((register, self.current[register]))
        self.current[register] = new
        return new


def rename(rtl: Rtl, uses: dict[Register, Register], sets: dict[Register, Register]) -> Rtl:
    """Return an RTL with other registers for those that it reads and for those that it sets."""

    def replace(node: Expr) -> Expr | None:
        return uses.get(node) if type(node) is Register else None

    return Rtl([_rename_effect(effect, replace, sets) for effect in rtl.effects], rtl.lines, rtl.cause)


def _rename_effect(effect: Effect, replace: Callable[[Expr], Expr | None], sets: dict[Register, Register]) -> Effect:
    if type(effect) is not Set:
        return rebuild_effect(effect, replace, targets=True)
    renamed = rebuild_effect(effect, replace)
    assert type(renamed) is Set
    return Set(sets.get(renamed.target, renamed.target), renamed.source) if type(renamed.target) is Register else renamed
