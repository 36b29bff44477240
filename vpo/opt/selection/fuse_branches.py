"""Compares and branches as other instructions: one that steps, compares and branches, or a pair that the machine has."""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import binary, is_step, rebuild, reverse, unary, wrap
from vpo.analysis.cfg import end_of
from vpo.analysis.dominators import Loop
from vpo.analysis.liveness import Liveness, access, has_side_effect
from vpo.machines.machine import Machine
from vpo.opt.state import CFG, LIVENESS, LOOPS, FunctionState, merged
from vpo.rtl import BITS, CODE_TYPES, RELATIONS, SWAPPED, Branch, Const, Effect, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Block

# ----------------------------------------------------------------------------------------------------------------------
# Counting branches: a step, the comparison of what has stepped and the branch on its outcome as one instruction.
#
#     r[1]=r[1]+1;
#     cc=r[1]?r[2];         =>      r[1]=r[1]+1; PC=(r[1]+1)<r[2],L5;
#     PC=cc<0,L5;
#
# The branch may make the comparison itself, and instead of a step there may be anything that is computed of registers.


def fuse_branches(state: FunctionState) -> None:
    """Fuse what is computed, mostly a step, the comparison of its result and the branch on it into one instruction."""
    if not state.machine.capabilities.fused_branches:
        return
    liveness = state.get(LIVENESS)
    for index, block in enumerate(state.function.blocks):
        if len(block.rtls) > 1:
            _Counter(block, index, liveness, state).join()
    for loop in state.get(LOOPS):
        _count_apart(state, loop)


class _Counter:
    """Looks at the end of one block."""

    def __init__(self, block: Block, index: int, liveness: Liveness, state: FunctionState) -> None:
        self.block, self.state = block, state
        self.rtls, self.machine, self.numbering = block.rtls, state.machine, liveness.numbering
        self.accesses = liveness.accesses[index]
        self.live_out = liveness.live_out[index]

    def join(self) -> bool:
        """Join the branch at the end with its comparison and a step, if that is possible."""
        branch = self.rtls[-1].effects[0]
        if type(branch) is not Branch or len(self.rtls[-1].effects) != 1:
            return False
        found = self._comparison(branch)
        if found is None:
            return False
        place, compare = found
        return any(self._try(register, place, compare, branch) for register in sorted(compare.uses, key=repr))

    def countdown(self) -> tuple[Register, int, int] | None:
        """Return the register that the block counts down by 1 and goes on until it is 0, and where it steps and compares."""
        branch = self.rtls[-1].effects[0] if self.rtls and len(self.rtls[-1].effects) == 1 else None
        found = self._comparison(branch) if type(branch) is Branch else None
        if found is None or found[1].op != "!=":
            return None
        place, compare = found
        register, zero = compare.args
        first = self._setter(register, place) if type(register) is Register else None
        step = self.rtls[first].single_set if first is not None else None
        if first is None or step is None or not is_zero(zero, self.machine):
            return None
        counts = is_step(step) and step.target is register and step.source.args[1] is Const(-1)  # type: ignore[union-attr]
        return (register, first, place) if counts else None  # type: ignore[return-value]

    def _comparison(self, branch: Branch) -> tuple[int, Op] | None:
        """Find the comparison on which the branch depends: where it stands, which may be the branch, and the relation."""
        last, relation = len(self.rtls) - 1, branch.condition
        code, zero = relation.args
        if type(code) is not Register or code.type not in CODE_TYPES:
            return self._truth(code, relation) or (last, relation)
        if code.type != "C" or zero is not Const(0):
            return None
        place = self._only_for_branch(code)
        compare = self.rtls[place].single_set if place is not None else None
        if place is None or compare is None or type(compare.source) is not Op or compare.source.op != "?":
            return None
        return place, Op(relation.op, "", *compare.source.args)

    def _truth(self, register: Expr, test: Op) -> tuple[int, Op] | None:
        """Return the relation whose truth a register holds that the branch tests, and where it is set only for that."""
        if type(register) is not Register or test.op not in ("==", "!=") or not is_zero(test.args[1], self.machine):
            return None
        place = self._only_for_branch(register)
        compare = self.rtls[place].single_set if place is not None else None
        if place is None or compare is None or type(compare.source) is not Op or compare.source.op not in RELATIONS:
            return None
        relation = Op(compare.source.op, "", *compare.source.args)
        return place, relation if test.op == "!=" else reverse(relation)

    def _only_for_branch(self, register: Register) -> int | None:
        """Return the RTL that sets a register which nobody but the branch wants."""
        bit, last = self.numbering.mask((register,)), len(self.rtls) - 1
        place = None if bit & self.live_out else self._setter(register, last)
        wanted = place is not None and any(entry.uses & bit for entry in self.accesses[place + 1 : last])
        return None if wanted else place

    def _setter(self, register: Register, before: int) -> int | None:
        """Return the last RTL before a place that changes a register."""
        bit = self.numbering.mask((register,))
        changing = (k for k in range(before - 1, -1, -1) if (self.accesses[k].sets | self.accesses[k].clobbers) & bit)
        return next(changing, None)

    def _try(self, register: Register, place: int, compare: Op, branch: Branch) -> bool:
        first = self._setter(register, place)
        step = self.rtls[first].single_set if first is not None else None
        if first is None or step is None or step.target is not register or type(step.source) is not Op or step.memory:
            return False
        if not self._can_wait(step, first, place, compare):
            return False
        effects = stepping_branch(self.machine, step, compare, branch.label)
        return bool(effects) and self._install(effects, first, place)

    def _can_wait(self, step: Set, first: int, place: int, compare: Op) -> bool:
        """Whether the step and the comparison may be executed at the end of the block."""
        bit, read = self.accesses[first].sets, self.numbering.mask(compare.uses)
        operands = self.accesses[first].uses & ~bit
        for k in range(first + 1, len(self.rtls) - 1):
            entry = self.accesses[k]
            if (entry.sets | entry.clobbers) & operands:
                return False
            if k == place:
                continue
            if (entry.uses | entry.sets | entry.clobbers) & bit:
                return False
            if k > place and ((entry.sets | entry.clobbers) & read or (compare.memory and has_side_effect(self.rtls[k]))):
                return False
        return True

    def _install(self, effects: tuple[Effect, ...], first: int, place: int) -> bool:
        joined = dict.fromkeys((self.rtls[-1], self.rtls[first], self.rtls[place]))  # the comparison may be in the branch
        new = merged(effects, *joined)
        if access(new, self.numbering).clobbers & self.live_out:
            return False
        return self.state.change({self.block: [*(rtl for rtl in self.rtls if rtl not in joined), new]})


