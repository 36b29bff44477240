"""Compute the same values by fewer operations, on SSA form.

What is common is taken out, shifts there and back are one, and bits are chosen by differences (Hacker's Delight, 2-20).

    r[t3]=r[t1]&1;                    r[t6]=r[t1]^r[t2];
    r[t4]=r[t2]&1;            =>      r[t5]=r[t6]&1;
    r[t5]=r[t3]^r[t4];

    r[t2]=r[t1]<<32;                  r[t2]=r[t1]<<32;
    r[t3]=r[t2]>>u32;         =>      r[t4]=r[t2]>>u31;
    r[t4]=r[t3]<<1;

    r[t4]=r[t1]&r[t2];                r[t8]=r[t2]^r[t3];
    r[t5]=not(r[t1]);                 r[t9]=r[t8]&r[t1];
    r[t6]=r[t5]&r[t3];        =>      r[t7]=r[t9]^r[t3];      where no instruction is the second and the third
    r[t7]=r[t4]|r[t6];
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import binary, unary
from vpo.analysis.liveness import does_more_than_set
from vpo.analysis.value_ranges import FULL_TYPES
from vpo.opt.loops.loop_variables import User, tied
from vpo.opt.state import CFG, VALUE_RANGES, FunctionState
from vpo.rtl import BITS, Const, Effect, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Block

# an operation on two operands, and such on the result of the one before and another operand
Steps = tuple[tuple[str, Expr, Expr], *tuple[tuple[str, Expr], ...]]
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
        for (op, left, right), *further in (*self._common(block, rtl, source), *self._chosen(block, rtl, source)):
            new = self._made(target, rtl, binary(op, left, right, target.type))
            for op_, other in further:
                if new is not None:
                    step = self._made(target, rtl, binary(op_, new[-1].sets[0], other, target.type))
                    new = [*new, *step] if step is not None else None
            if new is None:
                continue
            new.append(Rtl((Set(target, new[-1].sets[0]),), rtl.lines, rtl.cause))
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

    def _common(self, block: Block, rtl: Rtl, source: Op) -> Iterator[Steps]:
        """Yield the operation of a source on other operands, and the one that its operands were, on what these shared."""
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
                yield (source.op, first.args[1 - a], second.args[1 - b]), (first.op, shared)

    def _chosen(self, block: Block, rtl: Rtl, source: Op) -> Iterator[Steps]:
        """Yield a choice of bits by a mask as the difference of what is chosen from, the mask, and the difference again."""
        parts = [self._operation(arg) for arg in source.args]
        first, second = parts
        if source.op not in ("|", "^", "+") or first is None or second is None or not first.op == second.op == "&":
            return
        if not all(self._serves_only(arg, rtl, block) for arg in source.args):
            return
        for one, other, turned in ((a, b, n) for a, b in ((first, second), (second, first)) for n in b.args):
            no = other.args[1] if other.args[0] is turned else other.args[0]
            mask = self._complement(turned, no, block)
            if mask is None or mask not in one.args:
                continue
            yes = one.args[1] if one.args[0] is mask else one.args[0]
            at_once = binary("&", no, unary("not", mask.type, mask))
            if self._is_pseudo(yes) and self._is_pseudo(no) and self._made(mask, rtl, at_once) is None:
                yield ("^", yes, no), ("&", mask), ("^", no)

    def _complement(self, node: Expr, other: Expr, block: Block) -> Register | None:
        """Return the register of whose complement one that is used once has the bits that `other` may have."""
        if type(node) is not Register or len(self.users.get(node, ())) != 1:
            return None
        source, extension, bits = self.sources.get(node), "", 0
        if type(source) is Op and source.op in ("sx", "zx"):
            extension, part = source.op, source.args[0]
            bits = BITS[part.type]
            inner = part.args[0] if type(part) is Op and part.op == "tr" else part
            source = self.sources.get(inner, inner) if type(inner) is Register else inner
        mask = self._original(source.args[0]) if type(source) is Op and source.op == "not" else None
        if type(mask) is not Register or not mask.pseudo or type(other) is not Register:
            return None
        if extension:
            number = self.state.get(CFG).labels[block.label]
            low, high = self.state.get(VALUE_RANGES).at(other if extension == "zx" else mask, number)
            least = 0 if extension == "zx" else -1 << bits - 1
            if not least <= low <= high < least + (1 << bits):
                return None
        return mask

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
