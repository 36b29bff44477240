"""Which types of C are compatible, and what two declarations of one thing say together."""

from __future__ import annotations

from dataclasses import replace

from vpo.frontend.types import (
    RANK_FLOAT,
    RANK_INT,
    Arithmetic,
    Array,
    Complex,
    CType,
    Func,
    Pointer,
    Record,
    Vector,
    unqualified,
)


def compatible(left: CType, right: CType) -> bool:
    """Whether two types are compatible, qualifiers of the outermost level included."""
    if left is right or left == right:
        return True
    if (left.const, left.volatile) != (right.const, right.volatile):
        return False
    match left, right:
        case Arithmetic(), Arithmetic():
            if left.enumeration and right.enumeration:
                return left.enumeration == right.enumeration
            if not left.enumeration and not right.enumeration:
                return left.name == right.name  # the alignments of typedefs may differ
            return left.il.is_signed == right.il.is_signed and left.rank == right.rank
        case Complex(part=a), Complex(part=b):
            return compatible(a, b)
        case Vector(element=a, length=n), Vector(element=b, length=m):
            return n == m and compatible(a, b)
        case Record(tag=a), Record(tag=b):
            return a is b
        case Pointer(target=a), Pointer(target=b):
            return type(left) is type(right) and compatible(a, b)
        case Array(element=a, length=n), Array(element=b, length=m):
            return compatible(a, b) and (n == m or n is None or m is None)
        case Func(), Func():
            return _compatible_functions(left, right)
    return False


def _compatible_functions(left: Func, right: Func) -> bool:
    if not compatible(left.result, right.result):
        return False
    if left.parameters is None and right.parameters is None:
        return True
    if left.parameters is None or right.parameters is None:
        known = left if right.parameters is None else right
        # A prototype agrees with () when every parameter is what the promotions give.
        return not known.variadic and all(
            not isinstance(p, Arithmetic) or (p.rank >= RANK_INT and p.rank != RANK_FLOAT) for p in known.parameters or ()
        )
    return (
        left.variadic == right.variadic
        and len(left.parameters) == len(right.parameters)
        and all(compatible(unqualified(a), unqualified(b)) for a, b in zip(left.parameters, right.parameters, strict=True))
    )


def bare(ctype: CType) -> CType:
    """Return a type without its qualifiers; those of an array belong to its elements."""
    if not isinstance(ctype, Array):
        return unqualified(ctype)
    element = bare(ctype.element)
    return ctype if element is ctype.element else replace(ctype, element=element)


def qualifiers(ctype: CType) -> tuple[bool, bool]:
    """Return whether a type, or that of the elements of an array, is const, and whether it is volatile."""
    while isinstance(ctype, Array):
        ctype = ctype.element
    return ctype.const, ctype.volatile


def composite(left: CType, right: CType) -> CType:
    """The type that says what two compatible types say together."""
    match left, right:
        case Array(length=None), Array(length=length) if length is not None:
            return right
        case Func(parameters=None), Func(parameters=parameters) if parameters is not None:
            return right
        case Pointer(target=a), Pointer(target=b):
            target = composite(a, b)
            return left if target is a else replace(left, target=target)
    return left
