"""Loop-invariant code motion: compute before a loop what does not change in it.

    L5: r[t1]=HI[_x];                  r[t1]=HI[_x];
        r[t2]=L[r[t1]+LO[_x]];   =>    L5: r[t2]=L[r[t1]+LO[_x]];
        ... PC=...,L5;                     ... PC=...,L5;

Only pseudo-registers that are set once in the function move, so nothing else can see the earlier value.  Inner loops
first, and no more than the registers can hold.
"""

from __future__ import annotations

from collections.abc import Mapping

from vpo.analysis.alias import Aliases, is_opaque
from vpo.analysis.cfg import Cfg, transfer_of
from vpo.analysis.liveness import has_side_effect, set_once
from vpo.analysis.loops import Loop
from vpo.function import Block
from vpo.machines.machine import Machine
from vpo.opt.state import ALIASES, CFG, LIVENESS, LOOPS, FunctionState, retarget
from vpo.rtl import Branch, Const, Expr, Half, Jump, Mem, Op, Register, Rtl, Set, Slot, Symbol


def move_invariant_code(state: FunctionState) -> None:
    """Move invariant RTLs in front of their loops."""
    done: set[str] = set()
    aliases = state.get(ALIASES)  # code that moves leaves registers what they are
    blocks = state.function.blocks
    while (loop := next((loop for loop in state.get(LOOPS) if blocks[loop.header].label not in done), None)) is not None:
        done.add(blocks[loop.header].label)
        moved = _invariants(state, loop, aliases)
        if moved:
            _move(state, loop, moved)


def _invariants(state: FunctionState, loop: Loop, aliases: Aliases) -> list[Rtl]:
    """Return the RTLs of a loop that can move, in an order that keeps their dependences."""
    function, machine = state.function, state.machine
    blocks = [function.blocks[index] for index in sorted(loop.blocks)]
    once = set_once(function)
    variant = {register for block in blocks for rtl in block.rtls for register in rtl.sets}
    changing = [rtl for block in blocks for rtl in block.rtls if has_side_effect(rtl)]
    room = _room(state, loop, any(map(is_opaque, changing)))
    moved: list[Rtl] = []
    chosen: set[Rtl] = set()
    again = True
    while again:
        again = False
        for block in blocks:
            for rtl in block.rtls:
                effect = rtl.single_set()
                if effect is None or rtl in chosen or not isinstance(effect.target, Register):
                    continue
                cls = machine.classes[effect.target.cls]
                if once.get(effect.target) is not rtl or not variant.isdisjoint(effect.uses):
                    continue
                if room.get(cls.bank, 0) < cls.width:
                    continue
                if not _movable(rtl, effect, machine) or _may_fault(effect.source, machine, once):
                    continue
                if any(aliases.may_change(other, cell) for cell in effect.source.memory for other in changing):
                    continue
                moved.append(rtl)
                chosen.add(rtl)
                variant.discard(effect.target)
                room[cls.bank] -= cls.width
                again = True
    return moved


def _movable(rtl: Rtl, effect: Set, machine: Machine) -> bool:
    """Whether an RTL may be executed more often or earlier, if it cannot fault and memory does not change under it."""
    if has_side_effect(rtl) or isinstance(effect.source, Register | Const) or machine.record(rtl).clobbers:
        return False
    return all(r.pseudo or r in machine.zero or r is machine.stack_pointer for r in effect.uses)


def _may_fault(node: Expr, machine: Machine, once: Mapping[Register, Rtl]) -> bool:
    """Whether evaluating early could fault: a division, or memory at an address that is not a plain symbol or slot."""
    if isinstance(node, Op):
        return node.op in ("/", "%", "/u", "%u") or any(_may_fault(arg, machine, once) for arg in node.args)
    if isinstance(node, Mem):
        address = node.address
        parts = address.args if isinstance(address, Op) else (address,)
        computed = all(isinstance(part, Register | Const) for part in parts)
        return computed or not _is_constant(address, machine, once)
    return False