def is_zero(node: Expr, machine: Machine) -> bool:
    """Whether an operand is 0, or a register that always is."""
    return node is Const(0) or node in machine.zero


# ----------------------------------------------------------------------------------------------------------------------
# Loops that count in a register of their own, which an instruction steps, compares and branches on.
#
#     L4: ...                          c[0]=r[8];
#         r[8]=r[8]+-1;                L4: ...
#         PC=r[8]!=0,L4;       =>      c[0]=c[0]+-1; PC=c[0]!=1,L4;
#
# Or in the same one, from 1 less, if the instruction goes on until it is -1.


def _count_apart(state: FunctionState, loop: Loop) -> None:
    """Let a loop that only counts down in a register do so in another one, if only that can be counted and branched on."""
    cfg, blocks = state.get(CFG), state.function.blocks
    outside = [number for number in cfg.predecessors[loop.header] if number not in loop.blocks]
    inside = [number for number in cfg.predecessors[loop.header] if number in loop.blocks]
    if len(outside) != 1 or len(inside) != 1:
        return
    liveness, latch, before = state.get(LIVENESS), blocks[inside[0]], blocks[outside[0]]
    found = _Counter(latch, inside[0], liveness, state).countdown()
    if found is None or not _only_counts(state, loop, *found, inside[0]):
        return
    register, *places = found
    step, branch = latch.rtls[places[0]], latch.rtls[-1]
    old = dict.fromkeys((branch, *(latch.rtls[place] for place in places)))
    for counter in _free_registers(state, loop, register, outside[0]):
        effects = counting(state.machine, counter, branch.effects[0].label)  # type: ignore[union-attr]
        move = Rtl((Set(counter, register),), step.lines, step.cause)
        if effects and state.machine.is_legal(move.effects):
            end = end_of(before)
            contents = [*(rtl for rtl in latch.rtls if rtl not in old), merged(effects, *old)]
            state.change({latch: contents, before: [*before.rtls[:end], move, *before.rtls[end:]]})
            return
    effects = counting(state.machine, register, branch.effects[0].label, -1)  # type: ignore[union-attr]
    if effects and len(cfg.successors[outside[0]]) == 1:
        contents = [*(rtl for rtl in latch.rtls if rtl not in old), merged(effects, *old)]
        state.change({latch: contents, before: _one_less(state.machine, before, register, step)})


