"""Ranges of the values of registers, in SSA form, and what branches tell of them further on.

    r[t2]=zxL(B[r[t1]]);        r[t2] is in 0..255
    PC=r[t2]>9,L3;
L2: ...                         in 0..9 here, and wherever block L2 dominates

Ranges are optimistic: the variable of a loop begins with the range that it has before the loop.  If it grows from round to
round, it gets the bound that the test of the loop sets at once, or that other variables set (`loop_rounds.py`).  What is
compared is remembered for pairs of registers, too.

After Harrison, "Compiler Analysis of the Value Ranges for Variables" (1977), and Patterson, "Accurate Static Branch Prediction
by Value Range Propagation" (1995).

Arithmetic on intervals comes first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import NamedTuple

from vpo import rtl as rtls
from vpo.algebra import relate, reverse
from vpo.analysis.cfg import Cfg, branch_of
from vpo.analysis.condition_codes import condition_of, with_relations
from vpo.analysis.dominators import dominance_intervals, is_within
from vpo.analysis.loop_rounds import Rounds
from vpo.machines.machine import Machine
from vpo.rtl import BITS, COUNTS, FLOAT_TYPES, RELATIONS, SWAPPED, Const, Expr, Half, Mem, Op, Register
from vpo.rtl.function import Function, Phi

# ----------------------------------------------------------------------------------------------------------------------
# Arithmetic on intervals: in which range an operation's result is, from the ranges of its operands.
#
# An interval is a pair of signed numbers, both included.  Where a result may wrap around it is any number of its width.


Interval = tuple[int, int]

FULL: dict[int, Interval] = {bits: (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) for bits in (8, 16, 32, 64)}


def extended(op: str, value: Interval, bits: int) -> Interval:
    """Return the range of 'sx' or 'zx' of a value of some bits."""
    return value if op == "sx" or value[0] >= 0 else (0, (1 << bits) - 1)


def truncated(value: Interval, bits: int) -> Interval:
    """Return the range of the low bits of a value."""
    return _fitting(value, bits)


def operated(op: str, a: Interval, b: Interval, bits: int) -> Interval:
    """Return the range of `a op b` on numbers of some bits."""
    rule = _RULES.get(op)
    return FULL[bits] if rule is None else rule(a, b, bits)


def union(a: Interval, b: Interval) -> Interval:
    """Return the least interval that contains two."""
    return min(a[0], b[0]), max(a[1], b[1])


def limited(value: Interval, relation: str, other: Interval) -> Interval:
    """Return the range of a value that has a relation to another one; the range as it was if that cannot be."""
    low, high = value
    if relation == "==":
        low, high = max(low, other[0]), min(high, other[1])
    elif relation == "!=":
        if other[0] == other[1]:
            low, high = low + (low == other[0]), high - (high == other[0])
    elif not relation.endswith("u"):
        low, high = _ordered(low, high, relation, other)
    elif relation in ("<u", "<=u"):
        if other[0] >= 0:
            low, high = max(low, 0), min(high, other[1] - (relation == "<u"))
    elif low >= 0 and other[0] >= 0:
        low = max(low, other[0] + (relation == ">u"))
    return (low, high) if low <= high else value


def decided(relation: str, a: Interval, b: Interval) -> bool | None:
    """Return whether a relation holds between any two numbers of two ranges; None if that depends on the numbers."""
    if relation.endswith("u"):
        if a[0] < 0 or b[0] < 0:
            return None
        relation = relation[:-1]
    if relation in ("==", "!="):
        if a[1] < b[0] or b[1] < a[0]:
            return relation == "!="
        return relation == "==" if a[0] == a[1] == b[0] == b[1] else None
    outcomes = {relate(relation, a[0], b[1]), relate(relation, a[1], b[0])}
    return outcomes.pop() if len(outcomes) == 1 else None


def _ordered(low: int, high: int, relation: str, other: Interval) -> Interval:
    match relation:
        case "<":
            return low, min(high, other[1] - 1)
        case "<=":
            return low, min(high, other[1])
        case ">":
            return max(low, other[0] + 1), high
        case ">=":
            return max(low, other[0]), high
    return low, high


def _fitting(value: Interval, bits: int) -> Interval:
    """Return a range if all of it can be numbers of some bits, else the range of all these."""
    low, high = FULL[bits]
    return value if low <= value[0] and value[1] <= high else (low, high)


def _width(value: Interval) -> int:
    """Return how many bits signed numbers need that hold a range, without the sign."""
    return max(value[0] if value[0] >= 0 else ~value[0], value[1] if value[1] >= 0 else ~value[1]).bit_length()


def _product(a: Interval, b: Interval, bits: int) -> Interval:
    corners = [x * y for x in a for y in b]
    return _fitting((min(corners), max(corners)), bits)


def _and(a: Interval, b: Interval, bits: int) -> Interval:
    highs = [x[1] for x in (a, b) if x[0] >= 0]
    return (0, min(highs)) if highs else _same_width(a, b)


def _or(a: Interval, b: Interval, bits: int) -> Interval:
    if a[0] >= 0 and b[0] >= 0:
        return max(a[0], b[0]), (1 << max(a[1].bit_length(), b[1].bit_length())) - 1
    return _same_width(a, b)


def _xor(a: Interval, b: Interval, bits: int) -> Interval:
    return (0, _or(a, b, bits)[1]) if a[0] >= 0 and b[0] >= 0 else _same_width(a, b)


def _same_width(a: Interval, b: Interval) -> Interval:
    """Return the range of numbers whose bits all come from numbers of two ranges."""
    size = 1 << max(_width(a), _width(b))
    return -size, size - 1


def _left(a: Interval, b: Interval, bits: int) -> Interval:
    if b[0] != b[1] or not 0 <= b[0] < bits:
        return FULL[bits]
    return _fitting((a[0] << b[0], a[1] << b[0]), bits)


def _right(a: Interval, b: Interval, bits: int) -> Interval:
    if b[0] == b[1] and 0 <= b[0] < bits:
        return a[0] >> b[0], a[1] >> b[0]
    return min(a[0], 0), max(a[1], 0) if a[0] >= 0 else max(a[1], -1)


def _logical_right(a: Interval, b: Interval, bits: int) -> Interval:
    if a[0] >= 0:
        return _right(a, b, bits)
    if b[0] != b[1] or not 0 < b[0] < bits:
        return FULL[bits]
    return 0, ((1 << bits) - 1) >> b[0]


def _quotient(a: Interval, b: Interval, bits: int) -> Interval:
    if b[0] != b[1] or b[0] <= 0:
        return FULL[bits]
    low, high = (abs(x) // b[0] * (1 if x >= 0 else -1) for x in a)
    return low, high


def _rest(a: Interval, b: Interval, bits: int) -> Interval:
    if b[0] <= 0:
        return FULL[bits]
    most = b[1] - 1
    return max(-most, min(a[0], 0)), min(most, max(a[1], 0))


def _unsigned_quotient(a: Interval, b: Interval, bits: int) -> Interval:
    if a[0] >= 0:
        return _quotient(a, b, bits)
    return (0, ((1 << bits) - 1) // b[0]) if b[0] == b[1] > 1 else FULL[bits]


def _unsigned_rest(a: Interval, b: Interval, bits: int) -> Interval:
    if b[0] <= 0:
        return FULL[bits]
    return 0, min(b[1] - 1, a[1]) if a[0] >= 0 else b[1] - 1


_RULES: dict[str, Callable[[Interval, Interval, int], Interval]] = {
    "+": lambda a, b, bits: _fitting((a[0] + b[0], a[1] + b[1]), bits),
    "-": lambda a, b, bits: _fitting((a[0] - b[1], a[1] - b[0]), bits),
    "*": _product,
    "&": _and,
    "|": _or,
    "^": _xor,
    "<<": _left,
    ">>": _right,
    ">>u": _logical_right,
    "/": _quotient,
    "%": _rest,
    "/u": _unsigned_quotient,
    "%u": _unsigned_rest,
}


# ----------------------------------------------------------------------------------------------------------------------
# Ranges of registers.


MAX_PASSES = 12
PATIENCE = 2  # passes in which the range of a phi may grow before it is widened to what branches tell
IMPATIENCE = 5  # ... to all numbers
NARROWING = -1  # the pass in which phis get the ranges of their sources again, at the end: that of one may be too wide now
TRUTH: Interval = (0, 1)
FULL_TYPES = frozenset("BWLQ")
EVALUATED = frozenset((Op, Const, Register, Mem))
LESS, EQUAL, GREATER = 1, 2, 4
OUTCOMES = {"<": LESS, "<=": LESS | EQUAL, "==": EQUAL, "!=": LESS | GREATER, ">=": EQUAL | GREATER, ">": GREATER}


class Fact(NamedTuple):
    """What holds wherever a block dominates: the register to which the fact belongs has a relation to another value."""

    block: int
    relation: str
    other: Expr


class Facts:
    """What branches tell of one register, found by the blocks in which it holds.

    These are subtrees of the dominator tree, of which two either lie in each other or apart: a large `switch` notes as many of
    its operand as it has cases, of which few hold in a block.
    """

    def __init__(self, dominance: Mapping[int, tuple[int, int]]) -> None:
        self.dominance = dominance
        self.all: list[Fact] = []
        self._spans: list[tuple[int, int, int]] = []  # first and last of its blocks in the tree's order, number of a fact
        self._outer: list[int] = []  # of each span, the one that it lies in

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Facts) and self.all == other.all

    __hash__ = None  # type: ignore[assignment]

    def add(self, fact: Fact) -> None:
        """Note a fact; none after the first question."""
        self.all.append(fact)

    def in_block(self, block: int) -> list[Fact]:
        """Return those that hold in a block, in the order in which they were noted."""
        if not self._spans:
            self._arrange()
        place, found = self.dominance[block][0], []
        at = bisect_right(self._spans, place, key=_first) - 1
        while at >= 0:
            _, last, number = self._spans[at]
            if place <= last:
                found.append(number)
            at = self._outer[at]
        return [self.all[number] for number in sorted(found)]

    def _arrange(self) -> None:
        spans = [(*self.dominance[fact.block], number) for number, fact in enumerate(self.all)]
        self._spans = sorted(spans, key=lambda span: (span[0], -span[1]))
        inside: list[int] = []
        for number, (first, _, _) in enumerate(self._spans):
            while inside and self._spans[inside[-1]][1] < first:
                inside.pop()
            self._outer.append(inside[-1] if inside else -1)
            inside.append(number)


def _first(span: tuple[int, int, int]) -> int:
    return span[0]


class ValueRanges:
    """The ranges of the pseudo-registers of a function in SSA form."""

    def __init__(self, function: Function, cfg: Cfg, idom: dict[int, int], machine: Machine) -> None:
        self.function, self.cfg, self.machine = function, cfg, machine
        self.dominance = dominance_intervals(idom)
        self.order = [block for block in cfg.reverse_postorder() if block in self.dominance]
        self.ranges: dict[Register, Interval] = {}
        self.originals: dict[Register, Register] = {}  # of copies
        self.constants: dict[Register, Const] = dict.fromkeys(machine.zero, Const(0))
        self.arrived = self._arrived()
        self.facts: dict[Register, Facts] = {}
        self.edges: dict[tuple[int, int], list[tuple[Expr, str, Expr]]] = {}
        self.never: set[tuple[int, int]] = set()  # edges that no way takes, as numbers tell that are compared
        self.rounds = Rounds(self)
        self.widened = False  # whether the range of a phi was
        self._find_facts()
        self._solve()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ValueRanges) and (self.ranges, self.facts) == (other.ranges, other.facts)

    __hash__ = None  # type: ignore[assignment]

    # ------------------------------------------------------------------------------------------------------- facts

    def _find_facts(self) -> None:
        """Find copies, and what the branches tell on each edge."""
        for number in self.order:
            block = self.function.blocks[number]
            for rtl in block.rtls:
                single = rtl.single_set
                if single is not None and type(single.target) is Register:
                    if type(single.source) is Register:
                        self._note_copy(single.target, single.source)
                    elif type(single.source) is Const and single.target.pseudo and single.target.type in FULL_TYPES:
                        self.constants[single.target] = single.source
        for number in self.order:
            successors = self.cfg.successors[number]
            condition = condition_of(self.function.blocks[number]) if len(successors) == 2 else None
            if condition is not None:
                branch = branch_of(self.function.blocks[number])
                assert branch is not None
                goal = self.cfg.labels[branch.label]
                for successor in successors:
                    self._note_condition(number, successor, condition if successor == goal else reverse(condition))
        if self.never:
            self._leave_out_the_unreached()

    def _arrived(self) -> dict[Register, Interval]:
        """Return the ranges of the copies of arguments that callers have extended."""
        arriving, found = dict(self.function.arriving), dict[Register, Interval]()
        for rtl in self.function.blocks[0].rtls if not self.cfg.predecessors[0] else ():
            single = rtl.single_set
            if rtl.call is not None or single is None or type(single.target) is not Register:
                break
            source, target = single.source, single.target
            if type(source) is Register and source in arriving and target.pseudo and target.type in FULL_TYPES:
                op, type_ = arriving[source]
                if BITS[type_] < BITS[target.type]:
                    found[target] = extended(op, FULL[BITS[type_]], BITS[type_])
            arriving.pop(target, None)
        return found

    def _note_copy(self, target: Register, source: Register) -> None:
        if target.pseudo and source.pseudo and target.type == source.type in FULL_TYPES:
            self.originals[target] = self.originals.get(source, source)

    def _note_condition(self, number: int, successor: int, condition: Op) -> None:
        """Note what holds on an edge, and behind it if no other leads there."""
        left, right = (self.value(node) for node in condition.args)
        numbers = [(node.value, node.value) for node in (left, right) if type(node) is Const]
        if len(numbers) == 2 and decided(condition.op, *numbers) is False:
            self.never.add((number, successor))
        for one, relation, other in ((left, condition.op, right), (right, SWAPPED[condition.op], left)):
            if not all(register.pseudo for register in other.uses):
                continue  # it may hold something else later on
            if type(one) is Register and one.pseudo and one.type in FULL_TYPES:
                self.edges.setdefault((number, successor), []).append((one, relation, other))
                if len(self.cfg.predecessors[successor]) == 1:
                    if one not in self.facts:
                        self.facts[one] = Facts(self.dominance)
                    self.facts[one].add(Fact(successor, relation, other))

    def _leave_out_the_unreached(self) -> None:
        """Add the edges behind those that no way takes."""
        reached, work = {0}, [0]
        while work:
            number = work.pop()
            new = {j for j in self.cfg.successors[number] if (number, j) not in self.never} - reached
            reached |= new
            work += new
        self.never |= {(i, j) for i in self.order if i not in reached for j in self.cfg.successors[i]}

    def original(self, node: Expr) -> Expr:
        """Return the register that a register is a copy of, or the node itself."""
        return self.originals.get(node, node) if type(node) is Register else node

    def value(self, node: Expr) -> Expr:
        """Return the number that a register holds, the register that it is a copy of, or the node itself."""
        original = self.original(node)
        return self.constants.get(original, original) if type(original) is Register else original

    # ------------------------------------------------------------------------------------------------------ ranges

    def _solve(self) -> None:
        self.evaluated = [
            [
                (single.target, source)
                for single, source in with_relations(self.function.blocks[number])
                if type(single.target) is Register
                and single.target.pseudo
                and single.target.type in FULL_TYPES
                and type(source) in EVALUATED
            ]
            for number in self.order
        ]
        for passes in range(MAX_PASSES):
            if not self._evaluate_all(passes):
                if self.widened:
                    self._evaluate_all(NARROWING)
                return
        self.ranges = {}

    def _evaluate_all(self, passes: int) -> bool:
        """Evaluate all blocks once; return whether a range has changed."""
        changed = False
        ranges = self.ranges
        for number, evaluated in zip(self.order, self.evaluated, strict=True):
            for phi in self.function.blocks[number].phis:
                if phi.target.type in FULL_TYPES:
                    new = self._of_phi(number, phi, passes)
                    if new is not None and ranges.get(phi.target) != new:
                        ranges[phi.target], changed = new, True
            for target, source in evaluated:
                new = self.arrived.get(target) or self.of(source, number, target.type)
                if ranges.get(target) != new:
                    ranges[target], changed = new, True
        return changed

    def _of_phi(self, number: int, phi: Phi, passes: int) -> Interval | None:
        """Return the range of a phi: that of its sources as far as they are known."""
        old = self.ranges.get(phi.target)
        new = None
        for label, source in phi.sources.items():
            edge = self.cfg.labels[label]
            found = self.on_edge(source, edge, number, passes) if (edge, number) not in self.never else None
            if found is not None:
                new = found if new is None else union(new, found)
        if new is None or old is None or passes < PATIENCE:
            return self.rounds.narrowed(number, phi, new) if passes == NARROWING and new is not None else new
        return self._widened(number, phi, old, union(old, new), passes)

    def _widened(self, number: int, phi: Phi, old: Interval, new: Interval, passes: int) -> Interval:
        """Return a range that grows no further: up to what branches tell of any source on its edge, else all numbers."""
        if old == new:
            return new
        self.widened = True
        limits = full = FULL[BITS[phi.target.type]]
        if passes < IMPATIENCE:
            limits = new
            for label, source in phi.sources.items():
                edge = self.cfg.labels[label]
                found = self.on_edge(source, edge, number, passes)
                if found is None or union(old, found) != old:
                    limits = union(limits, self._restricted(self.original(source), full, edge, (edge, number)))
        low, high = old[0] if new[0] == old[0] else limits[0], old[1] if new[1] == old[1] else limits[1]
        bounded = self.rounds.range_of(number, phi) if low == full[0] or high == full[1] else None
        return bounded or (low, high)

    def on_edge(self, source: Register, block: int, successor: int, passes: int = MAX_PASSES) -> Interval | None:
        """Return the range of a register on an edge; None if it is not known yet."""
        source_or_original = self.original(source)
        assert type(source_or_original) is Register
        known = self.ranges.get(source_or_original)
        if known is None:
            if passes == 0 and block in self.dominance and is_within(self.dominance, successor, block):
                return None  # it comes around the loop
            known = FULL[BITS[source.type]]
        return self._restricted(source_or_original, known, block, (block, successor))

    def at(self, register: Register, block: int) -> Interval:
        """Return the range of a register in a block that its definition dominates."""
        source = self.originals.get(register, register)
        known = self.ranges.get(source)
        if known is None:
            known = (0, 0) if register in self.machine.zero else FULL[BITS[register.type]]
        return self._restricted(source, known, block, None) if source in self.facts else known

    def _restricted(self, register: Expr, known: Interval, block: int, edge: tuple[int, int] | None) -> Interval:
        """Restrict a range by what branches before a block tell, and on an edge from there."""
        assert type(register) is Register
        if register in self.facts:
            for fact in self.facts[register].in_block(block):
                known = limited(known, fact.relation, self._other(fact.other, register.type))
        if edge is not None:
            for one, relation, other in self.edges.get(edge, ()):
                if one is register:
                    known = limited(known, relation, self._other(other, register.type))
        return known

    def _other(self, node: Expr, type_: str) -> Interval:
        """Return the range of what a register is compared with, wherever that is."""
        if type(node) is Const:
            return node.value, node.value
        if type(node) is not Register:
            return FULL[BITS[type_]]
        return (0, 0) if node in self.machine.zero else self.ranges.get(node, FULL[BITS[type_]])

    def of(self, node: Expr, block: int, type_: str) -> Interval:
        """Return the range of an expression of a type in a block."""
        if type(node) is Register and node.type in FULL_TYPES:
            return self.at(node, block)
        if type(node) is Const:
            return truncated((node.value, node.value), BITS[type_])
        width = node.type if node.type in FULL_TYPES else type_
        if type(node) is not Op:
            number = literal_of(node)
            return FULL[BITS[width]] if number is None else truncated((number, number), BITS[width])
        return TRUTH if node.op in RELATIONS else self._of_operation(node, block, width)

    def _of_operation(self, node: Op, block: int, type_: str) -> Interval:
        args, bits = node.args, BITS[type_]
        if node.op in ("sx", "zx", "tr"):
            inner = args[0].type
            if inner not in FULL_TYPES:
                return FULL[bits]
            value = self.of(args[0], block, inner)
            return truncated(value, bits) if node.op == "tr" else extended(node.op, value, BITS[inner])
        if node.op in COUNTS:
            return 0, bits
        if node.op == "SEL":
            return self._of_choice(node, block, type_)
        if len(args) == 2 and args[0].type not in FLOAT_TYPES:
            return operated(node.op, self.of(args[0], block, type_), self.of(args[1], block, type_), bits)
        return FULL[bits]

    def _of_choice(self, choice: Op, block: int, type_: str) -> Interval:
        """Return the range of a choice, of whose sides the condition may tell."""
        condition, *sides = choice.args
        known = [self.of(side, block, type_) for side in sides]
        if type(condition) is Op and condition.op in SWAPPED and choice.type not in FLOAT_TYPES:
            one, other = (self._whole(arg, block) for arg in condition.args)
            for number, op in enumerate((condition.op, reverse(condition).op)):
                for left, relation, right in ((one, op, other), (other, SWAPPED[op], one)):
                    if type(left) is Register and left.pseudo and self.original(sides[number]) is left and left.type == type_:
                        known[number] = limited(known[number], relation, self.of(right, block, type_))
        return union(known[0], known[1])

    def _whole(self, node: Expr, block: int) -> Expr:
        """Return the register whose low part is compared, if that is all of it, and what a register is a copy of."""
        if type(node) is Op and node.op == "tr" and type(node.args[0]) is Register and node.args[0].type in FULL_TYPES:
            least, most = FULL[BITS[node.type]]
            low, high = self.of(node.args[0], block, node.args[0].type)
            node = node.args[0] if least <= low and high <= most else node
        return self.original(node)

    # --------------------------------------------------------------------------------------------------- relations

    def outcome(self, condition: Op, block: int) -> bool | None:
        """Return whether a relation always holds, or never, in a block; None if that is not known."""
        left, right = (self.value(node) for node in condition.args)
        type_ = left.type or right.type
        if type_ not in FULL_TYPES:
            return None
        found = decided(condition.op, self.of(left, block, type_), self.of(right, block, type_))
        if found is not None:
            return found
        if type(left) is not Register:
            return self._implied(right, SWAPPED[condition.op], left, block) if type(right) is Register else None
        return self._implied(left, condition.op, right, block)

    def _implied(self, left: Register, relation: str, right: Expr, block: int) -> bool | None:
        """Return what earlier branches on the same two values tell of a relation between them."""
        signed = unsigned = LESS | EQUAL | GREATER
        for fact in self.facts[left].in_block(block) if left in self.facts else ():
            if fact.other is right:
                possible = OUTCOMES[fact.relation.rstrip("u")]
                if fact.relation in ("==", "!="):
                    signed, unsigned = signed & possible, unsigned & possible
                elif fact.relation.endswith("u"):
                    unsigned &= possible
                else:
                    signed &= possible
        asked = OUTCOMES[relation.rstrip("u")]
        for possible in (
            (unsigned,) if relation.endswith("u") else (signed, unsigned) if relation in ("==", "!=") else (signed,)
        ):
            if not possible & asked:
                return False
            if not possible & ~asked:
                return True
        return None


def literal_of(node: Expr) -> int | None:
    """Return the number that is read from the literals of the code; None if it is something else that is read."""
    match node:
        case Mem(address=Half(which=rtls.LITERAL, of=Const(value=value))):
            return value
    return None
