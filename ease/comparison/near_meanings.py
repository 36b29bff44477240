"""Where what computes the same as an instruction is not that: however it is written, or with other constants.

Values, what branches decide by, addresses and what is compared are looked at as functions of a few registers, as
`vpo/opt/selection/cover.py` does, on finished code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Protocol

from ease.comparison.near_choices import EXIT, Choices, only_if_chosen
from ease.comparison.near_parts import TURNED
from vpo.algebra import rebuild, reverse, wrap
from vpo.analysis.cfg import Cfg
from vpo.machines.machine import Machine
from vpo.machines.match.meaning import Kind, extension_of
from vpo.machines.match.meanings import ADDRESS, COMPARED, CONDITION
from vpo.machines.match.numbered import on_samples
from vpo.opt.selection.cover import cell_of, compared_by, with_part
from vpo.opt.selection.covering import NAMED, compares
from vpo.opt.selection.value_graph import Cut, ValueGraph
from vpo.rtl import BITS, INTEGER_TYPES, RELATIONS, Branch, Const, Effect, Expr, Op, Register, Rtl, Set, Slot, subexpressions
from vpo.rtl.function import Block
from vpo.text import Variable, show

CHOICE = "the branch of line {line} chooses here what it computes without one, and no search finds that: call {call}"
BOTH_WAYS = "it would compute both ways, of which the branch of line {line} skips one: call {call}"
SEVERAL = 12  # values that must be equal
MOSTLY = 0.15  # share of samples on which values differ that are nearly the same
UNPROVEN = "it is likely the same, but that is not proven"

Place = tuple[int, int]  # a block and an RTL in it, by number
Chain = tuple[Place, ...]
Found = tuple[Place, tuple[Rtl, ...], str]  # a place, the RTLs that would be one, and why they are not


class Code(Protocol):
    """What is known of the code of a function, and of the instruction that is looked for in it."""

    blocks: list[Block]
    cfg: Cfg
    machine: Machine
    name: str  # of the instruction
    searched: Sequence[bool]  # which blocks
    arriving: dict[Register | Slot, Kind]
    leaving: dict[Register, str]
    same: list[Found]  # what does the same by itself

    def rtl(self, place: Place) -> Rtl:
        """Return the RTL at a place."""

    def definition(self, register: Register, place: Place) -> Place | None:
        """Return the one RTL that sets a register, on whatever way control comes to a place."""

    def other_use(self, part: Place, chain: Chain, place: Place) -> str:
        """Tell who else in the block reads what an RTL sets."""

    def read_elsewhere(self, part: Place, chain: Chain) -> str:
        """Tell who else reads what an RTL of another block sets."""

    def takes_longer(self, latency: int, parts: Chain) -> str:
        """Tell that an instruction takes longer than those that it would replace."""

    def saving(self, parts: Chain, instructions: int) -> str:
        """Tell what it would save to replace RTLs by some instructions, if nothing else is known that prevents it."""

    def is_wanted(self, register: Register, number: int) -> bool:
        """Whether a register is read that holds something at the head of a block."""

    def called(self) -> str:
        """Return the name by which C calls the instruction."""


class Meant:
    """The search for what computes the same as an instruction.

    `taken` are places that are told of already; of those that are `near`, a reason is known if nothing does the same.
    """

    def __init__(self, search: Code, taken: set[Place], near: Collection[Place]) -> None:
        self.search, self.taken, self.near, self.machine = search, taken, near, search.machine
        self.places: dict[Register, Place] = {}  # of names that stand for what an RTL sets
        self.parts: dict[Register, Expr] = {}  # that names stand for within RTLs
        self.names: dict[tuple[Place, Register], Register] = {}
        self.conditions_of: dict[int, Register] = {}  # blocks
        self.sources: dict[Register, Expr] = {}
        self.registers: dict[Expr, Expr] = {}  # that names stand for
        self.values, self.conditions, self.addresses, self.compared = (
            [ValueGraph(self.machine, self.sources, each.of(search.name, others)) for others in (False, True)]
            for each in self.machine.searched
        )
        self.graphs = [*self.values, *self.conditions, *self.addresses, *self.compared]
        self._unprevented = ""  # what was told last where nothing is known that prevents it
        self.unlike: list[tuple[float, Found]] = []  # what is likely the same, or differs on a share of samples
        self.tests: dict[Register, list[Register]] = {}  # names of the condition codes of which values are computed
        for graph in self.graphs:
            graph.tests = self.tests
        self.choices = Choices(search.blocks, search.cfg, self._condition, self._held, self._choice)
        self.chosen: set[Register] = set()  # names of what branches choose
        own = [meaning for graph in self.graphs for meaning in graph.meanings.all]
        self.least = min((operators_of(meaning.source) for meaning in own), default=0)
        self.fewest = min((len(meaning.leaves) for meaning in own), default=0)  # registers, where no two are the same
        whole = [meaning.source for meaning in self.values[0].meanings.all]
        self.low_parts = dict.fromkeys(part for source in whole for part in _extended(source))  # of which it makes values

    def run(self) -> Iterator[Found]:
        """Yield places, the RTLs that would be one, and the reason why they are not."""
        for number, block in enumerate(self.search.blocks):
            for at, rtl in enumerate(block.rtls):
                place = number, at
                is_sought = self.search.searched[number] and place not in self.taken
                if is_sought and self.machine.record(rtl).name != self.search.name:
                    yield from self._in(place, rtl)
        yield from self._of_choices()
        left = [each for each in self.unlike if each[1][0] not in self.taken]
        least = min((share for share, _ in left), default=0.0)
        yield from (found for share, found in left if share == least)

    def _of_choices(self) -> Iterator[Found]:
        """Yield branches that choose what the instruction computes."""
        for number, registers in self.choices.joins():
            for register in registers if number == EXIT or self.search.searched[number] else ():
                name = self.choices.chosen(number, register) if self.search.is_wanted(register, number) else None
                if isinstance(name, Register) and name in self.chosen and self.places[name] not in self.taken:
                    yield from self._at(self.places[name], name, self.values[:1])

    def _condition(self, block: int) -> Expr | None:
        """Return what the branch at the end of a block decides by."""
        place = self._branch(block)
        transfer = self.search.rtl(place).transfer if place is not None else None
        if place is None or not isinstance(transfer, Branch):
            return None
        name = self._part(place, CONDITION, transfer.condition, "")
        self.conditions_of[block] = name
        return self.sources.get(name)

    def _branch(self, block: int) -> Place | None:
        """Return the place of the branch at the end of a block."""
        rtls = self.search.blocks[block].rtls
        return next(((block, at) for at in reversed(range(len(rtls))) if isinstance(rtls[at].transfer, Branch)), None)

    def _held(self, register: Register, block: int) -> Expr | None:
        """Return a name for what a register holds at the end of a block."""
        return self._read(register, (block, len(self.search.blocks[block].rtls)))

    def _choice(self, block: int, register: Register, source: Expr) -> Expr:
        """Return a name for what the branch at the end of a block chooses."""
        name = Register(register.cls, len(self.places) + len(self.names), register.type, True, 0)
        place = self._branch(block)
        self.places[name] = (block, 0) if place is None else place
        self.registers[name], self.sources[name] = register, source
        self.tests[name] = self.tests.get(self.conditions_of[block], [])
        self.chosen.add(name)
        self._order(name)
        return name

    def _in(self, place: Place, rtl: Rtl) -> Iterator[Found]:
        """Yield what an RTL sets, or what it decides by, or the address that it uses, if that is like the instruction."""
        for target in rtl.sets:
            name = self._name(place, target)
            if name in self.sources:
                found = list(self._at(place, name, self.values))
                yield from found or self._low_part(place, name)
        if isinstance(rtl.transfer, Branch) and len(rtl.effects) == 1:
            condition = rtl.transfer.condition
            found = list(self._at(place, self._part(place, CONDITION, condition, ""), self.conditions))
            turned = () if found else self._at(place, self._part(place, CONDITION, reverse(condition), ""), self.conditions)
            yield from found
            for at, rtls, reason in turned:  # a jump beside it would be in the place of the other RTL, if that could go
                yield at, rtls, TURNED if reason == self._unprevented or len(rtls) <= 2 else reason
        elif (cell := cell_of(rtl)) is not None:
            name = self._part(place, ADDRESS, cell.address, self.machine.address_type)
            yield from self._at(place, name, self.addresses)
        for part in compared_by(rtl):
            yield from self._at(place, self._part(place, COMPARED, part, part.type), self.compared)

    def _part(self, place: Place, kind: str, source: Expr, type_: str) -> Register:
        """Return a name for an expression within an RTL; one of codes of which nothing is known has no source."""
        name = Register(kind, len(self.places) + len(self.names), type_, True, 1)
        self._define(name, place, source)
        self.places[name], self.registers[name], self.parts[name] = place, name, source
        return name

    def _define(self, name: Register, place: Place, source: Expr) -> None:
        """Take down what a name stands for: an expression at a place, with relations for the condition codes that it reads."""
        compared: dict[Expr, tuple[Place, Op]] = {}
        for code in [register for register in source.uses if register.type == "C"]:
            at = self.search.definition(code, place)
            effects = self.search.rtl(at).effects if at else ()
            known = [one.source for one in effects if isinstance(one, Set) and one.target is code and compares(one)]
            if not at or not known or not isinstance(relation := known[0], Op):
                return
            compared[code] = at, relation
            test = Register(NAMED, len(self.places) + len(self.names), "C", True, 1)
            self.places[test] = at
            self.tests.setdefault(name, []).append(test)
            self._order(test)

        def put(node: Expr) -> Expr | None:
            match node:
                case Op(op=op, args=(Register() as code, Const(value=0))) if op in RELATIONS and code in compared:
                    at, relation = compared[code]
                    return Op(op, "", *(rebuild(arg, lambda leaf: self._read(leaf, at)) for arg in relation.args))
            return self._read(node, place)

        self._order(name)
        self.sources[name] = rebuild(source, put)

    def _order(self, name: Register) -> None:
        for graph in self.graphs:
            graph.order.setdefault(name, len(graph.order))

    def _low_part(self, place: Place, name: Register) -> Iterator[Found]:
        """Yield what sets a register, if the low part of that, extended, is the instruction."""
        (graph, *_) = self.values
        result = next((type_ for one, type_ in self.search.leaving.items() if one is self.registers[name]), "")
        for part in self.low_parts:
            for cut in graph.cuts.get(name, ()) if BITS[part] < BITS.get(name.type, 0) else ():
                is_one = cut.inside.bit_count() == 1
                expression = next(graph.expressions(name, cut, part), None) if not is_one or part == result else None
                if expression is not None and graph.is_proven_of(name, cut, expression, part):
                    if is_one:  # of what callers want
                        self._note_same(place)
                        return
                    parts = self._inside(graph, cut)
                    self.taken.update(parts)
                    reason = self._reason(graph, name, cut, expression, others=False, low=part)
                    low = f"its low {BITS[part]} bits are the same, and more are wanted"
                    yield place, tuple(map(self.search.rtl, parts)), low if reason == self._unprevented else reason
                    return

    def _at(self, place: Place, name: Register, graphs: Sequence[ValueGraph]) -> Iterator[Found]:
        graphs = graphs if place not in self.near else graphs[:1]
        for graph in graphs if name in self.sources else ():
            if self.unlike and self.unlike[-1][1][0] == place:
                return  # other constants would not bring it nearer
            for cut in sorted(graph.find_cuts(name, self.sources[name]), key=lambda cut: -cut.inside.bit_count()):
                parts, others = self._inside(graph, cut), graph is not graphs[0]
                rtls = tuple(map(self.search.rtl, parts))
                is_one = sum(not is_move(rtl) for rtl in rtls) <= 1 and self.chosen.isdisjoint(graph.members(cut.inside))
                if not cut.leaves or (is_one and others):
                    continue
                expressions = list(graph.expressions(name, cut))
                if others:  # with some constants nothing is left of the instruction
                    expressions = [each for each in expressions if operators_of(each) >= self.least]
                same = next((each for each in expressions if graph.is_proven_of(name, cut, each)), None)
                has_all = len(cut.leaves) >= self.fewest
                if is_one:
                    if same is not None and has_all:
                        self._note_same(place)
                elif same is not None:
                    self.taken.update(parts)
                    yield place, rtls, self._reason(graph, name, cut, same, others)
                    return
                elif has_all and not others and place not in self.near and name not in self.chosen:
                    share, reason = (0.0, UNPROVEN) if expressions else self._difference(name, cut)
                    self.unlike += [(share, (place, rtls, reason))] if reason else []

    def _difference(self, name: Register, cut: Cut) -> tuple[float, str]:
        """Tell on which share of samples an instruction differs from a value that it is in most cases, and on one of them."""
        graph = self.values[0]
        leaves, samples = cut.leaves, list(map(graph.samples_of, cut.leaves))
        for meaning in graph.meanings.all if name.type else ():
            if meaning.numbers or meaning.target != name.cls or len(meaning.leaves) != len(leaves):
                continue
            for order in permutations(range(len(leaves))):
                if not meaning.fits([leaves[each] for each in order]):
                    continue
                makes, wanted = on_samples(meaning, [samples[each] for each in order], ()), graph.sampled_cut(name, cut)
                if makes is None or len(makes) != len(wanted):
                    continue
                is_same = (makes == wanted).tolist()
                differ = [at for at, equal in enumerate(is_same) if not equal]
                several = {number for number, equal in zip(wanted.tolist(), is_same, strict=True) if equal}
                if 0 < len(differ) <= len(wanted) * MOSTLY and len(several) >= SEVERAL:  # small numbers are equal by chance
                    at, bits = differ[0], BITS[name.type]
                    given = " and ".join(f"{self._shown(leaf)} is {wrap(int(sample[at]), BITS[leaf.type])}"
                                         for leaf, sample in zip(leaves, samples, strict=True))  # fmt: skip
                    made = f"{wrap(int(makes[at]), bits)}, and this {wrap(int(wanted[at]), bits)}"
                    return len(differ) / len(wanted), f"it is nearly the same: where {given} it makes {made}"
        return 1.0, ""

    def _inside(self, graph: ValueGraph, cut: Cut) -> list[Place]:
        """Return the places of what is computed within a cut."""
        return sorted({self.places[inside] for inside in graph.members(cut.inside)})

    def _note_same(self, place: Place) -> None:
        """Take down that another instruction does the same by itself."""
        rtl = self.search.rtl(place)
        if is_move(rtl):
            return
        self.search.same.append((place, (rtl,), f"{self.machine.record(rtl).name} does the same by itself"))

    def _reason(self, graph: ValueGraph, name: Register, cut: Cut, expression: Expr, others: bool, low: str = "") -> str:
        """Return why what computes the same is not the instruction.

        `others` tells that it would with other constants, `low` of which type the part is that is the same.
        """
        if others:
            return f"it would be the same with other constants: `{self._shown(expression)}`"
        (number, at), chain = self.places[name], tuple(self._inside(graph, cut))
        if choices := self.chosen.intersection(graph.members(cut.inside)):
            line = min(line_of(self.search.rtl(self.places[choice])) for choice in choices)
            blocks = sorted({number for choice in choices for number in self.choices.regions.get(choice, ())})
            between = [(number, at) for number in blocks for at in range(len(self.search.blocks[number].rtls))]
            if risk := only_if_chosen(map(self.search.rtl, between)):
                return risk
            beside = {each for each in between if each not in chain and not is_move(self.search.rtl(each))}
            if name.cls == CONDITION and (used := self._used_behind(choices, number, line)):
                return used
            reason = BOTH_WAYS if any(self.search.rtl(each).transfer is None for each in beside) else CHOICE
            return reason.format(line=line, call=self.search.called())
        for part in (each for each in chain if each != (number, at)):
            search, place = self.search, (number, at)
            reason = search.other_use(part, chain, place) if part[0] == number else search.read_elsewhere(part, chain)
            if reason:
                return reason
        way = self._way(graph, name, cut, expression, low)
        record = self.machine.recognize(way[len(way) // 2]) if way else None
        if record is None:
            return f"`{self._shown(expression)}` is no form of it"
        if longer := self.search.takes_longer(int(record.latency), chain):
            return longer
        match way:
            case [(Set(source=operand),), _, _] if (held := self.registers[operand]) is not (target := self.registers[name]):
                return f"{show(target)} and {show(held)} would have to be the same"
        self._unprevented = self.search.saving(chain, max(1, len(way)))
        return self._unprevented

    def _used_behind(self, choices: Iterable[Register], number: int, line: int) -> str:
        """Tell who reads what is chosen behind the branch at the end of a block that decides by it."""
        search = self.search
        for after in search.cfg.successors[number]:
            for register in filter(None, map(self.registers.get, choices)):
                if isinstance(register, Register) and search.is_wanted(register, after):
                    reader = next((rtl for rtl in search.blocks[after].rtls if register in rtl.uses), None)
                    place = f"in line {line_of(reader)}" if reader is not None else "behind it"
                    return f"what the branch of line {line} chooses has a second use, {place}"
        return ""

    def _way(self, graph: ValueGraph, name: Register, cut: Cut, expression: Expr, low: str) -> list[tuple[Effect, ...]]:
        """Return the instruction in the place of what computes the same, perhaps between copies; nothing if there is none."""
        if graph in self.values:
            return next(graph.instructions(name, cut, low), [])
        effects = with_part(self.search.rtl(self.places[name]), self.parts[name], expression)
        return [effects] if effects else []

    def _shown(self, expression: Expr) -> str:
        """Return the text of an expression with the registers of the code."""
        return show(rebuild(expression, self.registers.get))

    def _name(self, place: Place, register: Register) -> Register:
        """Return a name for what the RTL at a place sets a register to."""
        known = self.names.get((place, register))
        if known is not None:
            return known
        name = self.names[place, register] = Register(register.cls, len(self.names), register.type, True, 1)
        self.places[name], self.registers[name] = place, register
        self._order(name)
        effects = [one for one in self.search.rtl(place).effects if isinstance(one, Set) and one.target is register]
        if len(effects) != 1 or register.type == "C":
            return name
        (effect,) = effects
        if not effect.memory and getattr(effect.source, "op", "") != "SYS":
            self._define(name, place, effect.source)
        elif (kind := extension_of(effect.source)) is not None:
            for graph in self.graphs:
                graph.kinds[name] = kind
        return name

    def _read(self, register: Expr, place: Place) -> Expr | None:
        """Return a name for what a register holds at a place; None for what is no register."""
        if not isinstance(register, Register):
            return None
        if register in self.machine.zero:
            return Const(0)
        at = self.search.definition(register, place)
        if at is not None:
            return self._name(at, register)
        number = self._met(place[0])
        if register.type in INTEGER_TYPES and (chosen := self.choices.chosen(number, register)) is not None:
            return chosen
        name = Register(register.cls, register.index, register.type, True, 2 + number)
        self.registers[name] = register
        if (kind := self.search.arriving.get(register)) is not None and number == 0 and not self.search.cfg.predecessors[0]:
            for graph in self.graphs:
                graph.kinds[name] = kind
        return name


    def _met(self, number: int) -> int:
        """Return the block at whose head ways met last before another."""
        before = self.search.cfg.predecessors[number]
        while len(before) == 1 and before[0] < number:
            (number,) = before
            before = self.search.cfg.predecessors[number]
        return number


def _extended(source: Expr) -> Iterator[str]:
    """Yield the types of which an instruction extends results, if it does."""
    match source:
        case Op(op="sx" | "zx", args=(Op(type=part),)) if part:
            yield part
        case Op(op="&", args=(Op(), Const() | Variable())):
            yield from ("L", "W", "B")


def operators_of(source: Expr) -> int:
    """Return how many operators are in an expression."""
    return sum(isinstance(node, Op) for node in subexpressions(source))


def is_move(rtl: Rtl) -> bool:
    """Whether an RTL only moves a value, which would be another instruction beside the one that computes it."""
    single = rtl.single_set
    return not rtl.effects or (single is not None and type(single.source) is Register)


def line_of(rtl: Rtl) -> int:
    """Return the first source line of an RTL."""
    return rtl.lines[0]
