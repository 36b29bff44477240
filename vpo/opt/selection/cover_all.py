"""All that is selected by what instructions compute, one after the other: values, branches and addresses, cells, two results.

Each of these builds on the one before, and most machines need the first two only.  Then floating operations in the place of
an operand, which `combine` cannot put together.
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import rebuild, unary
from vpo.algebra.equivalents import equivalents
from vpo.opt.selection.choosing_regions import merge_followers
from vpo.opt.selection.cover import Cover, Uses
from vpo.opt.selection.covering import literal
from vpo.opt.state import LIVENESS, FunctionState, merged
from vpo.rtl import BITS, CODE_TYPES, FLOAT_TYPES, Const, Effect, Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Phi


def cover_values(state: FunctionState) -> None:
    """Let one instruction compute what several do, by what they mean."""
    if state.function.stage != "ssa":
        return
    values, *uses, cells, _ = state.machine.sought
    if cells.exist or state.machine.doubles:
        merge_followers(state, ())  # what is looked for there stands in one block, as the rounds of an unrolled loop may
    Cover(state, values).run()
    if uses[0].exist:
        from vpo.opt.selection.cover_branches import cover_branches  # machines with such branches only

        cover_branches(state)
    if any(each.exist for each in uses):
        Uses(state, values).run()
    if cells.exist:
        from vpo.opt.selection.cover_cells import cover_cells  # hardly any machine needs it

        cover_cells(state)
    if state.machine.doubles:
        from vpo.opt.selection.choose_pairs import choose_pairs  # likewise

        choose_pairs(state)
        from vpo.opt.selection.cover_doubles import cover_doubles  # and with this

        cover_doubles(state)
    _InPlace(state).run()


# ----------------------------------------------------------------------------------------------------------------------
# Floating operations of which one instruction does two, and puts the result in the place of an operand.
#
#     f[t2.1]=f[t1];                              f[t5.1]=f[t1];
#     f[t2.2]=f[t2.1]-f[t3];          =>          f[t5.2]=abs(f[t5.1]-f[t3]);
#     f[t4]=abs(f[t2.2]);                         f[t4]=f[t5.2];
#
# With three addresses, `combine` finds it, unless an absolute value is spelled out: all bits but that of the sign.


class _InPlace:
    """The work on one function."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.machine = state, state.machine
        self.users: dict[Register, list[Rtl | Phi]] = {}
        self.made: dict[Register, Rtl] = {}  # by the floating registers that RTLs of the block compute
        self.numbers: dict[Register, int] = {}  # that registers hold
        self.masks: set[Register] = set()  # that hold all bits but that of the sign

    def run(self) -> None:
        """Look at all blocks."""
        blocks = [block for block in self.state.function.blocks if any(map(_computed, block.rtls))]
        if not blocks:
            return
        for block in self.state.function.blocks:
            for phi in block.phis:
                for register in phi.sources.values():
                    self.users.setdefault(register, []).append(phi)
            for rtl in block.rtls:
                for register in rtl.uses:
                    self.users.setdefault(register, []).append(rtl)
                if (effect := rtl.single_set) is not None and type(effect.target) is Register and effect.target.pseudo:
                    if type(source := literal(effect.source)) is Const:
                        self.numbers[effect.target] = source.value
                    elif self._is_mask(source):
                        self.masks.add(effect.target)
        for block in blocks:
            self.made.clear()
            for rtl in list(block.rtls):
                effect = _computed(rtl)
                if effect is None:
                    continue
                self.made[effect.target] = rtl  # type: ignore[index]
                if type(effect.source) is Op:
                    self._join(block, rtl, effect)

    def _is_mask(self, source: Expr) -> bool:
        """Whether a floating expression has all bits but that of the sign."""
        if type(source) is Register:
            return source in self.masks
        if type(source) is not Op or source.op != "bits" or source.type not in FLOAT_TYPES:
            return False
        number, bits = source.args[0], BITS[source.type]
        if type(number) is Op and number.op == "tr":
            number = number.args[0]
        value = number.value if type(number) is Const else self.numbers.get(number) if type(number) is Register else None
        return value is not None and value & (1 << bits) - 1 == (1 << bits - 1) - 1

    def _meant(self, source: Expr) -> Expr:
        """Return the absolute value that an operation on bits computes; other expressions as they are."""
        match source:
            case Op(op="bits", args=(Op(op="&", args=(Op(op="bits", args=(one,)), Op(op="bits", args=(other,)))),)):
                for value, mask in ((one, other), (other, one)):
                    if type(value) is Register and value.type == source.type and mask in self.masks:
                        return unary("abs", value.type, value)
        return source

    def _join(self, block: Block, rtl: Rtl, effect: Set) -> None:
        """Let one instruction do what an RTL does and the one that computes an operand of it."""
        source = self._meant(effect.source)
        for operand in source.uses:
            gone, inner = self._origin(operand, [])
            if not gone or type(inner) is not Op:
                continue
            leaves = {leaf: self._copied(leaf, gone) for leaf in (*inner.uses, *source.uses) if leaf is not operand}
            put = {**leaves, operand: rebuild(inner, leaves.get)}  # type: ignore[arg-type]
            whole = rebuild(source, put.get)  # type: ignore[arg-type]
            for way in self._ways(effect, whole, {*gone, rtl}, source is not effect.source):
                if self._is_good(way[len(way) // 2], block, rtl, gone):
                    new = [merged(effects, rtl, *gone) for effects in way]
                    contents = [each for old in block.rtls if old not in gone for each in (new if old is rtl else (old,))]
                    if self.state.change({block: contents}):
                        self._renew(rtl, new, gone)
                        return

    def _origin(self, register: Register, gone: list[Rtl]) -> tuple[list[Rtl], Expr]:
        """Return the RTLs that compute a register and what nobody else wants, and what it is by them, through copies."""
        rtl = self.made.get(register)
        effect = _computed(rtl) if rtl is not None else None
        if rtl is None or effect is None or len(self.users.get(register, ())) != 1:
            return [], register
        if type(effect.source) is Register:
            return self._origin(effect.source, [*gone, rtl])
        return [*gone, rtl], effect.source

    def _copied(self, register: Register, gone: list[Rtl]) -> Register:
        """Return what a register is a copy of, if nobody else wants the copy, which is gone then."""
        rtl = self.made.get(register)
        effect = _computed(rtl) if rtl is not None else None
        if rtl is None or effect is None or type(effect.source) is not Register or len(self.users[register]) != 1:
            return register
        gone.append(rtl)
        return self._copied(effect.source, gone)

    def _ways(self, effect: Set, whole: Expr, gone: set[Rtl], spelled: bool) -> Iterator[list[tuple[Effect, ...]]]:
        """Yield a copy of an operand that nobody else wants, an instruction in the place of it, and a copy of the result.

        One that has another place for its result is told only if what is meant was spelled out.
        """
        target = effect.target
        if self.machine.is_legal((Set(target, whole),)):
            if spelled:
                yield [(Set(target, whole),)]
            return
        number = 0
        for expression in equivalents(whole):
            for operand in expression.uses:
                if (operand.cls, operand.type) != (target.cls, target.type):  # type: ignore[union-attr]
                    continue
                if any(isinstance(user, Rtl) and user not in gone for user in self.users.get(operand, ())):
                    continue
                number = number or self.state.function.pseudo(operand.cls, operand.type).index
                before, after = (Register(operand.cls, number, operand.type, True, version) for version in (1, 2))
                changed = rebuild(expression, {operand: before}.get)  # type: ignore[arg-type]
                way: list[tuple[Effect, ...]] = [(Set(before, operand),), (Set(after, changed),), (Set(target, after),)]
                if all(map(self.machine.is_legal, way)):
                    yield way

    def _is_good(self, effects: tuple[Effect, ...], block: Block, rtl: Rtl, gone: list[Rtl]) -> bool:
        """Whether an instruction takes no longer than what it stands for, and changes nothing that is wanted."""
        latency = self.machine.latency
        if latency(effects) > latency(rtl.effects) + sum(latency(each.effects) for each in gone):
            return False
        left = {*self.machine.may_clobber(effects)} - {*self.machine.clobbers(rtl.effects)}
        for each in block.rtls[block.rtls.index(rtl) + 1 :] if left else ():
            if not left.isdisjoint(each.uses):
                return False
            left.difference_update(each.sets)
            if each.call is not None:
                return all(register.type in CODE_TYPES for register in left)
        liveness = self.state.get(LIVENESS)
        number = self.state.function.blocks.index(block)
        codes = all(register.type in CODE_TYPES for register in left)
        return codes and not (left and liveness.numbering.mask(tuple(left)) & liveness.live_out[number])

    def _renew(self, old: Rtl, new: list[Rtl], gone: list[Rtl]) -> None:
        """Take down who uses what, and what computes what."""
        for rtl in (old, *gone):
            for register in rtl.uses:
                self.users[register] = [user for user in self.users[register] if user is not rtl]
        for rtl in new:
            for register in rtl.uses:
                self.users.setdefault(register, []).append(rtl)
            for register in rtl.sets:
                self.made[register] = rtl


def _computed(rtl: Rtl) -> Set | None:
    """Return the effect of an RTL that only computes a floating pseudo-register of registers, or copies one."""
    effect = rtl.single_set
    if effect is None or type(effect.target) is not Register or effect.target.type not in FLOAT_TYPES:
        return None
    target = effect.target
    is_plain = target.pseudo and not effect.acts and not effect.memory and all(r.pseudo for r in effect.uses)
    return effect if is_plain and isinstance(effect.source, Op | Register) else None
