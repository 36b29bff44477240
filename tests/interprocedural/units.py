"""Units of the intermediate language from C text, as the tests of this folder want them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "frontend"))
from il_to_c import LP64

from vpo import il
from vpo.frontend import compile_c
from vpo.il.traversal import reachable
from vpo.interprocedural import Inlining, optimize_unit

P8 = il.Type("P", 8)


def optimized(text, limit=15, kept=(), small=False, **options):
    """Return the unit of a C text after all interprocedural transformations."""
    unit = compile_c("test.c", LP64, source=text)
    optimize_unit(unit, P8, Inlining(limit, kept, small=small), **options)
    return unit


def function(unit, name):
    return next(function for function in unit.functions if function.name == name)


def calls(unit, name):
    """Return what a function calls, in order."""
    return [s.function.name for s in function(unit, name).body if isinstance(s, il.Call)]


def constants(unit, name):
    """Return what a function returns, as numbers; None for what is no constant."""
    values = [s.value for s in function(unit, name).body if isinstance(s, il.Return)]
    return [value.value if isinstance(value, il.Const) else None for value in values]


def remaining(unit):
    """Return the names of the functions that are expanded."""
    wanted = reachable(unit)
    return [function.name for function in unit.functions if function.name in wanted]
