"""Delay slots: fill them with RTLs from before the transfer, from its target or from behind it, else no-operations.

r[8]=r[8]+1;                     PC=r[9]<0,L5;
PC=r[9]<0,L5;          =>        r[8]=r[8]+1;       (in the slot)

From the target the first RTL is copied, and the transfer goes behind it.  That is right for a jump; for a branch, if the
machine can annul the slot when it is not taken (`DS=taken;`), or if nobody behind it wants what the RTL sets:

PC=r[9]<0,L5; NOP;               PC=r[9]<0,L6; DS=taken; r[8]=r[8]+1;
L5: r[8]=r[8]+1;       =>        L5: r[8]=r[8]+1;
                                 L6:

Where an instruction has a form without slots, that is the one used if they cannot be filled.
"""

from __future__ import annotations

from vpo.algebra import rebuild_effect
from vpo.analysis.alias import Aliases
from vpo.analysis.cfg import build_cfg, transfer_of
from vpo.analysis.liveness import access, compute_liveness, numbering_of
from vpo.function import Block, Function
from vpo.machines.machine import Machine
from vpo.opt.changes import permitted
from vpo.opt.interlock import separate_hazards
from vpo.opt.state import ALIASES, FunctionState, retarget
from vpo.rtl import (
    TAKEN,
    Branch,
    Call,
    Delay,
    Effect,
    Expr,
    Jump,
    Op,
    Register,
    Return,
    Rtl,
    Set,
    subexpressions,
)

MOST_SLOTS = 4  # of any instruction
ALWAYS, NEVER = Delay("always"), Delay("never")


def fill_delay_slots(state: FunctionState) -> None:
    """Fill delay slots, and separate late results from their uses; the function becomes stage 'final'."""
    finish_delays(state)
    state.invalidate()


def finish_delays(state: FunctionState) -> None:
    """Bring a function of stage 'framed' to stage 'final'."""
    function, machine = state.function, state.machine
    aliases = state.get(ALIASES)  # RTLs move only where their registers hold the same values
    if machine.capabilities.delays or any(machine.record(rtl).slots or machine.record(rtl).into for rtl in function.rtls()):
        filler = _Filler(function, machine, aliases)
        for block in function.blocks:
            filler.fill_from_before(block)
        for block in list(function.blocks):
            filler.fill_from_elsewhere(block)
    function.stage = "final"
    separate_hazards(function, machine, aliases)


