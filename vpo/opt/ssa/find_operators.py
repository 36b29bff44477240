"""Operators that C has no notation for, on SSA form: what many operations compute together, and one instruction does.

    r[t2]=r[t1]>>u1;  r[t3]=r[t2]&r[m1];  r[t4]=r[t1]-r[t3];
    r[t5]=r[t4]&r[m2];  r[t6]=r[t4]>>u2;  r[t7]=r[t6]&r[m2];        =>      r[t12]=popcount(r[t1]);
    r[t8]=r[t5]+r[t7];  r[t9]=r[t8]>>u4;  ...

However C writes it: what a register holds is known as a function of each register that it depends on alone, by its values
for a few numbers. If these are what an operator makes of the numbers, `vpo/algebra/bit_proof.py` tells whether the two are
equal for all. Rotations by registers are found by their form, also where instructions demand a certain register for the
distance. What is left over, phase `dead` removes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import cast
from weakref import WeakKeyDictionary

from vpo.algebra import apply, binary, extend, fold, on_part, operand_type, rebuild, truncate, unary
from vpo.algebra.bit_proof import Proof
from vpo.algebra.folding import of_bits
from vpo.analysis.cfg import branch_of
from vpo.analysis.condition_codes import condition_of
from vpo.analysis.liveness import has_side_effect
from vpo.machines.machine import Machine
from vpo.opt.loops.bit_loops import chosen_values, replace_bit_loops
from vpo.opt.loops.loop_variables import tied
from vpo.opt.selection.covering import literal
from vpo.opt.ssa.split_edges import shared_returns
from vpo.opt.state import CFG, DOMINATORS, LIVENESS, LOOPS, FunctionState
from vpo.rtl import (
    BITS,
    COUNTS,
    INTEGER_TYPES,
    QUOTIENTS,
    RELATIONS,
    REVERSALS,
    Const,
    Effect,
    Expr,
    Jump,
    Op,
    Register,
    Rtl,
    Set,
    subexpressions,
)
from vpo.rtl.function import Block

Values = tuple[int, ...]  # of an expression, for the numbers of SAMPLES in a register
SAMPLES = (0x0048D1597EC6F3A0, 0xFFFF13570001E4C8, 0x0000000000000000, 0x00000000A5C30000)
ZERO = 2  # the place of 0 among these
WAY = 16  # dominators of a block whose branches are looked at
MOST_LEAVES = 32  # registers as functions of which another one is known
Candidate = Callable[[Register], Expr]
_CANDIDATES: WeakKeyDictionary[Machine, dict[str, list[Candidate]]] = WeakKeyDictionary()


def find_operators(state: FunctionState) -> None:
    """Count and reverse bits, and rotate, by the instructions that do just that."""
    machine = state.machine
    if state.function.stage != "ssa":
        return
    rotates = machine.capabilities.rotates
    if not any(_candidates(machine, name) for name in machine.classes) and not (rotates and _shifts_both_ways(state)):
        return
    if state.get(LOOPS):
        with shared_returns(state):
            replace_bit_loops(state, partial(_candidates, machine))
    search, joined = _Search(state), chosen_values(state)
    for number in state.get(CFG).reverse_postorder():
        block = state.function.blocks[number]
        search.enter(number)
        for phi, value in joined.get(block, ()):
            search.note(phi.target, value)
        instead = {rtl: rtls for place, rtl in enumerate(block.rtls) if (rtls := search.found(rtl, place))}
        if instead:
            state.change({block: [new for rtl in block.rtls for new in instead.get(rtl, [rtl])]})
    for join in list(state.function.blocks):
        if join.phis and search.operates:
            _leave_out_test(state, search, join)


def _shifts_both_ways(state: FunctionState) -> bool:
    """Whether something shifts to the left by what registers hold, and something to the right."""
    found = set()
    for block in state.function.blocks:
        for rtl in block.rtls:
            source = effect.source if (effect := rtl.single_set) is not None else None
            if type(source) is Op and source.op in ("sx", "zx"):
                source = source.args[0]
            if type(source) is Op and source.op in ("<<", ">>u") and type(source.args[1]) is not Const:
                found.add(source.op)
    return len(found) == 2


# ----------------------------------------------------------------------------------------------------------------------
# A test whether a number is 0 goes if what is computed of others is right for 0, too: x ? clz(x) : 32, n ? rotl(x,n) : x.


def _leave_out_test(state: FunctionState, search: _Search, join: Block) -> None:
    """Let control always go the way of numbers other than 0, if what comes together behind the test is the same."""
    cfg, blocks = state.get(CFG), state.function.blocks
    sides = [blocks[number] for number in cfg.predecessors[cfg.labels[join.label]]]
    if len(sides) != 2:
        return
    for one, other in (sides, sides[::-1]):
        test = _only_predecessor(state, other)
        if test is None or (one is not test and _only_predecessor(state, one) is not test):
            continue
        found, branch = condition_of(test), branch_of(test)
        if found is None or branch is None or found.op not in ("==", "!=") or search.value_of(found.args[1]) != 0:
            continue
        at_zero = join if one is test else one
        if (branch.label == at_zero.label) != (found.op == "==") or branch.label not in (at_zero.label, other.label):
            continue
        pure = all(_is_pure(rtl) for block in {one, other} - {test} for rtl in block.rtls)
        same = all(search.same_at_zero(phi.sources[one.label], phi.sources[other.label], found.args[0]) for phi in join.phis)
        if not pure or not same:
            continue
        goes = [rtl for rtl in test.rtls if rtl.transfer is None]
        if len(goes) + 1 < len(test.rtls) or len(test.rtls[-1].effects) > 1:
            continue  # it does more than to branch
        jump = Rtl((Jump(other.label),), test.rtls[-1].lines, test.rtls[-1].cause)
        phis = [replace(phi, sources={other.label: phi.sources[other.label]}) for phi in join.phis]
        layout = [block for block in blocks if block is not one or one is test]
        state.change({test: [*goes, jump]}, layout, {join: phis})
        return


def _only_predecessor(state: FunctionState, block: Block) -> Block | None:
    """Return the block from which alone control comes to one that goes on to one alone."""
    cfg = state.get(CFG)
    number = cfg.labels[block.label]
    before = cfg.predecessors[number]
    return state.function.blocks[before[0]] if len(before) == 1 and len(cfg.successors[number]) == 1 else None


def _is_pure(rtl: Rtl) -> bool:
    """Whether an RTL may be executed in vain: it sets a pseudo-register or jumps, and cannot fault."""
    effect = rtl.single_set
    if effect is None:
        return len(rtl.effects) == 1 and isinstance(rtl.effects[0], Jump)
    target, source = effect.target, effect.source
    faults = source.memory or any(type(node) is Op and node.op in QUOTIENTS for node in subexpressions(source))
    return type(target) is Register and target.pseudo and not has_side_effect(rtl) and not faults


def _candidates(machine: Machine, name: str) -> list[Candidate]:
    """Return what instructions make of one register of a class by operators on its bits."""
    known = _CANDIDATES.setdefault(machine, {})
    if name not in known:
        cls = machine.classes[name]
        usable = cls.type in INTEGER_TYPES and cls.width == 1
        known[name] = list(_legal(machine, Register(name, 0, cls.type, True))) if usable else []
    return known[name]


def _legal(machine: Machine, register: Register) -> Iterator[Candidate]:
    """Yield the operators of one register that are instructions, of all of it first."""
    for op in (*sorted(COUNTS), *sorted(REVERSALS)):
        for type_ in reversed(INTEGER_TYPES[: INTEGER_TYPES.index(register.type) + 1]):
            for place, value in enumerate(on_part(op, type_, register)):
                if machine.is_legal((Set(register, value),)):
                    yield lambda x, op=op, type_=type_, place=place: on_part(op, type_, x)[place]  # type: ignore[misc]
                    if op == "popcount":
                        yield lambda x, type_=type_: binary("&", on_part("popcount", type_, x)[0], Const(1))  # type: ignore[misc]
        if op in REVERSALS and machine.is_legal((Set(register, unary(op, register.type, register)),)):
            yield from (partial(_of_part, op, type_, shift) for type_ in INTEGER_TYPES for shift in (">>", ">>u"))
    if all(machine.is_legal((Set(register, unary(op, register.type, register)),)) for op in ("brev", "clz")):
        yield lambda x: unary("clz", x.type, unary("brev", x.type, x))
    for meaning in machine.bit_functions:
        if meaning.target == register.cls and machine.is_legal((Set(register, meaning.of([register], (), machine.half)),)):
            yield lambda x, meaning=meaning: meaning.of([x], (), machine.half)  # type: ignore[misc]
    for count in range(1, BITS[register.type]):
        if machine.is_legal((Set(register, Op("rotl", register.type, register, Const(count))),)):
            yield lambda x, count=count: Op("rotl", x.type, x, Const(count))  # type: ignore[misc]


def _of_part(op: str, type_: str, shift: str, register: Register) -> Expr:
    """Return the bytes or bits of the low part of a register in the other order, from those of all of it."""
    return binary(shift, unary(op, register.type, register), Const(max(0, BITS[register.type] - BITS[type_])))


class _Search:
    """What registers hold as functions of others; told RTL by RTL, definitions before uses."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.machine = state, state.machine
        self.sources: dict[Register, Expr] = {}
        self.values: dict[Register, dict[Register, Values]] = {}  # by the register of which it is a function
        self.numbers: dict[Register, int] = {}
        self.expected: dict[tuple[str, bool], dict[Values, list[Candidate]]] = {}  # by class
        self.liveness = state.get(LIVENESS)
        self.live: list[int] = []  # what is needed after each RTL of the block
        self.not_zero: dict[int, Expr | None] = {}  # by block, what the branch before it tells
        self.place = 0
        machine, classes = self.machine, self.machine.classes
        self.hard = frozenset(machine.capabilities.named_operands) - machine.zero - {machine.stack_pointer}
        self.banks = {classes[each.cls].bank for each in self.hard}
        self.held: dict[Register, Register] = {}  # what these hold at this place of the block
        self.operates = False  # whether there is an operator on bits

    def value_of(self, node: Expr) -> int | None:
        """Return the number that a constant or a register is."""
        return node.value if type(node) is Const else self.numbers.get(node) if type(node) is Register else None

    def same_at_zero(self, usual: Expr, computed: Expr, tested: Expr) -> bool:
        """Whether what is computed is what it is without that, if a register holds 0."""
        tested, computed = self._original(tested), self._original(computed)
        if type(computed) is not Register or type(tested) is not Register:
            return False
        number = self.value_of(usual)
        if number is not None:
            mask = (1 << BITS[computed.type]) - 1
            known = {self._original(leaf): values for leaf, values in self.values.get(computed, {}).items()}
            return tested in known and known[tested][ZERO] == number & mask
        source = self.sources.get(computed)
        if type(source) is not Op or source.op != "rotl":
            return False
        return self._original(source.args[1]) is tested and self._original(source.args[0]) is self._original(usual)

    def enter(self, number: int) -> None:
        """Go to a block, whose dominators have been seen."""
        self.live = self.liveness.backward(number)
        self.held.clear()
        self._find_others_than_zero(number)

    def found(self, rtl: Rtl, place: int) -> list[Rtl]:
        """Return RTLs that do what one at a place of the block completes, by one operator; none if no instruction does."""
        self.place, held = place, self.held
        effect = rtl.single_set
        named = [each for each in rtl.sets if not each.pseudo and self.machine.classes[each.cls].bank in self.banks]
        if named:
            if not self.hard.issuperset(named):
                held.clear()  # it may be a part of one
            for each in named:
                held.pop(each, None)
            if effect is not None and effect.target in self.hard and type(effect.source) is Register and effect.source.pseudo:
                held[effect.target] = effect.source
            return []
        if held and (rtl.call is not None or not held.keys().isdisjoint(self.machine.may_clobber(rtl.effects))):
            held.clear()
        target = effect.target if effect is not None else None
        if effect is None or type(target) is not Register or not target.pseudo or target.type not in INTEGER_TYPES:
            return []
        source = literal(effect.source)
        if has_side_effect(rtl) or source.memory or type(source) not in (Op, Const, Register):
            return []
        if held and not held.keys().isdisjoint(source.uses):
            source = rebuild(source, lambda node: held.get(node) if type(node) is Register else None)
        known = self.note(target, source)
        if known is None or type(source) is not Op:
            return []
        self.operates |= any(type(node) is Op and (node.op in COUNTS or node.op == "rotl") for node in subexpressions(source))
        return self._operated(rtl, target, source, known) or self._rotated(rtl, target, source)

    def note(self, target: Register, source: Expr) -> dict[Register, Values] | None:
        """Take down what a register is set to; return its values as a function of others, if it is no number."""
        if target.type not in INTEGER_TYPES:
            return None
        self.sources[target] = source
        known = self._of(source, target.type)
        if isinstance(known, int):
            self.numbers[target] = known
            return None
        self.values[target] = known
        return known

    def _operated(self, rtl: Rtl, target: Register, source: Op, known: dict[Register, Values]) -> list[Rtl]:
        """Return RTLs for an operator of one register, the farthest of which the target is a function."""
        for leaf in reversed(known):
            if leaf.cls != target.cls or set(source.uses) <= {leaf}:
                continue
            but = self._original(leaf) in self.others_than_zero
            for candidate in self._expected(leaf, but).get(_without_zero(known[leaf], but), ()):
                value = candidate(leaf)
                new = self._written(rtl, target, value)
                if new and Proof(leaf, self.sources.get).equal(source, value, target.type, but):
                    self.sources[target] = value
                    self.operates = True
                    return new
        return []

    def _expected(self, leaf: Register, but_for_zero: bool) -> dict[Values, list[Candidate]]:
        """Return what instructions make of one register of a class, by the values that they have."""
        key = leaf.cls, but_for_zero
        if key not in self.expected:
            found: dict[Values, list[Candidate]] = {}
            for candidate in _candidates(self.machine, leaf.cls):
                values = self._of(candidate(leaf), leaf.type)
                if not isinstance(values, int) and leaf in values:
                    found.setdefault(_without_zero(values[leaf], but_for_zero), []).append(candidate)
            self.expected[key] = found
        return self.expected[key]

    def _find_others_than_zero(self, number: int) -> None:
        """Find the registers that do not hold 0 in a block, by the branches on the way to it."""
        before: dict[int, int] = self.state.get(DOMINATORS)
        if before[number] != number:
            self.not_zero[number] = self._told_to_be_other_than_zero(number, before[number])
        self.others_than_zero: set[Expr] = set()
        place = number
        for _ in range(WAY):
            told = self.not_zero.get(place)
            if told is not None:
                self.others_than_zero.add(told)
            if before[place] == place:
                return
            place = before[place]

    def _told_to_be_other_than_zero(self, place: int, above: int) -> Expr | None:
        """Return the register that does not hold 0 in a block, as the branch of its dominator tells."""
        cfg, block = self.state.get(CFG), self.state.function.blocks[above]
        if cfg.predecessors[place] != [above] or len(cfg.successors[above]) < 2:
            return None
        found, branch = condition_of(block), branch_of(block)
        if found is None or branch is None or found.op not in ("==", "!=") or self.value_of(found.args[1]) != 0:
            return None
        aside = cfg.labels[branch.label]
        ways = [to for to in cfg.successors[above] if (to == aside) == (found.op == "!=")]
        return self._original(found.args[0]) if ways == [place] else None

    # ------------------------------------------------------------------------------------------------------- values

    def _of(self, node: Expr, type_: str) -> int | dict[Register, Values]:
        """Return the value of an expression, or its values as a function of single registers, the nearest first."""
        if type_ not in INTEGER_TYPES:
            return {}
        if type(node) is Const:
            return node.value & ((1 << BITS[type_]) - 1)
        if type(node) is Register:
            if node in self.numbers:
                return self.numbers[node]
            if not node.pseudo or node.type not in INTEGER_TYPES:
                return {}
            mask = (1 << BITS[node.type]) - 1
            return {node: tuple([sample & mask for sample in SAMPLES]), **self.values.get(node, {})}
        if type(node) is not Op or node.op == "SYS":
            return {}
        type_ = node.type or (operand_type(node) or type_ if node.op in RELATIONS else type_)
        if type_ not in INTEGER_TYPES:
            return {}
        parts = [self._of(arg, _type_of(arg, node, type_)) for arg in node.args]
        tables = [part for part in parts if not isinstance(part, int)]
        if not tables:
            value = _computed(node, type_, [part for part in parts if isinstance(part, int)])
            return {} if value is None else value
        common = [leaf for leaf in tables[0] if all(leaf in table for table in tables[1:])][:MOST_LEAVES]
        result: dict[Register, Values] = {}
        for leaf in common:
            rows = [(part,) * len(SAMPLES) if isinstance(part, int) else part[leaf] for part in parts]
            values = [_computed(node, type_, list(row)) for row in zip(*rows, strict=True)]
            if None not in values:
                result[leaf] = tuple(value for value in values if value is not None)
        return result

    # ---------------------------------------------------------------------------------------------------- rotations

    def _rotated(self, rtl: Rtl, target: Register, source: Op) -> list[Rtl]:
        """Return RTLs for two shifts of one register in opposite directions whose distances together are its width."""
        if source.op != "|":  # a sum of a number and itself, shifted by 0, is no rotation
            return []
        shifts = [_Shift.of(self._source(arg)) for arg in source.args]
        left = next((shift for shift in shifts if shift is not None and shift.op == "<<"), None)
        right = next((shift for shift in shifts if shift is not None and shift.op == ">>u"), None)
        if left is None or right is None or left.kind != right.kind or self._moved(left) != (moved := self._moved(right)):
            return []
        bits = BITS[left.type]
        a, b = self._distance(left.distance, bits), self._distance(right.distance, bits)
        if a[0] is None or a[0] is not b[0] or (a[1] + b[1]) % bits or (a[2] + b[2]) % bits:
            return []
        for distance in _distances(left.distance, a, bits):
            if new := self._rotated_by(rtl, target, left, moved, distance):
                return new
        if a[0] is not None and type(a[0]) is Register and a[1:] == (1, 0):  # machines rotate to the right only
            middle = self.state.function.pseudo(a[0].cls, a[0].type)
            first = self._written(rtl, middle, unary("neg", middle.type, a[0]))
            if first and (new := self._rotated_by(rtl, target, left, moved, unary("neg", middle.type, middle))):
                return [*first, *new]
        return self._rotated_by(rtl, target, left, moved, unary("neg", right.distance.type, right.distance))

    def _rotated_by(self, rtl: Rtl, target: Register, left: _Shift, moved: Expr, distance: Expr) -> list[Rtl]:
        """Return RTLs that rotate to the left what a shift moves; none if no instruction does."""
        forms = [distance, truncate(left.type, distance), extend("zx", left.type, distance)]
        if type(distance) is Op and distance.op == "neg":
            forms.append(unary("neg", left.type, truncate(left.type, distance.args[0])))
        for form in dict.fromkeys(forms):
            value: Expr = binary("rotl", moved, form)
            if left.extension:
                value = extend(left.extension, target.type, value)
            if new := self._written(rtl, target, value):
                self.sources[target] = value
                self.operates = True
                return new
        return []

    def _original(self, node: Expr) -> Expr:
        """Return the pseudo-register of which a register is a copy."""
        while type(node) is Register and type(source := self.sources.get(node)) is Register and source.pseudo:
            node = source
        return node

    def _source(self, node: Expr) -> Expr:
        """Return what a register, or the one of which it is a copy, is set to."""
        node = self._original(node)
        return self.sources.get(node, node) if type(node) is Register else node

    def _moved(self, shift: _Shift) -> Expr:
        """Return what a shift moves, with the registers of which others are copies."""
        value = shift.value
        while type(value) is Op and value.op == "<<" and self._distance(value.args[1], BITS[shift.type])[1:] == (0, 0):
            value = value.args[0]  # of what extracts a field: the shift by nothing that brings its highest bit to the top
        return rebuild(value, lambda node: self._original(node) if type(node) is Register else None)

    def _distance(self, node: Expr, bits: int, depth: int = 8) -> tuple[Expr | None, int, int]:
        """Return a register, a factor and a number: the distance is their product and sum, modulo the width."""
        value = node.value if type(node) is Const else self.numbers.get(node) if type(node) is Register else None
        if value is not None:
            return None, 0, value % bits
        inner = self._source(node)
        if type(inner) is Op and depth and BITS.get(inner.type, 0) >= bits.bit_length():
            a = self._distance(inner.args[0], bits, depth - 1)
            if inner.op in ("sx", "zx", "tr") and BITS.get(inner.args[0].type, 0) >= bits.bit_length():
                return a
            if inner.op in ("neg", "not"):
                return a[0], -a[1] % bits, (-a[2] - (inner.op == "not")) % bits
            if inner.op in ("+", "-", "&", "^") and len(inner.args) == 2:
                b = self._distance(inner.args[1], bits, depth - 1)
                sign = -1 if inner.op == "-" else 1
                if inner.op in ("+", "-") and (a[0] is None or b[0] is None or a[0] is b[0]):
                    return a[0] or b[0], (a[1] + sign * b[1]) % bits, (a[2] + sign * b[2]) % bits
                if inner.op == "&" and b[0] is None and b[2] == bits - 1:
                    return a
                if inner.op == "^" and b[0] is None and b[2] == bits - 1:
                    return a[0], -a[1] % bits, (-a[2] - 1) % bits
        return self._original(node), 1, 0

    # --------------------------------------------------------------------------------------------------------- RTLs

    def _written(self, rtl: Rtl, target: Register, value: Expr) -> list[Rtl]:
        """Return RTLs that set a register to a value, in the place of one; none if they would change something else."""
        ways: list[list[tuple[Effect, ...]]] = [[(Set(target, value),)]]
        if not self.machine.is_legal(ways[0][0]):
            new = self.state.function.pseudo(target.cls, target.type)
            found = [list(way) for way in tied(new, value)]
            ways = [[*way, (Set(target, last.target),)] for way in found if isinstance(last := way[-1][0], Set)]
            ways += [way for hard in self.hard for way in self._by_hard(hard, new, target, value)]
        needed, mask = self.live[self.place], self.liveness.numbering.mask
        for way in ways:
            if all(self.machine.is_legal(e) and not mask(self.machine.may_clobber(e)) & needed for e in way):
                return [Rtl(effects, rtl.lines, rtl.cause) for effects in way]
        return self._written_in_two(rtl, target, value)

    def _by_hard(self, hard: Register, new: Register, target: Register, value: Expr) -> Iterator[list[tuple[Effect, ...]]]:
        """Yield ways to rotate by what a register holds that instructions demand, if nobody needs what it holds."""
        extension, rotation = "", value
        if type(value) is Op and value.op in ("sx", "zx"):
            extension, rotation = value.op, value.args[0]
        if type(rotation) is not Op or rotation.op != "rotl":
            return
        distance, by = rotation.args[1], cast(Expr, hard)
        if type(distance) is Op and distance.op == "neg":
            distance, by = distance.args[0], unary("neg", hard.type, hard)
        needed = self.live[self.place] & self.liveness.numbering.mask((hard,))
        if type(distance) is not Register or distance.type != hard.type or needed:
            return
        turned: Expr = binary("rotl", rotation.args[0], by)
        if extension:
            turned = extend(extension, target.type, turned)
        move: tuple[Effect, ...] = (Set(hard, distance),)
        yield [move, (Set(target, turned),)]
        for copy, second in tied(new, turned):
            if isinstance(last := second[0], Set) and hard not in copy[0].uses:
                yield [copy, move, second, (Set(target, last.target),)]

    def _written_in_two(self, rtl: Rtl, target: Register, value: Expr) -> list[Rtl]:
        """Return RTLs for what an operator of RTLs makes of another one's result."""
        if type(value) is not Op or type(inner := value.args[0]) is not Op or inner.type != target.type:
            return []
        if inner.op not in COUNTS and inner.op not in REVERSALS:
            return []
        middle = self.state.function.pseudo(target.cls, target.type)
        first = self._written(rtl, middle, inner)
        second = self._written(rtl, target, apply(value.op, value.type, (middle, *value.args[1:])))
        return [*first, *second] if first and second else []


