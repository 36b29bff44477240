"""Where an instruction nearly is, by the shape of the code: pairs of RTLs, loops over bits, and choices.

What one RTL computes with the definitions of its registers in their places, `why_not.py` finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from ease.comparison.near_choices import only_if_chosen
from vpo.algebra import is_step, rebuild_effect
from vpo.analysis.cfg import Cfg, transfer_of
from vpo.analysis.dominators import MANY_BLOCKS, Region, dominators, natural_loops, region_of
from vpo.analysis.frequency import branch_comparison
from vpo.machines.advice.examples import NearMatches
from vpo.machines.match.pattern import Alternative
from vpo.rtl import (
    COUNTS,
    FLOAT_TYPES,
    RELATIONS,
    Const,
    Effect,
    Expr,
    Mem,
    Op,
    Register,
    RegisterVariable,
    Rtl,
    Set,
    subexpressions,
)
from vpo.rtl.function import Block
from vpo.text import show

FEW = 6  # RTLs that a choice between two values may be
WINDOW = 8  # how far apart two RTLs may stand that are nearly one
TOO_LATE = "the address steps before it is used, and the instruction steps it afterwards"
TOO_SOON = "the address steps after it is used, and the instruction steps it first"
BITS_BY_LOOP = "it looks at one bit in each round, and this loop is not known to be it: use {builtins}, or call {call}"
TWO_RESULTS = "it sets two registers, and the branch chooses other values, or more of them, than it computes: call {call}"
BOTH_WAYS = "it would compute both ways, of which the branch skips one: call {call}"
SIGNS = "a comparison does not tell the signs of 0 and of what is no number, which the instruction changes: use fabs"
MANY = "it has {number} effects, and no search puts more than two together, but steps: let it have two, or call {call}"
BUILTINS = {"clz": "__builtin_clz", "ctz": "__builtin_ctz", "popcount": "__builtin_popcount", "bswap": "__builtin_bswap32",
            "brev": "the idiom of masks and shifts by 1, 2, 4, 8 and 16"}  # fmt: skip
ALIKE = {"neg": ("neg", "-"), "-": ("-", "+", "neg"), "+": ("+", "-"), "abs": ("abs", "neg", "-")}  # what operators become
Found = tuple[tuple[int, int], tuple[Rtl, ...], str]  # a place, the RTLs that would be one, and why they are not


class Shapes:
    """The search in one function for one instruction, of which there are some forms."""

    def __init__(self, blocks: list[Block], cfg: Cfg, forms: list[Alternative], wanted: NearMatches) -> None:
        self.blocks, self.cfg, self.forms, self.wanted = blocks, cfg, forms, wanted
        self.call = called_by(forms)
        self.chooses_from_compared = all(map(_chooses_from_compared, forms))
        self.floats = any(isinstance(e, Set) and e.target.type in FLOAT_TYPES for form in forms for e in form.effects)
        self.operators = {
            node.op
            for form in forms
            for effect in form.effects
            if isinstance(effect, Set)
            for node in subexpressions(effect.source)
            if isinstance(node, Op)
        }

    def run(self) -> Iterator[Found]:
        """Yield places, the RTLs that would be one, and the reason why they are not."""
        if any(len(form.effects) == 2 for form in self.forms):
            yield from self._pairs()
        if self.forms and all(len(form.effects) > 2 for form in self.forms):
            yield from self._several()
        if self.operators & {*COUNTS, "brev"}:
            yield from self._loops_over_bits()
        if any(map(_chooses, self.forms)):
            yield from self._choices()

    # ---------------------------------------------------------------------------------------------------------- pairs

    def _pairs(self) -> Iterator[Found]:
        """Yield neighbours that are nearly the two effects of the instruction."""
        for number, block in enumerate(self.blocks):
            for second, later in enumerate(block.rtls):
                for first in range(second - 1, max(second - 1 - WINDOW, -1), -1):
                    one, other = block.rtls[first].single_set, later.single_set
                    reason = self._why_no_pair(one, other) if one is not None and other is not None else None
                    if reason is None:
                        continue
                    between = next(islice(block.rtls, first + 1, second), None)
                    if not reason:
                        reason = "the two were not put together"
                        if between is not None:
                            reason = f"line {between.lines[0]} stands between the two, and neither can pass it"
                    yield (number, second), (block.rtls[first], later), reason
                    break

    def _why_no_pair(self, one: Set, other: Set) -> str | None:
        """Return why two effects are not the instruction; None if they are nothing like it."""
        target, source = one.target, one.source
        seen = rebuild_effect(other, lambda node: source if node is target and isinstance(node, Register) else None)
        problems = self._problems(one, seen)
        if problems is not None and len(problems) <= 1:
            return f"{problems[0]}{_of(one, other)}" if problems else ""
        if is_step(one) and seen != other and self._problems(one, other) == []:
            return TOO_LATE
        if is_step(other) and self._problems(_stepped(one, other), other) == []:
            return TOO_SOON
        return None

    def _problems(self, one: Effect, other: Effect) -> list[str] | None:
        """Return what keeps two effects, in either order, from being the instruction; None if they are nothing like it."""
        found = [self.wanted.problems(effects) for effects in ((one, other), (other, one))]
        return min((each for each in found if each is not None), key=len, default=None)

    def _several(self) -> Iterator[Found]:
        """Yield the blocks in which each of the many effects of the instruction is, or the like."""
        kinds = {kind for effect in self.forms[0].effects for kind in _kinds(effect)}
        reason = MANY.format(number=len(self.forms[0].effects), call=self.call)
        for number, block in enumerate(self.blocks):
            own = [{kind for effect in rtl.effects for kind in _kinds(effect)} for rtl in block.rtls]
            alike = [at for at, found in enumerate(own) if found & kinds]
            if kinds and alike and kinds <= {*chain.from_iterable(own[at] for at in alike)}:
                yield (number, alike[-1]), tuple(block.rtls[at] for at in alike), reason

    # ---------------------------------------------------------------------------------------------------------- loops

    def _loops_over_bits(self) -> Iterator[Found]:
        """Yield loops that shift by 1, or take one bit away, in each round."""
        names = [name for op, name in BUILTINS.items() if op in self.operators]
        reason = BITS_BY_LOOP.format(builtins=" or ".join(names) or "a built-in function", call=self.call)
        for loop in natural_loops(self.cfg, dominators(self.cfg)):
            inside = [(number, at) for number in sorted(loop.blocks) for at in range(len(self.blocks[number].rtls))]
            rtls = [self.blocks[n].rtls[at] for n, at in inside]
            less = {register for rtl in rtls if _is_less_by_1(rtl) for register in rtl.sets}
            counted = {register for rtl in rtls if _steps_by_1(rtl) for register in rtl.sets}
            bits = [place for place, rtl in zip(inside, rtls, strict=True) if _takes_a_bit(rtl, less, counted)]
            if bits:
                yield inside[-1], tuple(self.blocks[n].rtls[at] for n, at in (*bits, inside[-1])), reason

    # -------------------------------------------------------------------------------------------------------- choices

    def _choices(self) -> Iterator[Found]:
        """Yield branches around what may only be done if it is chosen."""
        order = self.cfg.reverse_postorder()
        position = {index: place for place, index in enumerate(order)}
        for number in order:
            if len(set(self.cfg.successors[number])) != 2:
                continue
            region = region_of(number, self.blocks, self.cfg, position, MANY_BLOCKS)
            reason = self._why_not_chosen(region) if region is not None and self._is_like(region) else ""
            if region is not None and reason:
                last = len(self.blocks[number].rtls) - 1
                yield (number, last), (region.head.rtls[-1], *region.rtls()), reason

    def _is_like(self, region: Region) -> bool:
        """Whether a region chooses as the instruction does: between what is compared, if that is what it chooses from."""
        rtls = region.rtls()
        if len(rtls) > FEW or not self._has_operators(region):
            return False
        if rtls and rtls[-1].call is not None:
            return False  # nothing is chosen: what it returns is not wanted
        if not self.chooses_from_compared:
            return True
        if any(rtl.call is not None for rtl in rtls):
            return False
        comparison = branch_comparison(region.head)
        compared = {*comparison.relation.args} if comparison is not None else set()
        for rtl in rtls:
            if any(isinstance(effect, Set) and not compared.isdisjoint(_signless(effect.source)) for effect in rtl.effects):
                return True
            compared -= {*rtl.sets}
        return False

    def _has_operators(self, region: Region) -> bool:
        """Whether a region does something of what the instruction does beside choosing, if that does anything."""
        wanted = {op for op in self.operators if op not in RELATIONS and op not in ("SEL", "sx", "zx", "tr")}
        rtls = (region.head.rtls[-1], *region.rtls())
        sources = (effect.source for rtl in rtls for effect in rtl.effects if isinstance(effect, Set))
        nodes = (node for source in sources for node in subexpressions(source))
        there = {node.op for node in nodes if isinstance(node, Op) and (node.type in FLOAT_TYPES or not self.floats)}
        alike = {other for op in wanted for other in ALIKE.get(op, (op,))}
        return not wanted or not alike.isdisjoint(there)

    def _why_not_chosen(self, region: Region) -> str:
        """Return what in a region can only be done if it is chosen; nothing if there is no such thing."""
        if reason := only_if_chosen(region.rtls()):
            return reason
        if all(len(form.effects) == 2 for form in self.forms):
            return TWO_RESULTS.format(call=self.call)
        if self.chooses_from_compared:
            return ""
        if {"abs", "neg"} & self.operators and self.floats and any(map(_is_of_floats, (region.head.rtls[-1], *region.rtls()))):
            return SIGNS
        last = [[rtl for rtl in block.rtls if rtl is not transfer_of(block)][-1:] for block in region.inner]
        return BOTH_WAYS.format(call=self.call) if len({rtl.sets for rtls in last for rtl in rtls}) == 1 else ""


def _kinds(effect: Effect) -> Iterator[str]:
    """Yield what an effect does, roughly: a step, a load, a store, operators."""
    if not isinstance(effect, Set):
        return
    source = effect.source
    if isinstance(source, Op) and source.op == "+" and repr(source.args[0]) == repr(effect.target):
        yield "step"
        return
    if isinstance(effect.target, Mem):
        yield f"store {effect.target.type}"
    for node in subexpressions(effect.source):
        if isinstance(node, Mem):
            yield f"load {node.type}"
        elif isinstance(node, Op) and node.op not in ("sx", "zx", "tr"):
            yield node.op


def called_by(forms: list[Alternative]) -> str:
    """Return the name by which C calls an instruction."""
    return f"__builtin_insn_{''.join(c if c.isalnum() else '_' for c in forms[0].name)}" if forms else "it by its name"


def _of(one: Set, other: Set) -> str:
    """Return of which registers a condition may not hold, which nobody chooses so that it does."""
    registers = [node for effect in (one, other) for node in (effect.target, effect.source) if isinstance(node, Register)]
    return f", as {' and '.join(map(show, registers))} are used" if len(registers) == 2 else ""


def _stepped(effect: Set, step: Set) -> Effect:
    """Return an effect whose addresses are where a step leads."""
    return rebuild_effect(
        effect, lambda node: node.at(step.source) if isinstance(node, Mem) and node.address is step.target else None
    )


def _is_less_by_1(rtl: Rtl) -> bool:
    match rtl.single_set:
        case Set(source=Op(op="+", args=(Register(), Const(value=-1)))):
            return True
    return False


def _is_of_floats(rtl: Rtl) -> bool:
    """Whether an RTL sets floating registers, or branches by the outcome of comparing some."""
    return any(register.type in (*FLOAT_TYPES, "G") for register in (*rtl.sets, *rtl.uses))


def _takes_a_bit(rtl: Rtl, less: set[Register], counted: set[Register]) -> bool:
    """Whether an RTL shifts by 1 or by what is counted, or takes the lowest bit, or takes that away.

    `less` are registers less by 1, `counted` those that step in each round.
    """
    for effect in rtl.effects:
        for node in subexpressions(effect.source) if isinstance(effect, Set) else ():
            match node:
                case Op(op="<<" | ">>" | ">>u" | "&", args=(Register(), Const(value=1))):
                    return True
                case Op(op="<<" | ">>" | ">>u", args=(_, Register() as distance)) if distance in counted:
                    return True
                case Op(op="&", args=(Register(), Register() as other)) if other in less:
                    return True
                case Op(op="&", args=(Register() as one, Register())) if one in less:
                    return True
    return False


def _steps_by_1(rtl: Rtl) -> bool:
    """Whether an RTL adds or subtracts 1, beside whatever else it does."""
    return any(isinstance(e, Set) and is_step(e) and e.source.args[1].value in (1, -1) for e in rtl.effects)  # type: ignore[union-attr]


def _chooses_from_compared(form: Alternative) -> bool:
    """Whether an instruction chooses between values that it compares, as a minimum does."""
    nodes = [node for effect in form.effects if isinstance(effect, Set) for node in subexpressions(effect.source)]
    choices = [node.args for node in nodes if isinstance(node, Op) and node.op == "SEL"]
    return bool(choices) and not any(_registers(args[:1]).isdisjoint(_registers(args[1:])) for args in choices)


def _signless(source: Expr) -> tuple[Expr, ...]:
    """Return a source, and what it negates."""
    match source:
        case Op(args=(negated,)):
            return source, negated
    return (source,)


def _registers(sources: Iterable[Expr]) -> set[str]:
    """Return the names of registers in parts of a pattern."""
    return {node.shown for source in sources for node in subexpressions(source) if isinstance(node, RegisterVariable)}


def _chooses(form: Alternative) -> bool:
    """Whether an instruction chooses between values."""
    nodes = [node for effect in form.effects if isinstance(effect, Set) for node in subexpressions(effect.source)]
    operators = [node.op for node in nodes if isinstance(node, Op)]
    return bool({"SEL", "abs"}.intersection(operators)) or bool(RELATIONS.intersection(operators[1:]))
