"""The handle through which a phase reads and changes a function.

Analyses are computed on demand and kept while they hold.  Two versions tell how long: `flow` counts changes of blocks and of
the transfers between them, `code` counts all changes.  A phase changes a function only through the methods here.  Each of
them makes one change whole or not at all: if the machine lacks one of the new RTLs, or `-max-changes` forbids it, nothing
happens and the method returns False.

Inside `with state.required():` changes are not refused, for code would be wrong without them: neither are they numbered for
`-max-changes`, nor is the machine asked, since an RTL may be on its way to a legal one.  The phase itself sees to it that
all RTLs are legal when it ends.  An improvement of several parts asks once: `if state.permits():`, then required changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from vpo.algebra import rebuild_effect
from vpo.analysis.alias import NO_FACTS, Aliases
from vpo.analysis.cfg import Cfg, build_cfg, transfer_of
from vpo.analysis.dominators import Loop, dominators, natural_loops
from vpo.analysis.frequency import LineProfile, frequencies_in, profiled_frequencies
from vpo.analysis.liveness import Liveness, compute_liveness, renewed
from vpo.analysis.memory_effects import UnitFacts
from vpo.analysis.routine_calls import RoutineCalls, renewed_routine_calls, routine_calls
from vpo.analysis.ssa import MemorySsa
from vpo.analysis.value_ranges import ValueRanges
from vpo.machines.machine import Machine
from vpo.opt.changes import Changes
from vpo.rtl import Branch, Effect, Expr, IndirectJump, Jump, Register, Rtl, merge_provenance
from vpo.rtl.function import Block, Function, Phi

T = TypeVar("T")


class Analysis(Generic[T]):
    """An analysis of a function: its name, how to compute it, and whether it depends on control flow only.

    An estimate is never wrong: it may be one of the code as it was before RTLs were changed.
    `renew` makes another result of an old one after changes of some blocks; None if that cannot be done.
    """

    def __init__(
        self,
        name: str,
        compute: Callable[[FunctionState], T],
        flow_only: bool = False,
        estimate: bool = False,
        renew: Callable[[FunctionState, T, set[Block]], T | None] | None = None,
    ) -> None:
        self.name, self.compute, self.flow_only, self.estimate, self.renew = name, compute, flow_only, estimate, renew


CFG: Analysis[Cfg] = Analysis("cfg", lambda state: build_cfg(state.function), True)
DOMINATORS: Analysis[dict[int, int]] = Analysis("dominators", lambda state: dominators(state.get(CFG)), True)
LOOPS: Analysis[list[Loop]] = Analysis("loops", lambda state: natural_loops(state.get(CFG), state.get(DOMINATORS)), True)
FREQUENCIES: Analysis[list[float]] = Analysis("frequencies", lambda state: state.weights(), True, estimate=True)
LIVENESS: Analysis[Liveness] = Analysis(
    "liveness",
    lambda state: compute_liveness(state.function, state.get(CFG), state.machine),
    renew=lambda state, old, changed: renewed(old, state.function, state.get(CFG), changed),
)
ALIASES: Analysis[Aliases] = Analysis("aliases", lambda state: Aliases(state.function, state.machine, state.facts))
MEMORY_SSA: Analysis[MemorySsa] = Analysis(
    "memory-ssa", lambda state: MemorySsa(state.function, state.get(CFG), state.get(DOMINATORS), state.get(ALIASES))
)
ROUTINE_CALLS: Analysis[RoutineCalls] = Analysis(
    "routine-calls",
    lambda state: routine_calls(state.function, state.machine),
    renew=lambda state, old, changed: renewed_routine_calls(old, state.function, state.machine, changed),
)

VALUE_RANGES: Analysis[ValueRanges] = Analysis(
    "value-ranges", lambda state: ValueRanges(state.function, state.get(CFG), state.get(DOMINATORS), state.machine)
)


class FunctionState:
    """A function that phases work on, with what is known about it."""

    def __init__(
        self,
        function: Function,
        machine: Machine,
        facts: UnitFacts = NO_FACTS,
        small: bool = False,
        wraps_saves: bool = False,
        profile: LineProfile | None = None,
        changes: Changes | None = None,
    ) -> None:
        self.changes: Changes = changes or Changes()
        self.profile = profile  # of an earlier run
        self.wraps_saves = wraps_saves  # whether saves are placed by data flow where that pays, whatever the machine's method
        self.function: Function = function
        self.machine: Machine = machine
        self.facts: UnitFacts = facts  # about the unit that the function belongs to
        self.small = small  # whether the size of code matters more than how often it is executed
        self.flow = self.code = 0
        self.touched: set[Block] = set()  # blocks that mutators changed, for those who look for other changes
        self.rearranged = False  # whether the order of blocks was changed, or everything
        self._required = False
        self._numbered = function.pseudos  # those that were handed out before
        self._known: dict[Analysis[Any], tuple[int, Any]] = {}  # with the version for which it was computed
        self._since: dict[Analysis[Any], set[Block]] = {}  # blocks changed since, while control flow is the same

    # ------------------------------------------------------------------------------------------------- analyses

    def get(self, analysis: Analysis[T]) -> T:
        """Return the result of an analysis, which the caller must not change; compute it if the function has changed."""
        version = self._version(analysis)
        known = self._known.get(analysis)
        if known is None or known[0] != version:
            result = self._renewed(analysis, known[1]) if known is not None and analysis in self._since else None
            known = self._known[analysis] = version, analysis.compute(self) if result is None else result
            if analysis.renew is not None:
                self._since[analysis] = set()
        return known[1]  # type: ignore[no-any-return]

    def _renewed(self, analysis: Analysis[T], old: T) -> T | None:
        """Return the result of an analysis after the changes of blocks since an old result, if that can be done."""
        return analysis.renew(self, old, self._since[analysis]) if analysis.renew is not None else None

    def weights(self) -> list[float]:
        """Return what an RTL of each block costs: how often it is executed, or the same everywhere where size matters."""
        if self.small:
            return [1.0] * len(self.function.blocks)
        shape = self.function, self.get(CFG), self.get(DOMINATORS), self.get(LOOPS)
        estimated = frequencies_in(*shape)
        return (self.profile and profiled_frequencies(*shape, estimated, self.profile)) or estimated

    def _version(self, analysis: Analysis[Any]) -> int:
        return self.flow if analysis.flow_only else self.code

    def wrong_analyses(self) -> list[str]:
        """Return the names of analyses that count as valid but differ from what they would be if computed now."""
        fresh = FunctionState(self.function, self.machine, self.facts, self.small)
        known = [(analysis, *entry) for analysis, entry in self._known.items()]
        return [
            a.name for a, version, result in known if not a.estimate and version == self._version(a) and fresh.get(a) != result
        ]

    def invalidate(self) -> None:
        """Forget all analyses: the function was changed by other means, or its stage was."""
        self._changed(self.function.blocks, True)
        self.rearranged = True

    def forget(self) -> None:
        """Forget all analyses but exact ones of control flow, as if the function had just been read."""
        exact = [analysis for analysis in self._known if analysis.flow_only and not analysis.estimate]
        self._known = {analysis: self._known[analysis] for analysis in exact}
        self._since.clear()
        self.function.forget()
        self._numbered = self.function.pseudos

    def renumber(self) -> None:
        """Number the pseudo-registers that are new since `forget` without gaps, in the same order.

        So their names do not tell what was tried in vain meanwhile, which another machine may not try.
        """
        if self.function.pseudos == self._numbered or self.function.stage not in ("ssa", "pseudo"):
            return
        new = [r for r in self.function.registers() if r.pseudo and r.index > self._numbered]
        numbers = {index: number for number, index in enumerate(sorted({r.index for r in new}), self._numbered + 1)}
        names: dict[Expr, Expr] = {
            r: Register(r.cls, numbers[r.index], r.type, True, r.version) for r in new if numbers[r.index] != r.index
        }
        if names:
            self._changed([block for block in self.function.blocks if _rename(block, names)], False)

    def reach(self, stage: str) -> None:
        """Bring the function to a stage; its frame may have been laid out for it."""
        self.function.stage = stage
        self._changed((), True)

    # ------------------------------------------------------------------------------------------- what may be changed

    @contextmanager
    def required(self) -> Iterator[None]:
        """Make the changes inside the block in any case: code would be wrong without them, or without some of them."""
        before, self._required = self._required, True
        try:
            yield
        finally:
            self._required = before

    def permits(self) -> bool:
        """Return whether one more improving change may be made, and number it; the required parts of it follow."""
        return self._required or self.changes.permits()

    def _allows(self, new: Iterable[tuple[Effect, ...]]) -> bool:
        """Whether a change that makes RTLs with such effects may be made."""
        return self._required or (all(map(self.machine.is_legal, new)) and self.changes.permits())

    # ---------------------------------------------------------------------------------------------- RTLs of a block

    def replace(self, block: Block, rtl: Rtl, effects: tuple[Effect, ...], from_: Iterable[Rtl] = ()) -> bool:
        """Give an RTL of a block other effects; it takes on the provenance of the RTLs that they come `from_`, too."""
        if not self._allows([effects]):
            return False
        before, sources = _goes(rtl), tuple(from_)
        if sources:
            rtl.lines, rtl.cause = merge_provenance(rtl, *sources)
        rtl.become(effects)
        self._changed([block], _goes(rtl) != before)
        return True

    def splice(self, block: Block, start: int, stop: int, rtls: Sequence[Rtl]) -> bool:
        """Put RTLs in the place of those from one place of a block up to another, without looking at the rest of it."""
        old = set(block.rtls[start:stop])
        if not self._allows(rtl.effects for rtl in rtls if rtl not in old):
            return False
        before = _leads(block)
        block.rtls[start:stop] = rtls
        self._changed([block], _leads(block) != before)
        return True

    def remove(self, block: Block, place: int) -> bool:
        """Remove the RTL at a place of a block."""
        return self.splice(block, place, place + 1, [])

    def insert(self, block: Block, place: int, rtls: Sequence[Rtl]) -> bool:
        """Insert RTLs at a place of a block."""
        return self.splice(block, place, place, rtls)

    def substitute(self, block: Block, instead: Mapping[Rtl, Rtl | None]) -> bool:
        """Put other RTLs, or nothing, in the places of some RTLs of a block."""
        return self.change({block: [new for rtl in block.rtls if (new := instead.get(rtl, rtl)) is not None]})

    def change(
        self,
        contents: Mapping[Block, Sequence[Rtl]],
        layout: Sequence[Block] | None = None,
        phis: Mapping[Block, Sequence[Phi]] = MappingProxyType({}),
    ) -> bool:
        """Give blocks other RTLs and `phis`, and the function a `layout` of other blocks, as one change."""
        old = set[Rtl]().union(*[block.rtls for block in contents])
        new = [rtl for rtls in contents.values() for rtl in rtls if rtl not in old]
        if layout is not None:
            known = {id(block) for block in self.function.blocks}
            new += [rtl for block in layout if id(block) not in known for rtl in block.rtls]
        if not self._allows(rtl.effects for rtl in new):
            return False
        before = [_leads(block) for block in contents]
        for block, rtls in contents.items():
            block.rtls = list(rtls)
        for block, others in phis.items():
            block.phis = list(others)
        if layout is not None:
            self.function.blocks[:] = layout
        self._changed([*contents, *phis], layout is not None or [_leads(block) for block in contents] != before)
        self.rearranged |= layout is not None
        return True

    # -------------------------------------------------------------------------------------------------- control flow

    def redirect(self, block: Block, new: str) -> bool:
        """Let the jump or branch at the end of a block go to another label."""
        rtl = transfer_of(block)
        label = getattr(rtl.transfer, "label", None) if rtl is not None else None
        if rtl is None or label is None:
            return False
        return self.replace(block, rtl, tuple(retarget(effect, label, new) for effect in rtl.effects))

    def keep_blocks(self, kept: Iterable[int]) -> bool:
        """Remove all blocks but those with some indices."""
        blocks = self.function.blocks
        return self.change({}, [blocks[index] for index in sorted(kept)])

    def merge(self, index: int) -> bool:
        """Join a block to the one before it, which falls into it alone."""
        blocks = self.function.blocks
        block, previous = blocks[index], blocks[index - 1]
        if not self._allows(()):
            return False
        previous.rtls, block.rtls = [*previous.rtls, *block.rtls], []
        del blocks[index]
        self._changed([previous, block], True)
        self.rearranged = True
        return True

    def insert_block(self, place: int, block: Block) -> bool:
        """Insert a block at a place in the order of blocks."""
        if not self._allows(rtl.effects for rtl in block.rtls):
            return False
        self.function.blocks.insert(place, block)
        self._changed([block], True)
        self.rearranged = True
        return True

    def relabel(self, block: Block, label: str) -> bool:
        """Give a block another label, so that its own is free for a block before it."""
        if not self._allows(()):
            return False
        block.label = label
        self._changed([block], True)
        return True

    def _changed(self, blocks: Iterable[Block], flow: bool) -> None:
        self.code += 1
        self.flow += flow
        self.touched.update(blocks)
        if flow:
            self._since.clear()
        else:
            for changed in self._since.values():
                changed.update(blocks)


def _rename(block: Block, names: Mapping[Expr, Expr]) -> bool:
    """Put other pseudo-registers in the places of some; return whether the block has any of these."""
    changed = False
    for phi in block.phis:
        if phi.target in names or not names.keys().isdisjoint(phi.sources.values()):
            phi.target = _name(phi.target, names)
            phi.sources = {label: _name(source, names) for label, source in phi.sources.items()}
            changed = True
    for rtl in block.rtls:
        if not names.keys().isdisjoint(rtl.uses) or not names.keys().isdisjoint(rtl.sets):
            rtl.become(tuple([rebuild_effect(effect, names.get, targets=True) for effect in rtl.effects]))
            changed = True
    return changed


def _name(register: Register, names: Mapping[Expr, Expr]) -> Register:
    new = names.get(register, register)
    assert isinstance(new, Register)
    return new


def merged(effects: tuple[Effect, ...], *rtls: Rtl) -> Rtl:
    """Return an RTL with some effects that takes the place of others and has their provenance."""
    return Rtl(effects, *merge_provenance(*rtls))


def retarget(effect: Effect, old: str, new: str) -> Effect:
    """Return a transfer with one label replaced by another."""
    match effect:
        case Jump(label=label) if label == old:
            return Jump(new)
        case Branch(condition=condition, label=label) if label == old:
            return Branch(condition, new)
        case IndirectJump(target=target, labels=labels) if old in labels:
            return IndirectJump(target, tuple(dict.fromkeys(new if name == old else name for name in labels)))
    return effect


def _leads(block: Block) -> tuple[object, ...]:
    """Return what decides where control goes at the end of a block."""
    rtl = transfer_of(block, delayed=True)
    return () if rtl is None else _goes(rtl)


def _goes(rtl: Rtl) -> tuple[object, ...]:
    """Return what decides where control goes behind an RTL."""
    transfer = rtl.transfer
    if transfer is None:
        return ()
    kind = type(transfer)
    if kind is Branch or kind is Jump:
        return kind, transfer.label  # type: ignore[union-attr]
    return (kind, transfer.labels) if type(transfer) is IndirectJump else (kind,)
