"""Build expressions and effects in canonical form, and put expressions in the places of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeGuard

from vpo.algebra.folding import extended, fold, of_bits, wrap
from vpo.rtl import (
    BITS,
    COMMUTATIVE,
    COUNTS,
    FLOAT_TYPES,
    HIGH_PRODUCTS,
    NAMED,
    RELATIONS,
    REVERSALS,
    REVERSED,
    SHIFTS,
    SWAPPED,
    UNORDERED_REVERSED,
    Branch,
    By,
    Call,
    Cell,
    Const,
    Delay,
    Effect,
    Expr,
    Half,
    IndirectJump,
    Jump,
    Mem,
    Op,
    Register,
    Return,
    Set,
    Slot,
    Symbol,
    Variable,
)

# ----------------------------------------------------------------------------------------------------------------------
# Build expressions and effects in canonical form.


CONSTANTS = (Const, Symbol, Slot, Half)
# operators whose result on numbers depends on how many bits these have
UNTYPED = SHIFTS | NAMED | COUNTS | REVERSALS | {"/u", "%u"}
INTEGER_OF = {BITS[type_]: type_ for type_ in "BWLQ"}


def displace(node: Expr, amount: int) -> Expr | None:
    """Return a symbol or slot moved by `amount` bytes; None for other nodes."""
    if type(node) is Symbol:
        return Symbol(node.name, node.offset + amount)
    if type(node) is Slot:
        return Slot(node.name, node.offset + amount)
    return None


def _typed_constant(node: Expr, type_: str) -> Expr:
    """Bring a constant into the signed range of an integer type."""
    if type(node) is Const and type_ in BITS and type_ not in FLOAT_TYPES:
        value = node.value
        bits = BITS[type_]
        if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
            return Const(wrap(value, bits))
    return node


def binary(op: str, a: Expr, b: Expr, operands: str = "") -> Expr:
    """Build `a op b` in canonical form.  Shifts take the type of `a`, relations have none.

    Numbers do not tell of how many bits they are: `operands` is their type if both operands may be some.
    """
    if operands in BITS and type(a) is Const and type(b) is Const and op != "?":
        bits = BITS[operands]
        result = fold(op, bits, wrap(a.value, bits), wrap(b.value, bits))
        if result is not None:
            return Const(result)
    shift = op in SHIFTS
    type_ = a.type if shift else a.type or b.type
    if type(a) is Op and a.op == "?" and op in RELATIONS and b is Const(0):
        left, right = a.args
        return binary(op, left, right)  # the outcome of a comparison, decided upon at once
    if op in HIGH_PRODUCTS and type_ in SPELLED:
        return _high_product(op, type_, a, b)
    if op == "rotl":
        b = rotation_distance(b, type_)
    if type_ in ("F", "D", "C", "G"):
        return Op(op, "" if op in RELATIONS else _outcome(type_) if op == "?" else type_, a, b)
    if shift:
        if type(b) is Const and type_:
            b = Const(b.value & (BITS[type_] - 1))
        if op == "<<" and _is_negated(a) and type(b) is Const:
            return unary("neg", type_, binary(op, a.args[0], b))
    else:
        a, b = _typed_constant(a, type_), _typed_constant(b, type_)
    if isinstance(a, CONSTANTS) and not isinstance(b, CONSTANTS) and (op in COMMUTATIVE or op in RELATIONS):
        constant, op = a, SWAPPED.get(op, op)
        a, b = b, constant
    if op == "-" and type(b) is Const:
        op, b = "+", Const(-b.value)
        b = _typed_constant(b, type_)
    if type(b) is Const:
        folded = _with_constant(op, type_, a, b.value, b)
        if folded is not None:
            return folded
    elif op in ("+", "-") and _is_negated(b):
        return binary("-" if op == "+" else "+", a, b.args[0])
    elif op == "+" and _is_negated(a):
        return binary("-", b, a.args[0])
    elif op == "+":
        swapped = _reassociate(a, b)
        if swapped is not None:
            return swapped
    elif op in ("-", "^") and a is b and not a.memory:
        return Const(0)
    if op in RELATIONS:
        return Op(op, "", a, b)
    if op == "?":
        return Op(op, _outcome(type_), a, b)
    return Op(op, type_, a, b)


# The high half of a product of numbers of 32 bits or fewer has a notation by other operators, which stands for it everywhere:
#
#     mulhu(r[1],r[2])          trL((zxQ(r[1])*zxQ(r[2]))>>u32)


SPELLED = {"B": "W", "W": "L", "L": "Q"}  # the type of the whole product


def spelled_product(op: str, type_: str, a: Expr, b: Expr) -> Op:
    """Return the high half of a product by other operators; nothing is folded but the extension of numbers."""
    wide, bits = SPELLED[type_], BITS[type_]
    a, b = (
        extended(extension, operand.value, bits) if type(operand) is Const else Op(extension, wide, operand)
        for extension, operand in zip(HIGH_PRODUCTS[op], (a, b), strict=True)
    )
    return Op("tr", type_, Op(">>u", wide, Op("*", wide, a, b), Const(bits)))


def _high_product(op: str, type_: str, a: Expr, b: Expr) -> Expr:
    """Build the high half of a product."""
    (shifted,) = spelled_product(op, type_, a, b).args
    assert type(shifted) is Op
    product, bits = shifted.args
    assert type(product) is Op
    left, right = (extend(x.op, x.type, x.args[0]) if type(x) is Op else x for x in product.args)
    return truncate(type_, binary(">>u", binary("*", left, right, product.type), bits))


def rotation_distance(distance: Expr, type_: str) -> Expr:
    """Return the distance of a rotation in its canonical form: 32-x, of 32 bits, is neg(x)."""
    if type(distance) is Op and distance.op == "-" and type_ in BITS:
        left, right = distance.args
        if type(left) is Const and left.value % BITS[type_] == 0:
            return Op("neg", distance.type, right)
    return distance


def is_high_half(node: Expr, type_: str) -> TypeGuard[Op]:
    """Whether a type holds the high half of a product of extended numbers that is shifted as a number with a sign."""
    bits = BITS[type_]
    if type(node) is not Op or node.op != ">>" or node.args[1] is not Const(bits) or BITS.get(node.type) != 2 * bits:
        return False
    product = node.args[0]
    return type(product) is Op and product.op == "*" and any(type(x) is Op and x.op in ("sx", "zx") for x in product.args)


def _is_negated(node: Expr) -> TypeGuard[Op]:
    return type(node) is Op and node.op == "neg"


def _outcome(type_: str) -> str:
    """Return the type of comparing two values of a type."""
    return "G" if type_ in FLOAT_TYPES else "C"


def _reassociate(a: Expr, b: Expr) -> Expr | None:
    """Pull a constant out of either operand of a sum: (x+c)+y is (x+y)+c."""
    if type(b) is Op and b.op == "+" and isinstance(b.args[1], CONSTANTS) and not isinstance(b.args[0], CONSTANTS):
        if isinstance(a, CONSTANTS):
            if type(a) is Const:
                return binary("+", b, a)
            return None
        if type(a) is Op and a.op == "+" and isinstance(a.args[1], CONSTANTS):
            if type(a.args[1]) is Const:
                return binary("+", binary("+", a.args[0], b), a.args[1])
            if type(b.args[1]) is Const:
                return binary("+", binary("+", a, b.args[0]), b.args[1])
            return None
        return binary("+", binary("+", a, b.args[0]), b.args[1])
    if type(a) is Op and a.op == "+" and isinstance(a.args[1], CONSTANTS):
        if isinstance(b, CONSTANTS):
            if type(a.args[1]) is Const:  # (x+c)+symbol
                moved = displace(b, a.args[1].value)
                if moved is not None:
                    return binary("+", a.args[0], moved)
            return None
        return binary("+", binary("+", a.args[0], b), a.args[1])
    return None


def _with_constant(op: str, type_: str, a: Expr, value: int, b: Const) -> Expr | None:
    """Simplify `a op value`, or return None if it stands as it is."""
    if type(a) is Const:
        unknown = op == "?" or (not type_ and op in UNTYPED)
        result = fold(op, BITS.get(type_, 64), a.value, value) if not unknown else None
        return None if result is None else Const(result)
    if op == "+":
        if value == 0:
            return a
        moved = displace(a, value)
        if moved is not None:
            return moved
        if type(a) is Op and a.op == "+":
            inner = a.args[1]
            if type(inner) is Const:
                return binary("+", a.args[0], Const(inner.value + value))
            moved = displace(inner, value)
            if moved is not None:
                return Op("+", a.type, a.args[0], moved)
        return None
    if value == 0 and op in ("|", "^", "<<", ">>", ">>u", "rotl"):
        return a
    if value == 0 and op in ("*", "&") and not a.memory:
        return Const(0)
    if value == 1 and op in ("*", "/", "/u"):
        return a
    if value == -1 and op == "&":
        return a
    return _with_constant_nested(op, type_, a, value)


def _with_constant_nested(op: str, type_: str, a: Expr, value: int) -> Expr | None:
    """Simplify `(x inner c) op value`, and tests of truth values and extensions against constants."""
    if type(a) is not Op:
        return None
    if a.op == op and len(a.args) == 2 and type(a.args[1]) is Const and type_ in BITS:
        inner = a.args[1].value
        bits = BITS[type_]
        if op in ("&", "|", "^"):
            combined = fold(op, bits, inner, value)
            assert combined is not None
            return binary(op, a.args[0], Const(combined))
        if op in SHIFTS and inner + value < bits:
            return binary(op, a.args[0], Const(inner + value))
    if op == "&" and a.op in ("sx", "zx") and a.args[0].type in BITS:
        mask = (1 << BITS[a.args[0].type]) - 1
        if value & mask == mask and (a.op == "zx" or value == mask):
            return extend("zx", a.type, a.args[0])
    if op in ("==", "!=") and a.type == "" and a.op in RELATIONS and value in (0, 1):
        if (op == "!=") == (value == 0):
            return a
        return reverse(a)
    if op in ("==", "!=") and a.op in ("sx", "zx") and a.args[0].type in BITS and value == 0:
        return binary(op, a.args[0], Const(0))
    if op in ("==", "!=") and value == 0 and _is_sign_bit(a):
        return binary("<" if op == "!=" else ">=", a.args[0], Const(0))
    return None


def _is_sign_bit(node: Op) -> bool:
    """Whether an expression is different from 0 exactly if its first operand is negative."""
    if node.type not in BITS or len(node.args) != 2 or type(node.args[1]) is not Const:
        return False
    place, by = BITS[node.type] - 1, node.args[1].value
    return (node.op == "&" and by == -(1 << place)) or (node.op == ">>u" and by == place)


def reverse(condition: Op) -> Op:
    """Return the relation that holds exactly when `condition` does not."""
    table = UNORDERED_REVERSED if condition.args[0].type in ("F", "D", "G") else REVERSED
    return Op(table[condition.op], "", *condition.args)


def extend(op: str, type_: str, a: Expr) -> Expr:
    """Build sx or zx to a wider type, folding constants and nested extensions."""
    if a.type == "":
        told = told_type(a, op == "zx" and _may_be_negative(a))
        if BITS.get(told, 64) >= BITS[type_]:
            return a
        a = of_type(a, told)
    if a.type == type_:
        return a
    if type(a) is Op and a.op in COUNTS:
        op = "zx"  # no count is so great that it were negative
    if type(a) is Op and a.op in ("sx", "zx") and (a.op == "zx" or op == "sx"):
        return extend(a.op, type_, a.args[0])
    if type(a) is Op and a.op == "tr" and type(a.args[0]) is Op:
        inner = a.args[0]
        if inner.op == op and inner.args[0].type == a.type and inner.type == type_:
            return inner
        fits = inner.op == "zx" or inner.op == "sx" == op
        if fits and inner.type == type_ and BITS[inner.args[0].type] < BITS[a.type]:
            return inner
    return Op(op, type_, a)


def truncate(type_: str, a: Expr) -> Expr:
    """Build the low bits of `a` as a narrower type."""
    if a.type == type_:
        return a
    if type(a) is Const:
        return Const(wrap(a.value, BITS[type_]))
    if a.type == "":
        told = told_type(a)
        return Op("tr", type_, of_type(a, told)) if BITS.get(told, 0) > BITS[type_] else a
    if is_high_half(a, type_):
        return truncate(type_, binary(">>u", a.args[0], a.args[1]))
    if type(a) is Op and a.op in ("sx", "zx", "tr") and a.args[0].type:
        inner = a.args[0]
        if BITS[inner.type] == BITS[type_]:
            return inner
        if BITS[inner.type] > BITS[type_]:
            return truncate(type_, inner)
        return extend(a.op, type_, inner)
    if type(a) is Op and a.op == "&" and type(a.args[1]) is Const:
        mask = (1 << BITS[type_]) - 1
        if a.args[1].value & mask == mask:
            return truncate(type_, a.args[0])
    if type(a) is Op and a.op == "|":
        part = _low_part(a, BITS[type_])
        if part is not None:
            return truncate(type_, part)
    return Op("tr", type_, a)


def _low_part(a: Op, bits: int) -> Expr | None:
    """Return the operand of `(x&c)|y` that alone makes the low bits: y if they are zero in c; else None."""
    for masked, other in (a.args, a.args[::-1]):
        if type(masked) is not Op or masked.op != "&" or type(masked.args[1]) is not Const or masked.memory:
            continue
        if not masked.args[1].value & ((1 << bits) - 1):
            return other
    return None


def unary(op: str, type_: str, a: Expr) -> Expr:
    """Build any one-operand node in canonical form."""
    if op in ("sx", "zx"):
        return extend(op, type_, a)
    if op == "tr":
        return truncate(type_, a)
    if type(a) is Const and op in ("neg", "not"):
        value = -a.value if op == "neg" else ~a.value
        return Const(wrap(value, BITS[type_]) if type_ else value)
    if op in COUNTS or op in REVERSALS:
        return _of_bits(op, type_ or a.type, a)
    return Op(op, type_ or a.type, a)


def _of_bits(op: str, type_: str, a: Expr) -> Expr:
    """Build a count or a reversal of bits."""
    if type(a) is Const and type_ in BITS:
        bits = BITS[type_]
        return Const(wrap(of_bits(op, a.value & ((1 << bits) - 1), bits), bits))
    if op in REVERSALS and type(a) is Op and a.op == op:
        return a.args[0]
    return a if op == "bswap" and type_ == "B" else Op(op, type_, a)


def on_part(op: str, type_: str, register: Expr) -> list[Expr]:
    """Return an operator on the low bits of a register, a number of a type, in each of the ways to extend its result.

    There are none of an operator that leaves numbers of the type as they are.
    """
    if (op, type_) == ("bswap", "B"):
        return []
    if register.type == type_:
        return [unary(op, type_, register)]
    part = unary(op, type_, truncate(type_, register))
    return list(dict.fromkeys(extend(extension, register.type, part) for extension in ("sx", "zx")))


def told_type(node: Expr, by_relations: bool = False) -> str:
    """Return how wide the numbers are that operators make others of, as in `zxQ((1<<trL(r[2]))-1)`: the distance tells it.

    What is compared tells how wide truth values are, if that matters: `zxQ(neg(trL(r[1])<trL(r[2])))`.
    """
    if type(node) is not Op or node.type:
        return node.type
    if node.op in RELATIONS:
        return operand_type(node) if by_relations else ""
    told = (told_type(arg, by_relations) for arg in node.args)
    return next((type_ for type_ in told if type_ in INTEGER_OF.values()), "")


def _may_be_negative(node: Expr) -> bool:
    """Whether what operators make of numbers and truth values may be less than 0."""
    match node:
        case Variable() | Op(op="neg" | "not" | "-"):
            return True
        case Const(value=value):
            return value < 0
        case Op(op=op, args=args):
            return op not in RELATIONS and any(map(_may_be_negative, args))
    return False


def of_type(node: Expr, type_: str) -> Expr:
    """Return an operator of numbers, which do not tell of how many bits they are, as one of a type."""
    if type(node) is not Op or node.type or node.op in RELATIONS:
        return node
    counted = 1 if node.op in SHIFTS else len(node.args)  # a distance keeps its type
    return Op(node.op, type_, *(of_type(arg, type_) for arg in node.args[:counted]), *node.args[counted:])


def typed(node: Op, type_: str) -> Expr:
    """Build an operator of numbers, which do not tell of how many bits they are, anew as one of a type."""
    if len(node.args) == 1:
        return unary(node.op, type_, node.args[0])
    left, right = node.args
    return binary(node.op, left, right, type_)


def set_(target: Cell, source: Expr) -> Set:
    """Build `target=source;`, bringing a constant into the target's range and dropping a needless truncation."""
    if type(source) is Op and source.type == "" and source.op in UNTYPED:  # of numbers: the target tells of how many bits
        source = typed(source, target.type)
    if type(source) is Const:
        return Set(target, _typed_constant(source, target.type))
    if type(target) is Mem and type(source) is Op and target.type in "BWLQ" and source.op in ("tr", "sx", "zx"):
        inner = source.args[0]
        if inner.type in BITS and inner.type not in FLOAT_TYPES and BITS[inner.type] >= BITS[target.type]:
            return set_(target, inner)
    if (
        type(target) is Mem
        and type(source) is Op
        and source.op == "&"
        and target.type in "BWL"
        and type(source.args[1]) is Const
    ):
        mask = (1 << BITS[target.type]) - 1
        if source.args[1].value & mask == mask:
            return set_(target, source.args[0])
    if type(target) is Mem and type(source) is Op and source.op == "|" and target.type in "BWL":
        part = _low_part(source, BITS[target.type])
        if part is not None:
            return set_(target, part)
    return Set(target, source)


