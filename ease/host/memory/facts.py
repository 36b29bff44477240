"""What a memory instrument needs to know of a program, and which fetches change nothing whatever the policy."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cache_sim.native.check_code import Feedback
from cache_sim.native.fetch_code import Touch
from vpo.algebra.equivalents import split_address
from vpo.analysis.cfg import Cfg, Segment, segments, units
from vpo.analysis.dominators import Loop, dominates, dominators, natural_loops
from vpo.machines.machine import Machine
from vpo.rtl import IndirectJump, Mem, Register, Rtl
from vpo.rtl.function import Block, Function

# ----------------------------------------------------------------------------------------------------------------------
# What a memory instrument needs to know of a program.
#
# A program fetches each instruction that it executes, and reads and writes data: these are its references.  An instrument may
# call a simulator for each of them.  It may do with less if it knows five things, which this module finds:
#
# *Sites*.  Each reference that stands in the program has a number, its site; misses are attributed to it.  The site of a fetch
# is the number of its RTL, and the sites of data come behind those of all fetches.
#
# *Segments*.  Of a segment of a block, either all references are made or none.  So a number that they change by a constant is
# changed once, at the head of the segment.
#
# *Lines*.  The addresses of instructions are constants.  So it is known before a run which lines a segment fetches from.
#
# *Adjacent accesses*.  The addresses of data are not known, but two that have the same value of a base register in them are a
# constant apart.
#
# *Context switches*.  A switch comes when so many units of work are done.  A segment takes `cost` units if all its references
# hit, and at most `worst`.  So no switch comes in code that can take less than what is left until the next one.


Place = tuple[int, int]  # the index of a block, and of an RTL in it


@dataclass(slots=True)
class CheckedSegment:
    """RTLs [first, end) of a block.

    `after_call`: a call comes directly before the segment.  `after_system_call`: a system call does, so the program may end
    before the segment.  `annullable`: the RTLs stand in delay slots that a branch may annul.  `cost` is the number of units if
    all references hit, `worst` the largest number that is possible.
    """

    first: int
    end: int
    after_call: bool = False
    after_system_call: bool = False
    annullable: bool = False
    cost: int = 0
    worst: int = 0


def checked_segments(
    machine: Machine, function: Function, block: Block, worst: Callable[[int, int], int], most: int
) -> Iterator[CheckedSegment]:
    """Yield the segments of a block; one that ends with a call, and an empty one, has an empty segment at its end.

    `worst` returns the most units that RTLs [first, end) take.  A segment is cut so that it takes at most `most` units, unless
    a single RTL takes more.
    """
    left = deque(units(machine, function, block))
    after = Segment(0, 0)
    for segment in segments(machine, function, block):
        part, taken = CheckedSegment(segment.first, segment.end, after.call >= 0, after.system_call, segment.annullable), 0
        while left and left[0][0] < segment.end:
            first, cut, _ = left.popleft()
            taken += worst(first, cut)
            if taken > most and part.first < first:
                part.end = first
                yield part
                part, taken = CheckedSegment(first, segment.end), worst(first, cut)
        yield part
        after = segment
    if after.leaves or not block.rtls:
        yield CheckedSegment(after.end, after.end, after.call >= 0, after.system_call)


def touched_lines(extents: Sequence[tuple[int, int]], line: int, site: int) -> list[Touch]:
    """Return the lines, of `line` bytes each, from which consecutive instructions are fetched.

    Instruction i has the site `site + i` and the bytes `extents[i]`, from the first to the one behind the last.
    """
    found: list[Touch] = []
    for number, (address, after) in enumerate(extents, site):
        if after == address:
            continue
        first, last = address // line, (after - 1) // line
        found += [Touch(touched, number, 0) for touched in range(first, last)]
        before = found[-1] if found else None
        if before is not None and before.count and before.line == last and before.site + before.count == number:
            found[-1] = replace(before, count=before.count + 1)
        else:
            found.append(Touch(last, number, 1))
    return found


@dataclass(frozen=True, slots=True)
class SegmentFetches:
    """A segment and the lines from which it fetches."""

    segment: CheckedSegment
    touches: list[Touch]


def base_and_offset(cell: Mem) -> tuple[Register, int] | None:
    """Return the register and the constant whose sum is the address of a cell; None if the address has another form."""
    base, offset = split_address(cell.address)
    if isinstance(base, tuple) and isinstance(base[0], Register) and base[1] is None:
        return base[0], offset
    return None


def may_set(machine: Machine, block: Block, register: Register, first: int, end: int) -> bool:
    """True if RTLs [first, end) of a block may set a register or move the register window."""
    storage = set(machine.storage(register))

    def sets(rtl: Rtl) -> bool:
        return not storage.isdisjoint(part for other in rtl.sets for part in machine.storage(other))

    return any(sets(rtl) or machine.window_move(rtl.effects) for rtl in block.rtls[first:end])


# ----------------------------------------------------------------------------------------------------------------------
# Find the fetches whose line is known to be the one last used of its set: they change nothing, whatever the policy.
#
# *Known lines* are found forward: a line is known at a place if it is the one last used of its set on every path to that
# place. This is the must analysis of Ferdinand and Wilhelm ("Efficient and Precise Cache Behavior Prediction for Real-Time
# Systems",
# 1999) with one line for each set.  Nothing is known at the head of a function and behind calls.
#
# *Needs* are found backward: the lines that are taken for known by code which control may reach before they are touched again.
# Context switches make lines unknown.  None comes in the fast copy, but control may enter that from the exact copy, and then a
# test makes sure that all needs are in the cache.  For control to get there soon after a switch, a loop takes only those lines
# for known that each of its iterations touches.
#
# *Peeled loops* have their first iteration apart.  So in the others, all lines are known that each iteration touches, but for
# those to whose sets other lines of the loop belong.


Known = dict[int, int]  # by set, its last used line


class KnownLines:
    """The analyses of one function.

    `segments` has those of each block, `sets` is the number of sets.  The lines of `start` are known whenever control comes to
    the first block.
    """

    def __init__(self, cfg: Cfg, segments: Sequence[Sequence[SegmentFetches]], sets: int, start: Iterable[int] = ()) -> None:
        self.cfg, self.segments, self.sets = cfg, segments, sets
        self.start = {line % sets: line for line in start}
        self.order = cfg.reverse_postorder()

    # ------------------------------------------------------------------------------------------- forward

    def mark(self, switching: bool) -> None:
        """Mark the touches of known lines."""
        kept = self._touched_in_every_iteration() if switching else {}
        after: dict[int, Known] = {}
        changed = True
        while changed:
            changed = False
            for block in self.order:
                known = self._through(block, self._before(block, after, kept), mark=False)
                if after.get(block) != known:
                    after[block] = known
                    changed = True
        for block in self.order:
            self._through(block, self._before(block, after, kept), mark=True)

    def _touched_in_every_iteration(self) -> dict[int, set[int]]:
        """Return the lines that each iteration of a loop touches unless it leaves the loop, by the loop's header."""
        idom = dominators(self.cfg)
        found: dict[int, set[int]] = {}
        for loop in natural_loops(self.cfg, idom):
            ends = [block for block in self.cfg.predecessors[loop.header] if block in loop.blocks]
            always = [block for block in loop.blocks if all(dominates(idom, block, end) for end in ends)]
            touches = (t for block in always for s in self.segments[block] if not s.segment.annullable for t in s.touches)
            found[loop.header] = {touch.line for touch in touches}
        return found

    def _before(self, block: int, after: Mapping[int, Known], kept: Mapping[int, set[int]]) -> Known:
        """Return what is known at the head of a block."""
        if block == 0:
            return dict(self.start)
        found: Known | None = None
        for other in self.cfg.predecessors[block]:
            if other in after:
                found = after[other] if found is None else _both(found, after[other])
        found = found or {}
        return {place: line for place, line in found.items() if line in kept[block]} if block in kept else found

    def _through(self, block: int, known: Known, mark: bool) -> Known:
        """Return what is known at the end of a block."""
        known = dict(known)
        for fetched in self.segments[block]:
            if fetched.segment.after_call:
                known = {}
            before = dict(known) if fetched.segment.annullable else known
            for number, touch in enumerate(fetched.touches):
                place = touch.line % self.sets
                if mark:
                    fetched.touches[number] = replace(touch, known=known.get(place) == touch.line)
                known[place] = touch.line
            if fetched.segment.annullable:
                known = _both(before, known)
        return known

    # ------------------------------------------------------------------------------------------ backward

    def needs(self) -> dict[Place, frozenset[int]]:
        """Return the needs at the head of each segment."""
        found: dict[Place, frozenset[int]] = {}
        needed: dict[int, frozenset[int]] = {}  # at the head of a block
        changed = True
        while changed:
            changed = False
            for block in reversed(self.order):
                needs = frozenset[int]().union(*(needed.get(s, ()) for s in self.cfg.successors[block]))
                for fetched in reversed(self.segments[block]):
                    before = self._needed_by(fetched, needs)
                    before = before | needs if fetched.segment.annullable else before
                    found[block, fetched.segment.first] = before
                    needs = frozenset() if fetched.segment.after_call else before
                if needed.get(block) != needs:
                    needed[block] = needs
                    changed = True
        return found

    def _needed_by(self, fetched: SegmentFetches, needs: frozenset[int]) -> frozenset[int]:
        """Return the needs at the head of a segment that is executed; `needs` are those behind it."""
        found = set(needs)
        for touch in reversed(fetched.touches):
            found = {line for line in found if line % self.sets != touch.line % self.sets}
            if touch.known:
                found.add(touch.line)
        return frozenset(found)


