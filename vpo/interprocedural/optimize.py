"""The order of the interprocedural transformations of a unit."""

from __future__ import annotations

from collections.abc import Collection

from vpo import il
from vpo.interprocedural.constant_parameters import remove_constant_parameters
from vpo.interprocedural.inlining import inline_calls
from vpo.interprocedural.tail_recursion import loop_tail_recursion


def optimize_unit(unit: il.Unit, pointer: il.Type, limit: int, kept: Collection[str] = ()) -> None:
    """Transform all functions of a unit in place.

    `pointer` is the type of addresses.  Calls that grow their caller by more than `limit` operations are not inlined, nor are
    those of the functions `kept`.
    """
    for function in unit.functions:
        loop_tail_recursion(function, pointer)  # first: a loop can be inlined, recursion cannot
    remove_constant_parameters(unit, pointer)
    if limit:
        inline_calls(unit, pointer, limit, kept)