def branch(condition: Expr, label: str) -> Branch:
    """Build `PC=condition,label;`; a condition that was folded becomes the comparison of its truth value with zero."""
    if type(condition) is Const:
        condition = Op("!=", "", condition, Const(0))
    assert type(condition) is Op
    return Branch(condition, label)


def mem(type_: str, address: Expr, volatile: bool = False) -> Mem:
    """Build a memory cell."""
    return Mem(type_, address, volatile)


def operand_type(node: Op) -> str:
    """Return the type of the operands of an operator with two."""
    left, right = node.args
    return left.type or ("" if node.op in SHIFTS else right.type) or node.type


def source_type(node: Op, word: str) -> str:
    """Return the type of what a conversion is applied to; `word` is that of truth values, and of numbers as a rule.

    A number has as many bits as its result if they stay the same, and any if it becomes a floating one.
    """
    (source,) = node.args
    if source.type or type(source) is not Const:
        return source.type or word
    if node.op == "bits":
        return INTEGER_OF[BITS[node.type]]
    exact = node.op == "cvt" or (node.op == "cvtu" and source.value >= 0)
    return "Q" if exact and node.type in FLOAT_TYPES else word


def apply(op: str, type_: str, args: tuple[Expr, ...]) -> Expr:
    """Build an operator node canonically from its parts."""
    if len(args) == 2 and op != "SYS":
        result = binary(op, *args)
        return result
    if len(args) == 1 and op != "SYS":
        return unary(op, type_, args[0])
    return select(*args) if op == "SEL" else Op(op, type_ or args[0].type, *args)


