"""Why an instruction is not used: places where it nearly is, how often they are executed, and what prevents it.

The definitions of registers are put in the places of their uses, as instruction selection does
(`vpo/opt/selection/combine.py`), but without its conditions.  What then is the instruction, or is it but for an operand, is a
place; the condition that does not hold is the reason.  So is what computes the same, however it is written
(`vpo/opt/selection/value_graph.py`), or would with other constants.  This looks at finished code, so that what was executed is
known of each RTL.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ease.comparison.near_choices import EXIT
from ease.comparison.near_meanings import Chain, Meant, Place, is_move, line_of, operators_of
from ease.comparison.near_parts import Parts, missing
from ease.comparison.near_shapes import Shapes, called_by
from ease.model.run_identity import file_name, is_library
from vpo.algebra import is_step, rebuild_effect
from vpo.analysis.alias import Aliases
from vpo.analysis.cfg import build_cfg
from vpo.analysis.dominators import Loop, dominators, natural_loops
from vpo.analysis.frequency import Comparison, branch_comparison
from vpo.analysis.liveness import compute_liveness
from vpo.base.errors import UserError
from vpo.base.suggestions import nearest
from vpo.machines.advice.examples import NearMatches
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import BITS, Branch, Const, Effect, Op, Register, RegisterVariable, Rtl, Set, subexpressions
from vpo.rtl.function import Function
from vpo.text import show_effects

TOP = 20  # places that are shown
HALF = 0.5  # share of an instruction that is there; below, what is nowhere is told, too
PARTS = 3  # of them with a part of the instruction, beside those where all of it is
SAVES = "nothing in the finished code prevents it, and it would save {saved}, but no search finds it: call {call}"
DEPTH = 3  # definitions that are put into one RTL
UNFOLDED = 4  # how much larger than the instruction effects may be on the way: halves of a constant, say


@dataclass(frozen=True)
class Miss:
    """A place where an instruction nearly is: the RTLs that it would replace, and why it does not."""

    function: Function
    rtls: tuple[Rtl, ...]
    count: int  # how often the last of them was executed
    reason: str
    share: float = 1.0  # of what the instruction computes that is there


def misses(
    program: Program, name: str, counts: Mapping[str, Sequence[int]], least: int = 1,
    functions: Iterable[Function] | None = None,
) -> list[Miss]:  # fmt: skip
    """Return where an instruction nearly is: the program's own places first, those most executed first.

    `counts` are the executions of each function's RTLs.  Blocks in which nothing is executed `least` times are not
    searched, nor other functions than `functions` if these are given.

    Where it is nowhere, these are the places where another instruction does the same; and where in a function neither is,
    the places that do a part of what it does, behind the others.
    """
    wanted = NearMatches(program.machine.recognizer, name)
    found, same, partly = list[Miss](), list[Miss](), list[Miss]()
    for function in program.functions.values() if functions is None else functions:
        starts, executed = function.block_starts(), counts[function.name]
        searched = [
            any(times >= max(1, least) for times in executed[start : start + len(block.rtls)])
            for start, block in zip(starts, function.blocks, strict=False)
        ]
        if not any(searched):
            continue
        search = Search(function, program.machine, wanted, name, searched)
        here = [(kind, places) for kind, places in ((found, [*search.run()]), (same, search.same)) if places]
        for kind, places in here:
            for (block, at), rtls, reason in (each for each in places if searched[each[0][0]]):
                kind.append(Miss(function, rtls, counts[function.name][starts[block] + at], reason))
        if not here and not search.is_used:
            times = [
                [number if is_searched else 0 for number in executed[start : start + len(block.rtls)]]
                for start, block, is_searched in zip(starts, function.blocks, searched, strict=False)
            ]
            for part in search.parts().run(times):
                rtls = tuple(map(search.rtl, part.parts))
                partly.append(Miss(function, rtls, times[part.place[0]][part.place[1]], part.reason, part.share))
    most = max((miss.share for miss in partly if miss.count), default=0.0)
    partly = [miss for miss in partly if 2 * miss.share > most]
    return [*sorted(found or same, key=_order), *sorted(partly, key=_order)]


def _order(miss: Miss) -> tuple[bool, float]:
    """The program's own places come before the library's, then what is executed most often."""
    return _is_of_library(miss.function.file), -miss.count * miss.share


@cache
def _is_of_library(file: str) -> bool:
    """Return whether a source file is the library's; to find out asks the system."""
    return is_library(file_name(file))


