"""Complex numbers: their parts, and arithmetic on them.

A value has a tree for each part; objects are the two parts one behind the other.  A real operand is not made complex first, so
that its imaginary part is no zero that could matter (C11, annex G).  Where a product has no number as either part, and for
quotients of floating numbers, functions of the library are called.
"""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower import trees
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import Node
from vpo.frontend.types.types import Arithmetic, Complex, CType, qualified, unqualified
from vpo.il.data_model import ANY

Parts = tuple[il.Expr, il.Expr | None]
_LETTERS = {4: "s", 8: "d"}


def part_of(value: Value, position: int) -> Value:
    """Return the real (0) or imaginary (1) part of a complex object, as an object."""
    ctype = value.type
    assert isinstance(ctype, Complex)
    assert value.address is not None
    part = qualified(ctype.part, ctype.const, ctype.volatile)
    address = trees.offset(value.address, position * ctype.part.size)
    return Value(part, None, address, value.lvalue, effective=ANY, unaligned=value.unaligned)


def part_type(ctype: CType) -> Arithmetic:
    """Return the type of the parts of a complex type, or an arithmetic type as it is."""
    found = ctype.part if isinstance(ctype, Complex) else ctype
    assert isinstance(found, Arithmetic)
    return found


def converted(target: Complex, value: Value) -> Value:
    """Return an arithmetic value in a complex type."""
    assert value.tree is not None
    kind = target.part.il
    imaginary = trees.constant(kind, 0) if value.imaginary is None else trees.convert(kind, value.imaginary)
    return Value(unqualified(target), trees.convert(kind, value.tree), imaginary=imaginary)


def saved(ctx: Context, value: Value) -> Value:
    """Return a complex value that later statements do not change."""
    assert value.tree is not None
    assert value.imaginary is not None
    return Value(value.type, ctx.save(value.tree), imaginary=ctx.save(value.imaginary))


def store(ctx: Context, address: il.Expr, value: Value, volatile: bool = False, unaligned: bool = False) -> None:
    """Store a complex value at an address; in a packed structure from a copy."""
    if unaligned:
        ctx.emit(il.Copy(address, in_memory(ctx, value), value.type.size, 1, ctx.line))
        return
    value = saved(ctx, value)
    assert value.tree is not None
    assert value.imaginary is not None
    if not trees.is_cheap(address):
        address = ctx.save(address)
    ctx.emit(il.Store(address, value.tree, ctx.line, volatile))
    ctx.emit(il.Store(trees.offset(address, value.tree.type.size), value.imaginary, ctx.line, volatile))


def in_memory(ctx: Context, value: Value) -> il.Expr:
    """Return the address of a temporary that holds a complex value."""
    address = ctx.address_of(ctx.aggregate_temporary(value.type))
    store(ctx, address, value)
    return address


def is_true(ctx: Context, value: Value) -> il.Expr:
    """Return an int that is not 0 if a complex number is not."""
    kind = ctx.types.int_.il
    assert value.tree is not None
    assert value.imaginary is not None
    zero = trees.constant(value.tree.type, 0)
    either = (trees.compare("ne", kind, part, zero) for part in (value.tree, value.imaginary))
    return trees.binary("or", kind, *either)


def equality(ctx: Context, relation: str, left: Value, right: Value) -> il.Expr:
    """Return 1 or 0: whether two arithmetic values, one of them complex, are equal (`eq`) or not (`ne`)."""
    common = Complex(ctx.types.usual(part_type(left.type), part_type(right.type)))
    kind = ctx.types.int_.il
    left, right = converted(common, left), converted(common, right)
    assert left.tree is not None
    assert left.imaginary is not None
    assert right.tree is not None
    assert right.imaginary is not None
    real = trees.compare(relation, kind, left.tree, right.tree)
    imaginary = trees.compare(relation, kind, left.imaginary, right.imaginary)
    return trees.binary("and" if relation == "eq" else "or", kind, real, imaginary)


def negated(value: Value, operator: str) -> Value:
    """Apply `-`, or `~`, which conjugates."""
    assert value.tree is not None
    assert value.imaginary is not None
    real = value.tree if operator == "~" else trees.unary("neg", value.tree.type, value.tree)
    return Value(value.type, real, imaginary=trees.unary("neg", value.imaginary.type, value.imaginary))


