"""Instructions by what they compute, on SSA form: one takes the place of as many RTLs as it means, in whatever blocks.

    r[t1]=65535;
    r[t2]=r[t8]&r[t1];
    r[t3]=r[t9]<<16;                   =>        r[t4]=PACK of r[t9], r[t8], as the description writes it
    r[t4]=r[t3]|r[t2];

Each value is looked at as a function of a few registers, in all ways in which definitions can be put into it
(`value_graph.py`), as in technology mapping (Mishchenko, Chatterjee, Brayton, "DAG-aware AIG rewriting", DAC 2006).  So it
does not matter how C, or the description, writes it.  An instruction is taken if it saves more than it costs by estimated
frequencies: an RTL that others use remains, unless an instruction in the place of each of them computes it, too:

    r[t1]=r[t8]<<2;
    r[t2]=r[t1]+r[t9];         =>        r[t2]=(r[t8]<<2)+r[t9];
    r[t3]=r[t1]+r[t10];                  r[t3]=(r[t8]<<2)+r[t10];
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vpo.algebra import rebuild, reverse
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.ssa import DefUse
from vpo.machines.match.meaning import extension_of
from vpo.machines.match.meanings import ADDRESS, COMPARED, CONDITION, SYMBOL
from vpo.opt.selection.addresses import high_halves, joined
from vpo.opt.selection.covering import Covering, User, is_copy, joined_values
from vpo.opt.ssa.wanted_bits import WantedBits, wanted_part
from vpo.opt.state import CFG, LIVENESS, FunctionState, merged
from vpo.rtl import CODE_TYPES, INTEGER_TYPES, Branch, Effect, Expr, Jump, Mem, Op, Register, Rtl, Set, Symbol
from vpo.rtl.function import Block, Phi

if TYPE_CHECKING:
    from vpo.machines.match.meanings import Meanings
    from vpo.opt.selection.value_graph import Cut, ValueGraph

SHARED = 8  # users of a value, in the place of each of which an instruction may compute it
NAME = 1 << 41  # the number of a register that stands for an expression within an RTL


@dataclass(frozen=True, slots=True)
class Choice:
    """Effects that compute a value, how much that saves, and what is not wanted any more."""

    saved: float
    way: list[tuple[Effect, ...]]
    freed: tuple[Rtl, ...]
    part: str = ""  # of a value, whose other bits are not wanted
    leaves: tuple[Register, ...] = ()  # that it is computed of


Saving = tuple["Cut", float, list[Rtl]]  # a cut, what it saves if one instruction computes it, and what is freed


class Cover(Covering):
    """The work on the values of one function."""

    def __init__(self, state: FunctionState, meanings: Meanings) -> None:
        super().__init__(state, meanings)
        self.graph.join(phi for block, _ in self.blocks for phi in block.phis)
        self.meanings = meanings
        self.wanted: dict[Register, int] | None = None  # how many low bits of values are wanted
        self.homes: dict[Rtl, Block] = {}  # where an RTL is, once that is asked
        self.early: set[Register] | None = None  # condition codes that are read across blocks, once that is asked
        self.beside: tuple[Rtl, ...] = ()  # what compares for a branch, if that is another RTL
        self.unwanted: list[Register] = []  # condition codes that nobody reads behind that
        self.joined: list[Register] = []  # phis of which is known what they are computed of
        for block, _ in self.blocks:
            joined = dict(joined_values(block.phis, self.sources))
            self.joined += joined
            self.sources.update(joined)

    def run(self) -> None:
        """Look at each value, definitions before uses."""
        for block, _ in self.blocks:
            for rtl in list(block.rtls):
                for target in rtl.sets:
                    if self.definitions.get(target) is rtl:
                        self._value(block, rtl, target)
        self.graph.cuts.clear()
        self.homes = {rtl: block for block, _ in self.blocks for rtl in block.rtls}
        for shared in [*self.sources]:
            if shared in self.definitions:
                self._shared(shared)

    def _value(self, block: Block, rtl: Rtl, target: Register) -> None:
        """Let the best instruction that there is compute a value."""
        if not self._frees_some(rtl, self.sources[target]) or not self.computes_only(rtl, target):
            return
        cuts = self.graph.find_cuts(target, self.sources[target])
        saving = list(self._saving(rtl, cuts))
        parts = dict.fromkeys(("", self._wanted_part(target))) if saving else ()
        choices = (choice for part in parts for choice in self._choices(rtl, target, saving, part))
        best = max(choices, key=lambda choice: (choice.saved, -self._latency(choice.way)), default=None)
        if best is not None:
            self._put(block, rtl, target, best)

    def _put(self, block: Block, rtl: Rtl, target: Register, best: Choice) -> None:
        """Let a way compute a value."""
        new = [merged(effects, rtl, *best.freed) for effects in self.graph.renamed(best.way, self.function.pseudo)]
        if self.state.change({block: [each for old in block.rtls for each in (new if old is rtl else (old,))]}):
            self.live = None
            if best.part:
                self._extend(target, best)
                self._forget_joined()
            if self.graph.rests_on_phis(best.leaves):
                self.wanted = None  # more bits are wanted of all that is joined there
            self.tested.pop(target, None)
            self._renew(rtl, target, new)
            self.graph.cuts.pop(target, None)

    def _forget_joined(self) -> None:
        """Take down that nothing is known of what phis are computed of: it may have fewer bits on some ways now."""
        for phi in self.joined:
            self.sources.pop(phi, None)
        if self.joined:
            self.joined = []
            self.graph.cuts.clear()

    def _shared(self, shared: Register) -> None:
        """Let the instruction of each user of a value compute it, too, if all can: then nobody wants it by itself."""
        rtl, users = self.definitions[shared], self.users.get(shared, set())
        if not 2 <= len(users) <= SHARED or is_copy(rtl) or not self.computes_only(rtl, shared):
            return
        values = [(user, value) for user in users if isinstance(user, Rtl) and (value := self._only_value(user)) is not None]
        if len(values) < len(users):
            return
        ordered = sorted(values, key=lambda each: self.graph.order[each[1]])
        left, later, longer = self.weights[rtl], -self.weights[rtl] * self._latency([rtl.effects]), -self._size([rtl.effects])
        for user, target in ordered:
            choice = self._with_shared(user, target, shared)
            if choice is None:
                return
            left -= self.weights[rtl] - choice.saved
            later += self.weights[user] * (self._latency(choice.way) - self._latency([user.effects]))
            longer += self._size(choice.way) - self._size([user.effects])
            if left <= 0:
                return
        if later > 0 or (self.state.small and longer > 0):
            return
        for user, target in ordered:
            self.graph.cuts.clear()
            choice = self._with_shared(user, target, shared)
            if choice is None:
                return
            self._put(self.homes[user], user, target, choice)

    def _only_value(self, user: Rtl) -> Register | None:
        """Return the value that an RTL computes, if it does nothing else."""
        values = [target for target in user.sets if self.definitions.get(target) is user]
        return values[0] if len(values) == 1 and self.computes_only(user, *values) else None

    def _with_shared(self, user: Rtl, target: Register, shared: Register) -> Choice | None:
        """Return the best instruction that computes what a user of a shared value does, and that value, too."""
        rtl = self.definitions[shared]
        graph = self.graph
        cuts = (cut for cut in graph.find_cuts(target, self.sources[target]) if shared in graph.members(cut.inside))
        saving = [(cut, self.weights[rtl], [user, rtl]) for cut in cuts if cut.leaves]
        choices = self._choices(user, target, saving, "")
        return max(choices, key=lambda choice: (choice.saved, -self._latency(choice.way)), default=None)

    def _wanted_part(self, target: Register) -> str:
        """Return the type of the low part of a value that is all that anybody wants; nothing if all of it is wanted."""
        if self.wanted is None:
            self.wanted = WantedBits(self.state).bits
        return wanted_part(self.wanted.get(target, 0), target.type)

    def _extend(self, target: Register, choice: Choice) -> None:
        """Take down that a value, and each copy of it, is extended in another way than before, if at all."""
        (effect,) = choice.way[len(choice.way) // 2]
        assert isinstance(effect, Set)
        kind = extension_of(effect.source)
        work = [target]
        for register in work:
            if kind is None:
                self.graph.kinds.pop(register, None)
            else:
                self.graph.kinds[register] = kind
            users = self.users.get(register, ())
            copies = (user for user in users if isinstance(user, Rtl) and is_copy(user))
            work += [copied for user in copies for copied in user.sets if self.definitions.get(copied) is user]
            if self.graph.joins:
                self._part(user.target for user in users if isinstance(user, Phi))

    def _part(self, phis: Iterable[Register]) -> None:
        """Take down that nothing is known any more of what is joined, and of what that is joined with."""
        work = [phi for phi in phis if phi in self.graph.joins]
        while work:
            joined = work.pop()
            self.graph.kinds.pop(joined, None)
            if self.graph.joins.pop(joined, None) is not None:
                work += [user.target for user in self.users.get(joined, ()) if isinstance(user, Phi)]

    def _renew(self, old: Rtl, target: Register, new: Sequence[Rtl]) -> None:
        """Take down that other RTLs compute a value; what nobody uses any more is gone."""
        self._drop(old)
        self.graph.insert([register for rtl in new for register in rtl.sets if register is not target], target)
        for rtl in new:
            self.weights[rtl] = self.weights[old]
            if old in self.homes:
                self.homes[rtl] = self.homes[old]
            for register in rtl.uses:
                self.users.setdefault(register, set()).add(rtl)
            effect = rtl.effects[0]
            assert isinstance(effect, Set)
            assert isinstance(effect.target, Register)
            self.definitions[effect.target], self.sources[effect.target] = rtl, effect.source

    def _drop(self, gone: Rtl) -> None:
        for register in (*gone.uses, *self.tests.get(gone, ())):
            users = self.users[register]
            users.discard(gone)
            if not users and (rtl := self.definitions.get(register)) is not None and self.is_unwanted(rtl):
                self._drop(rtl)

    # -------------------------------------------------------------------------------------------------------- choices

    def _saving(self, rtl: Rtl, cuts: Iterable[Cut]) -> Iterator[Saving]:
        """Yield the cuts of a value that save something if one instruction computes it, how much, and what is freed."""
        for cut in cuts:
            if cut.leaves and cut.inside.bit_count() > 1:
                freed = self._freed(rtl, cut)
                saved = sum(self.weights[each] for each in freed if not is_copy(each)) - self.weights[rtl]
                if saved > 0:
                    yield cut, saved, freed

    def _choices(self, rtl: Rtl, target: Register, saving: Iterable[Saving], part: str) -> Iterator[Choice]:
        """Yield instructions that compute a value, or its low part, and save something."""
        for cut, saved, freed in saving:
            for way in sorted(self.graph.instructions(target, cut, part), key=self._latency):
                cost = self.weights[rtl] * self._copies(target, way, freed)
                if saved > cost and self._is_good(rtl, way, cut) and self.graph.is_proven(target, cut, way, part):
                    yield Choice(saved - cost, way, tuple(freed), part, cut.leaves)
                    break

    def _frees_some(self, rtl: Rtl, source: Expr) -> bool:
        """Whether some definition is not wanted any more if an RTL computes by itself what it uses."""
        used = (*source.uses, *self.tests.get(rtl, ()))
        return any(register in self.definitions and self.users.get(register) == {rtl} for register in used)

    def _freed(self, root: Rtl, cut: Cut) -> list[Rtl]:
        """Return the RTLs that are not wanted any more if an instruction computes a cut, the root first."""
        freed: dict[User, None] = {root: None}
        freed.update(dict.fromkeys(self.beside))
        for register in sorted(self.graph.members(cut.inside), key=self.graph.order.__getitem__, reverse=True):
            rtl = self.definitions.get(register)
            if rtl is not None and rtl is not root and self.is_unwanted(rtl, freed.keys()):
                freed[rtl] = None
        return [rtl for rtl in freed if isinstance(rtl, Rtl)]

    def _copies(self, target: Register, way: Sequence[tuple[Effect, ...]], freed: Iterable[Rtl]) -> int:
        """Return how many copies remain: that of an operand whose value is used behind an RTL, too, that into a variable."""
        if len(way) == 1:
            return 0
        (copied,) = way[0][0].uses
        phis = [user for user in self.users.get(target, ()) if isinstance(user, Phi)]
        if phis and all(copied.origin is not phi.target.origin for phi in phis):
            return 1  # a variable that the operand is not, and that lives beside it
        if not copied.pseudo or self.users.get(copied, set()) <= set(freed):
            return 0
        if self.live is None:
            self.live = DefUse(self.function)
        if copied not in self.live.definitions:
            return 1  # of which nobody knows the bits
        return int(self.live.is_live_after(copied, self.live.definitions[target]))

    def _is_good(self, rtl: Rtl, way: Sequence[tuple[Effect, ...]], cut: Cut) -> bool:
        """Whether a way changes nothing else, and takes no longer than the RTLs one after another that it stands for."""
        changed = {register for effects in way for register in self.machine.may_clobber(effects)}
        changed.difference_update(self.machine.clobbers(rtl.effects), self.unwanted)
        if changed and not self._are_dead(changed, rtl):
            return False
        return self._latency(way) <= self.spent(cut) + sum(self.machine.latency(each.effects) for each in self.beside)

    def _are_dead(self, registers: set[Register], rtl: Rtl) -> bool:
        """Whether registers are condition codes that nobody reads behind an RTL as they are there."""
        if any(register.type not in CODE_TYPES for register in registers):
            return False
        if rtl not in self.homes:
            self.homes.update((each, block) for block, _ in self.blocks for each in block.rtls)
        left = {*registers}
        rtls = self.homes[rtl].rtls
        for each in rtls[rtls.index(rtl) + 1 :]:
            if not left.isdisjoint(each.uses):
                return False
            left.difference_update(each.sets)
            if each.call is not None or not left:
                return True
        return left.isdisjoint(self._read_early())

    def _read_early(self) -> set[Register]:
        """Return the condition codes that some blocks read as they are when these begin."""
        if self.early is None:
            self.early = set()
            for block, _ in self.blocks:
                known: set[Register] = set()
                for rtl in block.rtls:
                    self.early.update(each for each in rtl.uses if each.type in CODE_TYPES and each not in known)
                    known.update(rtl.sets)
        return self.early

    def _size(self, way: Sequence[tuple[Effect, ...]]) -> int:
        """Return the bytes of the instruction of a way."""
        record = self.machine.recognize(way[len(way) // 2])
        assert record is not None
        return record.size

    def _latency(self, way: Sequence[tuple[Effect, ...]]) -> float:
        """Return how long the instruction of a way takes."""
        return float(self.machine.latency(way[len(way) // 2]))


# ----------------------------------------------------------------------------------------------------------------------
# What branches decide by, and the addresses of cells, as one instruction computes them.
#
#     r[t1]=r[t8]>>u4;
#     r[t2]=r[t1]&1;              =>     PC=(r[t8]&16)!=0,L5;          as the description writes it
#     PC=r[t2]!=0,L5;


class Uses(Cover):
    """The work on the branches, loads and stores of one function."""

    def __init__(self, state: FunctionState, meanings: Meanings) -> None:
        super().__init__(state, meanings)
        self.symbols: dict[Register, Symbol] = {}  # by names that stand for them

    def run(self) -> None:
        """Let branches compute what they decide by, and loads and stores their addresses."""
        graphs = [self._graph(each) if each.exist else None for each in self.machine.sought[1:4]]
        by_condition, by_address, by_compared = graphs
        if by_address is not None and by_address.meanings.has_symbols:
            self._note_symbols(by_address)
        for graph in graphs:
            if graph is not None:
                graph.join(phi for block, _ in self.blocks for phi in block.phis)  # nothing is narrowed here
        for block, _ in self.blocks:
            for rtl in list(block.rtls):
                if isinstance(rtl.transfer, Branch):
                    if by_condition is not None and len(rtl.effects) == 1:
                        self._branch(block, rtl, by_condition)
                        self.beside, self.unwanted = (), []
                elif by_address is not None and (cell := cell_of(rtl)) is not None:
                    name = Register(ADDRESS, NAME, self.machine.address_type, True)
                    self._use(block, rtl, self._best(rtl, by_address, name, cell.address))
                elif by_compared is not None:
                    for part in compared_by(rtl):
                        best = self._best(rtl, by_compared, Register(COMPARED, NAME, part.type, True), part)
                        self._use(block, rtl, best)
                        if best is not None:
                            break

    def _note_symbols(self, graph: ValueGraph) -> None:
        """Take down which registers hold addresses that the program names, of which they join the halves."""
        highs = high_halves(block for block, _ in self.blocks)
        names: dict[Symbol, Register] = {}
        for register, source in self.sources.items() if highs else ():
            symbol = joined(source, highs) if isinstance(source, Op) else None
            if isinstance(symbol, Symbol):
                name = names.setdefault(symbol, Register(SYMBOL, NAME + len(names), self.machine.address_type, True))
                self.sources[register], self.symbols[name], graph.order[name] = name, symbol, -1 - len(names)

    def _branch(self, block: Block, rtl: Rtl, graph: ValueGraph) -> None:
        """Let a branch compute what it decides by; if the machine has only its opposite, let that go around a jump."""
        assert isinstance(rtl.transfer, Branch)
        condition = rtl.transfer.condition
        if any(register.type == "C" for register in condition.uses):
            found = branch_comparison(block)
            self.unwanted = self._unwanted_codes(block)
            if found is None or found.compare is rtl or found.relation.memory or {*found.compare.sets} - {*self.unwanted}:
                return
            condition, self.beside = found.relation, (found.compare,)
        direct = self._best(rtl, graph, Register(CONDITION, NAME, "", True), condition)
        if direct is not None:
            self._use(block, rtl, direct)
            return
        turned = self._best(rtl, graph, Register(CONDITION, NAME, "", True), reverse(condition))
        if turned is not None and turned.saved > self._taken(block, rtl.transfer.label):
            self._turn(block, rtl, rtl.transfer.label, turned)

    def _unwanted_codes(self, block: Block) -> list[Register]:
        """Return the condition codes that nobody wants behind a block."""
        liveness = self.state.get(LIVENESS)
        live = liveness.live_out[self.function.blocks.index(block)]
        codes = [Register(cls.name, 0, cls.type) for cls in self.machine.classes.values() if cls.type in CODE_TYPES]
        return [code for code in codes if not liveness.numbering.mask((code,)) & live]

    def _taken(self, block: Block, label: str) -> float:
        """Estimate how often a branch at the end of a block is taken: by the way that no other block leads to."""
        cfg, frequencies = self.state.get(CFG), dict(self.blocks)
        number, target = cfg.labels[block.label], cfg.labels[label]
        if cfg.predecessors[target] == [number]:
            return frequencies.get(self.function.blocks[target], 0.0)
        following = number + 1
        if cfg.predecessors[following] == [number]:
            return frequencies[block] - frequencies.get(self.function.blocks[following], 0.0)
        return frequencies[block] / 2

    def _turn(self, block: Block, rtl: Rtl, label: str, best: Choice) -> None:
        """Let the opposite of a branch go to where control fell, and a jump behind it where the branch went."""
        blocks = self.function.blocks
        place = blocks.index(block) + 1
        (effect,) = best.way[0]
        if not isinstance(effect, Branch) or blocks[place].label == label:
            return
        branch = merged((Branch(effect.condition, blocks[place].label),), rtl, *best.freed)
        between = Block(self.function.label(), [Rtl((Jump(label),), rtl.lines, "control")])
        target = next(each for each in blocks if each.label == label)
        phis = [
            Phi(phi.target, {between.label if way == block.label else way: source for way, source in phi.sources.items()},
                phi.lines, phi.cause)
            for phi in target.phis
        ]  # fmt: skip
        contents = {block: [branch if old is rtl else old for old in block.rtls if old not in self.beside]}
        if self.state.change(contents, [*blocks[:place], between, *blocks[place:]], {target: phis}):
            self._renew_uses(rtl, branch)
            for phi in phis:
                for source in phi.sources.values():
                    self.users[source].add(phi)

    def _best(self, rtl: Rtl, graph: ValueGraph, name: Register, source: Expr) -> Choice | None:
        """Return the best way in which an RTL may compute an expression that it has, which is called by a name."""
        if not all(register in self.sources or register.pseudo for register in source.uses):
            return None
        if not self.beside and not self._frees_some(rtl, source):
            return None
        self.graph, self.sources[name], self.definitions[name] = graph, source, rtl
        graph.order[name] = len(graph.order)
        best = max(self._forms(rtl, name), key=lambda form: form.saved, default=None)
        graph.cuts.pop(name, None)
        del self.sources[name], self.definitions[name]
        return best

    def _use(self, block: Block, rtl: Rtl, best: Choice | None) -> None:
        """Put an instruction in the place of an RTL and of what it used."""
        if best is not None:
            new = merged(best.way[0], rtl, *best.freed)
            if self.state.substitute(block, {rtl: new, **dict.fromkeys(self.beside)}):
                self._renew_uses(rtl, new)

    def _renew_uses(self, old: Rtl, new: Rtl) -> None:
        """Take down that an RTL stands for another one."""
        self._drop(old)
        for each in self.beside:
            self._drop(each)
        self.weights[new] = self.weights[old]
        for register in new.uses:
            self.users.setdefault(register, set()).add(new)

    def _forms(self, rtl: Rtl, name: Register) -> Iterator[Choice]:
        """Yield instructions that do what an RTL does and what it uses, and save something."""
        for cut in self._cuts(rtl, name):
            freed = self._freed(rtl, cut)
            saved = sum(self.weights[each] for each in freed if not is_copy(each)) - self.weights[rtl]
            for expression in self.graph.expressions(name, cut) if saved > 0 else ():
                effects = self._with_part(rtl, self.sources[name], expression)
                is_good = self.machine.is_legal(effects) and self._is_good(rtl, [effects], cut)
                if is_good and self.graph.is_proven_of(name, cut, expression):
                    yield Choice(saved, [effects], tuple(freed))
                    break


    def _cuts(self, _: Rtl, name: Register) -> Iterable[Cut]:
        """Return the ways in which what an RTL has, by its name, is a function of registers that several RTLs compute."""
        cuts = self.graph.find_cuts(name, self.sources[name])
        return [cut for cut in cuts if cut.leaves and (cut.inside.bit_count() > 1 or self.beside)]

    def _with_part(self, rtl: Rtl, part: Expr, expression: Expr) -> tuple[Effect, ...]:
        symbols = self.symbols
        return with_part(rtl, part, rebuild(expression, symbols.get) if symbols else expression)  # type: ignore[arg-type]


def cell_of(rtl: Rtl) -> Mem | None:
    """Return the only cell that an RTL reads or sets, if it does nothing else but move what is there."""
    cells = {*rtl.loads, *rtl.stores}
    return cells.pop() if len(rtl.effects) == 1 and len(cells) == 1 and rtl.call is None else None


def compared_by(rtl: Rtl) -> list[Expr]:
    """Return the integers that an RTL compares, if it sets a condition code only."""
    effect = rtl.single_set
    if effect is None or not isinstance(effect.source, Op) or effect.source.op != "?" or effect.memory:
        return []
    return [part for part in effect.source.args if part.type in INTEGER_TYPES]


def with_part(rtl: Rtl, part: Expr, expression: Expr) -> tuple[Effect, ...]:
    """Return the effects of an RTL with another expression for what it decides by, an address, or a part that it compares."""
    (effect,) = rtl.effects
    if isinstance(effect, Branch):
        return (Branch(expression, effect.label),) if isinstance(expression, Op) else ()
    assert isinstance(effect, Set)
    if isinstance(source := effect.source, Op) and source.op == "?":
        return (Set(effect.target, Op("?", source.type, *(expression if arg is part else arg for arg in source.args))),)
    target, value = (rebuild(each, lambda node: node.at(expression) if isinstance(node, Mem) else None)
                     for each in (effect.target, effect.source))  # fmt: skip
    return (Set(target, value),)  # type: ignore[arg-type]