class Search:
    """The search in one function."""

    def __init__(
        self, function: Function, machine: Machine, wanted: NearMatches, name: str, searched: Sequence[bool]
    ) -> None:  # fmt: skip
        self.blocks, self.machine, self.wanted, self.name, self.searched = function.blocks, machine, wanted, name, searched
        self.cfg, self.arriving, self.leaving = build_cfg(function), function.arriving, function.leaving
        self.liveness = compute_liveness(function, self.cfg, machine)
        self.mask = self.liveness.numbering.mask
        self.aliases = Aliases(function, machine)
        self.forms = [one for one in machine.recognizer.alternatives if one.name == name and not one.repeated]
        self.is_used = False
        self.same: list[tuple[Place, tuple[Rtl, ...], str]] = []  # what does the same by itself
        self.setters: dict[tuple[Register, int], list[int]] = {}  # RTLs of a block that set a register

    def run(self) -> Iterator[tuple[Place, tuple[Rtl, ...], str]]:
        """Yield places, the RTLs that would be one, and the reason why they are not."""
        taken: set[Place] = set()
        told: set[Place] = set()
        near: dict[Place, tuple[tuple[Rtl, ...], str]] = {}  # where an operand is no operand of the instruction
        for number, block in enumerate(self.blocks):
            for at in reversed(range(len(block.rtls))):
                place, rtl = (number, at), block.rtls[at]
                other = self.machine.record(rtl).name
                self.is_used |= other == self.name
                if place in taken or other == self.name or not self.searched[number]:
                    continue
                if any(self.wanted.problems(effects) == [] for effects in dict.fromkeys((rtl.effects, rtl.effects[::-1]))):
                    self.same.append((place, (rtl,), f"{other} does the same by itself"))
                    told.add(place)
                    continue
                if is_move(rtl):
                    continue
                best = min(self._ways(rtl.effects, place, ()), key=lambda way: len(way[0]), default=None)
                if best is not None:
                    chain, reason, is_all = best
                    taken.update(chain)
                    rtls = tuple(self.rtl(each) for each in (*sorted(chain), place))
                    if is_all:
                        told.add(place)
                        yield place, rtls, reason
                    else:
                        near[place] = rtls, reason
        for place, rtls, reason in Meant(self, taken | told, near).run():
            told.add(place)
            yield place, rtls, reason
        for place, (rtls, reason) in near.items():
            if place not in told:
                told.add(place)
                yield place, rtls, reason
        for place, rtls, reason in (*self._uncounted(), *Shapes(self.blocks, self.cfg, self.forms, self.wanted).run()):
            if place not in told:
                told.add(place)
                yield place, rtls, reason

    def _uncounted(self) -> Iterator[tuple[Place, tuple[Rtl, ...], str]]:
        """Yield the branches that end loops, if the instruction counts and branches, and why it does not."""
        if not any(_counts(one.effects) for one in self.forms):
            return
        for loop in natural_loops(self.cfg, dominators(self.cfg)):
            for number in sorted(loop.blocks):
                found = branch_comparison(self.blocks[number]) or self._compared_besides(number)
                if found is None or loop.header not in self.cfg.successors[number]:
                    continue
                relation, compare, branch = found
                at = next(at for at, rtl in enumerate(self.blocks[number].rtls) if rtl is branch)
                rtls = (compare, branch) if compare is not branch else (branch,)
                yield (number, at), rtls, self._why_uncounted(loop, relation, compare)

    def _compared_besides(self, number: int) -> Comparison | None:
        """Return what the branch at the end of a block compares, if an RTL of several effects compares it."""
        at = len(self.blocks[number].rtls) - 1
        branch = self.blocks[number].rtls[at] if at >= 0 else None
        if branch is None or not isinstance(branch.transfer, Branch) or len(branch.effects) != 1:
            return None
        condition = branch.transfer.condition
        code = condition.args[0]
        place = self.definition(code, (number, at)) if isinstance(code, Register) else None
        compare = self.rtl(place) if place is not None and place[0] == number else None
        for effect in compare.effects if compare is not None else ():
            if isinstance(effect, Set) and effect.target is code and isinstance(effect.source, Op) and effect.source.op == "?":
                changed = {each.source: each.target for each in compare.effects if isinstance(each, Set)}  # type: ignore[union-attr]
                left, right = (changed.get(arg, arg) for arg in effect.source.args)
                return Comparison(Op(condition.op, "", left, right), compare, branch)  # type: ignore[arg-type]
        return None

    def _why_uncounted(self, loop: Loop, relation: Op, compare: Rtl) -> str:
        """Tell why a loop does not count down to the end that a relation tells."""
        inside = [rtl for number in sorted(loop.blocks) for rtl in self.blocks[number].rtls]
        steps = [
            (rtl, effect)
            for rtl in inside
            for effect in rtl.effects
            if isinstance(effect, Set) and is_step(effect) and effect.target in relation.uses
        ]
        if len(steps) != 1:
            return "the loop ends by what it computes, not after a number of rounds"
        rtl, step = steps[0]
        (register,) = (one for one in relation.uses if one is step.target)
        other = next((one for one in inside if one is not rtl and one is not compare and register in one.uses), None)
        if (len(rtl.effects) > 1 and rtl is not compare) or other is not None:
            line = line_of(rtl if other is None else other)
            return f"what the loop counts is wanted in line {line}, too, and a counter beside it costs as much as it saves"
        (amount,) = (arg.value for arg in getattr(step.source, "args", ()) if isinstance(arg, Const))
        if abs(amount) != 1:
            return f"what the loop counts steps by {amount}: the number of rounds would have to be divided"
        if all(operators_of(one.source) > 1 for form in self.forms for one in form.effects if isinstance(one, Set)):
            cure = f"go on while it is above 0, write `r[a]=r[a]-1`, or call {called_by(self.forms)}"
            return f"nothing tells that the loop counts in fewer than {BITS[register.type]} bits: {cure}"
        return "nothing tells how often the loop goes round when it is entered, or loops do not count down (they do at -O2)"

    def parts(self) -> Parts:
        """Return the search for places that have a part of the instruction."""
        return Parts(self.blocks, self.cfg, self.forms, self.definition, self.obstacle, self.machine)

    def rtl(self, place: Place) -> Rtl:
        """Return the RTL at a place."""
        return self.blocks[place[0]].rtls[place[1]]

    def _ways(self, effects: tuple[Effect, ...], place: Place, chain: Chain) -> Iterator[tuple[Chain, str, bool]]:
        """Yield the definitions that make effects nearly the instruction, what prevents it, and whether they are all of it."""
        problems = self.wanted.problems(effects)
        if problems is not None and len(problems) + len(chain) > 0 and len(problems) <= 1:
            yield chain, problems[0] if problems else self.obstacle(chain, place), not problems
        if len(chain) == DEPTH:
            return
        for register in dict.fromkeys(register for effect in effects for register in effect.uses):
            at = self.definition(register, min((each for each in chain if each[0] == place[0]), default=place))
            single = self.rtl(at).single_set if at is not None else None
            if at is None or single is None or single.target is not register or getattr(single.source, "op", "") == "SYS":
                continue
            new = tuple(_substituted(effect, register, single) for effect in effects)
            if sum(effect.size for effect in new) <= self.wanted.largest + UNFOLDED:
                yield from self._ways(new, place, (*chain, at))

    def definition(self, register: Register, place: Place) -> Place | None:
        """Return the one RTL that sets a register, on whatever way control comes to a place."""
        number, end = place
        at = self._last(register, number, end)
        if at is not None:
            return number, at
        found: set[Place] = set()
        seen, work = set(self.cfg.predecessors[number]), list(self.cfg.predecessors[number])
        while work and len(found) < 2:
            above = work.pop()
            at = self._last(register, above, len(self.blocks[above].rtls))
            if at is not None:
                found.add((above, at))
            elif above == 0:
                return None
            else:
                work += [p for p in self.cfg.predecessors[above] if p not in seen]
                seen.update(self.cfg.predecessors[above])
        return found.pop() if len(found) == 1 else None

    def _last(self, register: Register, number: int, end: int) -> int | None:
        """Return the last RTL before a place of a block that sets a register."""
        setters = self.setters.get((register, number))
        if setters is None:
            bits, accesses = self.mask((register,)), self.liveness.accesses[number]
            setters = [at for at, each in enumerate(accesses) if (each.sets | each.clobbers) & bits]
            self.setters[register, number] = setters
        before = bisect_left(setters, end)
        return setters[before - 1] if before else None

    def obstacle(self, chain: Chain, place: Place) -> str:
        """Return why RTLs that would be the instruction together were not put together."""
        for part in chain:
            if part[0] != place[0]:
                return f"its part in line {line_of(self.rtl(part))} is in another block"
            reason = self.other_use(part, chain, place) or self._change(part, place)
            if reason:
                return reason
        parts = (*chain, place)
        return self.takes_longer(min((form.latency for form in self.forms), default=0), parts) or self.saving(parts, 1)

    def saving(self, parts: Chain, instructions: int) -> str:
        """Tell what it would save to replace RTLs by some instructions, if nothing else is known that prevents it."""
        saved = len(parts) - instructions
        if saved <= 0:
            return f"it would save nothing: with copies it is {instructions} instructions for {len(parts)}"
        return SAVES.format(saved=f"{saved} instruction{'s' if saved > 1 else ''}", call=called_by(self.forms))

    def takes_longer(self, latency: int, parts: Chain) -> str:
        """Tell that an instruction takes longer than those that it would replace."""
        spent = sum(self.machine.record(self.rtl(part)).latency for part in parts)
        return f"it takes {latency} cycles, and what it would replace {spent}" if latency > spent else ""

    def is_wanted(self, register: Register, number: int) -> bool:
        """Whether a register is read that holds something at the head of a block, or at the end of the function."""
        if number == EXIT:
            return register in self.leaving
        return bool(self.liveness.live_in[number] & self.mask((register,)))

    def called(self) -> str:
        """Return the name by which C calls the instruction."""
        return called_by(self.forms)

    def read_elsewhere(self, part: Place, chain: Chain) -> str:
        """Tell who else reads what an RTL of another block sets."""
        rtl = self.rtl(part)
        for number, block in enumerate(self.blocks):
            for at, other in enumerate(block.rtls):
                reads = [register for register in rtl.sets if register in other.uses and (number, at) not in chain]
                if any(self.definition(register, (number, at)) in (part, None) for register in reads):
                    return f"its part in line {line_of(rtl)} has a second use, in line {line_of(other)}"
        return ""

    def other_use(self, part: Place, chain: Chain, place: Place) -> str:
        """Tell who else reads what an RTL sets."""
        number, rtl = part[0], self.rtl(part)
        bits = self.mask(rtl.sets)
        for at in range(part[1] + 1, len(self.blocks[number].rtls)):
            entry = self.liveness.accesses[number][at]
            if entry.uses & bits and (number, at) not in (*chain, place):
                return f"its part in line {line_of(rtl)} has a second use, in line {line_of(self.rtl((number, at)))}"
            if entry.sets & bits:
                return ""
        is_live = self.liveness.live_out[number] & bits
        return f"its part in line {line_of(rtl)} is used behind the block, too" if is_live else ""

    def _change(self, part: Place, place: Place) -> str:
        """Tell what changes, between a part and the place where the instruction would be, what the part reads."""
        (number, at), rtl = part, self.rtl(part)
        bits = self.mask(rtl.uses) & ~self.liveness.accesses[number][at].sets
        for between in range(at + 1, place[1]):
            other, entry = self.rtl((number, between)), self.liveness.accesses[number][between]
            if (entry.sets | entry.clobbers) & bits:
                return f"line {line_of(other)} changes a register of its part in line {line_of(rtl)}"
            if any(self.aliases.may_change(other, cell) for cell in rtl.loads):
                return f"line {line_of(other)} may change what its part in line {line_of(rtl)} loads"
        return ""