def peeled_loops(cfg: Cfg, function: Function) -> dict[int, int]:
    """Return the blocks of loops that contain no loops, calls, system calls or indirect jumps, each with its loop's header."""
    loops = natural_loops(cfg, dominators(cfg))
    headers = {loop.header for loop in loops}

    def is_plain(block: int) -> bool:
        rtls = function.blocks[block].rtls
        return not any(rtl.call or rtl.system_call or isinstance(rtl.transfer, IndirectJump) for rtl in rtls)

    alone = [loop for loop in loops if headers & set(loop.blocks) == {loop.header} and all(map(is_plain, loop.blocks))]
    return {block: loop.header for loop in alone for block in loop.blocks}


def peel(cfg: Cfg, peeled: Mapping[int, int]) -> tuple[Cfg, list[int]]:
    """Return a graph in which loops are peeled, and which block each of its further blocks is; these are the later iterations.

    `peeled` has the blocks of the loops, each with its loop's header.
    """
    further = sorted(peeled)
    later = {block: number for number, block in enumerate(further, len(cfg.successors))}
    first = [
        [later[to] if block in peeled and to == peeled[block] else to for to in found]
        for block, found in enumerate(cfg.successors)
    ]
    others = [[later[to] if peeled.get(to) == peeled[block] else to for to in cfg.successors[block]] for block in further]
    successors = first + others
    predecessors: list[list[int]] = [[] for _ in successors]
    for block, found in enumerate(successors):
        for to in found:
            predecessors[to].append(block)
    return Cfg(cfg.labels, successors, predecessors), further


