"""One store for those that all ways to a block end with, on SSA form, as long as a phase is at work that looks for phis.

    L1: B[r[t1]]=r[t2];                           L1: PC=L3;
        PC=L3;
    L2: r[t3]=r[t4]-r[t2];                        L2: r[t3]=r[t4]-r[t2];
        B[r[t1]]=r[t3];              <=>
    L3: r[t5]=r[t1]+1;                            L3: r[t6]=PHI(L1:r[t2],L2:r[t3]);
                                                      B[r[t1]]=r[t6];
                                                      r[t5]=r[t1]+1;

So what is stored may become a choice, as what is returned (`shared_returns`).  Addresses may be computed on each way if they
are of the same registers, so that the block can compute them, too.  Each way gets its own store back, as long as the block is
there, so that no copy and no jump is left over.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator
from contextlib import contextmanager

from vpo.algebra import rebuild, rebuild_effect
from vpo.analysis.liveness import does_more_than_set
from vpo.machines.machine import Machine
from vpo.opt.state import CFG, FunctionState
from vpo.rtl import (
    INTEGER_TYPES,
    QUOTIENTS,
    Const,
    Effect,
    Expr,
    Jump,
    Mem,
    Op,
    Register,
    Rtl,
    Set,
    merge_provenance,
    subexpressions,
)
from vpo.rtl.function import Block, Phi

MOST = 3  # stores of one block
LONG = 6  # RTLs that compute an address


@contextmanager
def shared_stores(state: FunctionState, apart: Container[str]) -> Iterator[frozenset[Register]]:
    """Let blocks make the stores that all ways to them end with; the registers are phis of what is stored.

    Those with the labels `apart` are left alone.
    """
    shared: list[_Shared] = []
    blocks, cfg = state.function.blocks, state.get(CFG)
    for number, block in enumerate(blocks):
        ways = cfg.predecessors[number]
        only = {*ways}.isdisjoint((number,)) and {onward for way in ways for onward in cfg.successors[way]} == {number}
        if len(ways) > 1 and only and block.label not in apart:
            shared += _share(state, block, [blocks[way] for way in ways])
    yield frozenset(each.phi.target for each in shared)
    if shared:
        added = {rtl for each in shared for rtl in each.added}
        used = {register for block in blocks for rtl in block.rtls if rtl not in added for register in rtl.uses}
        used.update(source for block in blocks for phi in block.phis for source in phi.sources.values())
        for each in reversed(shared):  # the first of them was the last store
            each.give_back(used)


def _share(state: FunctionState, block: Block, ways: list[Block]) -> Iterator[_Shared]:
    """Yield what a block does from now on that all ways to it did last."""
    for _ in range(MOST):
        stores = list(filter(None, (_last_store(way, state.machine) for way in ways)))
        if len(stores) < len(ways) or len({_cell(store).at(Const(0)) for store in stores}) > 1:
            return
        addresses = [_address(store, way) for store, way in zip(stores, ways, strict=True)]
        if addresses[0] is None or any(address is not addresses[0] for address in addresses):
            return
        shared = _Shared(state, block, dict(zip(ways, stores, strict=True)))
        if not shared.begin(addresses[0]):
            return
        yield shared


def _cell(store: Rtl) -> Mem:
    (cell,) = store.stores
    return cell


def _last_store(block: Block, machine: Machine) -> Rtl | None:
    """Return the store that a block makes last, if it may as well be made at the end of the block."""
    for rtl in reversed(block.rtls):
        if type(rtl.transfer) is Jump:
            continue
        effect = rtl.single_set
        if effect is None or rtl.loads:
            return None
        if type(effect.target) is Mem:
            source = effect.source
            is_simple = (type(source) is Register and source.pseudo) or type(source) is Const
            is_known = all(register.pseudo or register is machine.stack_pointer for register in rtl.uses)
            return rtl if is_simple and is_known and not effect.target.volatile else None
        if not _only_computes(effect) or machine.may_clobber(rtl.effects):
            return None  # a fault behind the store would come before it, and somebody may read codes
    return None


def _only_computes(effect: Set) -> bool:
    """Whether an effect sets a pseudo-register to what it computes of others, which is always possible."""
    target = effect.target
    if type(target) is not Register or not target.pseudo or does_more_than_set(effect) or effect.memory:
        return False
    return not any(isinstance(node, Op) and node.op in QUOTIENTS for node in subexpressions(effect.source))


def _address(store: Rtl, block: Block) -> Expr | None:
    """Return the address of a store as a function of registers that its block does not set."""
    definitions = {register: rtl for rtl in block.rtls for register in rtl.sets}
    inside = {*definitions, *(phi.target for phi in block.phis)}
    count = 0

    def put(node: Expr) -> Expr | None:
        nonlocal count
        rtl = definitions.get(node) if type(node) is Register else None
        effect = rtl.single_set if rtl is not None else None
        if effect is None or not _only_computes(effect) or count == LONG:
            return None
        count += 1
        return rebuild(effect.source, put)

    address = rebuild(_cell(store).address, put)
    known = (register.pseudo or register in store.uses for register in address.uses)
    return address if inside.isdisjoint(address.uses) and all(known) else None


class _Shared:
    """A store that a block makes in the place of those at the ends of all ways to it."""

    def __init__(self, state: FunctionState, block: Block, stores: dict[Block, Rtl]) -> None:
        self.state, self.machine, self.block, self.stores = state, state.machine, block, stores
        self.before = {way: list(way.rtls) for way in stores}
        self.after: dict[Block, list[Rtl]] = {}
        self.added: list[Rtl] = []  # to the block
        provenance = merge_provenance(*stores.values())
        sources = [effect.source for store in stores.values() if (effect := store.single_set) is not None]
        whole = self.machine.classes[self.machine.values.integer]
        like = next((source for source in sources if type(source) is Register), None)
        target = state.function.pseudo(*((like.cls, like.type) if like is not None else (whole.name, whole.type)))
        self.phi = Phi(target, {}, *provenance)

    def begin(self, address: Expr) -> bool:
        """Let the block store at an address, if there are instructions for all that is needed; return whether it does."""
        for way, store in self.stores.items():
            rest = [rtl for rtl in way.rtls if rtl is not store]
            source = self._stored(store, rest)
            if source is None or (source.cls, source.type) != (self.phi.target.cls, self.phi.target.type):
                return False
            self.phi.sources[way.label], self.after[way] = source, rest
        way, store = next(iter(self.stores.items()))
        cell, clobbered = _cell(store), self._clobbered()
        effects = (Set(cell.at(address), self.phi.target),)
        if not self._is_harmless(effects, clobbered):
            effects = (Set(cell.at(self._computed(cell.address, way)), self.phi.target),)
            parts = [(effects, clobbered), *((rtl.effects, set[Register]()) for rtl in self.added)]
            if not all(self._is_harmless(*part) for part in parts):
                return False
        self.added.append(Rtl(effects, self.phi.lines, self.phi.cause))
        contents = {**self.after, self.block: [*self.added, *self.block.rtls]}
        with self.state.required():
            self.state.change(contents, None, {self.block: [*self.block.phis, self.phi]})
        return True

    def _clobbered(self) -> set[Register]:
        """Return what all ways clobber by their stores, if these come last."""
        changed = []
        for way, store in self.stores.items():
            behind = way.rtls[way.rtls.index(store) + 1 :]
            is_last = all(type(rtl.transfer) is Jump for rtl in behind)
            changed.append({*self.machine.may_clobber(store.effects)} if is_last else set())
        return set[Register].intersection(*changed)

    def _is_harmless(self, effects: tuple[Effect, ...], allowed: Collection[Register] = ()) -> bool:
        """Whether effects are an instruction that changes nothing else but what is allowed."""
        return self.machine.is_legal(effects) and {*self.machine.may_clobber(effects)} <= {*allowed}

    def _stored(self, store: Rtl, rest: list[Rtl]) -> Register | None:
        """Return a register with what a store writes; a number gets one at the end of the rest of its block."""
        effect = store.single_set
        assert effect is not None
        if type(effect.source) is Register:
            return effect.source
        register = self.state.function.pseudo(self.phi.target.cls, self.phi.target.type)
        put = Rtl((Set(register, effect.source),), store.lines, store.cause)
        if effect.target.type not in INTEGER_TYPES or not self._is_harmless(put.effects):
            return None
        rest.insert(len(rest) - (bool(rest) and type(rest[-1].transfer) is Jump), put)
        return register

    def _computed(self, address: Expr, way: Block) -> Expr:
        """Return an address in terms of registers that the block computes as one of the ways to it does."""
        definitions = {register: rtl for rtl in way.rtls for register in rtl.sets}

        def put(node: Expr) -> Expr | None:
            rtl = definitions.get(node) if type(node) is Register else None
            effect = rtl.single_set if rtl is not None else None
            if rtl is None or effect is None or type(node) is not Register:
                return None
            new = self.state.function.pseudo(node.cls, node.type)
            self.added.append(Rtl((Set(new, rebuild(effect.source, put)),), rtl.lines, rtl.cause))
            return new

        return rebuild(address, put)

    def give_back(self, used: Collection[Register]) -> None:
        """Let each way that now leads to the block make the store again, if nobody has used what the block computes for it."""
        phi = next((phi for phi in self.block.phis if phi.target is self.phi.target), None)
        blocks = {block.label: block for block in self.state.function.blocks}
        computed = {self.phi.target, *(register for rtl in self.added for register in rtl.sets)}
        if phi is None or blocks.get(self.block.label) is not self.block or not computed.isdisjoint(used):
            return
        contents: dict[Block, list[Rtl]] = {}
        for label, source in phi.sources.items():
            way = blocks[label]
            if way.rtls == self.after.get(way) and source is self.phi.sources[label]:
                contents[way] = self.before[way]
            else:
                jump = way.rtls[-1:] if way.rtls and type(way.rtls[-1].transfer) is Jump else []
                contents[way] = [*way.rtls[: len(way.rtls) - len(jump)], *self._again(source), *jump]
        contents[self.block] = [rtl for rtl in self.block.rtls if rtl not in self.added]
        with self.state.required():
            self.state.change(contents, None, {self.block: [other for other in self.block.phis if other is not phi]})

    def _again(self, source: Register) -> list[Rtl]:
        """Return the RTLs that store what is in a register."""
        names: dict[Expr, Expr] = {self.phi.target: source}
        made: list[Rtl] = []
        for rtl in self.added:
            effects = tuple(rebuild_effect(effect, names.get) for effect in rtl.effects)
            for register in rtl.sets:
                names[register] = self.state.function.pseudo(register.cls, register.type)
            made.append(Rtl(tuple(rebuild_effect(e, names.get, targets=True) for e in effects), rtl.lines, rtl.cause))
        return made
