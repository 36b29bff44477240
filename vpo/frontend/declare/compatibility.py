"""Which types of C are compatible, and what two declarations of one thing say together."""

from __future__ import annotations

from dataclasses import replace

from vpo.frontend.context import Context
from vpo.frontend.syntax.nodes import Decl, Struct
from vpo.frontend.types import types
from vpo.frontend.types.layout import Field


def compatible(left: types.CType, right: types.CType) -> bool:
    """Whether two types are compatible, qualifiers of the outermost level included."""
    if left is right or left == right:
        return True
    if (left.const, left.volatile) != (right.const, right.volatile):
        return False
    match left, right:
        case types.Arithmetic(), types.Arithmetic():
            if left.enumeration and right.enumeration:
                return left.enumeration == right.enumeration
            if not left.enumeration and not right.enumeration:
                return left.name == right.name  # the alignments of typedefs may differ
            return left.il.is_signed == right.il.is_signed and left.rank == right.rank
        case types.Complex(part=a), types.Complex(part=b):
            return compatible(a, b)
        case types.Vector(element=a, length=n), types.Vector(element=b, length=m):
            return n == m and compatible(a, b)
        case types.Record(tag=a), types.Record(tag=b):
            return a is b
        case types.Pointer(target=a), types.Pointer(target=b):
            return type(left) is type(right) and compatible(a, b)
        case types.Array(element=a, length=n), types.Array(element=b, length=m):
            return compatible(a, b) and (n == m or n is None or m is None)
        case types.Func(), types.Func():
            return _compatible_functions(left, right)
    return False


def _compatible_functions(left: types.Func, right: types.Func) -> bool:
    if not compatible(left.result, right.result):
        return False
    if left.parameters is None and right.parameters is None:
        return True
    if left.parameters is None or right.parameters is None:
        known = left if right.parameters is None else right
        # A prototype agrees with () when every parameter is what the promotions give.
        return not known.variadic and all(
            not isinstance(p, types.Arithmetic) or (p.rank >= types.RANK_INT and p.rank != types.RANK_FLOAT)
            for p in known.parameters or ()
        )
    return (
        left.variadic == right.variadic
        and len(left.parameters) == len(right.parameters)
        and all(
            compatible(types.unqualified(a), types.unqualified(b))
            for a, b in zip(left.parameters, right.parameters, strict=True)
        )
    )


def bare(ctype: types.CType) -> types.CType:
    """Return a type without its qualifiers; those of an array belong to its elements."""
    if not isinstance(ctype, types.Array):
        return types.unqualified(ctype)
    element = bare(ctype.element)
    return ctype if element is ctype.element else replace(ctype, element=element)


def qualifiers(ctype: types.CType) -> tuple[bool, bool]:
    """Return whether a type, or that of the elements of an array, is const, and whether it is volatile."""
    while isinstance(ctype, types.Array):
        ctype = ctype.element
    return ctype.const, ctype.volatile


def composite(left: types.CType, right: types.CType) -> types.CType:
    """The type that says what two compatible types say together."""
    match left, right:
        case types.Array(length=None), types.Array(length=length) if length is not None:
            return right
        case types.Func(parameters=None), types.Func(parameters=parameters) if parameters is not None:
            return right
        case types.Pointer(target=a), types.Pointer(target=b):
            target = composite(a, b)
            return left if target is a else replace(left, target=target)
    return left


# ----------------------------------------------------------------------------------------------------------------------
# Tags and members that are declared twice.


def of_one_tag(ctx: Context, node: Struct, earlier: types.Record, record: types.Record) -> types.Record:
    """Return the type of an earlier declaration of a tag if the new one says the same (C23, 6.7.3.4)."""
    name = earlier.tag.name
    assert name is not None
    if earlier.tag.members is not None and _contents(earlier.tag) == _contents(record.tag):
        ctx.scope.tags[name] = earlier
        return earlier
    if record.tag is not earlier.tag and ctx.scope.tags[name] is record and earlier.tag.scope is ctx.scope:
        ctx.report.fail(node.coord, f"redefinition of '{record}'")
    return record


def _contents(tag: types.Tag) -> tuple[object, ...]:
    """Return what makes two structures the same: names, types and places of members."""
    members = [(member.name, str(member.type), member.offset, member.bits) for member in tag.members or ()]
    inner = [(name, str(member.type), member.offset, member.bits) for name, member in tag.by_name.items()]
    return tag.keyword, tag.size, tag.align, members, inner


def check_names(ctx: Context, node: Decl, member: Field, names: set[str]) -> None:
    """Report members of one name; `names` are those so far."""
    fresh: list[str] = []
    if member.name is not None:
        fresh = [member.name]
    elif isinstance(member.type, types.Record):
        fresh = list(member.type.tag.by_name)
    for name in fresh:
        if name in names:
            ctx.report.error(node.coord, f"duplicate member '{name}'")
        names.add(name)