def _both(one: Known, other: Known) -> Known:
    """Return the lines that are known on both of two paths."""
    return {place: line for place, line in one.items() if other.get(place) == line}


# ----------------------------------------------------------------------------------------------------------------------
# Find loops that run for many turns with all their lines in the cache.
#
# At the header of such a loop a program tests whether lines are the ones last used of their sets.  No other line of the loop
# belongs to these sets, so if they are, they stay so until the loop is left or something is called: until then, fetches from
# them need no checks.  Which lines are tested decides how often the test succeeds, never what is counted.


MOST_LINES = 64  # that are tested at the header of a loop
LONG = 256  # instructions of a turn in the mean: behind a context switch, a whole turn checks all fetches
SELDOM = 1 / 8  # a line from which less is fetched in a turn, in the mean, is not tested


@dataclass(frozen=True, slots=True)
class ResidentLoop:
    """A loop: its blocks as far as control gets without a call, the header first, and the lines to test there.

    `leaves` has, for some blocks, the first RTL that is not made in the loop: a call, a system call or an indirect jump.
    """

    blocks: tuple[int, ...]
    lines: frozenset[int]
    leaves: Mapping[int, int]

    @property
    def header(self) -> int:
        """The block at which the loop is entered."""
        return self.blocks[0]


def resident_loops(
    machine: Machine, cfg: Cfg, function: Function, starts: Sequence[int],
    fetches: Callable[[int], Iterable[SegmentFetches]], sets: int, first: int, feedback: Feedback, plain: Container[int],
) -> list[ResidentLoop]:  # fmt: skip
    """Return loops that have no blocks in common, outer ones rather than those in them.

    `fetches` returns those of a block, which begins with RTL `first + starts[block]`.  `plain` has the blocks of loops whose
    later turns are apart.
    """
    idom = dominators(cfg)
    departures = _departures(machine, function)
    chosen: list[ResidentLoop] = []
    for loop in reversed(natural_loops(cfg, idom)):
        if any(loop.header in other.blocks for other in chosen):
            continue
        blocks = _turn(cfg, loop, departures)
        leaves = {block: departures[block] for block in blocks if block in departures}
        ends = [block for block in blocks if block not in leaves and loop.header in cfg.successors[block]]
        header = first + starts[loop.header]
        left = feedback.per_turn((first + starts[block] + index for block, index in leaves.items()), header)
        sites = (first + starts[block] + index for block in blocks for index in range(len(function.blocks[block].rtls)))
        if not ends or 2 * left > 1 or feedback.per_turn(sites, header) > LONG:
            continue
        if loop.header in plain and all(dominates(idom, block, end) for block in blocks for end in ends):
            continue  # each turn touches all lines
        touches = [touch for block in blocks for fetched in fetches(block) for touch in fetched.touches]
        often = {t.line for t in touches if not feedback.made or feedback.per_turn([t.site], header) > SELDOM}
        in_set = Counter(line % sets for line in {touch.line for touch in touches})
        lines = frozenset(line for line in often if in_set[line % sets] == 1)
        if len(often) < 2 * len(lines) <= 2 * MOST_LINES:
            chosen.append(ResidentLoop(tuple(blocks), lines, leaves))
    return chosen


