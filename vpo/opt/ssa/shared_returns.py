"""One block for the returns of a function, on SSA form, as long as a phase is at work that looks for phis.

    L1: r[10]=r[t1];                          L1: PC=L9;
        PC=r[1],RT(r[10]);                    L2: PC=L9;
    L2: r[10]=r[t2];                  <=>     L9: r[t3]=PHI(L1:r[t1],L2:r[t2]);
        PC=r[1],RT(r[10]);                        r[10]=r[t3];
                                                  PC=r[1],RT(r[10]);

Each way gets its own return back, so that no jump is left over.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from vpo.algebra import rebuild_effect
from vpo.analysis.cfg import transfer_of
from vpo.machines.machine import Machine
from vpo.opt.state import FunctionState
from vpo.rtl import Const, Effect, Jump, Register, Return, Rtl, Set
from vpo.rtl.function import Block, Phi

Key = tuple[tuple[Effect, ...] | Register, ...]


@contextmanager
def shared_returns(state: FunctionState) -> Iterator[None]:
    """Let blocks that return values alike have their return in common."""
    groups: dict[Key, list[Block]] = {}
    for block in state.function.blocks:
        if (key := _key(block, state.machine)) is not None:
            groups.setdefault(key, []).append(block)
    with state.required():
        shared = [_Shared(state, blocks, len(key) - 1) for key, blocks in groups.items() if len(blocks) > 1]
    yield
    with state.required():
        for each in shared:
            each.give_back()


def _key(block: Block, machine: Machine) -> Key | None:
    """Return the return of a block and the registers that it is given values in, if copies do this."""
    last = transfer_of(block)
    if last is None or not isinstance(last.transfer, Return):
        return None
    places: list[Register] = []
    for rtl in reversed(block.rtls[:-1]):
        copy = rtl.single_set()
        if copy is None or not isinstance(target := copy.target, Register) or target.pseudo or target in places:
            break
        if not (isinstance(copy.source, Const | Register) and all(r.pseudo or r in machine.zero for r in copy.uses)):
            break
        value = Register(target.cls, 1, target.type, True)
        if not machine.is_legal((Set(target, value),)) or not machine.is_legal((Set(value, copy.source),)):
            break
        places.append(target)
    return (last.effects, *places) if places else None


class _Shared:
    """The return that some blocks have in common: `count` copies, and the transfer of control."""

    def __init__(self, state: FunctionState, blocks: list[Block], count: int) -> None:
        self.state, self.function = state, state.function
        self.ends = {block.label: block.rtls[-count - 1 :] for block in blocks}  # what the blocks had
        self.added: set[Rtl] = set()  # what gives numbers to registers for the phis
        model = self.ends[blocks[0].label]
        self.block = Block(self.function.label(), [model[-1]])
        contents = {block: block.rtls[: -count - 1] for block in blocks}
        for place in reversed(range(count)):
            self._share_copy(place, contents)
        for block, rtls in contents.items():
            rtls.append(Rtl((Jump(self.block.label),), block.rtls[-1].lines, block.rtls[-1].cause))
        state.change(contents, [*self.function.blocks, self.block])
        self.sources = self._sources()

    def _share_copy(self, place: int, contents: dict[Block, list[Rtl]]) -> None:
        """Let the common block make a copy that all blocks made in a place, from a phi."""
        old = self.ends[next(iter(self.ends))][place]
        (result,) = old.sets
        target = self.function.pseudo(result.cls, result.type)
        sources = {
            block.label: self._register(self.ends[block.label][place], target, rtls) for block, rtls in contents.items()
        }
        self.block.phis.append(Phi(target, sources, old.lines, old.cause))
        self.block.rtls.insert(0, Rtl((Set(result, target),), old.lines, old.cause))

    def _register(self, copy: Rtl, like: Register, rtls: list[Rtl]) -> Register:
        """Return a register that has the value which is copied."""
        effect = copy.single_set()
        assert effect is not None
        if isinstance(effect.source, Register) and effect.source.pseudo:
            return effect.source
        register = self.function.pseudo(like.cls, like.type)
        rtls.append(Rtl((Set(register, effect.source),), copy.lines, copy.cause))
        self.added.add(rtls[-1])
        return register

    def _sources(self) -> dict[str, list[Register]]:
        """Return for each way to the common block what its phis take."""
        labels = self.block.phis[0].sources
        return {label: [phi.sources[label] for phi in self.block.phis] for label in labels}

    def give_back(self) -> None:
        """Copy the common block to all ways that lead to it, and remove it."""
        ways = self._sources()
        contents: dict[Block, list[Rtl]] = {}
        for block in self.function.blocks:
            if block.label in ways:
                last = transfer_of(block)
                before = block.rtls[:-1] if last is not None and isinstance(last.transfer, Jump) else block.rtls
                contents[block] = [*before, *self._end(block.label, ways[block.label])]
        needed = {register for rtls in contents.values() for rtl in rtls for register in rtl.uses}
        contents = {b: [r for r in rtls if r not in self.added or needed & set(r.sets)] for b, rtls in contents.items()}
        self.state.change(contents, [block for block in self.function.blocks if block is not self.block])

    def _end(self, label: str, sources: list[Register]) -> list[Rtl]:
        """Return the end of a block: what it was if it still returns the same."""
        if self.sources.get(label) == sources:
            return self.ends[label]
        values = dict(zip((phi.target for phi in self.block.phis), sources, strict=True))
        return [Rtl(tuple(_with(e, values) for e in rtl.effects), rtl.lines, rtl.cause) for rtl in self.block.rtls]


def _with(effect: Effect, values: dict[Register, Register]) -> Effect:
    return rebuild_effect(effect, lambda node: values.get(node) if isinstance(node, Register) else None)
