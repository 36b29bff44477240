"""Compute the same values by fewer operations, on SSA form: take out what is common, shift once instead of there and back.

    r[t3]=r[t1]&1;                    r[t6]=r[t1]^r[t2];
    r[t4]=r[t2]&1;            =>      r[t5]=r[t6]&1;
    r[t5]=r[t3]^r[t4];

    r[t2]=r[t1]<<32;                  r[t2]=r[t1]<<32;
    r[t3]=r[t2]>>u32;         =>      r[t4]=r[t2]>>u31;
    r[t4]=r[t3]<<1;
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import binary
from vpo.analysis.liveness import does_more_than_set
from vpo.analysis.value_ranges import FULL_TYPES
from vpo.opt.loops.loop_variables import User, tied
from vpo.opt.state import FunctionState
from vpo.rtl import Const, Effect, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Block

SHIFTS = ("<<", ">>", ">>u")
DISTRIBUTES = {"&": ("^", "|"), "|": ("&",), "*": ("+", "-"), "<<": ("&", "|", "^", "+", "-"), ">>": ("&", "|", "^"),
               ">>u": ("&", "|", "^")}  # an operation, and those whose operands it can be taken out of  # fmt: skip


def factor_operations(state: FunctionState) -> None:
    """Take common operands out of two operations, and make one of shifts that lead back and forth."""
    if state.function.stage == "ssa":
        _Factoring(state).run()


class _Factoring:
    """The work on one function: what its registers are computed from, in which block, and who uses them."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.machine = state, state.machine
        self.sources: dict[Register, Expr] = {}
        self.homes: dict[Register, Block] = {}
        self.users: dict[Register, list[User]] = {}
        for block in state.function.blocks:
            for phi in block.phis:
                for register in phi.sources.values():
                    self.users.setdefault(register, []).append(phi)
            for rtl in block.rtls:
                self._note(block, rtl)

    def _note(self, block: Block, rtl: Rtl) -> None:
        for register in rtl.uses:
            self.users.setdefault(register, []).append(rtl)
        single = rtl.single_set
        if single is not None and type(single.target) is Register and single.target.pseudo and not does_more_than_set(single):
            self.sources[single.target], self.homes[single.target] = single.source, block

    def run(self) -> None:
        """Look at each operation once."""
        for block in self.state.function.blocks:
            for rtl in list(block.rtls):
                single = rtl.single_set
                if single is None or type(single.target) is not Register or single.target not in self.sources:
                    continue
                if type(single.source) is Op and single.target.type in FULL_TYPES and len(single.source.args) == 2:
                    self._improve(block, rtl, single.target, single.source)

    def _improve(self, block: Block, rtl: Rtl, target: Register, source: Op) -> None:
        """Replace one operation by what computes the same with fewer."""
        back = self._shifted_back(source)
        if back is not None and self.state.replace(block, rtl, (Set(target, back),)):
            return
        for op, left, right, common in self._common(block, rtl, source):
            made = self._made(target, rtl, binary(source.op, left, right, target.type))
            if made is None:
                continue
            outer = self._made(target, rtl, binary(op, made[-1].sets[0], common, target.type))
            if outer is None:
                continue
            new = [*made, *outer, Rtl((Set(target, outer[-1].sets[0]),), rtl.lines, rtl.cause)]
            if not self._changes_no_more([one.effects for one in new], rtl):
                continue
            place = next(place for place, one in enumerate(block.rtls) if one is rtl)
            if self.state.splice(block, place, place + 1, new):
                for one in new:
                    self._note(block, one)
                return

    def _original(self, node: Expr) -> Expr:
        """Return what a register is a copy of, or the node itself."""
        while type(node) is Register and type(source := self.sources.get(node)) is Register and source.pseudo:
            if source.type != node.type or source.cls != node.cls:
                break
            node = source
        return node

    def _operation(self, node: Expr) -> Op | None:
        """Return the operation that computes a register, on originals."""
        original = self._original(node)
        source = self.sources.get(original) if type(original) is Register else None
        if type(source) is not Op or len(source.args) != 2 or source.type != original.type:
            return None
        return Op(source.op, source.type, *map(self._original, source.args))

    def _shifted_back(self, source: Op) -> Expr | None:
        """Return a shift to the right by less, if it is followed by one to the left that the source is."""
        count = source.args[1]
        right = self._operation(source.args[0]) if source.op == "<<" and type(count) is Const else None
        if right is None or right.op not in (">>", ">>u") or type(right.args[1]) is not Const or type(count) is not Const:
            return None
        left, distance = self._operation(right.args[0]), right.args[1].value
        if left is None or left.op != "<<" or type(left.args[1]) is not Const or not 0 < count.value < distance:
            return None
        shifted = self._original(source.args[0])
        users = self.users.get(shifted, []) if type(shifted) is Register else []
        if left.args[1].value < distance or not all(isinstance(user, Rtl) and self._shifts_left(user) for user in users):
            return None
        return binary(right.op, right.args[0], Const(distance - count.value), source.type)

    def _shifts_left(self, rtl: Rtl) -> bool:
        single = rtl.single_set
        return single is not None and type(single.source) is Op and single.source.op == "<<"

    def _common(self, block: Block, rtl: Rtl, source: Op) -> Iterator[tuple[str, Expr, Expr, Expr]]:
        """Yield an operation that both operands of a source are, their other operands, and the one that they share."""
        parts = [self._operation(arg) for arg in source.args]
        first, second = parts
        if first is None or second is None or first.op != second.op or source.op not in DISTRIBUTES.get(first.op, ()):
            return
        if not all(self._serves_only(arg, rtl, block) for arg in source.args) or source.args[0] is source.args[1]:
            return
        orders = [(a, b) for a in (0, 1) for b in (0, 1)] if first.op not in SHIFTS else [(1, 1)]
        for a, b in orders:
            shared, others = first.args[a], (*first.args, *second.args)
            if shared is second.args[b] and all(type(arg) is Const or self._is_pseudo(arg) for arg in others):
                yield first.op, first.args[1 - a], second.args[1 - b], shared

    def _is_pseudo(self, node: Expr) -> bool:
        return type(node) is Register and node.pseudo

    def _serves_only(self, node: Expr, rtl: Rtl, block: Block) -> bool:
        """Whether a register is computed in a block for one RTL there only, perhaps by copies."""
        while type(node) is Register and self.homes.get(node) is block and self.users.get(node) == [rtl]:
            source = self.sources[node]
            if type(source) is Op:
                return True
            node, rtl = source, next(one for one in block.rtls if node in one.sets)
        return False

    def _made(self, like: Register, rtl: Rtl, source: Expr) -> list[Rtl] | None:
        """Return RTLs that compute an expression in a new register, if the machine has them."""
        new = self.state.function.pseudo(like.cls, like.type)
        ways: list[list[tuple[Effect, ...]]] = [[(Set(new, source),)], *tied(new, source)]
        found = next((way for way in ways if all(map(self.machine.is_legal, way))), None)
        return None if found is None else [Rtl(effects, rtl.lines, rtl.cause) for effects in found]

    def _changes_no_more(self, way: list[tuple[Effect, ...]], rtl: Rtl) -> bool:
        """Whether RTLs change no more by the way than another one does."""
        changed = {register for effects in way for register in self.machine.may_clobber(effects)}
        return changed <= set(self.machine.may_clobber(rtl.effects))
