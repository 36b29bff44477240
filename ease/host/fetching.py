"""Which fetches have to be checked for an instruction cache by itself, and where (`cache_sim.native.fetches` writes it).

A line is known where it is the last used of its set on every way there: by a forward data-flow analysis over the touches of
each function.  Lines of innermost loops that conflict with no other line of the loop, and are sure to be touched in each
round, are checked on the ways into the loop instead of in it.  Where there are context switches, nothing is taken to be
known in a loop that is not touched in each of its rounds: it would be long until all is known again after a switch.  What is
taken to be known behind a crossing has to be so before control goes over it from the exact copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from cache_sim.config import Cache
from cache_sim.native.advice import Advice
from cache_sim.native.fetches import Fetches, Touch
from ease.host.emitter import Emitter
from ease.host.segments import Stretch
from vpo.analysis.cfg import Cfg, annulled_slots, build_cfg
from vpo.analysis.dominators import dominates, dominators
from vpo.analysis.loops import Loop, natural_loops
from vpo.function import Function

Known = dict[int, int]  # from sets to the lines that are known to be the last used of them


@dataclass(slots=True)
class Fetched:
    """The touches of a stretch; `needs`: lines taken to be known at its head, there or later."""

    stretch: Stretch
    touches: list[Touch] = field(default_factory=list)
    needs: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Ahead:
    """Touches of a loop that are checked on the ways into it, and the most units that one round takes."""

    touches: tuple[Touch, ...]
    worst: int


class FetchPlan:
    """The checks of a function: by block, its stretches; by edge, what is checked ahead."""

    def __init__(
        self, function: Function, addresses: Sequence[int], first: int, stretches: Sequence[Sequence[Stretch]],
        fetches: Fetches,
    ) -> None:  # fmt: skip
        self.function, self.addresses, self.first, self.fetches = function, addresses, first, fetches
        self.cache: Cache = fetches.cache.cache
        self.cfg = build_cfg(function)
        self.order = self.cfg.reverse_postorder()
        self.stretches: list[list[Fetched]] = []
        for position, found in zip(function.block_starts(), stretches, strict=True):
            self.stretches.append([Fetched(stretch) for stretch in found])
            for fetched in self.stretches[-1]:
                self._add(fetched, position)
        self.ahead: dict[int, Ahead] = {}  # by header
        self.edges: dict[tuple[int, int], Ahead] = {}
        self.firm: dict[int, set[int]] = {}  # by header, the lines touched in each round
        self._look_at_loops()
        self._find_known()
        if fetches.code.switching:
            self._find_needs()
            self._take_costs()

    # ------------------------------------------------------------------------------------------ touches

    def _add(self, fetched: Fetched, position: int) -> None:
        """Add the touches of a stretch, whose block begins at a position."""
        for index in range(position + fetched.stretch.index, position + fetched.stretch.end):
            address, after = self.addresses[index : index + 2]
            if after == address:
                continue
            line, last = address // self.cache.line, (after - 1) // self.cache.line
            for touched in range(line, last):
                fetched.touches.append(self._touch(touched, index, 0))
            before = fetched.touches[-1] if fetched.touches else None
            joins = before is not None and before.count and before.line == last
            if before is not None and joins and before.site + before.count == self.first + index and line == last:
                fetched.touches[-1] = replace(before, count=before.count + 1)
            else:
                fetched.touches.append(self._touch(last, index, 1))

    def _touch(self, line: int, index: int, count: int) -> Touch:
        return Touch(line, self.first + index, count)

    def _set(self, line: int) -> int:
        return line % self.cache.sets

    # -------------------------------------------------------------------------------------- loops

    def _look_at_loops(self) -> None:
        """Find what can be checked on the ways into loops, and what is touched in each round."""
        idom = dominators(self.cfg)
        loops = natural_loops(self.cfg, idom)
        headers = {loop.header for loop in loops}
        movable = self.cache.policy != "random" or self.cache.ways == 1  # what is drawn depends on misses of all sets
        for loop in loops:
            innermost = len(headers & loop.blocks) == 1 and is_reducible(self.cfg, loop, self.order)
            if movable and innermost and loop.header and not any(s.stretch.forgets or s.stretch.ends for s in self._of(loop)):
                self._look_ahead(loop, idom)
            ends = [block for block in self.cfg.predecessors[loop.header] if block in loop.blocks]
            always = [block for block in loop.blocks if all(dominates(idom, block, end) for end in ends)]
            touches = (t for block in always for s in self.stretches[block] if not s.stretch.perhaps for t in s.touches)
            self.firm[loop.header] = {touch.line for touch in touches}

    def _of(self, loop: Loop) -> Iterator[Fetched]:
        for block in loop.blocks:
            yield from self.stretches[block]

    def _look_ahead(self, loop: Loop, idom: dict[int, int]) -> None:
        entries = [block for block in self.cfg.predecessors[loop.header] if block not in loop.blocks and block in idom]
        if any(annulled_slots(self.function.blocks[block]) for block in entries):
            return
        lines: dict[int, set[int]] = {}
        for fetched in self._of(loop):
            for touch in fetched.touches:
                lines.setdefault(self._set(touch.line), set()).add(touch.line)
        alone = {line for found in lines.values() if len(found) == 1 for line in found}
        chosen: list[Touch] = []
        for block in _always(self.cfg, loop, self.order):
            for fetched in self.stretches[block]:
                if fetched.stretch.perhaps:
                    continue
                for touch in fetched.touches:
                    if touch.line in alone and self._is_first(touch, block, loop, idom):
                        alone.discard(touch.line)
                        chosen.append(replace(touch, count=max(touch.count, 1)))
        if not chosen:
            return
        units, penalty = self.fetches.code.cost("fetch"), self.fetches.code.penalty
        worst = sum(touch.count * units + penalty for fetched in self._of(loop) for touch in fetched.touches)
        worst += sum(fetched.stretch.worst for fetched in self._of(loop))  # for data
        self.ahead[loop.header] = ahead = Ahead(tuple(chosen), worst)
        for block in entries:
            self.edges[block, loop.header] = ahead

    def _is_first(self, touch: Touch, block: int, loop: Loop, idom: dict[int, int]) -> bool:
        """Whether no other touch of the line in the loop can come before this one."""
        return all(
            dominates(idom, block, other)
            for other in loop.blocks
            if any(each.line == touch.line for fetched in self.stretches[other] for each in fetched.touches)
        )

    # ----------------------------------------------------------------------------------- what is known

    def _find_known(self) -> None:
        """Mark touches of lines that are known, and leave out what is known on a way into a loop."""
        after: dict[int, Known] = {}
        changed = True
        while changed:
            changed = False
            for block in self.order:
                known = self._through(block, self._before(block, after), mark=False)
                if after.get(block) != known:
                    after[block] = known
                    changed = True
        for block in self.order:
            self._through(block, self._before(block, after), mark=True)
        for (block, header), ahead in list(self.edges.items()):
            known = after[block]
            touches = tuple(touch for touch in ahead.touches if known.get(self._set(touch.line)) != touch.line)
            if touches:
                self.edges[block, header] = Ahead(touches, ahead.worst)
            else:
                del self.edges[block, header]

    def _before(self, block: int, after: dict[int, Known]) -> Known:
        if block == 0:
            return {}
        found: Known | None = None
        for other in self.cfg.predecessors[block]:
            if other not in after:
                continue
            known = after[other]
            if (other, block) in self.edges:
                known = known | {self._set(touch.line): touch.line for touch in self.ahead[block].touches}
            found = dict(known) if found is None else _both(found, known)
        firm = self.firm.get(block)
        if firm is None or not self.fetches.code.switching:
            return found or {}
        return {place: line for place, line in (found or {}).items() if line in firm}

    def _through(self, block: int, known: Known, mark: bool) -> Known:
        known = dict(known)
        for fetched in self.stretches[block]:
            if fetched.stretch.forgets:
                known = {}
            before = dict(known) if fetched.stretch.perhaps else known
            for number, touch in enumerate(fetched.touches):
                place = self._set(touch.line)
                if mark:
                    fetched.touches[number] = replace(touch, known=known.get(place) == touch.line)
                known[place] = touch.line
            if fetched.stretch.perhaps:
                known = _both(before, known)
        return known

    def _find_needs(self) -> None:
        """Find the lines on which stretches, and those behind them, rely."""
        needed: dict[int, frozenset[int]] = {}  # at the head of a block
        changed = True
        while changed:
            changed = False
            for block in reversed(self.order):
                needs: frozenset[int] = frozenset()
                for successor in self.cfg.successors[block]:
                    wanted = needed.get(successor, frozenset())
                    if (block, successor) in self.edges:
                        wanted -= {touch.line for touch in self.edges[block, successor].touches}
                    needs |= wanted
                for fetched in reversed(self.stretches[block]):
                    before = self._needed_by(fetched, needs)
                    fetched.needs = before | needs if fetched.stretch.perhaps else before
                    needs = frozenset() if fetched.stretch.forgets else fetched.needs
                if needed.get(block) != needs:
                    needed[block] = needs
                    changed = True

    def _take_costs(self) -> None:
        """Add to stretches what they take for their fetches."""
        for stretches in self.stretches:
            for fetched in stretches:
                cost = sum(touch.count for touch in fetched.touches) * self.fetches.code.cost("fetch")
                fetched.stretch.cost += cost
                fetched.stretch.worst += cost + sum(not touch.known for touch in fetched.touches) * self.fetches.code.penalty

    def _needed_by(self, fetched: Fetched, needs: frozenset[int]) -> frozenset[int]:
        found = set(needs)
        for touch in reversed(fetched.touches):
            found = {line for line in found if self._set(line) != self._set(touch.line)}
            if touch.known:
                found.add(touch.line)
        return frozenset(found)


def _both(one: Known, other: Known) -> Known:
    """Return what is known on both of two ways."""
    return {place: line for place, line in one.items() if other.get(place) == line}


def is_reducible(cfg: Cfg, loop: Loop, order: Sequence[int]) -> bool:
    """Whether there is no cycle in an innermost loop but those through its header."""
    place = {block: number for number, block in enumerate(order)}
    return all(
        place[successor] > place[block]
        for block in loop.blocks
        for successor in cfg.successors[block]
        if successor in loop.blocks and successor != loop.header
    )


def _always(cfg: Cfg, loop: Loop, order: Sequence[int]) -> list[int]:
    """Return the blocks of an innermost loop that are executed in every round that is begun, in order."""
    inside = [block for block in order if block in loop.blocks]
    # By block: the blocks on every way from it to the end of the round, however it ends.
    later: dict[int, frozenset[int]] = {}
    for block in reversed(inside):
        ways = [later.get(s, frozenset()) if s != loop.header else frozenset[int]() for s in cfg.successors[block]]
        common = frozenset.intersection(*ways) if ways else frozenset[int]()
        later[block] = common | {block}
    return [block for block in inside if block in later[loop.header]]


class FunctionFetching:
    """Writes the checks of a function."""

    def __init__(self, plan: FetchPlan, emitter: Emitter, advice: Advice) -> None:
        self.plan, self.fetches, self.emitter, self.advice = plan, plan.fetches, emitter, advice
        self.stretches = {
            (block, fetched.stretch.index): fetched for block, stretches in enumerate(plan.stretches) for fetched in stretches
        }

    def before(self, block: int, index: int) -> None:
        """Write the check of the stretch that begins at an RTL."""
        fetched = self.stretches.get((block, index))
        if fetched is not None:
            self.fetches.check(self.emitter, self._advised(fetched.touches))

    def way(self, source: int, target: int) -> None:
        """Write what is checked on the way into a loop."""
        ahead = self.plan.edges.get((source, target))
        if ahead is not None:
            self.fetches.check(self.emitter, self._advised(ahead.touches))

    def there(self, block: int, index: int) -> str:
        """Return a call that tells whether what is taken to be known at an RTL is so."""
        fetched = self.stretches.get((block, index))
        return self.fetches.there(fetched.needs) if fetched is not None else ""

    def _advised(self, touches: Iterable[Touch]) -> list[Touch]:
        return [replace(touch, how=self.advice.how(touch.site)) for touch in touches if not touch.known]