def _is_constant(node: Expr, machine: Machine, once: Mapping[Register, Rtl], depth: int = 8) -> bool:
    """Whether a sum of addresses and registers is the same wherever the function computes it: no index is part of it.

    `depth` ends the search where registers that nobody initialised are made of each other.
    """
    if isinstance(node, Register):
        setter = once.get(node)
        effect = setter.single_set() if setter is not None and depth else None
        fixed = node is machine.stack_pointer or node in machine.zero
        return fixed or (effect is not None and _is_constant(effect.source, machine, once, depth - 1))
    if isinstance(node, Op):
        return node.op == "+" and all(_is_constant(arg, machine, once, depth) for arg in node.args)
    return isinstance(node, Const | Symbol | Slot | Half)


def _room(state: FunctionState, loop: Loop, calls: bool) -> dict[str, int]:
    """Return how many more registers of each bank the loop can keep: of those that survive calls, if it calls."""
    machine, liveness = state.machine, state.get(LIVENESS)
    through = 0
    for index in loop.blocks:
        through |= liveness.live_in[index]
    used: dict[str, int] = {}
    for register in liveness.numbering.members(through):
        cls = machine.classes[register.cls]
        used[cls.bank] = used.get(cls.bank, 0) + cls.width
    room = {}
    for bank, registers in machine.allocable.items():
        usable = [r for r in registers if not calls or machine.convention.caller_saves or r not in machine.convention.scratch]
        room[bank] = len(usable) - used.get(bank, 0) - 2
    return room


def _move(state: FunctionState, loop: Loop, moved: list[Rtl]) -> None:
    """Put RTLs into the preheader, which is made if there is none."""
    members = [state.function.blocks[index] for index in loop.blocks]
    block = _preheader(state, loop)
    if block is None:
        return
    for rtl in moved:
        home = next(member for member in members if any(rtl is other for other in member.rtls))
        place = len(block.rtls) - (1 if transfer_of(block) is not None else 0)
        contents = [*block.rtls[:place], rtl, *block.rtls[place:]]
        state.change({home: [other for other in home.rtls if other is not rtl], block: contents})


def _preheader(state: FunctionState, loop: Loop) -> Block | None:
    """Return a block that runs once before the loop, the only entry into the header; None if it may not be made."""
    cfg, function, blocks = state.get(CFG), state.function, state.function.blocks
    header = blocks[loop.header]
    outside = [p for p in cfg.predecessors[loop.header] if p not in loop.blocks]
    if len(outside) == 1 and cfg.successors[outside[0]] == [loop.header]:
        return blocks[outside[0]]
    new = Block(function.label())
    contents = {blocks[index]: _retargeted(blocks[index], header.label, new.label) for index in outside}
    made = [new]
    if _falls_in_from_within(blocks, cfg, loop):  # it must go around
        line = header.rtls[0].lines if header.rtls else (function.line,)
        made.insert(0, Block(function.label(), [Rtl((Jump(header.label),), line, "control")]))
    return new if state.change(contents, [*blocks[: loop.header], *made, *blocks[loop.header :]]) else None


def _falls_in_from_within(blocks: list[Block], cfg: Cfg, loop: Loop) -> bool:
    """Whether the block before the header falls into it and belongs to the loop."""
    before = loop.header - 1
    if before not in loop.blocks or loop.header not in cfg.successors[before]:
        return False
    rtl = transfer_of(blocks[before])
    return rtl is None or isinstance(rtl.transfer, Branch)


def _retargeted(block: Block, old: str, new: str) -> list[Rtl]:
    """Return the RTLs of a block that goes to another label."""
    rtl = transfer_of(block)
    if rtl is None or all(retarget(effect, old, new) is effect for effect in rtl.effects):
        return block.rtls
    return [*block.rtls[:-1], Rtl((retarget(effect, old, new) for effect in rtl.effects), rtl.lines, rtl.cause)]
