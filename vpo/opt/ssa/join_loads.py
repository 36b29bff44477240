"""Loads side by side, on SSA form: what shifts and unions put together of bytes, and one load reads.

    r[t2]=zxL(B[r[t1]+3]);  r[t3]=r[t2]<<24;
    r[t4]=zxL(B[r[t1]+2]);  r[t5]=r[t4]<<16;
    r[t6]=zxL(B[r[t1]+1]);  r[t7]=r[t6]<<8;            =>      r[t11]=L[r[t1]];
    r[t8]=zxL(B[r[t1]]);    r[t9]=r[t3]|r[t5];
    r[t10]=r[t7]|r[t8];     r[t11]=r[t9]|r[t10];

Programs read numbers of files and packets so, in either order of bytes; where the order is not the machine's, an instruction
must turn them.  Only machines that load from any address can do it.  What is left over, phase `dead` removes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vpo.algebra import extend, rebuild, unary
from vpo.algebra.equivalents import Bit, Bits, bit_sources
from vpo.analysis.alias import is_opaque
from vpo.opt.ssa.memory_bits import CELLS, Users, bits_of, chains, is_narrow, places, swaps, turned
from vpo.opt.ssa.permute_bits import computed
from vpo.opt.state import ALIASES, FunctionState
from vpo.rtl import BITS, INTEGER_TYPES, Const, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block


def join_loads(state: FunctionState) -> None:
    """Load by one instruction what several loads and operations put together."""
    if state.function.stage == "ssa" and state.machine.misaligned:
        loads = {rtl for block in state.function.blocks for rtl in block.rtls if rtl.loads}
        users = Users(state)
        for chain in chains(state, {rtl for rtl in loads if is_narrow(state.machine, rtl.loads)}):
            if any(_is_shift(rtl) for block in chain for rtl in block.rtls):
                _Chain(state, chain, users).join()


def _is_shift(rtl: Rtl) -> bool:
    """Whether an RTL may put bits in their place."""
    effect = rtl.effects[0]
    source = effect.source if isinstance(effect, Set) else None
    inner = source.args[0] if isinstance(source, Op) and source.op in ("zx", "sx") else source
    return isinstance(inner, Op) and inner.op == "<<"


@dataclass(frozen=True, slots=True)
class _Value:
    """What the bits of a register are: of which cells, and by which RTLs (their places in the block) they come there.

    A bit of memory is told by the terms of its address and its distance, in bits.
    """

    bits: Bits
    loads: frozenset[int]
    through: frozenset[int]


class _Chain:
    """The work on blocks that are executed one after the other."""

    def __init__(self, state: FunctionState, blocks: Sequence[Block], users: Users) -> None:
        self.state, self.machine, self.blocks, self.users = state, state.machine, blocks, users
        self.rtls = [rtl for block in blocks for rtl in block.rtls]
        self.aliases = state.get(ALIASES)
        self.values: dict[Register, _Value] = {}
        self.numbers: dict[Register, Expr] = {}  # of registers that hold constants
        self.hard: dict[Register, Expr] = {}  # of one that does in front of an RTL, such as the distance of a shift

    def join(self) -> None:
        """Join what can be, the largest first: what is in another one has no users then."""
        found = list(self._values())
        gone: set[int] = set()
        instead: dict[Rtl, list[Rtl]] = {}
        for place in reversed(found):
            rtl = self.rtls[place]
            (target,) = rtl.sets
            if place not in gone and (new := self._joined(place, rtl, self.values[target])):
                instead[rtl] = new
                gone |= self.values[target].through
        for block in self.blocks:
            if not instead.keys().isdisjoint(block.rtls):
                self.state.change({block: [new for rtl in block.rtls for new in instead.get(rtl, [rtl])]})

    def _values(self) -> Iterator[int]:
        """Take down the values of registers; yield the places of those of several cells."""
        first = 0  # RTL of the block
        for block in self.blocks:
            for phi in block.phis:
                sources = [*phi.sources.values()]
                if len(sources) == 1 and sources[0] in self.values:
                    self.values[phi.target] = self.values[sources[0]]
                elif len(sources) == 1 and sources[0] in self.numbers:
                    self.numbers[phi.target] = self.numbers[sources[0]]
            yield from (place for place, rtl in enumerate(block.rtls, first) if self._follow(place, rtl))
            first += len(block.rtls)

    def _follow(self, place: int, rtl: Rtl) -> bool:
        """Take down where the bits come from that an RTL computes; return whether they are those of several cells."""
        effect = rtl.single_set
        target = effect.target if effect is not None else None
        hard, self.hard = self.hard, {}
        if effect is None or type(target) is not Register or target.type not in INTEGER_TYPES:
            return False
        numbers = {**self.numbers, **hard} if hard else self.numbers
        source = rebuild(effect.source, lambda node: numbers.get(node) if type(node) is Register else None)
        if type(source) is Const:
            (self.numbers if target.pseudo else self.hard)[target] = source
        if type(source) is Const or not target.pseudo:
            return False
        loads: set[int] = set()
        through = {place}
        in_part = type(source) is Op and source.op == "|" and source.memory  # a load sets a part of a register

        def leaf(node: Expr) -> Bits | None:
            if type(node) is Mem:
                loads.add(place)
                return bits_of(self.machine, self.aliases, node)
            known = self.values.get(node) if type(node) is Register else None
            if known is None:
                return tuple((node, at) for at in range(BITS[node.type])) if in_part and node.type in INTEGER_TYPES else None
            loads.update(known.loads)
            through.update(known.through)
            return known.bits

        bits = bit_sources(source, leaf)
        if bits is None or len(bits) != BITS[target.type]:
            return False
        self.values[target] = _Value(bits, frozenset(loads), frozenset(through))
        return len(loads) > 1

    def _joined(self, place: int, rtl: Rtl, value: _Value) -> list[Rtl]:
        """Return RTLs that compute in another way what one does; none if that does not pay, or is no value of memory."""
        (target,) = rtl.sets
        for count, type_ in CELLS.items():
            low, high = value.bits[:count], value.bits[count:]
            if len(low) < count or None in low or not (_is_extended(low, high, "zx") or _is_extended(low, high, "sx")):
                continue
            first = min(bit[1] for bit in low if bit is not None)
            terms = low[0][0] if low[0] is not None else None
            straight: list[Bit] = [(terms, first + at) for at in places(self.machine, count)]
            if list(low) not in (straight, turned(straight)):
                continue
            cell = self._cell(value, terms, first, type_)
            if cell is None or not self._is_same(value, place):
                return []
            extension = "zx" if _is_extended(low, high, "zx") else "sx"
            for new in self._ways(rtl, target, cell, extension, list(low) == straight):
                if len(new) < len(self._only_for(value, place)):
                    return new
            return []
        return []

    def _cell(self, value: _Value, terms: object, first: int, type_: str) -> Mem | None:
        """Return the cell that begins at a bit, by the address of what is loaded there."""
        for load in value.loads:
            for cell in self.rtls[load].loads:
                form = self.aliases.form(cell.address)
                if form is not None and form.terms == terms and 8 * form.offset == first:
                    return Mem(type_, cell.address)
        return None

    def _is_same(self, value: _Value, place: int) -> bool:
        """Whether all cells are what they were when they were loaded, at an RTL that comes later."""
        cells = [cell for load in value.loads for cell in self.rtls[load].loads]
        between = self.rtls[min(value.loads) : place]
        return not any(is_opaque(rtl) or any(self.aliases.may_change(rtl, cell) for cell in cells) for rtl in between)

    def _only_for(self, value: _Value, place: int) -> set[int]:
        """Return the RTLs, by their places, that nobody wants any more if one of them computes its value in another way."""
        gone = {place}
        for at in sorted(value.through - gone, reverse=True):
            users = {user for register in self.rtls[at].sets for user in self.users.of(register)}
            if users <= {self.rtls[k] for k in gone}:
                gone.add(at)
        return gone

    def _ways(self, rtl: Rtl, target: Register, cell: Mem, extension: str, straight: bool) -> Iterator[list[Rtl]]:
        """Yield RTLs that load a cell into a register, with its bytes in the machine's order or the other one."""
        source = cell if cell.type == target.type else extend(extension, target.type, cell)
        if straight:
            yield from self._set(rtl, target, source)
            return
        whole = cell.type == target.type
        swapped = unary("bswap", cell.type, cell)
        yield from self._set(rtl, target, swapped if whole else extend(extension, target.type, swapped))
        if not whole and extension == "sx":
            return
        loaded = self.state.function.pseudo(target.cls, target.type)
        for load in self._set(rtl, loaded, source):
            for value in swaps(self.machine, loaded, cell.type):
                if turn := computed(self.state, rtl, target, value):
                    yield [*load, *turn]

    def _set(self, rtl: Rtl, target: Register, source: Expr) -> Iterator[list[Rtl]]:
        """Yield an RTL that sets a register, if it is an instruction that changes nothing else but what another one does."""
        effects = (Set(target, source),)
        if self.machine.is_legal(effects) and {*self.machine.may_clobber(effects)} <= {*self.machine.clobbers(rtl.effects)}:
            yield [Rtl(effects, rtl.lines, rtl.cause)]


def _is_extended(low: Bits, high: Bits, extension: str) -> bool:
    """Whether the high bits of a value are those of the low part, extended."""
    return all(bit is None if extension == "zx" else bit == low[-1] for bit in high)
