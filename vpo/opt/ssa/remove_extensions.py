"""Remove operations that change nothing, as the ranges of values tell, on SSA form.

    r[t2]=zxL(B[r[t1]]);                 r[t2]=zxL(B[r[t1]]);
    r[t3]=r[t2]&255;             =>      r[t3]=r[t2];

Extensions, masks and remainders become copies; what is always one number becomes this number.
"""

from __future__ import annotations

from vpo.analysis.liveness import does_more_than_set
from vpo.analysis.value_ranges import FULL_TYPES, ValueRanges
from vpo.opt.state import VALUE_RANGES, FunctionState
from vpo.rtl import BITS, Const, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Block

REMOVABLE = frozenset(("&", "sx", "zx", ">>", ">>u", "%", "%u"))


def remove_extensions(state: FunctionState) -> None:
    """Remove extensions, masks and remainders that leave every value as it is."""
    if state.function.stage == "ssa":
        _Removal(state).run()


class _Removal:
    """Looks at every RTL once; `shifted` are the registers that hold another one shifted left by a constant."""

    def __init__(self, state: FunctionState) -> None:
        self.state = state
        self.ranges: ValueRanges = state.get(VALUE_RANGES)
        self.shifted: dict[Expr, Op] = {}

    def run(self) -> None:
        blocks = self.state.function.blocks
        for number in self.ranges.order:
            for rtl in list(blocks[number].rtls):
                single = rtl.single_set()
                if single is not None and type(single.source) is Op and type(single.target) is Register:
                    self._improve(blocks[number], number, rtl, single.target, single.source)

    def _improve(self, block: Block, number: int, rtl: Rtl, target: Register, source: Op) -> None:
        if source.op == "<<":
            self.shifted[target] = source
        if target.type not in FULL_TYPES or not target.pseudo or does_more_than_set(rtl.effects[0]):
            return
        low, high = self.ranges.ranges.get(target, (0, 1))
        if low == high and self.state.replace(block, rtl, (Set(target, Const(low)),)):
            return
        if source.op in REMOVABLE:
            same = self._unchanged(source, number)
            if type(same) is Register and same.pseudo and same.type == target.type:
                self.state.replace(block, rtl, (Set(target, same),))

    def _unchanged(self, source: Op, number: int) -> Expr | None:
        """Return the operand that an operation leaves as it is, if there is one."""
        value = source.args[0]
        if source.op in ("sx", "zx"):
            inner = value.args[0] if type(value) is Op and value.op == "tr" else None
            return inner if inner is not None and self._fits(inner, number, BITS[value.type], source.op == "zx") else None
        by = source.args[1]
        if type(by) is not Const:
            return None
        if source.op in (">>", ">>u"):
            return self._unshifted(source, by.value, number)
        low, high = self.ranges.of(value, number, source.type)
        if source.op == "&":
            return value if low >= 0 and not ~by.value & ((1 << high.bit_length()) - 1) else None
        return value if low >= 0 and high < by.value else None

    def _unshifted(self, source: Op, count: int, number: int) -> Expr | None:
        """Return what was shifted to the left and back, if no bits were lost."""
        left = self.shifted.get(self.ranges.original(source.args[0]))
        if left is None or left.args[1] is not source.args[1]:
            return None
        bits = BITS[source.type] - count
        return left.args[0] if self._fits(left.args[0], number, bits, source.op == ">>u") else None

    def _fits(self, value: Expr, number: int, bits: int, unsigned: bool) -> bool:
        if type(value) is not Register or value.type not in FULL_TYPES:
            return False
        low, high = self.ranges.at(value, number)
        if unsigned:
            return low >= 0 and high < 1 << bits
        size = 1 << (bits - 1)
        return -size <= low and high < size