def _one_less(machine: Machine, block: Block, register: Register, step: Rtl) -> list[Rtl]:
    """Return what a block does, and that a register is 1 less at its end."""
    rtls, end = list(block.rtls), end_of(block)
    last = next((place for place in reversed(range(end)) if register in rtls[place].sets), None)
    effect = rtls[last].single_set if last is not None else None
    if last is not None and effect is not None and not any(register in rtl.uses for rtl in rtls[last + 1 :]):
        less = (Set(register, binary("+", effect.source, Const(-1))),)
        if not effect.memory and machine.is_legal(less) and not machine.clobbers(less):
            rtls[last] = Rtl(less, rtls[last].lines, rtls[last].cause)
            return rtls
    return [*rtls[:end], Rtl((Set(register, binary("+", register, Const(-1))),), step.lines, step.cause), *rtls[end:]]


def _only_counts(state: FunctionState, loop: Loop, register: Register, step: int, compare: int, latch: int) -> bool:
    """Whether nobody but a step and a comparison of it wants a register in a loop, and nobody behind the loop."""
    liveness = state.get(LIVENESS)
    bit = liveness.numbering.mask((register,))
    for number in loop.blocks:
        for place, entry in enumerate(liveness.accesses[number]):
            if (entry.uses | entry.sets | entry.clobbers) & bit and (number != latch or place not in (step, compare)):
                return False
    return not any(liveness.live_in[number] & bit for number in _exits(state, loop))


def _exits(state: FunctionState, loop: Loop) -> list[int]:
    """Return the blocks to which a loop leads."""
    successors = state.get(CFG).successors
    return [after for number in loop.blocks for after in successors[number] if after not in loop.blocks]


def _free_registers(state: FunctionState, loop: Loop, like: Register, before: int) -> Iterator[Register]:
    """Yield registers of a type that nobody wants in a loop, nor at the end of the block before it."""
    liveness, machine = state.get(LIVENESS), state.machine
    numbering = liveness.numbering
    taken = liveness.live_in[loop.header] | liveness.live_out[before]
    for number in loop.blocks:
        for entry in liveness.accesses[number]:
            taken |= entry.uses | entry.sets | entry.clobbers
    for number in _exits(state, loop):
        taken |= liveness.live_in[number]
    for cls in machine.classes.values():
        for register in machine.allocable_in(cls.name) if cls.type == like.type else ():
            bits = numbering.mask((register,))
            if bits & numbering.scratch == bits and not bits & taken:
                yield register


def counting(machine: Machine, register: Register, label: str, last: int = 0, narrow: str = "") -> tuple[Effect, ...]:
    """Return the instruction that counts down in a register and branches if it is not 0, or -1; none if there is none.

    `narrow` is how it extends the low half of the register, in which it counts, if it does.
    """
    step, relation = Set(register, one_less(register, narrow)), Op("!=", "", register, Const(last))
    found = stepping_branch(machine, step, relation, label)
    return found if found and not machine.clobbers(found) else ()


def one_less(register: Register, narrow: str = "") -> Expr:
    """Return what is 1 less than a register, in all its bits or in its low half, which is extended."""
    less = binary("+", register, Const(-1))
    return unary(narrow, register.type, unary("tr", HALF[register.type], less)) if narrow else less


