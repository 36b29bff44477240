"""How many low bits of registers somebody wants, on SSA form (demanded bits)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vpo.analysis.liveness import does_more_than_set
from vpo.opt.state import CFG, FunctionState
from vpo.rtl import BITS, INTEGER_TYPES, Branch, Const, Effect, Expr, Mem, Op, Register, Return, Rtl, Set
from vpo.rtl.function import Block

ALL = max(BITS.values())  # bits that a register has at most
CARRYING = frozenset(("+", "-", "*", "&", "|", "^", "neg", "not"))  # their low bits are made of the low bits of the operands
PARTS = ("L", "W", "B")  # of which comparisons may be


def wanted_part(bits: int, type_: str) -> str:
    """Return the type of the least part of a value that has so many low bits; nothing if that is all of it, or none."""
    return next((part for part in reversed(PARTS) if 0 < bits <= BITS[part] < BITS.get(type_, 0)), "")


def _is_assignment(effect: Effect) -> bool:
    return type(effect) is Set and type(effect.target) is Register and not does_more_than_set(effect)


class WantedBits:
    """How many low bits of each register somebody wants: `bits`; none of those that are not in it.

    Of hard registers it is known for those that are set again further on in the block: `hard`, by where they are stored.
    """

    def __init__(self, state: FunctionState) -> None:
        self.bits: dict[Register, int] = {}
        self.hard: dict[tuple[str, int], int] = {}
        self.machine = state.machine
        self.leaving = state.function.leaving
        blocks = [state.function.blocks[number] for number in reversed(state.get(CFG).reverse_postorder())]
        phis = [phi for block in blocks for phi in block.phis]
        for phi in phis:
            if phi.target.type not in INTEGER_TYPES:
                self._all(phi.sources.values())
        places = {block.label: place for place, block in enumerate(blocks)}
        again = True  # since the head of a loop may want more than was known where its end was read
        while again:
            again = sum(self._block(block, places) for block in blocks) > 0  # all of them

    def _block(self, block: Block, places: Mapping[str, int]) -> bool:
        """Note what a block wants; return whether blocks in front of it, which were looked at before, did not know that."""
        results = self._results(block)
        self.hard = {}
        for rtl in reversed(block.rtls):
            self._read(rtl, results)
        grown = False
        for phi in block.phis:
            if bits := self.bits.get(phi.target, 0):
                for label, source in phi.sources.items():
                    if bits > self.bits.get(source, 0):
                        self.bits[source] = bits
                        grown |= places.get(label, len(places)) <= places[block.label]
        return grown

    def of(self, rtl: Rtl, register: Register, block: Block) -> int:
        """Return how many low bits of a register an RTL of a block wants."""
        known, hard = self.bits, self.hard
        self.bits, self.hard = {target: known[target] for target in rtl.sets if target in known and target is not register}, {}
        self._read(rtl, self._results(block))
        bits = self.bits.get(register, 0)
        self.bits, self.hard = known, hard
        return bits

    def _results(self, block: Block) -> dict[Rtl, int]:
        """Return what at the end of a block moves results into their registers, with the bits that callers read."""
        found: dict[Rtl, int] = {}
        if self.leaving and block.rtls and isinstance(block.rtls[-1].transfer, Return):
            for register, type_ in self.leaving.items():
                last = next((rtl for rtl in reversed(block.rtls[:-1]) if register in rtl.sets or register in rtl.uses), None)
                if last is not None and (single := last.single_set) is not None and single.target is register:
                    found[last] = BITS[type_]
        return found

    def _read(self, rtl: Rtl, results: dict[Rtl, int]) -> None:
        """Note what an RTL wants."""
        single = rtl.single_set
        if rtl in results and single is not None:
            self._want(single.source, results[rtl])
        elif single is not None and single.target.type in INTEGER_TYPES and type(single.target) is Mem:
            self._want(single.target.address, ALL)
            self._want(single.source, BITS[single.target.type])
        elif single is not None and type(single.target) is Register and not single.acts:
            pseudo = single.target.pseudo and single.target.type in INTEGER_TYPES
            self._want(single.source, self.bits.get(single.target, 0) if pseudo else self._set(single.target))
        elif len(rtl.effects) > 1 and all(map(_is_assignment, rtl.effects)):
            wanted = [(e.source, self._set(e.target)) for e in rtl.effects if type(e) is Set and type(e.target) is Register]
            for source, bits in wanted:
                self._want(source, bits)
        elif len(rtl.effects) == 1 and type(rtl.effects[0]) is Branch:
            self._want(rtl.effects[0].condition, ALL)
        else:
            self._all(rtl.uses)

    def _set(self, target: Register) -> int:
        """Return how many bits are wanted of what an RTL sets; above it, nobody wants what a hard register held."""
        if target.pseudo:
            return self.bits.get(target, 0) if target.type in INTEGER_TYPES else ALL
        if target.type != self.machine.address_type:
            return ALL
        cells = self.machine.storage(target)
        bits = max(self.hard.get(cell, ALL) for cell in cells)
        self.hard |= dict.fromkeys(cells, 0)
        return bits

    def _all(self, registers: Iterable[Register]) -> None:
        for register in registers:
            self._note(register, ALL)

    def _note(self, register: Register, bits: int) -> None:
        if register.pseudo:
            if bits > self.bits.get(register, 0):
                self.bits[register] = bits
        elif self.hard:
            for cell in self.machine.storage(register):
                self.hard[cell] = max(self.hard.get(cell, ALL), bits if register.type == self.machine.address_type else ALL)

    def _want(self, node: Expr, bits: int) -> None:
        """Note that the low bits of a value are wanted."""
        if type(node) is Register:
            self._note(node, bits)
        elif type(node) is Mem:
            self._want(node.address, ALL)
        elif type(node) is not Op:
            self._all(node.uses)
        elif node.op in CARRYING and node.type in INTEGER_TYPES:
            kept = node.args[1].value if node.op == "&" and type(node.args[1]) is Const else -1
            for arg in node.args:
                self._want(arg, (kept & ((1 << bits) - 1)).bit_length())
        elif node.op in ("tr", "sx", "zx"):
            (arg,) = node.args
            self._want(arg, min(bits, BITS[node.type], BITS[arg.type]))
        elif node.op == "<<" and type(node.args[1]) is Const:
            self._want(node.args[0], max(0, bits - node.args[1].value))
        elif node.op == "SEL" and node.type in INTEGER_TYPES:
            self._want(node.args[0], ALL)
            for arg in node.args[1:]:
                self._want(arg, bits)
        else:
            for arg in node.args:
                self._want(arg, ALL)
