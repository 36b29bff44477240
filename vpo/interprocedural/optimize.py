"""The order of the interprocedural transformations of a unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vpo import il
from vpo.interprocedural.constant_data import fold_constant_data, replace_set_once
from vpo.interprocedural.inlining import NONE, Inlining, inline_calls, is_shareable
from vpo.interprocedural.parameters import remove_constant_parameters, split_parameters
from vpo.interprocedural.scalar_replacement import replace_aggregates
from vpo.interprocedural.small_aggregates import copied_integers, hold_in_words
from vpo.interprocedural.switch_tables import read_choices_from_tables
from vpo.interprocedural.tail_recursion import loop_tail_recursion


def optimize_unit(
    unit: il.Unit, pointer: il.Type, wanted: Inlining, others: Mapping[str, il.Function] = NONE, big_endian: bool = False
) -> None:
    """Transform all functions of a unit in place.

    `pointer` is the type of addresses, `big_endian` the order of bytes.  `others` are functions from elsewhere that may be
    inlined.
    """
    for function in unit.functions:
        loop_tail_recursion(function, pointer)  # first: a loop can be inlined, recursion cannot
    read_choices_from_tables(unit, pointer)
    remove_constant_parameters(unit, pointer)
    fold_constant_data(unit)  # what is inlined is smaller then
    if wanted.limit:
        inline_calls(unit, pointer, wanted, others)
    _scalarise(unit, pointer, big_endian)
    fold_constant_data(unit)
    for function in unit.functions:
        replace_set_once(function)  # what was loaded may be a number now


def _scalarise(unit: il.Unit, pointer: il.Type, big_endian: bool) -> None:
    """Make scalars of aggregates and of what only has an address, once bodies have become what they stay."""
    split_parameters(unit, pointer)
    for function in unit.functions:
        integers = copied_integers(function)
        replace_set_once(function)
        while replace_aggregates(function, pointer) and replace_set_once(function):
            pass
        hold_in_words(function, pointer, big_endian, integers)


def inline_across(units: Sequence[il.Unit], pointer: il.Type, wanted: Inlining, big_endian: bool = False) -> None:
    """Inline calls of functions of other units of a program, in place; each unit has been optimised by itself before.

    A function stays in its unit if it refers to something static, which has no name elsewhere.
    """
    shared = [_shareable(unit) for unit in units]
    for position, unit in enumerate(units):
        others = {name: function for at, found in enumerate(shared) if at != position for name, function in found.items()}
        inline_calls(unit, pointer, wanted, others)
        _scalarise(unit, pointer, big_endian)
        shared[position] = _shareable(unit)  # bodies that have changed may refer to something static now


def _shareable(unit: il.Unit) -> dict[str, il.Function]:
    return {function.name: function for function in unit.functions if is_shareable(function, unit)}
