"""Loop-invariant code motion: compute before a loop what does not change in it.

    L5: r[t1]=HI[_x];                  r[t1]=HI[_x];
        r[t2]=L[r[t1]+LO[_x]];   =>    L5: r[t2]=L[r[t1]+LO[_x]];
        ... PC=...,L5;                     ... PC=...,L5;

Only pseudo-registers that are set once in the function move, so nothing else can see the earlier value.  Inner loops
first, and no more than the registers can hold.
"""

from __future__ import annotations

from vpo.analysis.alias import may_alias
from vpo.analysis.cfg import Cfg, build_cfg, transfer_of
from vpo.analysis.dominators import dominators
from vpo.analysis.liveness import compute_liveness, has_side_effect, set_once
from vpo.analysis.loops import Loop, natural_loops
from vpo.function import Block, Function
from vpo.machines.machine import Machine
from vpo.opt.changes import permitted
from vpo.opt.control import retarget
from vpo.rtl import Const, Jump, Mem, Op, Register, Rtl, Set


def move_invariant_code(function: Function, machine: Machine) -> bool:
    """Move invariant RTLs in front of their loops."""
    changed = False
    done: set[str] = set()
    while True:
        cfg = build_cfg(function)
        loops = natural_loops(cfg, dominators(cfg))
        todo = [loop for loop in loops if function.blocks[loop.header].label not in done]
        if not todo:
            return changed
        loop = todo[0]
        done.add(function.blocks[loop.header].label)
        moved = _invariants(function, machine, cfg, loop)
        if moved:
            _move(function, cfg, loop, moved)
            changed = True


def _invariants(function: Function, machine: Machine, cfg: Cfg, loop: Loop) -> list[Rtl]:
    """Return the RTLs of a loop that can move, in an order that keeps their dependences."""
    blocks = [function.blocks[index] for index in sorted(loop.blocks)]
    once = set_once(function)
    variant = {register for block in blocks for rtl in block.rtls for register in rtl.sets}
    stores = [cell for block in blocks for rtl in block.rtls for cell in rtl.stores]
    opaque = any(rtl.call is not None or rtl.system_call is not None for block in blocks for rtl in block.rtls)
    room = _room(function, machine, cfg, loop, opaque)
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
                if not _movable(rtl, effect, machine, stores, opaque):
                    continue
                moved.append(rtl)
                chosen.add(rtl)
                variant.discard(effect.target)
                room[cls.bank] -= cls.width
                again = True
    return moved


def _movable(rtl: Rtl, effect: Set, machine: Machine, stores: list[Mem], opaque: bool) -> bool:
    """Whether an RTL may be executed more often or earlier: it cannot fault, and memory does not change under it."""
    if has_side_effect(rtl) or isinstance(effect.source, Register | Const) or machine.record(rtl).clobbers:
        return False
    if any(not r.pseudo and r not in machine.zero and r is not machine.stack_pointer for r in effect.uses):
        return False
    if _may_fault(effect.source):
        return False
    return not any(opaque or any(may_alias(cell, store) for store in stores) for cell in effect.source.memory)


def _may_fault(node: object) -> bool:
    """Whether evaluating early could fault: a division, or memory at an address that is not a plain symbol or slot."""
    if isinstance(node, Op):
        return node.op in ("/", "%", "/u", "%u") or any(_may_fault(arg) for arg in node.args)
    if isinstance(node, Mem):
        address = node.address
        parts = address.args if isinstance(address, Op) else (address,)
        return all(isinstance(part, Register | Const) for part in parts)
    return False


def _room(function: Function, machine: Machine, cfg: Cfg, loop: Loop, calls: bool) -> dict[str, int]:
    """Return how many more registers of each bank the loop can keep: of those that survive calls, if it calls."""
    liveness = compute_liveness(function, cfg, machine)
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


def _move(function: Function, cfg: Cfg, loop: Loop, moved: list[Rtl]) -> None:
    """Put RTLs into the preheader, which is made if there is none."""
    chosen = [rtl for rtl in moved if permitted()]
    gone = set(chosen)
    for index in loop.blocks:
        member = function.blocks[index]
        member.rtls = [rtl for rtl in member.rtls if rtl not in gone]
    block = _preheader(function, cfg, loop)
    last = transfer_of(block)
    place = len(block.rtls) - (1 if last is not None else 0)
    block.rtls[place:place] = chosen


def _preheader(function: Function, cfg: Cfg, loop: Loop) -> Block:
    """Return a block that runs once before the loop: the only entry into the header from outside."""
    blocks = function.blocks
    header = blocks[loop.header]
    outside = [p for p in cfg.predecessors[loop.header] if p not in loop.blocks]
    if len(outside) == 1 and cfg.successors[outside[0]] == [loop.header]:
        return blocks[outside[0]]
    new = Block(function.label())
    before = loop.header - 1
    falls = before >= 0 and loop.header in cfg.successors[before] and _falls_through(blocks[before])
    for index in outside:
        _retarget(blocks[index], header.label, new.label)
    if falls and before in loop.blocks:  # a block of the loop falls into the header: it must go around
        line = header.rtls[0].lines if header.rtls else (function.line,)
        around = Block(function.label(), [Rtl((Jump(header.label),), line, "control")])
        blocks[loop.header : loop.header] = [around, new]
    else:
        blocks.insert(loop.header, new)
    return new


def _falls_through(block: Block) -> bool:
    rtl = transfer_of(block)
    return rtl is None or type(rtl.transfer).__name__ == "Branch"


def _retarget(block: Block, old: str, new: str) -> None:
    rtl = transfer_of(block)
    if rtl is not None:
        effects = tuple(retarget(effect, old, new) for effect in rtl.effects)
        if effects != rtl.effects:
            rtl.effects, rtl.record = effects, None