def _departures(machine: Machine, function: Function) -> dict[int, int]:
    """Return, by block, the first RTL that calls something or jumps to a computed address, perhaps in its slots."""
    found: dict[int, int] = {}
    for number, block in enumerate(function.blocks):
        for first, _, end in units(machine, function, block):
            if any(r.call or r.system_call or isinstance(r.transfer, IndirectJump) for r in block.rtls[first:end]):
                found.setdefault(number, first)
    return found


def _turn(cfg: Cfg, loop: Loop, leaves: Container[int]) -> list[int]:
    """Return the blocks of a loop to which control comes from its header through blocks that nothing leaves."""
    found = [loop.header]
    for block in found:
        if block not in leaves:
            found += [to for to in cfg.successors[block] if to in loop.blocks and to not in found]
    return found


def known_in_loop(loop: ResidentLoop, cfg: Cfg, made: Sequence[Sequence[SegmentFetches]], sets: int) -> None:
    """Mark the touches of known lines in the turns of a loop; `made` has those of each of its blocks."""
    numbers = {block: number for number, block in enumerate(loop.blocks)}
    successors = [
        [] if block in loop.leaves else [numbers[to] for to in cfg.successors[block] if to in numbers] for block in loop.blocks
    ]
    predecessors: list[list[int]] = [[] for _ in successors]
    for block, found in enumerate(successors):
        for to in found:
            predecessors[to].append(block)
    KnownLines(Cfg({}, successors, predecessors), made, sets, loop.lines).mark(False)
