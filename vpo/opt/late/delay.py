"""Delay slots: fill them with RTLs from before the transfer, from its target or from behind it, else no-operations.

r[8]=r[8]+1;                     PC=r[9]<0,L5;
PC=r[9]<0,L5;          =>        r[8]=r[8]+1;       (in the slot)

An access may come behind the step of its address:

L[r[8]]=r[9];                    r[8]=r[8]+4;
r[8]=r[8]+4;           =>        PC=r[8]!=r[7],L5;
PC=r[8]!=r[7],L5;                L[r[8]+-4]=r[9];

From the target the first RTL is copied, and the transfer goes behind it.  That is right for a jump; for a branch, if the
machine can annul the slot when it is not taken (`DS=taken;`), or if nobody behind it wants what the RTL sets:

PC=r[9]<0,L5; NOP;               PC=r[9]<0,L6; DS=taken; r[8]=r[8]+1;
L5: r[8]=r[8]+1;       =>        L5: r[8]=r[8]+1;
                                 L6:

Where an instruction has a form without slots, that is the one used if they cannot be filled.
"""

from __future__ import annotations

from vpo.algebra import binary, rebuild_effect
from vpo.analysis.cfg import transfer_of
from vpo.analysis.liveness import Numbering, access
from vpo.base.errors import CannotExpress
from vpo.machines.match.record import MOST_SLOTS
from vpo.opt.late.harmless_forms import choose_harmless_forms
from vpo.opt.late.hoist_targets import hoist_targets
from vpo.opt.late.interlock import separate_hazards
from vpo.opt.state import ALIASES, CFG, LIVENESS, FunctionState, retarget
from vpo.rtl import (
    TAKEN,
    Branch,
    By,
    Call,
    Const,
    Delay,
    Effect,
    Expr,
    Jump,
    LabelAddress,
    Op,
    Register,
    Return,
    Rtl,
    Set,
    subexpressions,
)
from vpo.rtl.function import Block
from vpo.text import show_effects

ALWAYS, NEVER = Delay("always"), Delay("never")


def fill_delay_slots(state: FunctionState) -> None:
    """Fill delay slots, separate late results from their uses, choose harmless forms; the stage becomes 'final'."""
    machine = state.machine
    hoist_targets(state)
    records = (machine.record(rtl) for rtl in state.function.rtls())
    if machine.capabilities.delays or any(record.slots or record.into for record in records):
        filler = _Filler(state)
        for block in state.function.blocks:
            filler.fill_from_before(block)
        for block in list(state.function.blocks):
            filler.fill_from_elsewhere(block)
    state.reach("final")
    separate_hazards(state)
    choose_harmless_forms(state)


