"""Forms of instructions that a description need not list, since an instruction does the same with certain operands.

Adding 0 is a move, a branch if a register equals itself is a jump, an indirect jump to the link register is a return, a move
of a register to itself is a no-operation, the comparison of `r | 0` with 0 is that of r.  Where a machine has no other move,
jump, return, no-operation or comparison, such an instruction becomes one, with its own name, size and latency.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from vpo.algebra import binary, unary
from vpo.machines.pattern import Alternative
from vpo.machines.recognizer import Recognizer
from vpo.machines.record import fill
from vpo.rtl import Branch, Const, Effect, IndirectJump, Jump, Op, Register, Return, Set
from vpo.text import RegisterVariable, Variable, show_effects

NEUTRAL = {"+": 0, "-": 0, "|": 0, "^": 0, "<<": 0, ">>": 0, ">>u": 0, "*": 1, "&": -1}  # as the operand on the right
IDEMPOTENT = ("&", "|")
REFLEXIVE = ("==", "<=", ">=", "<=u", ">=u")
Fixed = dict[str, Register | Const]  # what variables stand for in an implied form
Find = Callable[[Alternative], Iterator[Alternative]]


def implied_forms(
    recognizer: Recognizer, moved: set[str], zero: frozenset[Register], any_register: Register, returns: tuple[Effect, ...]
) -> list[Alternative]:
    """Return what a machine lacks of moves in the classes `moved`, a jump, the convention's return, one form of each.

    Where instructions have slots, so it does of a no-operation; and so of comparisons with 0, if there is none.

    `zero` are the registers that hold 0, `any_register` is one that may be compared with itself.
    """
    implied = _Implied(recognizer, zero)
    wanted: list[tuple[tuple[Effect, ...], Find]] = [
        *(((Set(*implied.two_of(name)),), partial(implied.moves, name)) for name in sorted(moved)),
        *((implied.complement_of(name), partial(implied.complements, name)) for name in sorted(moved)),
        ((Jump("L0"),), partial(implied.jumps, any_register)),
        (returns, partial(implied.returns, returns)),
    ]
    if any(form.slots or form.load_slots or form.hold_slots for form in recognizer.alternatives):
        wanted.append(((), partial(implied.idle, any_register)))
    tests = dict.fromkeys(code for alternative in recognizer.alternatives for code in _tested(alternative))
    name = any_register.cls
    if all(recognizer.match(implied.test_of(code, name)) is None for code in tests):
        wanted += [(implied.test_of(code, name), partial(implied.tests, code, name)) for code in tests]
    result: list[Alternative] = []
    for effects, find in wanted:
        if recognizer.match(effects) is None:
            found = [form for alternative in recognizer.alternatives if _is_plain(alternative) for form in find(alternative)]
            result += sorted(found, key=lambda form: (form.latency, form.size))[:1]
    return [replace(form, order=len(recognizer.alternatives) + n) for n, form in enumerate(result)]


def _is_plain(alternative: Alternative) -> bool:
    """Whether an alternative does one thing on no condition."""
    special = alternative.repeated or alternative.condition or alternative.pseudo or alternative.into
    return len(alternative.effects) == 1 and not special and not (alternative.clobbers and not list(_tested(alternative)))


def _tested(alternative: Alternative) -> Iterator[Register]:
    """Yield the condition code that tells how the outcome of an operation compares with 0, if that is all there is."""
    match alternative.effects:
        case (Set(target=Register() as code, source=Op(op="?", args=(Op(args=(_, _)), Const(value=0)))),):
            yield code


class _Implied:
    def __init__(self, recognizer: Recognizer, zero: frozenset[Register]) -> None:
        self.recognizer, self.zero = recognizer, zero

    def two_of(self, name: str) -> tuple[Register, Register]:
        """Return two pseudo-registers of a class."""
        type_ = self.recognizer.classes[name].type
        return Register(name, -1, type_, True), Register(name, -2, type_, True)

    def moves(self, name: str, alternative: Alternative) -> Iterator[Alternative]:
        """Yield the moves within a class that an operation is with a neutral operand, or with the same operand twice."""
        match alternative.effects[0]:
            case Set(target=RegisterVariable() as target, source=Op(op=op, args=(RegisterVariable() as a, b))):
                if not (target.cls == a.cls == name and target.name != a.name):
                    return
                move = (Set(target, a),)
                for neutral in self._neutral(op, name):
                    if fixed := self._fixed(alternative, neutral, b):
                        yield self._form(alternative, move, fixed)
                if op in IDEMPOTENT and isinstance(b, RegisterVariable) and b.cls == name and b.name != target.name:
                    yield self._with_one(alternative, move, a, b)

    def complement_of(self, name: str) -> tuple[Effect, ...]:
        """Return what sets a pseudo-register of a class to the complement of another."""
        target, source = self.two_of(name)
        return (Set(target, unary("not", source.type, source)),)

    def complements(self, name: str, alternative: Alternative) -> Iterator[Alternative]:
        """Yield the complement that a nand or nor is if its operands are the same register."""
        match alternative.effects[0]:
            case Set(target=RegisterVariable() as target, source=Op(op="not", args=(Op(op=op, args=(a, b)),)) as source):
                if op in IDEMPOTENT and all(isinstance(v, RegisterVariable) and v.cls == name for v in (target, a, b)):
                    yield self._with_one(alternative, (Set(target, Op("not", source.type, a)),), a, b)

    def test_of(self, code: Register, name: str) -> tuple[Effect, ...]:
        """Return what compares a pseudo-register of a class with 0."""
        return (Set(code, binary("?", self.two_of(name)[0], Const(0))),)

    def tests(self, code: Register, name: str, alternative: Alternative) -> Iterator[Alternative]:
        """Yield the comparison with 0 that one of an operation's outcome is with a neutral operand, or the same twice."""
        match alternative.effects[0]:
            case Set(target=target, source=Op(op="?", args=(Op(op=op, args=(RegisterVariable() as a, b)), Const()))):
                if target is not code or a.cls != name:
                    return
                test = (Set(target, binary("?", a, Const(0))),)
                for neutral in self._neutral(op, name):
                    if fixed := self._fixed(alternative, neutral, b):
                        yield self._form(alternative, test, fixed)
                if op in IDEMPOTENT and isinstance(b, RegisterVariable) and b.cls == name:
                    yield self._with_one(alternative, test, a, b)

    def idle(self, register: Register, alternative: Alternative) -> Iterator[Alternative]:
        """Yield the no-operation that a move of a register to itself is, or that an operation with a neutral operand is."""
        match alternative.effects[0]:
            case Set(target=RegisterVariable() as target, source=(RegisterVariable() | Variable()) as a):
                if target.name != a.name and (fixed := self._fixed(alternative, register, target, a)):
                    yield self._form(alternative, (), fixed)
            case Set(target=RegisterVariable() as target, source=Op(op=op, args=(RegisterVariable() as a, b))):
                same = self._fixed(alternative, register, target, a)
                for neutral in self._neutral(op, register.cls) if same else ():
                    if fixed := self._fixed(alternative, neutral, b):
                        yield self._form(alternative, (), {**(same or {}), **fixed})

    def _neutral(self, op: str, name: str) -> list[Register | Const]:
        """Return what leaves the other operand of an operation as it is."""
        if op not in NEUTRAL:
            return []
        zeros = [register for register in self.zero if register.cls == name] if NEUTRAL[op] == 0 else []
        return [Const(NEUTRAL[op]), *zeros]

    def jumps(self, register: Register, alternative: Alternative) -> Iterator[Alternative]:
        """Yield the jump that a branch is if it compares a register with itself, or one that holds 0 with 0."""
        match alternative.effects[0]:
            case Branch(condition=Op(op=op, args=(a, b)), label=label) if op in REFLEXIVE:
                if fixed := self._fixed(alternative, register, a, b):
                    yield self._form(alternative, (Jump(label),), fixed)
                for zero in sorted(self.zero, key=repr) if b is Const(0) else ():
                    if fixed := self._fixed(alternative, zero, a):
                        yield self._form(alternative, (Jump(label),), fixed)

    def returns(self, wanted: tuple[Effect, ...], alternative: Alternative) -> Iterator[Alternative]:
        """Yield the return that an indirect jump is if it goes where the convention's return does."""
        match wanted, alternative.effects[0]:
            case (Return(target=Register() as link),), IndirectJump(target=target):
                if fixed := self._fixed(alternative, link, target):
                    yield self._form(alternative, wanted, fixed)

    def _fixed(self, alternative: Alternative, node: Register | Const, *patterns: Any) -> Fixed | None:
        """Return variables of an alternative as standing for a register or constant, None if one of them may not."""
        fits = all(self._takes(alternative, node, pattern) for pattern in patterns)
        return {pattern.name: node for pattern in patterns} if fits else None

    def _takes(self, alternative: Alternative, node: Register | Const, pattern: Any) -> bool:
        if isinstance(pattern, RegisterVariable):
            return isinstance(node, Register) and node.cls == pattern.cls
        operands, operand = alternative.operands, self.recognizer.operand
        return isinstance(pattern, Variable) and operand(operands[pattern.name], node) is not None

    def _with_one(
        self, alternative: Alternative, effects: tuple[Effect, ...], a: RegisterVariable, b: RegisterVariable
    ) -> Alternative:
        """Return an alternative with other effects, in whose assembly the second of two operands is the first."""
        return replace(self._form(alternative, effects, {}), asm=fill(alternative.asm, {b.name: f"${a.name}"}))

    def _form(self, alternative: Alternative, effects: tuple[Effect, ...], fixed: Fixed) -> Alternative:
        """Return an alternative with other effects, in whose assembly and size variables are fixed."""
        texts, size = {}, alternative.size
        for name, node in fixed.items():
            operand = self.recognizer.operand(alternative.operands[name], node) if name in alternative.operands else None
            texts[name] = operand.text if operand else self.recognizer.text(node)
            size += operand.size if operand else 0
        return replace(
            alternative, effects=effects, asm=fill(alternative.asm, texts), size=size, text=show_effects(effects),
            operands={name: operand for name, operand in alternative.operands.items() if name not in fixed},
            fields={name: mode for name, mode in alternative.fields.items() if name not in fixed},
        )  # fmt: skip
