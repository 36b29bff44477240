"""Register stacks: drop the top where its value is not wanted any more, so that the stack never grows.

    D[_x]=f[0];                          D[_x]=f[0]; f[0]=f[1];       (a store that pops)
    f[0]=D[_y];               =>         f[0]=D[_y];                  (which pushes)

On such a machine (role `pop`) only the top of the stack holds values of the program, and what sets it without reading it
pushes.  The stack has one element exactly where the top is live: none at entry and at calls, one where a function returns a
value in it, and behind a call that does (`ST=_f(),RT(f[0]);`).  The last RTL that reads the top pops it, if it has such a
form, else an instruction of its own behind it.  Where only some ways out of a block want the top, the others begin with a
pop: in the block to which they lead, or in one of its own if there are ways to that which come with an empty stack.
"""

from __future__ import annotations

from vpo.analysis.cfg import falls_through, transfer_of
from vpo.analysis.liveness import access
from vpo.base.errors import CannotExpress
from vpo.opt.state import CFG, LIVENESS, FunctionState, retarget
from vpo.rtl import IndirectJump, Jump, Mem, Rtl, Set
from vpo.rtl.function import Block


def clean_up_register_stack(state: FunctionState) -> None:
    """Pop values off the register stack after their last use."""
    if not state.machine.pop:
        return
    with state.required():
        popper = _Popper(state)
        if popper.begins_undefined():
            popper.push_anything()
            popper = _Popper(state)
        popper.run()


class _Popper:
    """Puts pops into one function."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.function, self.machine = state, state.function, state.machine
        (drop,) = self.machine.pop
        assert isinstance(drop, Set)
        self.drop = drop
        self.top = drop.target
        self.cfg, self.liveness = state.get(CFG), state.get(LIVENESS)
        numbering = self.liveness.numbering
        self.mask = numbering.mask(drop.sets)
        record = self.machine.recognize(self.machine.pop)
        self.clobbers = numbering.mask(record.clobbers) if record is not None else 0

    def begins_undefined(self) -> bool:
        """Whether a value may be read that was never set."""
        return bool(self.liveness.live_in[0] & self.mask)

    def push_anything(self) -> None:
        """Push some value at entry."""
        push = Set(self.top, Mem(self.top.type, self.machine.stack_pointer))
        self._demand((push,), self.function.line)
        self.state.insert_block(0, Block(self.function.label(), [Rtl((push,), (self.function.line,))]))

    def run(self) -> None:
        """Put in all pops."""
        blocks = list(self.function.blocks)
        left = [self._within(block, index) for index, block in enumerate(blocks)]
        for index, block in enumerate(blocks):
            sources = self.cfg.predecessors[index]
            leaving = [blocks[i] for i in sources if left[i]]
            if leaving and not self.liveness.live_in[index] & self.mask:
                empty = [blocks[i] for i in sources if not left[i]]
                if empty or index == 0:
                    self._divert(block, leaving, empty, blocks[index - 1] if index else None)
                else:
                    self.state.insert(block, 0, [self._pop(leaving[0].rtls[-1])])

    def _pop(self, after: Rtl) -> Rtl:
        """Return an RTL that only pops."""
        self._demand((self.drop,), after.lines[0])
        return Rtl((self.drop,), after.lines, "program")

    def _demand(self, effects: tuple[Set, ...], line: int) -> None:
        if not self.machine.is_legal(effects):
            raise CannotExpress(f"`{effects[0]!r}`, which a register stack needs", line)

    # ------------------------------------------------------------------------------------------- within a block

    def _within(self, block: Block, index: int) -> bool:
        """Pop within a block; return whether the stack has an element at its end."""
        live = [after & self.mask for after in self.liveness.backward(index)]
        codes = [after & self.clobbers for after in self.liveness.backward(index)]
        filled = bool(self.liveness.live_in[index] & self.mask)
        result: list[Rtl] = []
        waiting = False  # for a place where a pop changes nothing that is live
        for rtl, wanted, endangered in zip(block.rtls, live, codes, strict=True):
            if waiting and (self._touches(rtl) or rtl.transfer is not None or rtl.call is not None):
                raise CannotExpress(f"`{self.drop!r}` behind `{result[-1]!r}`", rtl.lines[0])
            result.append(rtl)
            filled = self._filled(rtl, filled)
            if filled and not wanted and rtl.transfer is None:
                if not waiting and self.machine.is_legal((*rtl.effects, self.drop)):
                    self.state.replace(block, rtl, (*rtl.effects, self.drop))
                    filled = False
                    continue
                waiting = bool(endangered)
                if not waiting:
                    result.append(self._pop(rtl))
                    filled = False
        if len(result) > len(block.rtls):
            self.state.change({block: result})
        return filled

    def _touches(self, rtl: Rtl) -> bool:
        entry = access(rtl, self.liveness.numbering)
        return bool((entry.sets | entry.clobbers | entry.uses) & self.mask)

    def _filled(self, rtl: Rtl, before: bool) -> bool:
        """Whether the stack has an element behind an RTL."""
        if self.drop in rtl.effects:
            return False
        if rtl.call is not None:
            return self.top in rtl.call.results
        return before or self._touches(rtl)

    # ---------------------------------------------------------------------------------------------- between blocks

    def _divert(self, block: Block, leaving: list[Block], empty: list[Block], before: Block | None) -> None:
        """Let the ways to a block from those that leave an element lead there by way of a pop."""
        blocks = self.function.blocks
        if before is not None and any(before is other for other in leaving) and falls_through(before):
            place = next(i for i, other in enumerate(blocks) if other is block)
            self.state.insert_block(place, Block(self.function.label(), [self._pop(before.rtls[-1])]))
        named = [other for other in leaving if _names(other, block.label)]
        if not named:
            return
        pop, new = self._pop(named[0].rtls[-1]), self.function.label()
        if not any(isinstance(other.rtls[-1].transfer, IndirectJump) for other in named):
            detour = Block(new, [pop])
            self._retarget(named, block.label, new)
        else:  # a table leads to the label: the block gets another
            others = [other for other in empty if _names(other, block.label)]
            if any(isinstance(other.rtls[-1].transfer, IndirectJump) for other in others):
                raise CannotExpress("jump tables that lead to one place with a full and an empty register stack", pop.lines[0])
            detour = Block(block.label, [pop])
            self.state.relabel(block, new)
            self._retarget(others, detour.label, new)
        detour.rtls.append(Rtl((Jump(block.label),), pop.lines, "control"))
        self.state.insert_block(len(blocks), detour)

    def _retarget(self, blocks: list[Block], old: str, new: str) -> None:
        for block in blocks:
            last = block.rtls[-1]
            self.state.replace(block, last, tuple(retarget(effect, old, new) for effect in last.effects))


def _names(block: Block, label: str) -> bool:
    """Whether the transfer at the end of a block names a label."""
    transfer = rtl.transfer if (rtl := transfer_of(block)) is not None else None
    return getattr(transfer, "label", "") == label or label in getattr(transfer, "labels", ())