class _Filler:
    """Fills the delay slots of one function."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.function, self.machine = state, state.function, state.machine
        cfg, liveness, self.aliases = state.get(CFG), state.get(LIVENESS), state.get(ALIASES)
        self.numbering = liveness.numbering
        labels = [block.label for block in self.function.blocks]
        self.live = dict(zip(labels, liveness.live_in, strict=True))  # of blocks as they were at first
        self.alone = {  # blocks that are entered from the one before them only
            labels[i] for i, before in enumerate(cfg.predecessors) if i and before == [i - 1] and not self._is_named(i)
        }
        self.empty: dict[int, Rtl] = {}  # transfers whose slots have only no-operations so far, by identity
        self.parts: dict[int, Rtl] = {}  # of instructions that stand for several, by identity: they stay side by side
        self.order: dict[str, int] = {}  # where blocks are, by label; {}: not known now

    def _is_named(self, index: int) -> bool:
        """Whether the transfer at the end of the block before one names it."""
        rtl = transfer_of(self.function.blocks[index - 1])
        return rtl is not None and getattr(rtl.transfer, "label", "") == self.function.blocks[index].label

    # ---------------------------------------------------------------------------------------------- from before

    def fill_from_before(self, block: Block) -> None:
        """Move RTLs of a block behind the transfers and calls that they do not concern."""
        place = 0
        while place < len(block.rtls):
            place = self._fill(block, place)

    def _fill(self, block: Block, place: int) -> int:
        """Fill the slots of the RTL at a place of a block; return the place behind it and its slots."""
        first, rtl, inside = self._split(block.rtls[place])
        delayed = self._delayed(block, rtl)
        slots = self.machine.record(delayed).slots
        behind = self._pad(block, place, first, delayed if inside else rtl, inside)
        moved: list[Rtl] = []
        while len(moved) + len(inside) < slots:
            found = self._candidate(block.rtls, place, [*first, rtl, *moved, *inside])
            if found is None:
                break
            candidate, fillers = found[0], [found[1], *moved]
            padding = _padding(delayed, slots - len(fillers) - len(inside))
            new = [*block.rtls[candidate + 1 : place], *first, delayed, *fillers, *padding, *inside]
            if not self.state.splice(block, candidate, behind, new):
                break
            place, behind, moved = place - 1, candidate + len(new), fillers
        filled = moved or inside or not slots or (not first and self._forward(block, place, behind, delayed))
        if not filled and rtl.transfer is not None:
            self.empty[id(rtl)] = rtl
        return behind

    def _pad(self, block: Block, place: int, first: list[Rtl], rtl: Rtl, inside: list[Rtl]) -> int:
        """Put what an RTL stands for in its place, with no-operations in its slots; return the place behind them."""
        new = [*first, rtl, *_padding(rtl, self.machine.record(rtl).slots - len(inside)), *inside]
        if len(new) > 1 or new[0] is not block.rtls[place]:
            with self.state.required():
                self.state.splice(block, place, place + 1, new)
        return place + len(new)

    def _forward(self, block: Block, place: int, behind: int, transfer: Rtl) -> bool:
        """Let the RTL before a return come into its slot, if the return can read what that one moves."""
        if not place:
            return False
        before = block.rtls[place - 1]
        forwarded = self._forwarded(before, transfer)
        if forwarded is None:
            return False
        padding = _padding(forwarded, self.machine.record(forwarded).slots - 1)
        return self.state.splice(block, place - 1, behind, [forwarded, before, *padding])

    def _split(self, rtl: Rtl) -> tuple[list[Rtl], Rtl, list[Rtl]]:
        """Return what an RTL stands for: RTLs before the one with slots (or the last), that one, and RTLs in its slots."""
        into = self.machine.record(rtl).into
        if not into:
            return [], rtl, []
        parts = [Rtl(effects, rtl.lines, rtl.cause) for effects in into]
        missing = next((part for part in parts if not self.machine.is_legal(part.effects)), None)
        if missing is not None:
            name = self.machine.record(rtl).name
            raise CannotExpress(f"`{show_effects(missing.effects)}`, of which {name} consists", max(rtl.lines, default=0))
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
        forwarded = Rtl(effects, transfer.lines, transfer.cause)
        return forwarded if self.machine.is_legal(effects) and self.machine.record(forwarded).slots else None

    def _delayed(self, block: Block, rtl: Rtl) -> Rtl:
        """Return the form of an RTL with delay slots; itself if there is no other."""
        if "always" not in self.machine.capabilities.delays or (rtl.transfer is None and rtl.call is None):
            return rtl
        return self._variant(block, rtl, ALWAYS) or rtl

    def _variant(self, block: Block, rtl: Rtl, delay: Delay) -> Rtl | None:
        """Return a transfer with something else said of its delay slots, if the machine has that in its direction."""
        effects: tuple[Effect, ...] = (*(e for e in rtl.effects if type(e) is not Delay), delay)
        record = self.machine.recognize(effects) if delay.when in self.machine.capabilities.delays else None
        if record is None:
            return None
        found = Rtl(effects, rtl.lines, rtl.cause)
        reach = self.machine.reach(found)
        return found if reach is None or self._towards(block, rtl, reach) else None

    def _towards(self, block: Block, rtl: Rtl, reach: tuple[int, int]) -> bool:
        """Whether the target of a transfer in a block lies in the direction in which an instruction reaches at all."""
        target = self._index(getattr(rtl.transfer, "label", ""))
        if target is None:
            return True
        return reach[0] < 0 if target <= self._place(block) else reach[1] > 0

    def _candidate(self, rtls: list[Rtl], place: int, after: list[Rtl]) -> tuple[int, Rtl] | None:
        """Return where the last RTL before a place is that can move behind the others, past everything in between.

        Also return the RTL as it is there.
        """
        machine, numbering = self.machine, self.numbering
        uses = sets = 0
        stack = machine.stack_pointer  # data flow does not follow it
        stack_read = any(stack in rtl.uses for rtl in after)
        stack_moved = any(stack in rtl.sets for rtl in after)
        for rtl in after:
            # what a transfer itself sets; what a callee may change happens after the slot
            uses, sets = uses | numbering.mask(_read(rtl)), sets | numbering.mask(tuple(rtl.sets))
        passed, steps = list(after), _Steps(numbering, after, sets)
        for position in range(place - 1, -1, -1):
            rtl = rtls[position]
            transfers = rtl.call is not None or rtl.transfer is not None
            if transfers or machine.record(rtl).slots or self._in_slot(rtls, position):
                return None
            entry = access(rtl, numbering)
            changed = entry.sets | entry.clobbers
            independent = self._movable(rtl) and not (changed & (uses | sets) or entry.uses & sets)
            if (stack in rtl.sets and (stack_read or stack_moved)) or (stack in rtl.uses and stack_moved):
                independent = False
            if independent and not any(self.aliases.conflict(rtl, other, callees=False) for other in passed):
                return position, rtl
            if self._movable(rtl) and not changed & (uses | sets) and stack not in rtl.sets:
                behind = steps.passed_by(rtl, stack)
                if behind is not None and self.machine.is_legal(behind.effects):
                    return position, behind
            steps.add(rtl, changed)
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
        if record.slots or record.load_slots or record.hold_slots or not record.slot:
            return False
        return rtl.system_call is None

    # ------------------------------------------------------------------------------- from the target, or behind

    def fill_from_elsewhere(self, block: Block) -> None:
        """Fill the slot of the transfer at the end of a block that nothing before it fills."""
        position = next((i for i, rtl in enumerate(block.rtls) if id(rtl) in self.empty), len(block.rtls))
        if position == len(block.rtls):
            return
        rtl = block.rtls[position]
        plain = self._delayed(block, rtl)
        single = self.machine.record(plain).slots == 1
        if single and isinstance(rtl.transfer, Jump):
            filled = self._copied(block, plain, any_rtl=True)
        elif single and isinstance(rtl.transfer, Branch):
            annulling = self._variant(block, rtl, TAKEN)
            filled = annulling is not None and self._copied(block, annulling, any_rtl=True)
            filled = filled or self._copied(block, plain, any_rtl=False) or self._from_behind(block, plain)
        else:
            filled = False
        if not filled and self.machine.record(rtl).slots:
            without = self._variant(block, rtl, NEVER)
            if without is not None:
                self.state.splice(block, position, len(block.rtls), [without])

    def _copied(self, block: Block, transfer: Rtl, any_rtl: bool) -> bool:
        """Copy the first RTL of the target into the slot of a transfer, and let it go behind that one."""
        target = self._start(getattr(transfer.transfer, "label", ""))
        if target is None or not self._movable(first := self.function.blocks[target].rtls[0]):
            return False
        computing = self._computing(transfer)
        if computing is None:
            return False
        if not any_rtl and not self._harmless(first, self._behind(block)):
            return False
        old = getattr(transfer.transfer, "label", "")
        effects = tuple(retarget(effect, old, "L0") for effect in transfer.effects)
        if not self.machine.is_legal(effects) or not self.state.permits():
            return False
        with self.state.required():
            new = self._label_behind_first(target)
            effects = tuple(retarget(effect, old, new) for effect in transfer.effects)
            for place, rtl in computing:
                register = rtl.sets[0]
                self.state.replace(place, rtl, (Set(register, LabelAddress(new)),))
            self._install(block, Rtl(effects, transfer.lines, transfer.cause), first.copy())
        return True

    def _computing(self, transfer: Rtl) -> list[tuple[Block, Rtl]] | None:
        """Return what computes the address to which a transfer goes by a register; None if others go there by it, too."""
        register = next((effect.register for effect in transfer.effects if type(effect) is By), None)
        if register is None:
            return []
        label, found = getattr(transfer.transfer, "label", ""), []
        for block in self.function.blocks:
            for rtl in block.rtls:
                if rtl.single_set is Set(register, LabelAddress(label)):
                    found.append((block, rtl))
                elif register in rtl.uses and getattr(rtl.transfer, "label", "") == label and rtl is not transfer:
                    return None
        return found

    def _from_behind(self, block: Block, transfer: Rtl) -> bool:
        """Move the first RTL that is executed if a branch is not taken into its slot."""
        behind = self._behind(block)
        if behind is None or behind.label not in self.alone or not behind.rtls:
            return False
        label = getattr(transfer.transfer, "label", "")
        index = self._index(label)
        target = None if index is None else self.function.blocks[index]
        filler = behind.rtls[0]
        if not self._movable(filler) or not self._harmless(filler, target) or not self.state.permits():
            return False
        with self.state.required():
            self.state.remove(behind, 0)
            self._install(block, transfer, filler)
        return True

    def _harmless(self, rtl: Rtl, elsewhere: Block | None) -> bool:
        """Whether an RTL may be executed although control goes to a block that it does not belong to."""
        effect = rtl.single_set
        if effect is None or rtl.loads or rtl.stores or self.machine.stack_pointer in rtl.sets:
            return False
        if any(isinstance(node, Op) and node.op[0] in "/%" for node in subexpressions(effect.source)):
            return False  # the divisor may be zero
        if elsewhere is None or elsewhere.label not in self.live:
            return False
        entry = access(rtl, self.numbering)
        return not (entry.sets | entry.clobbers) & self.live[elsewhere.label]

    def _index(self, label: str) -> int | None:
        """Return the index of the block with a label, None if there is none."""
        if not self.order:
            self.order = {block.label: index for index, block in enumerate(self.function.blocks)}
        return self.order.get(label)

    def _place(self, block: Block) -> int:
        """Return the index of a block."""
        index = self._index(block.label)
        assert index is not None
        return index

    def _start(self, label: str) -> int | None:
        """Return the index of the block with the first RTL at a label."""
        blocks, index = self.function.blocks, self._index(label)
        assert index is not None
        while index < len(blocks) and not blocks[index].rtls:
            index += 1
        return index if index < len(blocks) else None

    def _behind(self, block: Block) -> Block | None:
        """Return the block behind one."""
        blocks, index = self.function.blocks, self._place(block)
        return blocks[index + 1] if index + 1 < len(blocks) else None

    def _label_behind_first(self, index: int) -> str:
        """Return a label behind the first RTL of a block; its rest becomes a block (the same object) of its own."""
        blocks = self.function.blocks
        rest = blocks[index]
        if len(rest.rtls) > 1:
            head = Block(rest.label, rest.rtls[:1])
            self.state.remove(rest, 0)
            self.state.relabel(rest, self.function.label())
            self.state.insert_block(index, head)
            self.order = {}
        else:
            rest = blocks[index + 1]
        self.alone.discard(rest.label)
        return rest.label

    def _install(self, block: Block, transfer: Rtl, filler: Rtl) -> None:
        """Put a transfer with a filled slot in place of that at the end of a block."""
        position = next(i for i, rtl in enumerate(block.rtls) if id(rtl) in self.empty)
        self.state.splice(block, position, len(block.rtls), [transfer, filler])


class _Steps:
    """RTLs that one is to be moved behind: by how much they step registers in all, if nothing refers to memory meanwhile."""

    def __init__(self, numbering: Numbering, after: list[Rtl], sets: int) -> None:
        """Begin with RTLs that are passed in any case, and set some registers."""
        self.numbering, self.others = numbering, sets  # what is set otherwise
        self.amounts: dict[Register, int] = {}
        self.refers = any(rtl.loads or rtl.stores for rtl in after)

    def add(self, rtl: Rtl, changed: int) -> None:
        """Note one more RTL, before the others, which changes some registers."""
        effect = rtl.single_set
        source, target = (effect.source, effect.target) if effect is not None else (None, None)
        step = type(source) is Op and source.op == "+" and source.args[0] is target and type(source.args[1]) is Const
        if step and isinstance(target, Register) and isinstance(source, Op) and isinstance(source.args[1], Const):
            self.amounts[target] = self.amounts.get(target, 0) + source.args[1].value
            changed &= ~self.numbering.mask((target,))
        self.others |= changed
        self.refers = self.refers or rtl.acts or bool(rtl.loads or rtl.stores)

    def passed_by(self, rtl: Rtl, stack: Register) -> Rtl | None:
        """Return what does behind them the same as an RTL does before them; None if it reads none of their registers."""
        stepped = tuple(register for register in self.amounts if register in rtl.uses)
        used = access(rtl, self.numbering).uses
        if self.refers or not stepped or stack in self.amounts or used & self.others:
            return None
        before: dict[Expr, Expr] = {register: binary("+", register, Const(-self.amounts[register])) for register in stepped}
        return Rtl(tuple([rebuild_effect(effect, before.get) for effect in rtl.effects]), rtl.lines, rtl.cause)


def _read(rtl: Rtl) -> tuple[Register, ...]:
    """Return the registers that an instruction itself reads: those of arguments and results are read behind the slots."""
    effects = (effect.target if isinstance(effect, Call | Return) else effect for effect in rtl.effects)
    return tuple(register for effect in effects for register in effect.uses)


def _padding(rtl: Rtl, count: int) -> list[Rtl]:
    """Return no-operations for slots that nothing fills."""
    return [Rtl((), rtl.lines, "delay") for _ in range(count)]