class _Filler:
    """Fills the delay slots of one function."""

    def __init__(self, function: Function, machine: Machine, aliases: Aliases) -> None:
        self.function, self.machine, self.aliases = function, machine, aliases
        self.numbering = numbering_of(function, machine)
        cfg = build_cfg(function)
        liveness = compute_liveness(function, cfg, machine)
        labels = [block.label for block in function.blocks]
        self.live = dict(zip(labels, liveness.live_in, strict=True))  # of blocks as they were at first
        self.alone = {  # blocks that are entered from the one before them only
            labels[i] for i, before in enumerate(cfg.predecessors) if i and before == [i - 1] and not self._is_named(i)
        }
        self.empty: dict[int, Rtl] = {}  # transfers whose slots have only no-operations so far, by identity
        self.parts: dict[int, Rtl] = {}  # of instructions that stand for several, by identity: they stay side by side

    def _is_named(self, index: int) -> bool:
        """Whether the transfer at the end of the block before one names it."""
        rtl = transfer_of(self.function.blocks[index - 1])
        return rtl is not None and getattr(rtl.transfer, "label", "") == self.function.blocks[index].label

    # ---------------------------------------------------------------------------------------------- from before

    def fill_from_before(self, block: Block) -> None:
        """Move RTLs of a block behind the transfers and calls that they do not concern."""
        result: list[Rtl] = []
        for whole in block.rtls:
            first, rtl, inside = self._split(whole)
            delayed = self._delayed(rtl)
            slots = self.machine.record(delayed).slots
            fillers: list[Rtl] = list(inside)
            while len(fillers) < slots:
                candidate = self._candidate(result, [*first, rtl, *fillers])
                if candidate is None or not permitted():
                    break
                fillers.insert(0, result.pop(candidate))
            if slots and result and not (first or fillers):
                forwarded = self._forwarded(result[-1], delayed)
                if forwarded is not None and permitted():
                    delayed, fillers = forwarded, [result.pop()]
            if fillers:
                rtl = delayed
            elif slots and rtl.transfer is not None:
                self.empty[id(rtl)] = rtl
            padding = _padding(rtl, self.machine.record(rtl).slots - len(fillers))
            result += [*first, rtl, *fillers[: len(fillers) - len(inside)], *padding, *inside]
        block.rtls = result

    def _split(self, rtl: Rtl) -> tuple[list[Rtl], Rtl, list[Rtl]]:
        """Return what an RTL stands for: RTLs before the one with slots (or the last), that one, and RTLs in its slots."""
        into = self.machine.record(rtl).into
        if not into:
            return [], rtl, []
        parts = [Rtl(effects, rtl.lines, rtl.cause) for effects in into]
        self.parts.update((id(part), part) for part in parts)
        place = next((i for i, part in enumerate(parts) if self.machine.record(part).slots), len(parts) - 1)
        return parts[:place], parts[place], parts[place + 1 :]

    def _forwarded(self, before: Rtl, transfer: Rtl) -> Rtl | None:
        """Return a return that reads what an RTL with many moves before it moves, so that this may come behind it.

        r[15]=r[31]; ... PC=r[15],RT();    =>    PC=r[31],RT(); r[15]=r[31]; ...
        """
        if not isinstance(transfer.transfer, Return) or not self._movable(before) or len(before.effects) < 2:
            return None
        moves = [e for e in before.effects if isinstance(e, Set) and isinstance(e.source, Register)]
        moved: dict[Expr, Expr] = {move.target: move.source for move in moves}
        read = set(_read(transfer))
        if not read or not read.issubset(moved) or transfer.sets:
            return None
        effects = tuple(rebuild_effect(effect, moved.get) for effect in transfer.effects)
        return Rtl(effects, transfer.lines, transfer.cause) if self.machine.is_legal(effects) else None

    def _delayed(self, rtl: Rtl) -> Rtl:
        """Return the form of an RTL with delay slots; itself if there is no other."""
        if "always" not in self.machine.capabilities.delays or (rtl.transfer is None and rtl.call is None):
            return rtl
        return self._variant(rtl, ALWAYS) or rtl

    def _variant(self, rtl: Rtl, delay: Delay) -> Rtl | None:
        """Return a transfer with something else said of its delay slots, if the machine has that in its direction."""
        effects: tuple[Effect, ...] = (*(e for e in rtl.effects if type(e) is not Delay), delay)
        record = self.machine.recognize(effects) if delay.when in self.machine.capabilities.delays else None
        if record is None or (record.reach is not None and not self._towards(rtl, record.reach)):
            return None
        return Rtl(effects, rtl.lines, rtl.cause)

    def _towards(self, rtl: Rtl, reach: tuple[int, int]) -> bool:
        """Whether the target of a transfer lies in the direction in which an instruction reaches at all."""
        label = getattr(rtl.transfer, "label", None)
        for block in self.function.blocks:
            if block.label == label:
                return reach[0] < 0
            if any(other is rtl for other in block.rtls[-1 - MOST_SLOTS :]):
                return reach[1] > 0
        return True

    def _candidate(self, before: list[Rtl], after: list[Rtl]) -> int | None:
        """Return the last RTL before a transfer that can move behind it, past everything in between."""
        machine, numbering = self.machine, self.numbering
        uses = sets = 0
        stack = machine.stack_pointer  # data flow does not follow it
        stack_read = any(stack in rtl.uses for rtl in after)
        stack_moved = any(stack in rtl.sets for rtl in after)
        for rtl in after:
            # what a transfer itself sets; what a callee may change happens after the slot
            uses, sets = uses | numbering.mask(_read(rtl)), sets | numbering.mask(tuple(rtl.sets))
        passed = list(after)
        for position in range(len(before) - 1, -1, -1):
            rtl = before[position]
            transfers = rtl.call is not None or rtl.transfer is not None
            if transfers or machine.record(rtl).slots or self._in_slot(before, position):
                return None
            entry = access(rtl, numbering)
            changed = entry.sets | entry.clobbers
            independent = self._movable(rtl) and not (changed & (uses | sets) or entry.uses & sets)
            if (stack in rtl.sets and (stack_read or stack_moved)) or (stack in rtl.uses and stack_moved):
                independent = False
            if independent and not any(self.aliases.conflict(rtl, other, callees=False) for other in passed):
                return position
            uses, sets = uses | entry.uses, sets | changed
            stack_read, stack_moved = stack_read or stack in rtl.uses, stack_moved or stack in rtl.sets
            passed.append(rtl)
        return None

    def _in_slot(self, before: list[Rtl], position: int) -> bool:
        """Whether an RTL already stands in a delay slot."""
        return any(
            self.machine.record(before[k]).slots >= position - k for k in range(max(position - MOST_SLOTS, 0), position)
        )

    def _movable(self, rtl: Rtl) -> bool:
        """Whether an RTL may stand in a delay slot at all."""
        record = self.machine.record(rtl)
        if not rtl.effects or rtl.transfer is not None or rtl.call is not None or id(rtl) in self.parts:
            return False
        if record.slots or record.load_slots or record.hold_slots:
            return False
        return not (rtl.system_call is not None or any(cell.volatile for cell in (*rtl.loads, *rtl.stores)))

    # ------------------------------------------------------------------------------- from the target, or behind

    def fill_from_elsewhere(self, block: Block) -> None:
        """Fill the slot of the transfer at the end of a block that nothing before it fills."""
        position = next((i for i, rtl in enumerate(block.rtls) if id(rtl) in self.empty), len(block.rtls))
        if position == len(block.rtls):
            return
        rtl = block.rtls[position]
        plain = self._delayed(rtl)
        single = self.machine.record(plain).slots == 1
        if single and isinstance(rtl.transfer, Jump):
            filled = self._copied(block, plain, any_rtl=True)
        elif single and isinstance(rtl.transfer, Branch):
            annulling = self._variant(rtl, TAKEN)
            filled = annulling is not None and self._copied(block, annulling, any_rtl=True)
            filled = filled or self._copied(block, plain, any_rtl=False) or self._from_behind(block, plain)
        else:
            filled = False
        if not filled and self.machine.record(rtl).slots:
            without = self._variant(rtl, NEVER)
            if without is not None and permitted():
                block.rtls[position:] = [without]

    def _copied(self, block: Block, transfer: Rtl, any_rtl: bool) -> bool:
        """Copy the first RTL of the target into the slot of a transfer, and let it go behind that one."""
        target = self._start(getattr(transfer.transfer, "label", ""))
        if target is None or not self._movable(first := self.function.blocks[target].rtls[0]):
            return False
        if not any_rtl and not self._harmless(first, self._behind(block)):
            return False
        old = getattr(transfer.transfer, "label", "")
        effects = tuple(retarget(effect, old, "L0") for effect in transfer.effects)
        if not self.machine.is_legal(effects) or not permitted():
            return False
        new = self._label_behind_first(target)
        effects = tuple(retarget(effect, old, new) for effect in transfer.effects)
        self._install(block, Rtl(effects, transfer.lines, transfer.cause), first.copy())
        return True

    def _from_behind(self, block: Block, transfer: Rtl) -> bool:
        """Move the first RTL that is executed if a branch is not taken into its slot."""
        behind = self._behind(block)
        if behind is None or behind.label not in self.alone or not behind.rtls:
            return False
        label = getattr(transfer.transfer, "label", "")
        target = next((other for other in self.function.blocks if other.label == label), None)
        if not self._movable(behind.rtls[0]) or not self._harmless(behind.rtls[0], target) or not permitted():
            return False
        self._install(block, transfer, behind.rtls.pop(0))
        return True

    def _harmless(self, rtl: Rtl, elsewhere: Block | None) -> bool:
        """Whether an RTL may be executed although control goes to a block that it does not belong to."""
        effect = rtl.single_set()
        if effect is None or rtl.loads or rtl.stores or self.machine.stack_pointer in rtl.sets:
            return False
        if any(isinstance(node, Op) and node.op[0] in "/%" for node in subexpressions(effect.source)):
            return False  # the divisor may be zero
        if elsewhere is None or elsewhere.label not in self.live:
            return False
        entry = access(rtl, self.numbering)
        return not (entry.sets | entry.clobbers) & self.live[elsewhere.label]

    def _start(self, label: str) -> int | None:
        """Return the index of the block with the first RTL at a label."""
        blocks = self.function.blocks
        index = next(i for i, block in enumerate(blocks) if block.label == label)
        while index < len(blocks) and not blocks[index].rtls:
            index += 1
        return index if index < len(blocks) else None

    def _behind(self, block: Block) -> Block | None:
        """Return the block behind one."""
        blocks = self.function.blocks
        index = next(i for i, other in enumerate(blocks) if other is block)
        return blocks[index + 1] if index + 1 < len(blocks) else None

    def _label_behind_first(self, index: int) -> str:
        """Return a label behind the first RTL of a block; its rest becomes a block (the same object) of its own."""
        blocks = self.function.blocks
        rest = blocks[index]
        if len(rest.rtls) > 1:
            blocks.insert(index, Block(rest.label, [rest.rtls.pop(0)]))
            rest.label = self.function.label()
        else:
            rest = blocks[index + 1]
        self.alone.discard(rest.label)
        return rest.label

    def _install(self, block: Block, transfer: Rtl, filler: Rtl) -> None:
        """Put a transfer with a filled slot in place of that at the end of a block."""
        position = next(i for i, rtl in enumerate(block.rtls) if id(rtl) in self.empty)
        block.rtls[position:] = [transfer, filler]


def _read(rtl: Rtl) -> tuple[Register, ...]:
    """Return the registers that an instruction itself reads: those of arguments and results are read behind the slots."""
    effects = (effect.target if isinstance(effect, Call | Return) else effect for effect in rtl.effects)
    return tuple(register for effect in effects for register in effect.uses)


def _padding(rtl: Rtl, count: int) -> list[Rtl]:
    """Return no-operations for slots that nothing fills."""
    return [Rtl((), rtl.lines, "delay") for _ in range(count)]