class _Shift:
    """A shift of a value of a type, and how its result is extended to a register."""

    def __init__(self, node: Op, extension: str) -> None:
        self.op, self.type, self.extension = node.op, node.type, extension
        self.value, self.distance = node.args

    @property
    def kind(self) -> tuple[str, str]:
        """The type of what is shifted, and how the result is extended."""
        return self.type, self.extension

    @classmethod
    def of(cls, node: Expr) -> _Shift | None:
        """Return the shift that an expression is."""
        extension = ""
        if type(node) is Op and node.op in ("sx", "zx") and type(node.args[0]) is Op:
            extension, node = node.op, node.args[0]
        return cls(node, extension) if type(node) is Op and node.op in ("<<", ">>u") and node.type in INTEGER_TYPES else None


def _distances(node: Expr, linear: tuple[Expr | None, int, int], bits: int) -> Iterator[Expr]:
    """Yield ways to write a distance: what varies, its negation, or as it was."""
    base, factor, rest = linear
    if base is not None and not rest and factor == 1:
        yield base
    if base is not None and not rest and factor == bits - 1:
        yield unary("neg", base.type, base)
    yield node


def _without_zero(values: Values, but_for_zero: bool) -> Values:
    """Return values for the samples that matter."""
    return (*values[:ZERO], *values[ZERO + 1 :]) if but_for_zero else values


def _type_of(arg: Expr, node: Op, type_: str) -> str:
    """Return the type of an operand."""
    return arg.type or (operand_type(node) if node.op in RELATIONS else type_) or type_


def _computed(node: Op, type_: str, values: list[int]) -> int | None:
    """Apply an operator to numbers without signs; None if it is none of integers."""
    if type_ not in INTEGER_TYPES:
        return None
    bits, op = BITS[type_], node.op
    mask = (1 << bits) - 1
    if len(values) == 2:
        signed = [value - (value >> bits - 1 << bits) for value in values]
        result = fold(op, bits, signed[0], signed[1]) if op != "?" else None
        return None if result is None else result & mask
    if len(values) == 3:
        return values[1 if values[0] else 2] if op == "SEL" else None
    (a,) = values
    match op:
        case "sx":
            held = BITS.get(node.args[0].type, bits)
            return (a - (a >> held - 1 << held)) & mask
        case "zx" | "tr":
            return a & mask
        case "neg" | "not":
            return (-a if op == "neg" else ~a) & mask
    return of_bits(op, a, bits) if op in COUNTS or op in REVERSALS else None
