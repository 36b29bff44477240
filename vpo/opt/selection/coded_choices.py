"""Choices by a condition code: a comparison sets it, and an instruction chooses by what it tells.

    r[t3]=SEL(r[t1]<r[t2],r[t4],r[t5]+1);    =>    cc=r[t1]?r[t2]; r[t3]=SEL(cc<0,r[t4],r[t5]+1);

Instructions that choose in the place of an operand are left to `predicate`, which finds registers assigned: a copy of the
operand would cost as much as the branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vpo.algebra import binary, reverse, set_
from vpo.analysis.dominators import Region
from vpo.lower.plans import Planner
from vpo.machines.machine import Machine
from vpo.opt.selection.choices import in_part
from vpo.rtl import CODE_TYPES, RELATIONS, Const, Effect, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

Effects = tuple[Effect, ...]


def by_code(result: Register, choice: Expr, planner: Planner) -> list[Effects]:
    """Return RTLs that compare, and choose by the condition code; none if there are no such."""
    if not isinstance(choice, Op) or choice.op != "SEL":
        return []
    condition, *sides = choice.args
    if not isinstance(condition, Op) or condition.op not in RELATIONS or len(condition.args) != 2:
        return []
    for code in planner.codes_for(*condition.args):
        comparison = (set_(code, binary("?", *condition.args)),)
        if planner.machine.is_legal(comparison):
            test = Op(condition.op, "", code, Const(0))
            for relation, order in ((test, sides), (reverse(test), sides[::-1])):
                chosen = (Set(result, Op("SEL", choice.type, relation, *order)),)
                if planner.machine.is_legal(chosen):
                    return [comparison, chosen]
    return []


def extended_in_vain(phi: Phi, part: str, region: Region, homes: Mapping[Register, Rtl]) -> Iterator[tuple[Block, Rtl]]:
    """Yield what a region extends for a phi of which only the low part is wanted, with the blocks: it will not remain."""
    blocks = {block.label: block for block in region.inner}
    for label, source in phi.sources.items():
        effect = homes[source].single_set if source in homes and label in blocks else None
        if effect is not None and in_part(effect.source, part) is not effect.source:
            yield blocks[label], homes[source]


def compared(rtls: tuple[Rtl, ...]) -> Effects | None:
    """Return the comparison that sets a condition code, if there is one among some RTLs that choose by it."""
    return next((rtl.effects for rtl in rtls if _code(rtl) is not None), None)


def without_repeated(before: list[Rtl], rtls: list[Rtl], machine: Machine) -> Iterator[Rtl]:
    """Yield RTLs but for comparisons whose outcome a condition code has already, from these or from those before them."""
    told: dict[Register, Rtl] = {}
    for number, rtl in enumerate((*before, *rtls)):
        code = _code(rtl)
        if number >= len(before):
            if code is not None and code in told and told[code].effects == rtl.effects:
                continue
            yield rtl
        changed = {*rtl.sets, *machine.may_clobber(rtl.effects)}
        if rtl.call is not None:
            told.clear()
        told = {each: made for each, made in told.items() if each not in changed and changed.isdisjoint(made.uses)}
        if code is not None:
            told[code] = rtl


def _code(rtl: Rtl) -> Register | None:
    """Return the condition code that an RTL sets, if it only compares, and no cells."""
    effect = rtl.single_set
    if effect is None or effect.memory or not isinstance(effect.source, Op) or effect.source.op != "?":
        return None
    return effect.target if isinstance(effect.target, Register) and effect.target.type in CODE_TYPES else None
