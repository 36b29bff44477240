"""Evaluation stacks (role `stacks`): no copies that nobody reads, and values that stay there instead of going to the frame.

s[2]=s[1]; s[1]=s[0];                    (duplicate)     =>
L[w[0]+4]=s[0]; s[0]=s[1]; s[1]=s[2];    (pop)                  L[w[0]+4]=s[0]; s[0]=s[1]; s[1]=s[2];

if the copy is not read any more; and where the frame slot of a spilled value is set and read once, by a pop and a push

L[w[0]+8]=s[0]; s[0]=s[1]; s[1]=s[2];    (pop)
s[2]=s[1]; s[1]=s[0]; s[0]=L[_x];        (push)          =>     s[2]=s[1]; s[1]=s[0]; s[0]=L[_x];
L[w[0]]=s[0]; s[0]=s[1]; s[1]=s[2];      (pop)                  L[w[0]]=s[0]; s[0]=s[1]; s[1]=s[2];
s[2]=s[1]; s[1]=s[0]; s[0]=L[w[0]+8];    (push)

which is right if what lies between leaves what is below it alone, and the stack is deep enough.
After Koopman, "A Preliminary Exploration of Optimized Stack Code Generation" (1992).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from vpo.algebra import binary
from vpo.analysis.liveness import access, does_more_than_set, numbering_of
from vpo.opt.state import CFG, FunctionState
from vpo.rtl import Const, Effect, Mem, Register, Return, Rtl, Set
from vpo.rtl.function import Block

Stack = tuple[Register, ...]


def schedule_stacks(state: FunctionState) -> None:
    """Keep spilled values on the evaluation stack, and remove copies that are never read."""
    if not state.machine.stacks or state.function.stage != "final":
        return
    tidier = _Tidier(state)
    while tidier.remove_unread() or tidier.keep_values():
        pass


class _Tidier:
    """Tidies the code of one function."""

    def __init__(self, state: FunctionState) -> None:
        self.state = state
        self.function, self.machine = function, machine = state.function, state.machine
        self.numbering = numbering_of(function, machine)
        self.cfg = state.get(CFG)
        sp = machine.stack_pointer
        offsets = [slot.offset for slot in function.slots.values() if slot.kind == "spill" and slot.offset is not None]
        self.spilled = {Mem(stack[0].type, binary("+", sp, Const(offset))) for stack in machine.stacks for offset in offsets}

    # ------------------------------------------------------------------------------------------------- what is read

    def before(self, rtl: Rtl, live: int) -> tuple[int, bool]:
        """Return what is live before an RTL, and whether the RTL is of any use.

        Other than in plain liveness, a move to a register that is not live reads nothing.
        """
        entry, uses, useful = access(rtl, self.numbering), 0, not rtl.effects
        for effect in rtl.effects:
            if not does_more_than_set(effect) and isinstance(effect, Set) and isinstance(effect.target, Register):
                target = self.numbering.mask((effect.target,))
                if target and not target & live:
                    continue
            useful = True
            uses |= self.numbering.mask(effect.uses)
        return (live & ~(entry.sets | entry.clobbers)) | uses, useful

    def live_out(self) -> list[int]:
        """Return what is live at the end of each block."""
        blocks = self.function.blocks
        ends = [bool(b.rtls) and isinstance(b.rtls[-1].transfer, Return) for b in blocks]
        live_out = [self.numbering.state if end else 0 for end in ends]
        live_in = [0] * len(blocks)
        again = True
        while again:
            again = False
            for index in range(len(blocks) - 1, -1, -1):
                for successor in self.cfg.successors[index]:
                    live_out[index] |= live_in[successor]
                live = live_out[index]
                for rtl in reversed(blocks[index].rtls):
                    live, _ = self.before(rtl, live)
                again |= live != live_in[index]
                live_in[index] = live
        return live_out

    def remove_unread(self) -> bool:
        """Remove RTLs that only set what nobody reads."""
        changed = False
        for block, live in zip(self.function.blocks, self.live_out(), strict=True):
            for place in range(len(block.rtls) - 1, -1, -1):
                earlier, useful = self.before(block.rtls[place], live)
                if not useful and self.state.remove(block, place):
                    changed = True
                    continue
                live = earlier
        return changed

    # --------------------------------------------------------------------------------------------- what stays there

    def keep_values(self) -> bool:
        """Leave out pops to spill slots with the pushes that bring the values back, or the pushes only."""
        inside = [rtl for rtl in self.function.rtls() if not isinstance(rtl.transfer, Return)]  # while there is a frame
        mentions = Counter(cell for rtl in inside for cell in (*rtl.loads, *rtl.stores) if cell in self.spilled)
        return any(
            self._keep(block, live, mentions) for block, live in zip(self.function.blocks, self.live_out(), strict=True)
        )

    def _keep(self, block: Block, live: int, mentions: Counter[Mem]) -> bool:
        """Change one place of a block, if there is one."""
        after = [live]
        for rtl in reversed(block.rtls):
            after.append(self.before(rtl, after[-1])[0])
        after.reverse()  # after[i]: before RTL i
        for first, rtl in enumerate(block.rtls):
            for stack in self.machine.stacks:
                cell = popped(rtl, stack)
                if cell not in self.spilled:
                    continue
                before = block.rtls[first - 1]
                unread = mentions[cell] == 1 and first > 0 and is_copy(before, stack)
                if unread and self.state.substitute(block, {before: None, rtl: None}):
                    return True
                last = self._pushed_again(block, first, cell, stack, after)
                if last is None:
                    continue
                kept = [] if mentions[cell] == 2 else [Rtl(duplicate(stack), rtl.lines, rtl.cause), rtl]
                rest = [*block.rtls[first + 1 : last], *block.rtls[last + 1 :]]
                if self.state.change({block: [*block.rtls[:first], *kept, *rest]}):
                    return True
        return False

    def _pushed_again(self, block: Block, first: int, cell: Mem, stack: Stack, live: list[int]) -> int | None:
        """Return where a cell is pushed that was popped, if what lies between could stand above the value."""
        depth, bottom = 0, self.numbering.mask((stack[-1],))
        for place, rtl in enumerate(block.rtls[first + 1 :], first + 1):
            if live[place] & bottom or rtl.call is not None:
                return None
            if cell in rtl.stores:
                return None
            if cell in rtl.loads:
                return place if depth == 0 and pushed(rtl, stack) is cell and not live[place + 1] & bottom else None
            if needed(rtl, stack) > depth:
                return None
            depth += growth(rtl, stack)
        return None


# ------------------------------------------------------------------------------------------- what RTLs do to a stack


def _moves(rtl: Rtl, stack: Stack) -> Iterator[tuple[int, int, Effect]]:
    """Yield the plain moves from register to register of a stack: to which, from which."""
    for effect in rtl.effects:
        if isinstance(effect, Set) and effect.target in stack and effect.source in stack:
            yield stack.index(effect.target), stack.index(effect.source), effect


def growth(rtl: Rtl, stack: Stack) -> int:
    """Return by how many elements a stack grows: which way an RTL moves the deepest."""
    return next((to - source for to, source, _ in _moves(rtl, stack) if max(to, source) == len(stack) - 1), 0)


def needed(rtl: Rtl, stack: Stack) -> int:
    """Return how many elements of a stack an RTL reads or replaces."""
    grown = growth(rtl, stack)
    shifts = [effect for to, source, effect in _moves(rtl, stack) if grown and to - source == grown]
    result, kept = 0, set(range(len(stack) + min(grown, 0)))
    for effect in rtl.effects:
        target = effect.target if isinstance(effect, Set) else None
        if target in stack:
            kept.discard(stack.index(target))
        if effect in shifts:
            continue
        if target in stack:
            result = max(result, stack.index(target) + 1 - grown)
        result = max([result, *(stack.index(register) + 1 for register in effect.uses if register in stack)])
    if grown:  # what is not moved is read, in effect
        result = max([result, *(index + 1 for index in kept)])
    return result


def popped(rtl: Rtl, stack: Stack) -> Mem | None:
    """Return the cell to which an RTL does nothing but pop the top of a stack."""
    stores = [e for e in rtl.effects if isinstance(e, Set) and isinstance(e.target, Mem) and e.source is stack[0]]
    if growth(rtl, stack) != -1 or len(stores) != 1 or len(rtl.effects) != len(stack):
        return None
    target = stores[0].target
    return target if isinstance(target, Mem) and target.type == stack[0].type else None


def pushed(rtl: Rtl, stack: Stack) -> Mem | None:
    """Return the cell of which an RTL does nothing but push the value."""
    loads = [e for e in rtl.effects if isinstance(e, Set) and e.target is stack[0] and isinstance(e.source, Mem)]
    if growth(rtl, stack) != 1 or len(loads) != 1 or len(rtl.effects) != len(stack):
        return None
    source = loads[0].source
    return source if isinstance(source, Mem) else None


def duplicate(stack: Stack) -> tuple[Effect, ...]:
    """Return the effects of pushing the top of a stack once more."""
    return tuple(Set(stack[index], stack[index - 1]) for index in range(len(stack) - 1, 0, -1))


def is_copy(rtl: Rtl, stack: Stack) -> bool:
    """Whether an RTL pushes the top of a stack once more."""
    return set(rtl.effects) == set(duplicate(stack))
