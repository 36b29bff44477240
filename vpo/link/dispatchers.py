"""Functions that call through a pointer on a machine that cannot: they compare it with each function that it may point to.

A call `p(1, x)` becomes the direct call `__dispatch_I4_I4_F8(p, 1, x)`.  The name says which types travel, so that objects
compiled apart share one function, which the linker has made from its name, since the linker knows the functions whose
addresses are taken:

    int __dispatch_I4_I4_F8(int (*p)(int, double), int a, double b)
    {
        if (p < g) { if (p == f) return f(a, b); } else { if (p == g) return g(a, b); }
        the fault of a write to where `p` points
    }
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from vpo import il

PREFIX = "__dispatch_"
COMPARED = 3  # at most so many functions are compared one after the other; more are bisected
_AGGREGATE = re.compile(r"A(\d+)a(\d+)((?:s\d+[IUFP]\d+)*)")

Scalars = tuple[tuple[int, il.Type], ...]
Shape = tuple[il.Type | None, int, int, Scalars]  # type of a scalar; size, alignment and scalars of an aggregate


def is_dispatcher(symbol: str) -> bool:
    """True if a symbol, with its underscore, is the name of a dispatcher."""
    return symbol.startswith("_" + PREFIX)


def dispatched(call: il.Call, pointer: il.Type) -> il.Call:
    """Return a call through a pointer as a call of the dispatcher for its types."""
    arguments = (call.function, *call.arguments)
    return replace(
        call, function=il.AddrGlobal(pointer, _name(call)), arguments=arguments, variadic=False, fixed=0, unprototyped=False
    )


def _name(call: il.Call) -> str:
    """Return the name of the dispatcher for a call: the types of result and arguments, how many of a variadic are named."""
    result = call.result
    shapes = ["v" if result is None else _shape(result.type, result.size, call.result_align, call.result_scalars)]
    for argument in call.arguments:
        if isinstance(argument, il.Block):
            shapes.append(_shape(None, argument.size, argument.align, argument.scalars))
        else:
            shapes.append(str(argument.type))
    return PREFIX + "_".join(shapes) + (f"_v{call.fixed}" if call.variadic else "")


def _shape(type_: il.Type | None, size: int, align: int, scalars: Scalars) -> str:
    if type_ is not None:
        return str(type_)
    return f"A{size}a{align}" + "".join(f"s{offset}{scalar}" for offset, scalar in scalars)


def dispatcher(symbol: str, functions: Sequence[str], pointer: il.Type) -> il.Function:
    """Return the dispatcher of a name, which calls the functions given, in ascending order of their addresses.

    All names are symbols, with their underscores.
    """
    result, *shapes = symbol.removeprefix("_" + PREFIX).split("_")
    fixed = shapes.pop()[1:] if shapes and shapes[-1].startswith("v") else ""
    target = il.Local("target", pointer, pointer.size, pointer.size)
    places = [_shape_of(shape) for shape in shapes]
    parameters = [il.Local(f"a{i}", type_, size, align) for i, (type_, size, align, _) in enumerate(places)]
    type_, size, align, scalars = _shape_of(result) if result != "v" else (None, 0, 1, ())
    value = il.Local("result", type_, size, align) if result != "v" else None
    arguments = [_argument(parameter, place, pointer) for parameter, place in zip(parameters, places, strict=True)]
    called, count = target_of(target, pointer), int(fixed or 0)
    call = il.Call(called, tuple(arguments), value, 0, bool(fixed), count, scalars, result_align=align)
    function = il.Function(
        symbol[1:], [target, *parameters], type_, [], [] if value is None else [value], "", 0,
        result_size=size if type_ is None else 0, result_align=align, result_scalars=scalars,
        parameter_scalars={i + 1: place[3] for i, place in enumerate(places) if place[0] is None},
    )  # fmt: skip
    _Body(function, call, target, pointer).choose(functions)
    return function


def _shape_of(text: str) -> Shape:
    """Return what `_shape` wrote."""
    found = _AGGREGATE.fullmatch(text)
    if found is None:
        type_ = il.Type(text[0], int(text[1:]))
        return type_, type_.size, type_.size, ()
    parts = re.findall(r"s(\d+)([IUFP])(\d+)", found[3])
    return None, int(found[1]), int(found[2]), tuple((int(at), il.Type(kind, int(size))) for at, kind, size in parts)


def _argument(parameter: il.Local, shape: Shape, pointer: il.Type) -> il.Expr | il.Block:
    """Return a parameter as the argument that it is passed on as."""
    type_, size, align, scalars = shape
    address = il.AddrLocal(pointer, parameter)
    return il.Load(type_, address) if type_ is not None else il.Block(address, size, align, scalars, owned=True)


def target_of(target: il.Local, pointer: il.Type) -> il.Expr:
    """Return the value of a dispatcher's pointer."""
    return il.Load(pointer, il.AddrLocal(pointer, target))


class _Body:
    """Writes the statements of a dispatcher, of which `call` calls one of the functions."""

    def __init__(self, function: il.Function, call: il.Call, target: il.Local, pointer: il.Type) -> None:
        self.function, self.call_, self.target, self.pointer = function, call, target, pointer
        self.body, self.labels = function.body, 0

    def choose(self, functions: Sequence[str]) -> None:
        """Call the one of some functions that the pointer points to; fault if it is none of them."""
        if len(functions) > COMPARED:
            middle, lower = len(functions) // 2, self._label()
            self._branch("lt", functions[middle], lower)
            self.choose(functions[middle:])
            self.body.append(il.Label(lower))
            self.choose(functions[:middle])
            return
        for name in functions:
            other = self._label()
            self._branch("ne", name, other)
            self._call(name)
            self.body.append(il.Label(other))
        again = self._label()
        self.body.append(il.Label(again))
        self.body.append(il.Store(target_of(self.target, self.pointer), il.Const(self.pointer, 0), 0, volatile=True))
        self.body.append(il.Jump(again, 0))

    def _label(self) -> str:
        self.labels += 1
        return f"D{self.labels}"

    def _branch(self, relation: str, name: str, label: str) -> None:
        address = il.AddrGlobal(self.pointer, name[1:])
        self.body.append(il.Branch(relation, target_of(self.target, self.pointer), address, label, 0))

    def _call(self, name: str) -> None:
        self.body.append(replace(self.call_, function=il.AddrGlobal(self.pointer, name[1:])))
        value = self.call_.result
        if value is None:
            self.body.append(il.Return(None, 0))
            return
        address = il.AddrLocal(self.pointer, value)
        whole = il.Block(address, value.size, value.align, self.function.result_scalars)
        self.body.append(il.Return(il.Load(value.type, address) if value.type is not None else whole, 0))