def select(condition: Expr, a: Expr, b: Expr) -> Expr:
    """Build `SEL(condition,a,b)`, which is a if the condition holds and b otherwise."""
    if type(condition) is Const:
        return a if condition.value else b
    if a is b and not (condition.memory or a.memory):
        return a
    type_ = a.type or b.type
    return Op("SEL", type_, condition, _typed_constant(a, type_), _typed_constant(b, type_))


def is_step(effect: Set) -> bool:
    """Whether an effect adds a constant to what it sets."""
    source = effect.source
    return type(source) is Op and source.op == "+" and source.args[0] is effect.target and type(source.args[1]) is Const


# ----------------------------------------------------------------------------------------------------------------------
# Put other expressions in the places of some, and bring what they stand in into canonical form.


EXTENDING = {"sx": "sx", "zx": "zx", "cvt": "sx", "cvtu": "zx"}  # how the bits of an integer operand are understood
_CONVERSIONS = frozenset([*EXTENDING, "tr", "bits"])


def rebuild(node: Expr, replace: Callable[[Expr], Expr | None]) -> Expr:
    """Rewrite an expression bottom-up: `replace` may answer a new node for any leaf or memory cell."""
    new = replace(node)
    if new is not None:
        return new
    if type(node) is Op:
        if len(node.args) == 2:  # nearly always
            left, right = node.args
            kind = type(left)
            a = rebuild(left, replace) if kind is Op or kind is Mem or kind is Half else replace(left) or left
            kind = type(right)
            b = rebuild(right, replace) if kind is Op or kind is Mem or kind is Half else replace(right) or right
            if a is left and b is right:
                return node
            args: tuple[Expr, ...] = a, b
        else:
            args = tuple([rebuild(arg, replace) for arg in node.args])
            if args == node.args:
                return node
        if not args[0].type and node.args[0].type in BITS and (node.op in _CONVERSIONS or node.op in RELATIONS):
            if node.op in EXTENDING and type(args[0]) is Const:
                number = extended(EXTENDING[node.op], args[0].value, BITS[node.args[0].type])
                return number if node.op in ("sx", "zx") else Op(node.op, node.type, number)
            if not args[-1].type:
                args = (of_type(args[0], node.args[0].type), *args[1:])
        if len(args) == 2 and node.op != "SYS":
            return binary(node.op, args[0], args[1], operand_type(node))
        return apply(node.op, node.type, args)
    if type(node) is Mem:
        address = rebuild(node.address, replace)
        return node if address is node.address else node.at(address)
    if type(node) is Half:
        of = rebuild(node.of, replace)
        return node if of is node.of else Half(node.which, of)
    return node


