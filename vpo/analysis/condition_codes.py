"""What condition codes tell within a block: relations stand for them in the RTLs that read them.

    r[t3]=r[t1]-r[t2]; cc=r[t1]?r[t2];
    r[t4]=r[t5]-(cc<u0);                   =>      r[t4] is r[t5]-(r[t1]<ur[t2])

`cover`, `selects` and the ranges of values look through condition codes; what a branch compares is asked of
`vpo/analysis/frequency.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vpo.algebra import CONSTANTS, binary, rebuild
from vpo.analysis.cfg import branch_of, tested_truth
from vpo.rtl import INTEGER_TYPES, RELATIONS, SWAPPED, Const, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Block

HELD = 1 << 42  # numbers from here on have names for what is in hard registers, which instructions put in cannot read


@dataclass(slots=True)
class Codes:
    """What is known at one place of a block: what each condition code tells of, which may be hard registers.

    And what others of these hold, `hard` ones.
    """

    hard: frozenset[Register] = frozenset()
    compared: dict[Register, Op] = field(default_factory=dict)
    held: dict[Expr, Expr] = field(default_factory=dict)

    def seen_through(self, source: Expr) -> Expr | None:
        """Return an expression with relations in the place of condition codes; None if those are not known.

        And with what hard registers hold in their places.
        """
        source = self._with_held(source)
        if all(register.type != "C" for register in source.uses):
            return source
        known = rebuild(source, self._relation)
        return known if all(register.type != "C" for register in known.uses) else None

    def _relation(self, node: Expr) -> Expr | None:
        match node:
            case Op(op=op, args=(Register(type="C") as code, Const(value=0))) if op in RELATIONS and code in self.compared:
                return Op(op, "", *self.compared[code].args)
        return None

    def _with_held(self, source: Expr) -> Expr:
        if self.held.keys().isdisjoint(source.uses):
            return source
        return rebuild(source, lambda node: self.held.get(node) if type(node) is Register else None)

    def step(self, rtl: Rtl) -> None:
        """Go behind an RTL."""
        if rtl.call is not None:
            self.compared.clear()
            self.held.clear()
        found = [(effect.target, effect.source) for effect in rtl.effects if type(effect) is Set]
        moved = [(target, self._with_held(source)) for target, source in found if target in self.hard] if self.hard else ()
        for target, source in found:
            if type(target) is Register:
                self._set(target, source)
        for target, source in moved:
            self._hold(target, source)

    def _set(self, target: Register, source: Expr) -> None:
        if target.type == "C":
            self.compared.pop(target, None)
            if isinstance(source, Op) and source.op == "?" and not source.memory:
                self.compared[target] = source

    def _hold(self, target: Expr, source: Expr) -> None:
        self.held.pop(target, None)
        if not source.memory and all(register.pseudo for register in source.uses):
            self.held[target] = source


def with_relations(block: Block) -> list[tuple[Set, Expr]]:
    """Return the effects of RTLs that only set a place, and what they set it to: choices by relations, not by codes."""
    found = [(effect, effect.source) for rtl in block.rtls if (effect := rtl.single_set) is not None]
    for _, source in found:
        if type(source) is Op and source.op == "SEL":
            return _by_relations(block)
    return found


def _by_relations(block: Block) -> list[tuple[Set, Expr]]:
    codes = Codes()
    found: list[tuple[Set, Expr]] = []
    for rtl in block.rtls:
        effect = rtl.single_set
        if effect is not None:
            chooses = type(effect.source) is Op and effect.source.op == "SEL"
            known = codes.seen_through(effect.source) if chooses else None
            found.append((effect, effect.source if known is None else known))
        codes.step(rtl)
    return found


def condition_of(block: Block) -> Op | None:
    """Return the condition of the branch at the end of a block, in terms of registers and numbers of integer types."""
    branch = branch_of(block)
    if branch is None:
        return None
    condition: Expr = branch.condition
    left = branch.condition.args[0]
    if left.type == "C":
        compare = next((rtl for rtl in reversed(block.rtls[:-1]) if _changes_code(rtl, left)), None)
        single = compare.single_set if compare is not None else None
        if single is None or single.target is not left:
            return None
        condition = binary(branch.condition.op, single.source, branch.condition.args[1])
    elif (truth := tested_truth(block)) is not None:
        condition = truth[0]
    if type(condition) is not Op or condition.op not in SWAPPED or condition.memory:
        return None
    types = {node.type for node in condition.args} - {""}
    known = types and types.issubset(INTEGER_TYPES) and not isinstance(condition.args[0], CONSTANTS)
    return condition if known else None


def _changes_code(rtl: Rtl, code: Expr) -> bool:
    return any(type(effect) is not Set or effect.target is code for effect in rtl.effects)