def _counts(effects: tuple[Any, ...]) -> bool:
    """Whether the pattern of an instruction steps a register and branches by that alone."""
    match effects:
        case (Set(target=RegisterVariable(name=counter)), Branch(condition=condition)):
            return {node.name for node in subexpressions(condition) if isinstance(node, RegisterVariable)} == {counter}
    return False


def _substituted(effect: Effect, register: Register, single: Set) -> Effect:
    return rebuild_effect(effect, lambda node: single.source if node is register else None)


def check_instruction(machine: Machine, name: str) -> None:
    """Raise UserError if a machine has no instruction of a name."""
    names = {alternative.name for alternative in machine.recognizer.alternatives}
    if name not in names:
        hint = nearest(name, names)
        raise UserError([f"{machine.name} has no instruction '{name}'" + (f"; perhaps {hint}?" if hint else "")])


def executed_of(program: Program, name: str, counts: Mapping[str, Sequence[int]]) -> int:
    """Return how often a run executed an instruction."""
    return sum(
        count
        for function in program.functions.values()
        for rtl, count in zip(function.rtls(), counts[function.name], strict=True)
        if count and program.machine.record(rtl).name == name
    )


def explain(program: Program, name: str, counts: Mapping[str, Sequence[int]], top: int = TOP) -> str:
    """Return the places where an instruction nearly is, as text: those executed most often, with their RTLs.

    The library is searched if it is used nowhere, and nearly nowhere in the program's own functions.
    """
    library, own = list[Function](), list[Function]()
    for function in program.functions.values():
        (library if _is_of_library(function.file) else own).append(function)
    near = _executed(misses(program, name, counts, functions=own))
    found = [miss for miss in near if miss.share == 1]
    if not found:
        if executed_of(program, name, counts):
            return f"why not {name} elsewhere: nothing else in the program's own functions is nearly it\n"
        if not any(miss.share > HALF for miss in near):
            near += _executed(misses(program, name, counts, functions=library))
            near.sort(key=lambda miss: miss.share < 1)
        found = [miss for miss in near if miss.share == 1]
    told, of = (found, "") if found else (near, " with a part of it")
    times, executed = (sum(numbers) for numbers in ((miss.count for miss in told), map(sum, counts.values())))
    places = f"{len(told):,} {'place' if len(told) == 1 else 'places'}{of if told else ''}"
    lines = [f"why not {name}: {places}, executed {times:,} times of {executed:,} instructions"]
    if not any(miss.share > HALF for miss in near):
        lines += ["", f"{'':16}{_missing(program, name, counts)}"]
    if found:
        near = found + near[len(found) :][: max(0, min(PARTS, top - len(found)))]
    for miss in near[:top]:
        where = f"{Path(miss.function.file).name}:{line_of(miss.rtls[-1])} in {miss.function.name[1:]}"
        lines += ["", f"{miss.count:>14,}  {where}: {miss.reason}"]
        lines += [f"{'':16}{show_effects(rtl.effects)}" for rtl in miss.rtls]
    if len(near) > top:
        lines += ["", f"and {len(near) - top:,} more"]
    return "\n".join(lines) + "\n"


def _executed(places: Iterable[Miss]) -> list[Miss]:
    return [miss for miss in places if miss.count]


def _missing(program: Program, name: str, counts: Mapping[str, Sequence[int]]) -> str:
    """Tell what nothing that was executed computes of what an instruction does."""
    forms = [one for one in program.machine.recognizer.alternatives if one.name == name]
    rtls = [
        rtl
        for function in program.functions.values()
        for rtl, count in zip(function.rtls(), counts[function.name], strict=True)
        if count
    ]
    others = [one for one in program.machine.recognizer.alternatives if one.name != name]
    return missing(forms, others, rtls, called_by(forms))
