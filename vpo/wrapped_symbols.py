"""Functions and objects that a program puts in place of others when it is linked: `--wrap=NAME`, as GNU ld has it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from vpo.function import Unit
from vpo.unit_symbols import rename_data, rename_function


def wrap(unit: Unit, names: Sequence[str]) -> Unit:
    """Return a unit in which `__wrap_NAME` stands for each of some names that it does not define, `__real_NAME` for NAME.

    Names are those of C; the unit itself is not changed.
    """
    defined = {function.name for function in unit.functions} | {data.name for data in unit.data}
    renamed = {f"_{name}": f"___wrap_{name}" for name in names} | {f"___real_{name}": f"_{name}" for name in names}
    renamed = {old: new for old, new in renamed.items() if old not in defined}
    if not renamed:
        return unit
    functions = [rename_function(function, renamed) for function in unit.functions]
    return dataclasses.replace(unit, functions=functions, data=[rename_data(data, renamed) for data in unit.data])
