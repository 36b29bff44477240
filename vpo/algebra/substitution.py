"""Put other expressions in the places of some, and bring what they stand in into canonical form."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vpo.algebra.building import apply, binary, branch, operand_type, set_
from vpo.algebra.folding import extended
from vpo.rtl import (
    BITS,
    Branch,
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
)

EXTENDING = {"sx": "sx", "zx": "zx", "cvt": "sx", "cvtu": "zx"}  # how the bits of an integer operand are understood


def rebuild(node: Expr, replace: Callable[[Expr], Expr | None]) -> Expr:
    """Rewrite an expression bottom-up: `replace` may answer a new node for any leaf or memory cell."""
    new = replace(node)
    if new is not None:
        return new
    if type(node) is Op:
        args = tuple([rebuild(arg, replace) for arg in node.args])
        if args == node.args:
            return node
        if node.op in EXTENDING and type(args[0]) is Const and node.args[0].type in BITS:
            number = extended(EXTENDING[node.op], args[0].value, BITS[node.args[0].type])
            return number if node.op in ("sx", "zx") else Op(node.op, node.type, number)
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


def rebuild_effect(effect: Effect, replace: Callable[[Expr], Expr | None], targets: bool = False) -> Effect:
    """Rewrite what an effect reads; with `targets`, the register it sets as well."""
    match effect:
        case Set(target=target, source=source):
            new: Cell = target
            if type(target) is Mem:
                new = target.at(rebuild(target.address, replace))
            elif targets:
                other = replace(target)
                if isinstance(other, Register):
                    new = other
            return set_(new, rebuild(source, replace))
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
    raise TypeError(effect)


def _registers(registers: tuple[Register, ...], replace: Callable[[Expr], Expr | None]) -> list[Register]:
    """Replace registers by registers."""
    result = []
    for register in registers:
        new = replace(register)
        result.append(new if isinstance(new, Register) else register)
    return result
