"""What branches choose: the value that a register has where ways meet, as a choice between its values on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from vpo.analysis.cfg import Cfg
from vpo.analysis.dominators import common_dominator, dominance_intervals, dominates, dominators
from vpo.rtl import QUOTIENTS, Branch, Expr, Op, Register, Return, Rtl, Set
from vpo.rtl.function import Block

EXIT = -1  # where all ways out of a function meet
MOST = 12  # blocks between the first branch and the place where the ways meet
Condition = Callable[[int], Expr | None]  # what the branch at the end of a block decides by
Value = Callable[[Register, int], Expr | None]  # what a register holds at the end of a block
Name = Callable[[int, Register, Expr], Expr]  # a name for what the branch at the end of a block chooses


def only_if_chosen(rtls: Iterable[Rtl]) -> str:
    """Tell what of RTLs can only be done if it is chosen; nothing if there is no such thing."""
    for rtl in rtls:
        if rtl.call is not None:
            return f"line {rtl.lines[0]} calls a function, which is done only if it is chosen"
        if rtl.stores:
            return f"line {rtl.lines[0]} stores, which is done only if it is chosen: choose a value, and store that"
        if rtl.loads:
            return f"line {rtl.lines[0]} loads, which may fault, so it is done only if chosen: load before the choice"
        if any(getattr(effect.source, "op", "") in QUOTIENTS for effect in rtl.effects if isinstance(effect, Set)):
            return f"line {rtl.lines[0]} divides, which may fault, so it is done only if chosen"
    return ""


class Choices:
    """The places of a function where ways meet."""

    def __init__(self, blocks: list[Block], cfg: Cfg, condition: Condition, value: Value, name: Name) -> None:
        self.blocks, self.cfg, self.condition, self.value, self.name = blocks, cfg, condition, value, name
        self.above = dominators(cfg)
        self.returning = [n for n in self.above if any(isinstance(rtl.transfer, Return) for rtl in blocks[n].rtls)]
        if len(self.returning) > 1:
            self.above[EXIT] = common_dominator(self.above, dominance_intervals(self.above), self.returning)
        self.known: dict[tuple[int, Register], Expr | None] = {}
        self.regions: dict[Expr, set[int]] = {}  # blocks on the ways between which is chosen, by name

    def joins(self) -> Iterator[tuple[int, list[Register]]]:
        """Yield where ways meet that one branch parted, with the registers that are set on some of them."""
        for number in [*self.above]:
            between = self._between(number)
            sets = (register for block in between or () for rtl in self.blocks[block].rtls for register in rtl.sets)
            if registers := [one for one in dict.fromkeys(sets) if one.type not in ("C", "")]:
                yield number, registers

    def chosen(self, number: int, register: Register) -> Expr | None:
        """Return what a register holds at the head of a block, if branches choose that."""
        key = number, register
        if key not in self.known:
            self.known[key] = None  # a register that depends on itself is chosen by none
            between = self._between(number)
            if between is not None:
                found = self._behind(self.above[number], number, register, {*between, self.above[number]}, {})
                self.known[key] = found
                if found is not None:
                    self.regions.setdefault(found, between)
        return self.known[key]

    def _between(self, number: int) -> set[int] | None:
        """Return the blocks between the first branch and the place where its ways meet; None if a loop is among them."""
        head = self.above.get(number, number)
        before = self.returning if number == EXIT else self.cfg.predecessors[number]
        if head == number or len(before) < 2 or any(each not in self.above for each in before):
            return None  # finished code may have blocks that control never comes to
        if any(dominates(self.above, number, each) for each in before):
            return None
        found, work = set[int](), [each for each in before if each != head]
        while work:
            block = work.pop()
            if block in found:
                continue
            found.add(block)
            if len(found) > MOST or block == number or block not in self.above:
                return None
            work += [each for each in self.cfg.predecessors[block] if each != head]
        return found

    def _behind(
        self, block: int, end: int, register: Register, region: set[int], done: dict[int, Expr | None]
    ) -> Expr | None:  # fmt: skip
        """Return what the register is where ways meet, if control is at the end of a block."""
        if block not in done:
            done[block] = None  # of a loop
            done[block] = self._found_behind(block, end, register, region, done)
        return done[block]

    def _found_behind(
        self, block: int, end: int, register: Register, region: set[int], done: dict[int, Expr | None]
    ) -> Expr | None:  # fmt: skip
        ways = []
        for after in self._ways(block):
            if after == end:
                ways.append(self.value(register, block))
            elif after in region:
                ways.append(self._behind(after, end, register, region, done))
            else:
                return None
        if any(way is None for way in ways):
            return None
        if len({*ways}) == 1:
            return ways[0]
        condition = self.condition(block)
        if len(ways) != 2 or condition is None:
            return None
        return self.name(block, register, Op("SEL", register.type, condition, *ways))  # type: ignore[arg-type]

    def _ways(self, block: int) -> list[int]:
        """Return the blocks behind one: where its branch goes if it is taken, then the other."""
        rtls = self.blocks[block].rtls
        branch = next((rtl.transfer for rtl in reversed(rtls) if isinstance(rtl.transfer, Branch)), None)
        after = [EXIT] if block in self.returning else list(dict.fromkeys(self.cfg.successors[block]))
        if branch is not None and len(after) == 2 and self.blocks[after[0]].label != branch.label:
            after.reverse()
        return after
