"""The values of a function on SSA form and who uses them, where instructions are put in by what they compute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from vpo.algebra import rebuild
from vpo.analysis.condition_codes import HELD, Codes
from vpo.analysis.liveness import does_more_than_set
from vpo.analysis.ssa import DefUse
from vpo.base.kept import kept
from vpo.machines.machine import Machine
from vpo.opt.state import CFG, FREQUENCIES, LIVENESS, FunctionState
from vpo.rtl import INTEGER_TYPES, Const, Expr, Half, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

if TYPE_CHECKING:
    from vpo.machines.match.meanings import Meanings
    from vpo.opt.selection.value_graph import Cut, ValueGraph

User = Rtl | Phi
NAMED = "code"  # the class of names that stand for condition codes as one RTL sets them


class Covering:
    """What is known of one function."""

    def __init__(self, state: FunctionState, meanings: Meanings) -> None:
        self.state, self.machine, self.function = state, state.machine, state.function
        frequencies: list[float] = state.get(FREQUENCIES)
        self.weights: dict[Rtl, float] = {}
        self.definitions: dict[Register, Rtl] = {}
        self.sources: dict[Register, Expr] = {}
        self.users: dict[Register, set[User]] = {}
        self.results: dict[Rtl, tuple[Register, ...]] = {}  # of those that set several registers, or condition codes
        self.tests: dict[Rtl, list[Register]] = {}  # names of the condition codes that an RTL reads, as they are there
        self.hard = hard_operands(self.machine)
        codes = [cls for cls in self.machine.classes.values() if cls.type == "C"]
        self.named = self.hard.union(Register(cls.name, index, "C") for cls in codes for index in range(cls.count))
        self.may_be_any = any(map(self.machine.has_allocable, (cls.name for cls in codes)))  # pseudo-registers, too
        self.last_codes: list[tuple[Register, Register]] = []  # and their names, at the ends of blocks
        self.live: DefUse | None = None  # of the function as it is
        self.blocks = [(self.function.blocks[n], frequencies[n]) for n in state.get(CFG).reverse_postorder()]
        self.tested: dict[Register, list[Register]] = {}  # and those of which a value is computed
        self.ranks: dict[Register, float] = {}  # of such names in the order of definitions
        self.graph = self._graph(meanings)
        read_first = {code for block, frequency in self.blocks for code in self._note(block, frequency)}
        self.graph.order.update(self.ranks)
        for code, name in self.last_codes:
            if code in read_first:  # perhaps behind its block
                self.users[name].add(Phi(name, {}, (), ""))
        for register, rtl in reversed([*self.definitions.items()]):
            if not self.users.get(register) and self.is_unwanted(rtl):  # what an instruction put in before stands for
                for used in (*rtl.uses, *self.tests.get(rtl, ())):
                    self.users[used].discard(rtl)

    def is_unwanted(self, rtl: Rtl, freed: Collection[User] = ()) -> bool:
        """Whether nobody uses what an RTL sets but RTLs that are not wanted any more."""
        return all(user in freed for result in self.results.get(rtl, rtl.sets) for user in self.users.get(result, ()))

    def computes_only(self, rtl: Rtl, *targets: Register) -> bool:
        """Whether nobody uses what an RTL sets but some registers."""
        return not any(self.users.get(result) for result in self.results.get(rtl, ()) if result not in targets)

    def spent(self, cut: Cut) -> float:
        """Return how long the RTLs take that compute a cut, one after another."""
        inside = self.graph.members(cut.inside)
        rtls = {self.definitions[register] for register in inside if register in self.definitions}
        return sum(self.machine.latency(rtl.effects) for rtl in rtls)

    def _graph(self, meanings: Meanings) -> ValueGraph:
        """Return the values of the function for a search for some instructions."""
        from vpo.opt.selection.value_graph import ValueGraph  # it loads numpy, which known code does not need

        graph = ValueGraph(self.machine, self.sources, meanings)
        graph.define_all([block for block, _ in self.blocks], self.function.arriving)
        graph.tests = self.tested
        graph.order.update(self.ranks)
        return graph

    def _note(self, block: Block, frequency: float) -> set[Register]:
        """Take down what a block defines and uses; return the condition codes that it reads as they are when it begins."""
        for phi in block.phis:
            for source in phi.sources.values():
                self.users.setdefault(source, set()).add(phi)
        codes, names, read_first, users = Codes(), dict[Register, Register](), set[Register](), self.users
        for rtl in block.rtls:
            self.weights[rtl] = frequency
            for register in rtl.uses:
                if register in users:
                    users[register].add(rtl)
                else:
                    users[register] = {rtl}
            effect = rtl.single_set
            if len(rtl.effects) > 1 or self._has_named(rtl):
                read_first.update(each for each in rtl.uses if (each.type == "C" or each in self.hard) and each not in names)
                self._note_more(rtl, codes, names)
                codes.step(rtl)
            elif effect is not None and computes(effect, self.machine):
                assert isinstance(effect.target, Register)
                self.definitions[effect.target], self.sources[effect.target] = rtl, self._source(effect)
            elif rtl.call is not None:
                codes.step(rtl)
            if self.hard and rtl.call is not None:
                names = {each: name for each, name in names.items() if each.type == "C"}
        self.last_codes += names.items()
        return read_first

    def _has_named(self, rtl: Rtl) -> bool:
        """Whether an RTL uses or sets a condition code, or a register that instructions compute with that name it."""
        if not (self.named.isdisjoint(rtl.uses) and self.named.isdisjoint(rtl.sets)):
            return True
        return self.may_be_any and any(each.type == "C" for each in (*rtl.uses, *rtl.sets))

    def _source(self, effect: Set) -> Expr:
        return begun_anew(effect, self.graph.order)

    def _note_more(self, rtl: Rtl, codes: Codes, names: dict[Register, Register]) -> None:
        """Take down what an RTL with several results computes, and one that sets or reads condition codes or hard registers.

        `names` has those of these as they are; they stand for them among what is defined and used, as versions would.
        """
        tests = [names[code] for code in rtl.uses if code in names]
        for name in tests:
            self.users[name].add(rtl)
        if tests:
            self.tests[rtl] = tests
        found = [Set(each.target, _renamed(source, names)) for each in rtl.effects
                 if type(each) is Set and (source := codes.seen_through(self._source(each))) is not None]  # fmt: skip
        for code in rtl.sets:
            names.pop(code, None)
        if len(found) < len(rtl.effects) or not all(compares(e) or computes(e, self.machine, self.hard) for e in found):
            return
        for number, effect in enumerate(found):
            target = effect.target
            assert isinstance(target, Register)
            if target.type == "C":
                names[target] = name = Register(NAMED, len(self.definitions), "C", True, number)
                self.users[name], self.definitions[name] = set(), rtl
            elif not target.pseudo:
                names[target] = name = Register(target.cls, HELD + len(self.definitions), target.type, True, number)
                self.users[name], self.definitions[name], self.sources[name] = set(), rtl, effect.source
                ranks = (self.graph.order.get(used, self.ranks.get(used, -1.0)) for used in effect.source.uses)
                last = max(ranks, default=-1.0)
                self.ranks[name] = (last + int(last) + 1) / 2  # behind what it is computed of, before all others
            else:
                self.definitions[target], self.sources[target] = rtl, effect.source
                if tests:
                    self.tested[target] = tests
                for place, name in enumerate(tests):  # behind what is set before
                    self.ranks.setdefault(name, self.graph.order[target] - 1 / (2 + place))
        self.results[rtl] = tuple(names.get(target, target) for target in rtl.sets)


def joined_values(phis: Sequence[Phi], sources: Mapping[Register, Expr]) -> Iterator[tuple[Register, Expr]]:
    """Yield phis of one block that are what one operator makes of another phi there, on all ways, and that expression.

    r[t3]=PHI(L1:r[t1],L2:r[t2]) where r[t1]=r[t4]>>1 and r[t2]=r[t5]>>1 is r[t6]>>1, if r[t6]=PHI(L1:r[t4],L2:r[t5]).
    """
    given, taken = set[Register](), set[Register]()
    for phi in phis if len(phis) > 1 else ():
        made = ((way, source) for way, one in phi.sources.items() if type(source := _made(one, sources)) is Op)
        way, first = next(made, ("", None))
        if first is None or len(first.uses) != 1 or phi.target in taken:
            continue
        (used,) = first.uses
        others = (other for other in phis if other is not phi and other.target not in given and way in other.sources)
        for other in (other for other in others if _copied(other.sources[way], sources) is used):
            if all(_is_made(sources, one, first, used, other.sources[each]) for each, one in phi.sources.items()):
                given.add(phi.target)
                taken.add(other.target)
                yield phi.target, rebuild(first, {used: other.target}.get)  # type: ignore[arg-type]
                break


def _copied(register: Register, sources: Mapping[Register, Expr]) -> Register:
    """Return what a register is a copy of."""
    while type(source := sources.get(register)) is Register and source.pseudo:
        register = source
    return register


def _made(register: Register, sources: Mapping[Register, Expr]) -> Expr | None:
    """Return what a register is made of, seen through copies."""
    source = sources.get(_copied(register, sources))
    return rebuild(source, lambda node: _copied(node, sources) if type(node) is Register else None) if source else None


def _is_made(sources: Mapping[Register, Expr], target: Register, first: Expr, used: Register, other: Register) -> bool:
    """Whether a register is what an expression is of another register, perhaps as a number."""
    made, origin = _made(target, sources), _copied(other, sources)
    if made is rebuild(first, {used: origin}.get):  # type: ignore[arg-type]
        return True
    number = sources.get(origin)
    return type(made) is Const and type(number) is Const and made is rebuild(first, {used: number}.get)  # type: ignore[arg-type]


def _renamed(source: Expr, names: Mapping[Register, Register]) -> Expr:
    if names.keys().isdisjoint(source.uses):
        return source
    return rebuild(source, lambda node: names.get(node) if type(node) is Register else None)


@kept
def hard_operands(machine: Machine) -> frozenset[Register]:
    """Return the registers that hold what was moved there for an instruction, where no others are parts of them."""
    others = machine.zero | {machine.stack_pointer}
    banks = Counter(cls.bank for cls in machine.classes.values())
    named = machine.capabilities.named_operands
    return frozenset(each for each in named if each not in others and banks[machine.classes[each.cls].bank] == 1)


def no_more_wanted(
    gone: dict[User, None],
    kept: Collection[Register],
    definitions: Mapping[Register, Rtl],
    users: Mapping[Register, list[User]],
) -> Iterator[Rtl]:
    """Yield the definitions of registers whose users are all gone, and add them to these; `kept` are registers still used."""
    work = [register for each in gone for register in (each.uses if isinstance(each, Rtl) else each.sources.values())]
    for register in work:
        rtl = definitions.get(register)
        if rtl is None or rtl in gone or register in kept or any(user not in gone for user in users.get(register, ())):
            continue
        gone[rtl] = None
        work += rtl.uses
        yield rtl


def are_unwanted(changed: Iterable[Register], join: Block, state: FunctionState) -> bool:
    """Whether nobody reads registers as they are at the beginning of a block."""
    liveness = state.get(LIVENESS)
    live = liveness.live_in[state.get(CFG).labels[join.label]]
    return not liveness.numbering.mask(tuple(changed)) & live


def computes(effect: Set, machine: Machine, hard: Collection[Register] = ()) -> bool:
    """Whether an effect sets a pseudo-register, or one of some hard ones, to a number that it computes of others.

    It does nothing else.
    """
    target, source = effect.target, literal(effect.source)
    if type(target) is not Register or target.type not in INTEGER_TYPES or source.memory:
        return False
    if not target.pseudo and target not in hard:
        return False
    return not does_more_than_set(effect) and all(r.pseudo or r in machine.zero for r in source.uses)


def compares(effect: Set) -> bool:
    """Whether an effect sets a condition code to what it compares, and does nothing else."""
    source = effect.source
    return effect.target.type == "C" and isinstance(source, Op) and source.op == "?" and not source.memory


def is_copy(rtl: Rtl) -> bool:
    """Whether an RTL copies a register."""
    effect = rtl.single_set
    return effect is not None and isinstance(effect.source, Register)


def begun_anew(effect: Set, known: Container[Register]) -> Expr:
    """Return what an effect sets its target to: where it changes a part of a register that nobody has set, the rest is 0.

    `known` are registers that are set.
    """
    source, target = literal(effect.source), effect.target
    if type(target) is not Register or not target.version or (first := target.origin) not in source.uses or first in known:
        return source
    return rebuild(source, lambda node: Const(0) if node is first else None)


def literal(source: Expr) -> Expr:
    """Return the number that a literal pool holds, for its cell; other expressions as they are."""
    if type(source) is Mem and type(source.address) is Half and source.address.is_literal:
        return source.address.of if type(source.address.of) is Const else source
    return source
