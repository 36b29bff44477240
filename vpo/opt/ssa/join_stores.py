"""Stores side by side, on SSA form: parts of one number, or numbers, that one store writes.

    B[r[t1]]=r[t2];
    r[t3]=r[t2]>>u8;   B[r[t1]+1]=r[t3];
    r[t4]=r[t2]>>u16;  B[r[t1]+2]=r[t4];               =>      L[r[t1]]=r[t2];
    r[t5]=r[t2]>>u24;  B[r[t1]+3]=r[t5];

Programs write numbers to files and packets so, in either order of bytes, and set members of structures.  The store stands
where the last one stood.  Only machines that store at any address can do it.  What is left over, phase `dead` removes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vpo.algebra import rebuild, truncate, unary, wrap
from vpo.algebra.equivalents import Bits, bit_sources
from vpo.opt.ssa.memory_bits import CELLS, Users, chains, is_narrow, places, swaps, turned
from vpo.opt.ssa.permute_bits import computed
from vpo.opt.state import ALIASES, FunctionState
from vpo.rtl import BITS, INTEGER_TYPES, Const, Effect, Expr, Mem, Register, Rtl, Set
from vpo.rtl.function import Block, Phi


def join_stores(state: FunctionState) -> None:
    """Store by one instruction what several store."""
    if state.function.stage == "ssa" and state.machine.misaligned:
        stores = {rtl for block in state.function.blocks for rtl in block.rtls if rtl.stores}
        values: _Values | None = None
        users = Users(state)
        for chain in chains(state, {rtl for rtl in stores if is_narrow(state.machine, rtl.stores)}):
            values = values or _Values(state)
            _Chain(state, chain, values, users).join()


class _Values:
    """What the registers of a function hold: numbers, or bits of other ones."""

    def __init__(self, state: FunctionState) -> None:
        self.sources: dict[Register, Expr] = {}
        for block in state.function.blocks:
            distance: dict[Expr, Expr] = {}  # of a shift, which an RTL puts in a register in front of it
            for rtl in block.rtls:
                effect = rtl.single_set
                before, distance = distance, {}
                if effect is None or type(effect.target) is not Register:
                    continue
                if effect.target.pseudo:
                    self.sources[effect.target] = rebuild(effect.source, before.get) if before else effect.source
                elif type(effect.source) is Const:
                    distance[effect.target] = effect.source
        self.known: dict[Register, Bits] = {}

    def number(self, node: Expr) -> Const | None:
        """Return the number that a register holds, or that is one."""
        found = self.sources.get(node, node) if type(node) is Register else node
        return found if type(found) is Const else None

    def bits(self, register: Register) -> Bits:
        """Return the bits of a register as those of the registers that they come from."""
        if register not in self.known:
            self.known[register] = tuple((register, at) for at in range(BITS[register.type]))
            source = self.sources.get(register)
            seen = source and rebuild(source, lambda node: self.number(node) if type(node) is Register else None)
            found = bit_sources(seen, self._leaf) if seen is not None else None
            if found is not None and len(found) == BITS[register.type]:
                self.known[register] = found
        return self.known[register]

    def _leaf(self, node: Expr) -> Bits | None:
        return self.bits(node) if type(node) is Register and node.pseudo and node.type in INTEGER_TYPES else None


@dataclass(frozen=True, slots=True)
class _Store:
    """A store: the distance of its cell from what others with the same terms are near, in bytes, and what it stores."""

    rtl: Rtl
    cell: Mem
    offset: int
    source: Expr

    @property
    def end(self) -> int:
        """The distance of the first byte behind the cell."""
        return self.offset + BITS[self.cell.type] // 8


class _Chain:
    """The work on blocks that are executed one after the other; `waiting` are stores that others may join, by their terms."""

    def __init__(self, state: FunctionState, blocks: Sequence[Block], values: _Values, users: Users) -> None:
        self.state, self.machine, self.blocks, self.values, self.users = state, state.machine, blocks, values, users
        self.aliases = state.get(ALIASES)
        self.waiting: dict[object, list[_Store]] = {}
        self.instead: dict[Rtl, list[Rtl]] = {}
        self.changed: set[Register] = set()  # by each store of the run that is looked at, besides its cell

    def join(self) -> None:
        """Join what can be."""
        for rtl in (rtl for block in self.blocks for rtl in block.rtls):
            self._meet(rtl)
        for terms in [*self.waiting]:
            self._end(terms)
        for block in self.blocks:
            if not self.instead.keys().isdisjoint(block.rtls):
                self.state.change({block: [new for rtl in block.rtls for new in self.instead.get(rtl, [rtl])]})

    def _meet(self, rtl: Rtl) -> None:
        """Join the stores that cannot wait until an RTL has been executed; let it wait, too, if it is a store."""
        terms, store = self._store(rtl)
        hard = {register for register in rtl.sets if not register.pseudo}
        for other, stores in [*self.waiting.items()]:
            if other == terms and store is not None:
                if any(store.offset < each.end and each.offset < store.end for each in stores):
                    self._end(other)
            elif any(hard & {*each.rtl.uses} or self.aliases.conflict(each.rtl, rtl) for each in stores):
                self._end(other)
        if store is not None:
            self.waiting.setdefault(terms, []).append(store)

    def _store(self, rtl: Rtl) -> tuple[object, _Store | None]:
        """Return a store that may be joined with others, and the terms of its address."""
        effect = rtl.single_set
        if effect is None or type(effect.target) is not Mem or effect.target.volatile or effect.source.memory:
            return None, None
        cell, source = effect.target, effect.source
        if cell.type not in INTEGER_TYPES or not isinstance(source, Const | Register):
            return None, None
        if isinstance(source, Register) and (not source.pseudo or source.type not in INTEGER_TYPES):
            return None, None
        form = self.aliases.form(cell.address)
        return (form.terms, _Store(rtl, cell, form.offset, source)) if form is not None else (None, None)

    def _end(self, terms: object) -> None:
        """Join stores that wait, the largest cells first."""
        stores = self.waiting.pop(terms)
        by_offset = sorted(stores, key=lambda store: store.offset)
        while by_offset:
            run = next(filter(None, (self._run(by_offset, bits // 8) for bits in CELLS)), by_offset[:1])
            by_offset = by_offset[len(run) :]
            if len(run) > 1:
                last = max(run, key=stores.index)
                self.instead.update({store.rtl: [] for store in run})
                self.instead[last.rtl] = self._joined(run, last.rtl)

    def _run(self, stores: Sequence[_Store], size: int) -> list[_Store]:
        """Return the first stores if they fill so many bytes, and one store can do what they do."""
        run: list[_Store] = []
        end = stores[0].offset
        for store in stores:
            if store.offset != end or end >= stores[0].offset + size:
                break
            run.append(store)
            end = store.end
        filled = len(run) > 1 and end == stores[0].offset + size
        return run if filled and self._joined(run, run[0].rtl) else []

    def _joined(self, run: Sequence[_Store], rtl: Rtl) -> list[Rtl]:
        """Return RTLs that store what some stores do, with the provenance of one; none if that does not pay."""
        self.changed = set.intersection(*({*self.machine.clobbers(store.rtl.effects)} for store in run))
        bits = 8 * (run[-1].end - run[0].offset)
        cell = Mem(CELLS[bits], run[0].cell.address)
        found = min(self._ways(run, cell, bits, rtl), key=len, default=[])
        used = {register for new in found for register in new.uses}
        gone = {store.source for store in run if self._users(store.source) == {store.rtl}} - used
        return found if len(found) < len(run) + len(gone) else []

    def _users(self, source: Expr) -> set[Phi | Rtl]:
        return self.users.of(source) if isinstance(source, Register) else set()

    def _ways(self, run: Sequence[_Store], cell: Mem, bits: int, rtl: Rtl) -> Iterator[list[Rtl]]:
        numbers = [self.values.number(store.source) for store in run]
        if None not in numbers:
            number = self._together(run, [each.value for each in numbers if each is not None])
            yield from self._of_number(cell, number, rtl)
            for store, own in zip(run, numbers, strict=True):
                if own is not None and own.value == wrap(number, bits):
                    yield from self._store_of(cell, store.source, [], rtl)
            return
        if None in {self.values.number(store.source) for store in run} and any(numbers):
            return
        wanted = self._wanted(run, bits)
        for register in dict.fromkeys(bit[0] for bit in wanted if bit is not None):
            if BITS[register.type] < bits:
                continue
            for source in (register, *(store.source for store in run if isinstance(store.source, Register))):
                have = self.values.bits(source)[:bits]
                if have == wanted:
                    yield from self._store_of(cell, source, [], rtl)
                elif tuple(turned(have)) == wanted:
                    part = source if source.type == cell.type else truncate(cell.type, source)
                    for place, before in self._places(cell, rtl):
                        yield from self._store_of(place, unary("bswap", cell.type, part), before, rtl)
                    new = self.state.function.pseudo(source.cls, source.type)
                    for value in swaps(self.machine, source, cell.type):
                        if turn := computed(self.state, rtl, new, value):
                            yield from self._store_of(cell, new, turn, rtl)

    def _places(self, cell: Mem, rtl: Rtl) -> Iterator[tuple[Mem, list[Rtl]]]:
        """Yield a cell, and the cell with its address in a register, which an RTL sets."""
        yield cell, []
        cls = self.machine.classes[self.machine.values.address]
        new = self.state.function.pseudo(cls.name, cls.type)
        put = (Set(new, cell.address),)
        if not isinstance(cell.address, Register) and self._is_harmless(put):
            yield cell.at(new), [Rtl(put, rtl.lines, "address")]

    def _wanted(self, run: Sequence[_Store], bits: int) -> Bits:
        """Return the bits that some stores write, the lowest of the cell that all of them are first."""
        memory: dict[int, tuple[Register, int] | None] = {}
        for store in run:
            assert isinstance(store.source, Register)
            size = BITS[store.cell.type]
            first = 8 * (store.offset - run[0].offset)
            for at, bit in zip(places(self.machine, size), self.values.bits(store.source), strict=False):
                memory[first + at] = bit
        return tuple(memory[at] for at in places(self.machine, bits))

    def _together(self, run: Sequence[_Store], numbers: Sequence[int]) -> int:
        """Return the number that some numbers, side by side, are."""
        in_order = zip(run, numbers, strict=True)
        found, place = 0, 0
        for store, number in reversed([*in_order]) if self.machine.big_endian else in_order:
            size = BITS[store.cell.type]
            found |= (number & ((1 << size) - 1)) << place
            place += size
        return found

    def _of_number(self, cell: Mem, number: int, rtl: Rtl) -> Iterator[list[Rtl]]:
        """Yield ways to store a number."""
        value = Const(wrap(number, BITS[cell.type]))
        yield from self._store_of(cell, value, [], rtl)
        cls = self.machine.classes[self.machine.values.integer]
        if BITS.get(cls.type, 0) >= BITS[cell.type]:
            new = self.state.function.pseudo(cls.name, cls.type)
            put = (Set(new, Const(wrap(number, BITS[cell.type]))),)
            if self._is_harmless(put):
                yield from self._store_of(cell, new, [Rtl(put, rtl.lines, "constant")], rtl)

    def _store_of(self, cell: Mem, source: Expr, before: list[Rtl], rtl: Rtl) -> Iterator[list[Rtl]]:
        """Yield RTLs behind which one stores a value in a cell, if that is an instruction that changes nothing else."""
        effects = (Set(cell, source),)
        if self._is_harmless(effects):
            yield [*before, Rtl(effects, rtl.lines, rtl.cause)]

    def _is_harmless(self, effects: tuple[Effect, ...]) -> bool:
        """Whether effects are an instruction that changes nothing else but what all stores of a run do."""
        return self.machine.is_legal(effects) and self.changed.issuperset(self.machine.may_clobber(effects))
