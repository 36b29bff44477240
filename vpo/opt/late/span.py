"""Branch displacement: choose the shortest form that reaches, and go around with a jump where none does.

PC=r[1]<0,L9;       (L9 too far)     =>     PC=r[1]>=0,L10; PC=L9; L10:

If there is no opposite branch:             PC=r[1]<0,L10; PC=L11; L10: PC=L9; L11:

A jump that does not reach goes to another one (`jump_islands`).
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import reverse
from vpo.analysis.cfg import transfer_of
from vpo.analysis.pools import Pool, literal_pools
from vpo.base.errors import CannotExpress
from vpo.machines.machine import Machine
from vpo.machines.match.record import Record
from vpo.opt.late.jump_islands import JumpIslands, Layout, padding
from vpo.opt.state import FunctionState
from vpo.rtl import Branch, Jump, Rtl
from vpo.rtl.function import Block, Function

JUMP_ROOM = 3  # words that a jump over a pool may take


def resolve_spans(state: FunctionState) -> None:
    """Choose for every branch the shortest form that reaches its target."""
    with state.required():
        _make_branches_reach(state)


def _make_branches_reach(state: FunctionState) -> None:
    function, machine = state.function, state.machine
    ways: set[str] = set()  # labels to which branches have been put that go around jumps
    kept: set[str] = set()  # labels of blocks that must stay near the branches before them
    islands = JumpIslands(state, kept)
    while True:
        _make_room_for_pools(state)
        layout = measure(function, machine)
        too_far = list(_branches_too_far(function, machine, layout))
        if not too_far:
            return
        jumps = []
        for block, rtl, here, distance in too_far:
            if _longer(rtl, machine.record(rtl), distance, machine):
                continue
            if isinstance(rtl.transfer, Jump):
                jumps.append((block, rtl, here))
            elif _label(rtl) in ways:
                raise _too_far(function, rtl)  # not even around a jump
            else:
                ways.update(_go_around(state, block, rtl, kept))
        # an island moves what is behind it
        if len(jumps) == len(too_far) and not islands.redirect(*jumps[0], layout):
            raise _too_far(function, jumps[0][1])


def _branches_too_far(function: Function, machine: Machine, layout: Layout) -> Iterator[tuple[Block, Rtl, int, int]]:
    """Yield the branches that do not reach their targets: block, RTL, where it stands, and the distance."""
    labels, addresses = layout
    address = iter(addresses)
    for block in function.blocks:
        for rtl in block.rtls:
            here, label, reach = next(address), _label(rtl), machine.record(rtl).reach
            if reach is not None and label in labels and not reach[0] <= labels[label] - here <= reach[1]:
                yield block, rtl, here, labels[label] - here


def measure(function: Function, machine: Machine) -> Layout:
    """Return the offset of each label and of each RTL (and one past the last) from the start of the function."""
    labels, addresses, offset = {}, [], 0
    ends = {pool.last: pool.end(machine) for pool in literal_pools(function, machine)}
    for index, block in enumerate(function.blocks):
        labels[block.label] = offset
        for rtl in block.rtls:
            addresses.append(offset)
            offset += machine.record(rtl).size
        offset = ends.get(index, offset)
    addresses.append(offset)
    return labels, addresses


def _make_room_for_pools(state: FunctionState) -> None:
    """Put jumps where literal pools must stand in code that has no place for them."""
    function, machine = state.function, state.machine
    while (late := next((pool for pool in literal_pools(function, machine) if pool.is_late(machine)), None)) is not None:
        _jump_over_pool(state, late)


def _jump_over_pool(state: FunctionState, late: Pool) -> None:
    """Split a block where the literals read before can just be reached, by a jump from its first half to its second."""
    function, machine = state.function, state.machine
    labels, _ = measure(function, machine)
    pool = Pool(late.first, late.first, labels[function.blocks[late.first].label])
    room = JUMP_ROOM * machine.literal_size
    place = late.first, 0
    for number in range(late.first, late.last + 1):
        for index, rtl in enumerate(function.blocks[number].rtls):
            if pool.is_late(machine, room):
                break
            place = number, index
            pool.add(rtl, machine.record(rtl))
            if rtl.transfer is not None:
                break  # only its delay slots follow
    block = function.blocks[place[0]]
    rest = Block(function.label(), block.rtls[place[1] :])
    jump = Rtl((Jump(rest.label),), rest.rtls[0].lines, "constant")
    filler = [Rtl((), jump.lines, "delay") for _ in range(machine.record(jump).slots)]
    state.splice(block, place[1], len(block.rtls), [jump, *filler])
    state.insert_block(place[0] + 1, rest)


def _label(rtl: Rtl) -> str | None:
    return getattr(rtl.transfer, "label", None)


def _longer(rtl: Rtl, record: Record, distance: int, machine: Machine) -> bool:
    """Switch to a later alternative of the same RTL that reaches."""
    for form, candidate in enumerate(machine.forms_of(rtl.effects)):
        if candidate.alternative <= record.alternative:
            continue
        if candidate.reach is None or candidate.reach[0] <= distance <= candidate.reach[1]:
            rtl.form, rtl.record = form, candidate
            return True
    return False


def _go_around(state: FunctionState, block: Block, rtl: Rtl, kept: set[str]) -> set[str]:
    """Replace a branch by the opposite branch around a jump, each with its delay slots, of which the opposite may have others.

    What is executed only if the branch is taken goes with the jump.  Returns the labels to which what is put there branches;
    adds the labels of all blocks that are put there to `kept`.
    """
    function, machine = state.function, state.machine
    effect = rtl.transfer
    if not isinstance(effect, Branch) or transfer_of(block, delayed=True) is not rtl:
        raise _too_far(function, rtl)
    place = next(i for i, other in enumerate(block.rtls) if other is rtl)
    slots, arriving = block.rtls[place + 1 :], list[Rtl]()
    around = function.label()
    following = function.label()
    stated = () if rtl.annuls else tuple(e for e in rtl.effects if e is not effect)
    opposite = Rtl((Branch(reverse(effect.condition), around), *stated), rtl.lines, rtl.cause)
    jump = Rtl((Jump(effect.label),), rtl.lines, rtl.cause)
    if not machine.is_legal(opposite.effects):
        kept.update(_by_way_of(state, block, rtl, jump, following, around))
        return {following, around}
    if rtl.annuls:
        branching = [opposite, *padding(opposite, machine)]
        leaving = [jump, *slots] if machine.record(jump).slots == len(slots) else [*slots, jump, *padding(jump, machine)]
    elif machine.record(opposite).slots == len(slots):
        branching = [opposite, *slots]
        leaving = [jump, *padding(jump, machine)]
    else:
        branching = [opposite, *padding(opposite, machine)]
        leaving = [*slots, jump, *padding(jump, machine)]
        arriving = [Rtl(slot.effects, slot.lines, slot.cause) for slot in slots]
    state.splice(block, place, len(block.rtls), branching)
    _insert_behind(state, block, [Block(following, leaving), Block(around, arriving)])
    kept.update((following, around))
    return {around}


def _too_far(function: Function, rtl: Rtl) -> CannotExpress:
    what = f"way for `{rtl!r}` to reach its target in a function as large as {function.name[1:]}"
    return CannotExpress(what, rtl.lines[0])


def _by_way_of(state: FunctionState, block: Block, rtl: Rtl, jump: Rtl, near: str, around: str) -> list[str]:
    """Let a branch without an opposite go to a jump near by, which what does not branch goes around; returns new labels."""
    function, machine = state.function, state.machine
    if machine.record(rtl).slots:
        raise _too_far(function, rtl)
    state.replace(block, rtl, tuple(Branch(e.condition, near) if type(e) is Branch else e for e in rtl.effects))
    passing = Rtl((Jump(around),), rtl.lines, rtl.cause)
    blocks = [Block(function.label(), [passing]), Block(near, [jump]), Block(around, [])]
    for new in blocks[:2]:
        new.rtls += padding(new.rtls[0], machine)
    _insert_behind(state, block, blocks)
    return [new.label for new in blocks]


def _insert_behind(state: FunctionState, block: Block, new: list[Block]) -> None:
    place = next(i for i, other in enumerate(state.function.blocks, 1) if other is block)
    for number, other in enumerate(new, place):
        state.insert_block(number, other)
