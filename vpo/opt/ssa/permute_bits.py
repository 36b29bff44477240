"""Permutations of bits, on SSA form: what shifts, masks and unions put together, and one instruction does.

    r[t2]=r[t1]<<24;
    r[t3]=r[t1]&65280;  r[t4]=r[t3]<<8;
    r[t5]=r[t1]>>u8;    r[t6]=r[t5]&65280;             =>      r[t10]=BSWAP of r[t1], as the description writes it;
    r[t7]=r[t1]>>u24;   r[t8]=r[t2]|r[t4];
    r[t9]=r[t8]|r[t6];  r[t10]=r[t9]|r[t7];

Whatever way C takes to it: `vpo/algebra/equivalents.py` follows each bit. Byte swaps, rotations by fixed amounts and
interleavings are found so, if the description has an instruction that permutes the bits of one register, or two of them do
together.
"""

from __future__ import annotations

from vpo.algebra import rebuild
from vpo.algebra.equivalents import Bits, bit_sources
from vpo.analysis.liveness import has_side_effect
from vpo.machines.match.permutations import Permutation
from vpo.opt.loops.loop_variables import tied
from vpo.opt.state import CFG, FunctionState
from vpo.rtl import BITS, INTEGER_TYPES, Const, Effect, Expr, Register, Rtl, Set


def permute_bits(state: FunctionState) -> None:
    """Permute the bits of a register by one instruction."""
    if state.function.stage == "ssa" and state.machine.bit_permutations:
        sources = _Sources(state)
        for number in state.get(CFG).reverse_postorder():
            block = state.function.blocks[number]
            instead = {rtl: rtls for rtl in block.rtls if (rtls := sources.permuted(rtl))}
            if instead:
                state.change({block: [new for rtl in block.rtls for new in instead.get(rtl, [rtl])]})


def _remaining(wanted: Permutation, first: Permutation) -> Permutation | None:
    """Return what makes one permutation of another one's result, if each bit of it is there."""
    places = {bit: place for place, bit in enumerate(first)}
    found = [places.get(bit) for bit in wanted]
    return None if None in found else tuple(found)


def computed(state: FunctionState, rtl: Rtl, target: Register, permutation: Expr) -> list[Rtl]:
    """Return RTLs that set a register to a permutation, in the place of one; none if they would change something else."""
    effect = rtl.effects[0]
    if isinstance(effect, Set) and permutation is effect.source:
        return []
    machine = state.machine
    direct: list[list[tuple[Effect, ...]]] = [[(Set(target, permutation),)]]
    ways = direct if machine.is_legal(direct[0][0]) else _tied(state, target, permutation)
    harmless = set(machine.clobbers(rtl.effects))
    for way in ways:
        if all(machine.is_legal(e) and harmless.issuperset(machine.may_clobber(e)) for e in way):
            return [Rtl(effects, rtl.lines, rtl.cause) for effects in way]
    return []


def _tied(state: FunctionState, target: Register, permutation: Expr) -> list[list[tuple[Effect, ...]]]:
    """Return ways by a copy that the instruction changes."""
    new = state.function.pseudo(target.cls, target.type)
    ways = [list(way) for way in tied(new, permutation)]
    return [[*way, (Set(target, effect.target),)] for way in ways if isinstance(effect := way[-1][0], Set)]


class _Sources:
    """Where the bits of registers come from; told RTL by RTL, definitions before uses."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.machine = state, state.machine
        self.bits: dict[Register, Bits] = {}
        self.numbers: dict[Register, Expr] = {}  # of registers that hold constants

    def permuted(self, rtl: Rtl) -> list[Rtl]:
        """Return RTLs that do what one does by permuting the bits of a register; none if no instruction can."""
        effect = rtl.single_set
        target = effect.target if effect is not None else None
        if effect is None or not isinstance(target, Register) or not target.pseudo or has_side_effect(rtl):
            return []
        source = rebuild(effect.source, lambda node: self.numbers.get(node) if isinstance(node, Register) else None)
        if isinstance(source, Const):
            self.numbers[target] = source
        bits = bit_sources(source, self._leaf)
        if bits is None or len(bits) != BITS[target.type]:
            return []
        self.bits[target] = bits
        registers = {bit[0] for bit in bits if bit is not None}
        wanted = tuple(bit and bit[1] for bit in bits)
        if len(registers) != 1 or type(effect.source) is Register:
            return []
        return self._written(rtl, target, registers.pop(), wanted)

    def _written(self, rtl: Rtl, target: Register, register: Register, wanted: Permutation) -> list[Rtl]:
        """Return one instruction that permutes the bits of a register, with copies, or two: there were three, at least."""
        known = self.machine.bit_permutations
        if wanted == tuple(range(len(wanted))):
            return []
        if wanted in known:
            return computed(self.state, rtl, target, known[wanted](register))
        for first, written in known.items():
            second = _remaining(wanted, first)
            if second is not None and second in known:
                middle = self.state.function.pseudo(target.cls, target.type)
                one = computed(self.state, rtl, middle, written(register))
                other = computed(self.state, rtl, target, known[second](middle))
                return [*one, *other] if one and other else []
        return []

    def _leaf(self, node: Expr) -> Bits | None:
        if isinstance(node, Register) and node.pseudo and node.type in INTEGER_TYPES:
            if node not in self.bits:  # nor has it been set yet by what moves bits
                self.bits[node] = tuple([(node, place) for place in range(BITS[node.type])])
            return self.bits[node]
        return None
