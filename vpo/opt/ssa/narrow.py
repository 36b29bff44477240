"""Compute with no more bits than are wanted, and remove operations that change nothing, on SSA form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from vpo.algebra import binary, unary
from vpo.algebra.equivalents import next_number
from vpo.analysis.cfg import branch_of
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.liveness import Liveness, does_more_than_set
from vpo.analysis.value_ranges import FULL_TYPES, ValueRanges
from vpo.machines.machine import Machine
from vpo.opt.loops.loop_variables import LoopTest
from vpo.opt.ssa.defer_extensions import defer_extensions
from vpo.opt.ssa.wanted_bits import CARRYING, PARTS, WantedBits
from vpo.opt.state import CFG, LIVENESS, VALUE_RANGES, FunctionState
from vpo.rtl import BITS, RELATIONS, Branch, Const, Effect, Expr, Mem, Op, Register, Rtl, Set, subexpressions
from vpo.rtl.function import Block

# ----------------------------------------------------------------------------------------------------------------------
# Compute with no more bits than are wanted, on SSA form.
#
#     d[t3.2]=sxL(trW(d[t3.1]));                  d[t3.2]=d[t3.1];
#     d[t4.2]=sxL(trW(d[t4.1]));                  d[t4.2]=d[t4.1];
#     d[t5.2]=d[t5.1]*d[t4.2];           =>       d[t5.2]=sxL(trW(d[t5.1]))*sxL(trW(d[t4.2]));       with d[t5.1]=d[t3.2]
#
# A load extends what it reads as most instructions do where only what is in memory is wanted.
#
# First, products of values that fit into fewer bits are computed by instructions that read only these, if the machine has
# such and they take no longer.  Then, extensions and masks go whose higher bits nobody wants (demanded bits).


COMPARING = frozenset(("?", *RELATIONS))
WITHOUT_SIGN = frozenset(("<u", "<=u", ">u", ">=u"))
UNSIGNED = WITHOUT_SIGN | {"==", "!="}


def narrow_operations(state: FunctionState) -> None:
    """Multiply by instructions that read fewer bits, and remove extensions whose higher bits nobody wants."""
    if state.function.stage == "ssa":
        _narrow_products(state)
        _narrow_comparisons(state)
        _compare_truth_values(state)
        wanted = defer_extensions(state) or WantedBits(state)
        _remove_unwanted(state, wanted)
        _choose_shorter(state, wanted)  # as many bits are wanted of a copy as of what it copies
        _choose_shorter_branches(state)


def _narrow_products(state: FunctionState) -> None:
    """Let products of small numbers be computed by narrow instructions that are no slower."""
    for number, block in enumerate(state.function.blocks):
        for rtl in list(block.rtls):
            single = rtl.single_set
            source = single.source if single is not None else None
            if single is None or type(source) is not Op or source.op != "*" or source.type not in FULL_TYPES:
                continue
            if not all(type(arg) is Register and arg.type == source.type for arg in source.args):
                continue
            for extension, part, product in _narrow_forms(source):
                effects = (Set(single.target, product),)
                if _is_as_good(state, rtl, effects) and _fit(state, source, number, extension, BITS[part]):
                    state.replace(block, rtl, effects)
                    break


def _narrow_forms(product: Op) -> Iterator[tuple[str, str, Expr]]:
    """Yield products of extended parts of the operands, with the extension and the type of the parts."""
    for part in ("B", "W"):
        for extension in ("sx", "zx"):
            a, b = (unary(extension, product.type, unary("tr", part, arg)) for arg in product.args)
            yield extension, part, binary("*", a, b)


def _is_as_good(state: FunctionState, rtl: Rtl, effects: tuple[Set]) -> bool:
    """Whether an instruction exists that takes no longer than that of an RTL, and changes no more by the way."""
    machine = state.machine
    if not machine.is_legal(effects) or not set(machine.may_clobber(effects)) <= set(machine.clobbers(rtl.effects)):
        return False
    return machine.latency(effects) <= machine.latency(rtl.effects)


def _fit(state: FunctionState, product: Op, number: int, extension: str, bits: int) -> bool:
    """Whether the operands of a product in a block are what extending their low bits makes."""
    ranges = state.get(VALUE_RANGES)
    least, most = (0, (1 << bits) - 1) if extension == "zx" else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    bounds = [ranges.of(arg, number, product.type) for arg in product.args]
    return all(least <= low and high <= most for low, high in bounds)


def _narrow_comparisons(state: FunctionState) -> None:
    """Compare the low bits of what is extended, where the machine can: nobody may want the others then."""
    definitions = _definitions(state)
    ranges: ValueRanges | None = None  # changes of comparisons leave true what they say
    for number, block in enumerate(state.function.blocks):
        for rtl in list(block.rtls):
            effect = rtl.effects[0]
            compared = effect.source if type(effect) is Set else effect.condition if type(effect) is Branch else None
            if len(rtl.effects) > 1 or type(compared) is not Op or compared.op not in COMPARING:
                continue
            part = next((part for part in PARTS if any(definitions.get(arg) == part for arg in compared.args)), "")
            if not part and compared.args[0].type == "Q" and Const(0) not in compared.args:
                part = PARTS[0]  # with 0, what computes the value may compare it
            if not part:
                continue
            ranges = ranges or state.get(VALUE_RANGES)
            narrow = _of_part(ranges, compared, number, part)
            if narrow is None and compared.op == "?" and _is_without_sign(state, number, rtl):
                relation = _of_part(ranges, Op(">u", "", *compared.args), number, part)
                narrow = Op("?", "", *relation.args) if type(relation) is Op else None
            if type(effect) is Branch and type(narrow) is Op:
                _replace_if_alike(state, block, rtl, Branch(narrow, effect.label))
            elif type(effect) is Set and narrow is not None:
                _replace_if_alike(state, block, rtl, Set(effect.target, narrow))


def _is_without_sign(state: FunctionState, number: int, rtl: Rtl) -> bool:
    """Whether only its block reads what an RTL compares, and looks at no sign."""
    block, (code, *_) = state.function.blocks[number], rtl.sets
    for other in block.rtls[block.rtls.index(rtl) + 1 :]:
        if code in other.uses and not all(_reads_no_sign(effect, code) for effect in other.effects):
            return False
        if code in other.sets or code in state.machine.may_clobber(other.effects):
            return True
    liveness: Liveness = state.get(LIVENESS)
    outcome = liveness.numbering.mask((code,))
    return not any(liveness.live_in[successor] & outcome for successor in state.get(CFG).successors[number])


def _reads_no_sign(effect: Effect, code: Register) -> bool:
    """Whether an effect reads a condition code only as what relations without sign have set."""
    read = effect.condition if type(effect) is Branch else effect.source if type(effect) is Set else None
    if read is None:
        return code not in effect.uses
    tests = [node for node in subexpressions(read) if type(node) is Op and code in node.args]
    return all(node.op in UNSIGNED for node in tests) and (bool(tests) or code not in effect.uses)


def _replace_if_alike(state: FunctionState, block: Block, rtl: Rtl, effect: Set | Branch) -> None:
    """Replace an RTL by another one that is an instruction which changes the same by the way."""
    effects, machine = (effect,), state.machine
    if machine.is_legal(effects) and machine.clobbers(effects) == machine.clobbers(rtl.effects):
        state.replace(block, rtl, effects)


def _definitions(state: FunctionState) -> dict[Expr, str]:
    """Return the registers that extensions set, and phis of them, with the type that is extended."""
    found: dict[Expr, str] = {}
    for block in state.function.blocks:
        for rtl in block.rtls:
            single = rtl.single_set
            source = single.source if single is not None else None
            if type(source) is Op and source.op == "sx" and type(source.args[0]) is Op and single is not None:
                found[single.target] = source.args[0].type
    phis = [phi for block in state.function.blocks for phi in block.phis]
    sources = [(phi.target, source) for phi in phis for source in phi.sources.values()]
    while grown := [(target, found[source]) for target, source in sources if source in found and target not in found]:
        found.update(grown)
    return found


def _of_part(ranges: ValueRanges, compared: Op, number: int, part: str) -> Expr | None:
    """Return a comparison of the low bits of its operands, if these are all of the numbers that they are in a block."""
    least, most = -(1 << (BITS[part] - 1)), (1 << (BITS[part] - 1)) - 1
    limit, natural = compared.args[1], most
    if compared.op in WITHOUT_SIGN and type(limit) is Const and 0 <= limit.value <= most:
        least, most = limit.value - 2 * most - 1, 2 * most + 1  # what is below 0 is above the limit, in the low bits, too
    if not all(type(arg) in (Const, Register) for arg in compared.args):
        return None
    bounds = [(arg.value, arg.value) if type(arg) is Const else ranges.of(arg, number, arg.type) for arg in compared.args]
    if compared.op in UNSIGNED and type(limit) is Register and all(low >= 0 for low, _ in bounds):
        least, most = 0, 2 * natural + 1
    if any(low < least or high > most for low, high in bounds):
        return None
    a, b = (arg if type(arg) is Const else unary("tr", part, arg) for arg in compared.args)
    return binary(compared.op, a, b)


def _compare_truth_values(state: FunctionState) -> None:
    """Compare what is 0 or 1 with 0, which costs no constant and mostly no instruction."""
    ranges: ValueRanges | None = None
    liveness: Liveness | None = None  # as it is before all changes
    for number, block in enumerate(state.function.blocks):
        found = branch_comparison(block)
        if found is None or found.relation.op not in ("==", "!="):
            continue
        left, right = found.relation.args
        if type(left) is not Register or left.type not in FULL_TYPES or (type(right) is Const and right.value & 0xFF != 1):
            continue
        ranges = ranges or state.get(VALUE_RANGES)
        if ranges.of(left, number, left.type) != (0, 1):
            continue
        if ranges.of(right, number, left.type) != (1, 1):
            continue
        liveness = liveness or state.get(LIVENESS)
        outcome = liveness.numbering.mask(tuple(found.compare.sets))
        if any(liveness.live_in[successor] & outcome for successor in state.get(CFG).successors[number]):
            continue
        test = LoopTest(found.compare, found.branch, left, Const(1), 0, found.relation.op == "==")
        zeros: tuple[Register | Const, ...] = Const(0), *state.machine.zero
        for zero in zeros:
            if state.substitute(block, test.on(left, zero)):
                break


def _remove_unwanted(state: FunctionState, wanted: WantedBits) -> None:
    """Replace extensions and masks by copies where only bits are wanted that they leave as they are."""
    for block, rtl, target, source, bits in _wanted(state, wanted):
        kept = _kept(source, bits)
        if type(kept) is Register and kept.pseudo and kept.type == target.type:
            state.replace(block, rtl, (Set(target, kept),))


def _choose_shorter(state: FunctionState, wanted: WantedBits) -> None:
    """Let instructions for fewer bits, which are shorter, compute what only low bits are wanted of."""
    for block, rtl, target, source, bits in _wanted(state, wanted):
        loaded = _usual_load(state.machine, target, source, bits) if _is_load(source) else None
        if loaded is not None and _is_shorter(state, rtl, (loaded,), 0):
            state.replace(block, rtl, (loaded,))
            continue
        for effect in _shorter_forms(target, source, bits):
            if _is_shorter(state, rtl, (effect,)):
                state.replace(block, rtl, (effect,))
                break


def _choose_shorter_branches(state: FunctionState) -> None:
    """Compare with the next number where that is shorter: x<10 is x<=9."""
    for block in state.function.blocks:
        branch = branch_of(block)
        match branch:
            case Branch(condition=Op(op=op, args=(Register(type=type_) as value, Const(value=number)))) if type_ in FULL_TYPES:
                if (moved := next_number(op, number, BITS[type_])) is not None:
                    other = Branch(Op(moved[0], "", value, Const(moved[1])), branch.label)
                    if _is_shorter(state, block.rtls[-1], (other,)):
                        state.replace(block, block.rtls[-1], (other,))


def _wanted(state: FunctionState, wanted: WantedBits) -> Iterator[tuple[Block, Rtl, Register, Expr, int]]:
    """Yield the RTLs that only compute a value: what they set, to what, and how many low bits of it somebody wants."""
    for block in state.function.blocks:
        for rtl in list(block.rtls):
            single = rtl.single_set
            if single is None or type(single.target) is not Register or not single.target.pseudo or does_more_than_set(single):
                continue
            yield block, rtl, single.target, single.source, wanted.bits.get(single.target, 0)


def _shorter_forms(target: Register, source: Expr, bits: int) -> Iterator[Set]:
    """Yield what sets a register to the same low bits, and the others to 0."""
    type_ = target.type
    for part in PARTS:
        if type_ not in FULL_TYPES or not bits <= BITS[part] < BITS[type_]:
            continue
        if type(source) is Op and source.op in ("sx", "zx") and BITS[source.args[0].type] >= BITS[part]:
            yield Set(target, unary("zx", type_, source.args[0]))
        elif type(source) is Op and (source.op in CARRYING or source.op == "<<"):
            yield Set(target, unary("zx", type_, unary("tr", part, source)))


def _is_load(source: Expr) -> TypeGuard[Op]:
    """Whether an expression is a cell of memory, extended."""
    return type(source) is Op and source.op in ("sx", "zx") and type(source.args[0]) is Mem


def _usual_load(machine: Machine, target: Register, source: Op, bits: int) -> Set | None:
    """Return how most loads extend what a load reads, if that is in another way and nobody wants more: as sums of it are.

    If there are no such sums, without a sign.  So one instruction loads whatever C calls the number, and an instruction that
    loads in this way is used for all.
    """
    cell, type_ = source.args[0], source.type
    if not 0 < bits <= BITS[cell.type]:
        return None
    a, b = (Register(target.cls, number, type_, True) for number in (1, 2))
    added = binary("+", unary("tr", cell.type, a), unary("tr", cell.type, b)), unary("tr", cell.type, binary("+", a, b))
    usual = "sx" if any(machine.is_legal((Set(a, unary("sx", type_, each)),)) for each in added) else "zx"
    return Set(target, unary(usual, type_, cell)) if usual != source.op else None


def _is_shorter(state: FunctionState, rtl: Rtl, effects: tuple[Set | Branch], by: int = 1) -> bool:
    """Whether an instruction is shorter than that of an RTL by so much, takes no longer, and changes no more by the way."""
    machine = state.machine
    if not machine.is_legal(effects) or not set(machine.may_clobber(effects)) <= set(machine.may_clobber(rtl.effects)):
        return False
    new, old = machine.record(Rtl(effects, rtl.lines, rtl.cause)), machine.record(rtl)
    return new.size + by <= old.size and machine.latency(effects) <= machine.latency(rtl.effects)


def _kept(source: Expr, bits: int) -> Expr | None:
    """Return the operand whose low bits an extension or mask leaves as they are, if there is one."""
    if type(source) is not Op:
        return None
    value = source.args[0]
    if source.op in ("sx", "zx"):
        return value.args[0] if type(value) is Op and value.op == "tr" and bits <= BITS[value.type] else None
    if source.op == "&" and type(source.args[1]) is Const:
        return value if not ~source.args[1].value & ((1 << bits) - 1) else None
    return None


# ----------------------------------------------------------------------------------------------------------------------
# Remove operations that change nothing, as the ranges of values tell, on SSA form.
#
#     r[t2]=zxL(B[r[t1]]);                 r[t2]=zxL(B[r[t1]]);
#     r[t3]=r[t2]&255;             =>      r[t3]=r[t2];
#     r[t4]=zxQ(trL(r[t3]+-3));            r[t4]=r[t3]+-3;         if r[t3] is 3 or more
#
# Extensions, masks and remainders become copies; what is always one number becomes this number.


WRAPPING = frozenset(("+", "-", "*", "<<"))  # a sum that has no more bits in a whole register is computed there
REMOVABLE = frozenset(("&", "sx", "zx", ">>", ">>u", "%", "%u"))


def remove_extensions(state: FunctionState) -> None:
    """Remove extensions, masks and remainders that leave every value as it is."""
    if state.function.stage == "ssa":
        _Removal(state).run()


class _Removal:
    """Looks at every RTL once; `shifted` are the registers that hold another one shifted left by a constant."""

    def __init__(self, state: FunctionState) -> None:
        self.state = state
        self.ranges: ValueRanges = state.get(VALUE_RANGES)
        self.shifted: dict[Expr, Op] = {}

    def run(self) -> None:
        blocks = self.state.function.blocks
        for number in self.ranges.order:
            for rtl in list(blocks[number].rtls):
                single = rtl.single_set
                if single is not None and type(single.source) is Op and type(single.target) is Register:
                    self._improve(blocks[number], number, rtl, single.target, single.source)

    def _improve(self, block: Block, number: int, rtl: Rtl, target: Register, source: Op) -> None:
        if source.op == "<<":
            self.shifted[target] = source
        if target.type not in FULL_TYPES or not target.pseudo or does_more_than_set(rtl.effects[0]):
            return
        low, high = self.ranges.ranges.get(target, (0, 1))
        if low == high and self.state.replace(block, rtl, (Set(target, Const(low)),)):
            return
        if source.op in REMOVABLE:
            same = self._unchanged(source, number)
            usable = type(same) is Op or (type(same) is Register and same.pseudo)
            if same is not None and usable and same.type == target.type:
                self.state.replace(block, rtl, (Set(target, same),))

    def _unchanged(self, source: Op, number: int) -> Expr | None:
        """Return the operand that an operation leaves as it is, if there is one."""
        value = source.args[0]
        if source.op in ("sx", "zx"):
            inner = value.args[0] if type(value) is Op and value.op == "tr" else None
            return inner if inner is not None and self._fits(inner, number, BITS[value.type], source.op == "zx") else None
        by = self._constant(source.args[1], number)
        if by is None:
            return None
        if source.op in (">>", ">>u"):
            return self._unshifted(source, by, number) if type(source.args[1]) is Const else None
        low, high = self.ranges.of(value, number, source.type)
        if source.op == "&":
            return value if low >= 0 and not ~by & ((1 << high.bit_length()) - 1) else None
        return value if low >= 0 and high < by else None

    def _constant(self, operand: Expr, number: int) -> int | None:
        """Return the number that an operand always is, if it is one."""
        if type(operand) is Const:
            return operand.value
        low, high = self.ranges.at(operand, number) if type(operand) is Register and operand.type in FULL_TYPES else (0, 1)
        return low if low == high else None

    def _unshifted(self, source: Op, count: int, number: int) -> Expr | None:
        """Return what was shifted to the left and back, if no bits were lost."""
        left = self.shifted.get(self.ranges.original(source.args[0]))
        if left is None or left.args[1] is not source.args[1]:
            return None
        bits = BITS[source.type] - count
        return left.args[0] if self._fits(left.args[0], number, bits, source.op == ">>u") else None

    def _fits(self, value: Expr, number: int, bits: int, unsigned: bool) -> bool:
        if type(value) is Register and value.type in FULL_TYPES:
            low, high = self.ranges.at(value, number)
        elif type(value) is Op and value.op in WRAPPING and value.type in FULL_TYPES and not value.memory:
            low, high = self.ranges.of(value, number, value.type)
        else:
            return False
        if unsigned:
            return low >= 0 and high < 1 << bits
        size = 1 << (bits - 1)
        return -size <= low and high < size