def arithmetic(ctx: Context, operator: str, left: Value, right: Value, node: Node) -> Value:
    """Apply `+`, `-`, `*` or `/` to two arithmetic values, one of them complex."""
    part = ctx.types.usual(part_type(left.type), part_type(right.type))
    a, b = _parts(ctx, part, left)
    c, d = _parts(ctx, part, right)
    match operator:
        case "+" | "-":
            real, imaginary = _sum(operator, a, b, c, d)
        case "*":
            real, imaginary = _product(ctx, a, b, c, d)
        case "/":
            real, imaginary = _quotient(ctx, a, b, c, d)
        case _:
            types = f"'{left.type}' and '{right.type}'"
            ctx.report.fail(node.coord, f"invalid operands to binary {operator} (have {types})")
    return Value(Complex(part), real, imaginary=imaginary)


def _parts(ctx: Context, part: Arithmetic, value: Value) -> Parts:
    assert value.tree is not None
    imaginary = None if value.imaginary is None else ctx.save(trees.convert(part.il, value.imaginary))
    return ctx.save(trees.convert(part.il, value.tree)), imaginary


def _op(operator: str, left: il.Expr, right: il.Expr) -> il.Expr:
    return trees.binary(operator, left.type, left, right)


def _sum(operator: str, a: il.Expr, b: il.Expr | None, c: il.Expr, d: il.Expr | None) -> tuple[il.Expr, il.Expr]:
    name = "add" if operator == "+" else "sub"
    if b is not None and d is not None:
        imaginary = _op(name, b, d)
    elif d is not None:
        imaginary = d if operator == "+" else trees.unary("neg", d.type, d)
    else:
        assert b is not None
        imaginary = b
    return _op(name, a, c), imaginary


def _product(ctx: Context, a: il.Expr, b: il.Expr | None, c: il.Expr, d: il.Expr | None) -> tuple[il.Expr, il.Expr]:
    if b is None or d is None:
        real = _op("mul", a, c)
        return real, _op("mul", b, c) if b is not None else _op("mul", a, d or c)
    real = _op("sub", _op("mul", a, c), _op("mul", b, d))
    imaginary = _op("add", _op("mul", a, d), _op("mul", b, c))
    if a.type.kind != "F" or all(isinstance(part, il.Const) for part in (a, b, c, d)):
        return real, imaginary
    kept = [ctx.temporary(a.type), ctx.temporary(a.type)]
    ctx.store_local(kept[0], real)
    ctx.store_local(kept[1], imaginary)
    end = ctx.label()
    for local in kept:
        ctx.emit(il.Branch("eq", ctx.load_local(local), ctx.load_local(local), end, ctx.line))
    for local, part in zip(kept, _called(ctx, "multiply", a, b, c, d), strict=True):
        ctx.store_local(local, part)
    ctx.place(end)
    return ctx.load_local(kept[0]), ctx.load_local(kept[1])


def _quotient(ctx: Context, a: il.Expr, b: il.Expr | None, c: il.Expr, d: il.Expr | None) -> tuple[il.Expr, il.Expr]:
    if d is None:
        assert b is not None
        return _op("div", a, c), _op("div", b, c)
    b = trees.constant(a.type, 0) if b is None else b
    if a.type.kind == "F":
        constants = [part.value for part in (a, b, c, d) if isinstance(part, il.Const)]
        if len(constants) < 4 or not any(constants[2:]):
            return _called(ctx, "divide", a, b, c, d)
    norm = _op("add", _op("mul", c, c), _op("mul", d, d))
    real = _op("add", _op("mul", a, c), _op("mul", b, d))
    imaginary = _op("sub", _op("mul", b, c), _op("mul", a, d))
    return _op("div", real, norm), _op("div", imaginary, norm)


def _called(ctx: Context, what: str, *operands: il.Expr) -> tuple[il.Expr, il.Expr]:
    """Call the function of the library for numbers of this size; it returns a structure of two parts."""
    kind = operands[0].type
    size = kind.size
    result = il.Local("t.complex", None, 2 * size, size)
    ctx.state.locals.append(result)
    function = il.AddrGlobal(ctx.types.address, f"__complex_{what}_{_LETTERS[size]}")
    scalars = ((0, kind), (size, kind))
    ctx.emit(il.Call(function, operands, result, ctx.line, result_scalars=scalars, result_align=result.align))
    address = ctx.address_of(result)
    return ctx.save(il.Load(kind, address)), ctx.save(il.Load(kind, trees.offset(address, size)))