def stepping_branch(machine: Machine, step: Set, relation: Op, label: str) -> tuple[Effect, ...]:
    """Return the instruction that steps a register and branches by a relation that it then has; none if there is none."""
    source = step.source
    left, right = (rebuild(arg, lambda node: source if node is step.target else None) for arg in relation.args)
    for condition in (*_equivalents(relation.op, left, right), binary(SWAPPED[relation.op], right, left)):
        effects = (step, Branch(condition, label)) if type(condition) is Op else ()
        if effects and machine.is_legal(effects):
            return effects
    return ()


HALF = {"Q": "L"}  # types of registers in whose low half programs count


def _equivalents(relation: str, left: Expr, right: Expr) -> list[Expr]:
    """Return a relation as it is and, where what is compared is a sum, with the old value: (a+1)!=5 is a!=4.

    So it is of an extended sum, which is equal to a number if its low bits are.
    """
    found = [binary(relation, left, right)]
    match left, right:
        case (
            Op(op="sx" | "zx" as op, args=(Op(op="tr", type=part, args=(Op(op="+", args=(old, Const(value=by))),)) as low,)),
            Const(value=value),
        ) if relation in ("==", "!="):
            number = wrap(value, BITS[part])
            if number == value or (op == "zx" and 0 <= value < 1 << BITS[part]):
                before = unary("tr", part, old), Const(wrap(number - by, BITS[part]))
                return [*found, binary(relation, low, Const(number)), binary(relation, *before)]
    if relation in ("==", "!=") and type(left) is Op and left.op == "+" and type(right) is type(left.args[1]) is Const:
        found.append(binary(relation, left.args[0], binary("-", right, left.args[1], left.type)))
    return found


# ----------------------------------------------------------------------------------------------------------------------
# Deciding in another way: a compare and its branch that a machine lacks, as a compare and a branch that it has.
#
# cc=L[r[1]]?r[2];  PC=cc<0,L5;       =>   cc=r[2]?L[r[1]];  PC=cc>0,L5;            (operands exchanged)
# cc=zxL(B[r[1]])?47;  PC=cc<0,L5;    =>   cc=B[r[1]]?47;    PC=cc<u0,L5;           (compared in fewer bits)
# cc=(r[1]&8)?0;  PC=cc!=0,L5;        =>   zc=(r[1]&8)?0;    PC=zc!=0,L5;           (another condition code)


UNSIGNED = {"<": "<u", "<=": "<=u", ">": ">u", ">=": ">=u"}


def recast(machine: Machine, compare: Set, branch: Branch, beside: tuple[Effect, ...] = ()) -> tuple[Set, Branch] | None:
    """Return a compare, legal simultaneously with `beside`, and a branch that decide as an illegal pair would."""
    source = compare.source
    if type(source) is not Op or source.op != "?" or branch.condition.args[1] is not Const(0):
        return None
    codes = [Register(c.name, 0, c.type) for c in machine.classes.values() if c.type == compare.target.type]
    for left, right, relation in _variants(source.args[0], source.args[1], branch.condition.op):
        for code in codes:
            new, decision = Set(code, binary("?", left, right)), Branch(Op(relation, "", code, Const(0)), branch.label)
            if machine.is_legal((*beside, new)) and machine.is_legal((decision,)):
                return new, decision
    return None


def _variants(left: Expr, right: Expr, relation: str) -> Iterator[tuple[Expr, Expr, str]]:
    """Yield operands and relation in every equivalent way."""
    yield left, right, relation
    yield right, left, SWAPPED[relation]
    narrow = _narrowed(left, right)
    if narrow is not None:
        relation = UNSIGNED.get(relation, relation)
        yield narrow[0], narrow[1], relation
        yield narrow[1], narrow[0], SWAPPED[relation]


def _narrowed(left: Expr, right: Expr) -> tuple[Expr, Expr] | None:
    """Return the operands without their zero extension, if both are values of so few bits."""
    if type(left) is not Op or left.op != "zx":
        return None
    inner = left.args[0]
    if type(right) is Op and right.op == "zx" and right.args[0].type == inner.type:
        return inner, right.args[0]
    if type(right) is Const and 0 <= right.value < 1 << BITS[inner.type]:
        return inner, right
    return None
