"""Branch displacement: the shortest form that reaches; around with a jump, or by way of other jumps, where none does."""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import reverse
from vpo.analysis.cfg import falls_through, transfer_of
from vpo.analysis.pools import Pool, literal_pools
from vpo.base.errors import CannotExpress
from vpo.machines.machine import Machine
from vpo.machines.match.record import Record
from vpo.opt.state import FunctionState
from vpo.rtl import Branch, Jump, Rtl
from vpo.rtl.function import Block, Function

# ----------------------------------------------------------------------------------------------------------------------
# Jumps by way of other jumps, where no form of a jump reaches its target.
#
# PC=L9; ... (L9 too far)     =>     PC=L20; ... PC=L21; L20: PC=L9; L21: ...
#
# An island is a block of one jump to which only jumps come.  It stands behind an unconditional transfer, or else code jumps
# over it.  Jumps to one target share islands.


Layout = tuple[dict[str, int], list[int]]  # offsets of labels, and of RTLs, from the start of the function
Place = tuple[Block, int]  # in front of an RTL of a block


class JumpIslands:
    """Puts islands into a function; `kept` are the labels of blocks before and in which none may stand."""

    def __init__(self, state: FunctionState, kept: set[str]) -> None:
        self.state, self.function, self.machine, self.kept = state, state.function, state.machine, kept
        self.targets: dict[str, str] = {}  # by label of an island: the label to which it leads
        self.most = len(self.function.rtls())

    def redirect(self, block: Block, rtl: Rtl, here: int, layout: Layout) -> bool:
        """Let a jump that does not reach its target go to an island, an old or a new one; return whether there can be one."""
        jump, reach = rtl.transfer, self.machine.reach(rtl)
        assert isinstance(jump, Jump)
        assert reach is not None
        target = self.targets.get(jump.label, jump.label)
        if len(self.targets) > self.most:
            return False
        label = self._near(target, here, reach, layout) or self._build(target, rtl, here, reach, layout)
        if not label:
            return False
        effects = tuple(Jump(label) if effect is jump else effect for effect in rtl.effects)
        return self.state.replace(block, rtl, effects)

    def _near(self, target: str, here: int, reach: tuple[int, int], layout: Layout) -> str:
        """Return the label of the island nearest to a target within the reach of a jump to it; '' if there is none."""
        labels, _ = layout
        distance = abs(labels[target] - here)
        known = [label for label, end in self.targets.items() if end == target]
        fit = [label for label in known if reach[0] <= labels[label] - here <= reach[1]]
        closer = {label: abs(labels[target] - labels[label]) for label in fit}
        best = min(closer, key=closer.__getitem__, default="")
        return best if best and closer[best] < distance else ""

    def _build(self, target: str, rtl: Rtl, here: int, reach: tuple[int, int], layout: Layout) -> str:
        """Put an island for a jump where it can reach it; returns its label, or '' if there is no place."""
        ahead = layout[0][target] > here
        room = reach[1] if ahead else -reach[0]
        usable = room * 3 // 4  # islands that come later move this one away
        found: dict[bool, tuple[int, Place]] = {}  # by whether code falls into the place: the farthest
        for offset, place, falls in self._places(layout):
            far = offset - here if ahead else here - offset
            if 0 < far <= usable and (falls not in found or far > found[falls][0]):
                found[falls] = far, place
        if not found:
            return ""
        free, split = found.get(False), found.get(True)
        if free is not None and (split is None or 2 * free[0] >= split[0]):
            return self._insert(target, rtl, free[1], False)
        assert split is not None
        return self._insert(target, rtl, split[1], True)

    def _places(self, layout: Layout) -> Iterator[tuple[int, Place, bool]]:
        """Yield where islands may stand: offset, place, and whether code falls into it."""
        offsets, falls, kept = iter(layout[1]), True, False
        for block in self.function.blocks:
            kept = block.label in self.kept
            slots, falls_out = 0, True
            for index, rtl in enumerate(block.rtls):
                offset = next(offsets)
                if not kept and not slots and falls_out:
                    yield offset, (block, index), falls if index == 0 else True
                slots = slots - 1 if slots else slots_of(rtl, self.machine)
                falls_out = falls_out and rtl.transfer is None
            falls = falls_through(block, delayed=True)  # an empty one may be a target, too

    def _insert(self, target: str, rtl: Rtl, place: Place, falls: bool) -> str:
        """Insert an island in front of an RTL, and a jump over it if code falls into it; returns its label."""
        block, index = place
        function, label = self.function, self.function.label()
        number = next(i for i, other in enumerate(function.blocks) if other is block)
        self.targets[label] = target
        before: list[Block] = []
        if index:  # the block goes on behind the island
            rest = Block(function.label(), block.rtls[index:])
            self.state.splice(block, index, len(block.rtls), self._jump(rest.label, rtl))
            self.state.insert_block(number + 1, rest)
            number += 1
        elif falls:
            before = [Block(function.label(), self._jump(block.label, rtl))]
        for position, new in enumerate([*before, Block(label, self._jump(target, rtl))], number):
            self.state.insert_block(position, new)
        return label

    def _jump(self, label: str, rtl: Rtl) -> list[Rtl]:
        jump = Rtl((Jump(label),), rtl.lines, rtl.cause)
        return [jump, *padding(jump, self.machine)]


def slots_of(rtl: Rtl, machine: Machine) -> int:
    """Return how many of the RTLs behind one are in its delay slots."""
    return machine.record(rtl).slots if rtl.transfer is not None or rtl.call is not None else 0


def padding(rtl: Rtl, machine: Machine) -> list[Rtl]:
    """Return no-operations for the delay slots of an RTL."""
    return [Rtl((), rtl.lines, "delay") for _ in range(machine.record(rtl).slots)]


# ----------------------------------------------------------------------------------------------------------------------
# Branch displacement: choose the shortest form that reaches, and go around with a jump where none does.
#
# PC=r[1]<0,L9;       (L9 too far)     =>     PC=r[1]>=0,L10; PC=L9; L10:
#
# If there is no opposite branch:             PC=r[1]<0,L10; PC=L11; L10: PC=L9; L11:
#
# A jump that does not reach goes to another one (`jump_islands`).


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
            here, label = next(address), _label(rtl)
            if label in labels and not machine.reaches(rtl, labels[label] - here):
                yield block, rtl, here, labels[label] - here


def measure(function: Function, machine: Machine) -> Layout:
    """Return the offset of each label and of each RTL (and one past the last) from the start of the function."""
    labels, addresses, offset = {}, [], 0
    ends = {pool.last: pool.end(machine) for pool in literal_pools(function, machine) if not pool.before}
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
        slots = 0
        for index, rtl in enumerate(function.blocks[number].rtls):
            if pool.is_late(machine, room):
                break
            if not slots:
                place = number, index
            pool.add(rtl, machine)
            slots = slots - 1 if slots else slots_of(rtl, machine)
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
        arriving = [slot.copied() for slot in slots]
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