def substitute(node: Expr, mapping: Mapping[Expr, Expr]) -> Expr:
    """Replace sub-expressions by others, and simplify on the way up."""
    return rebuild(node, mapping.get)


def substitute_in(effect: Effect, mapping: Mapping[Expr, Expr]) -> Effect:
    """Replace sub-expressions of what an effect reads by others, and simplify on the way up."""
    return rebuild_effect(effect, mapping.get)


def rebuild_effect(effect: Effect, replace: Callable[[Expr], Expr | None], targets: bool = False) -> Effect:
    """Rewrite what an effect reads; with `targets`, the register it sets as well."""
    if type(effect) is Set:
        target = new = effect.target
        if type(target) is Mem:
            new = target.at(rebuild(target.address, replace))
        elif targets:
            other = replace(target)
            if type(other) is Register:
                new = other
        return set_(new, rebuild(effect.source, replace))
    match effect:
        case Branch(condition=condition, label=label):
            return branch(rebuild(condition, replace), label)
        case IndirectJump(target=where, labels=labels):
            return IndirectJump(rebuild(where, replace), labels)
        case Call(target=where, arguments=arguments, results=results):
            if targets:
                arguments = tuple(_registers(arguments, replace))
            return Call(rebuild(where, replace), arguments, results)
        case Return(target=where, results=results):
            where = rebuild(where, replace)
            return Return(where, tuple(_registers(results, replace)) if targets else results)
        case Jump() | Delay():
            return effect
        case By(register=register):
            return By(*_registers((register,), replace))
    raise TypeError(effect)


def _registers(registers: tuple[Register, ...], replace: Callable[[Expr], Expr | None]) -> list[Register]:
    """Replace registers by registers."""
    result = []
    for register in registers:
        new = replace(register)
        result.append(new if type(new) is Register else register)
    return result
