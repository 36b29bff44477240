"""Which functions return new objects: those of the library that do, and those of a unit that return what they return.

    void *make(unsigned n) { void *p = malloc(n); if (!p) exit(1); return p; }

`make` is an allocator: what it returns comes from one, or is null, and nobody else gets to know of it.  Pointers to what it
returns cannot point to what anybody knew before (`pointers.py`).

A file of its own, since `pointers.py` is about one function, and asks for this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vpo.analysis.pointers import Bases, Pointers, is_call_of
from vpo.machines.machine import Machine
from vpo.rtl import Register, Return, Rtl, Set
from vpo.rtl.function import Block, Function

LIBRARY = frozenset(("_malloc", "_calloc", "_aligned_alloc"))  # C11 7.22.3; what realloc returns may be what it was given


def allocators(functions: Iterable[Function], machine: Machine) -> frozenset[str]:
    """Return the names of the functions that return new objects, as a unit of some functions sees them."""
    own = {function.name: function for function in functions}
    found = new = LIBRARY.difference(own)
    while new:
        callers = [each for name, each in own.items() if name not in found and _calls(each, new)]
        new = frozenset(each.name for each in callers if _returns_new(each, machine, found))
        found |= new
    return found


def _calls(function: Function, names: frozenset[str]) -> bool:
    return any(is_call_of(rtl, names) for rtl in function.rtls())


def _returns_new(function: Function, machine: Machine, known: frozenset[str]) -> bool:
    """Whether a function returns objects that known allocators made for it, and gives them to nobody else."""
    returned = {rtl for block in function.blocks for rtl in _results(block)}
    if not returned:
        return False
    pointers = Pointers(function, machine, known, returned)
    values = [pointers.of(effect.source) for rtl in returned for effect in rtl.effects if type(effect) is Set]
    objects: Bases = frozenset().union(*values)
    return bool(objects) and all(base.kind == "heap" for base in objects) and objects.isdisjoint(pointers.escaped)


def _results(block: Block) -> Iterator[Rtl]:
    """Yield the RTLs at the end of a block that put results where the caller finds them."""
    if not block.rtls or type(block.rtls[-1].transfer) is not Return:
        return
    for rtl in reversed(block.rtls[:-1]):
        if rtl.call is not None:
            return
        if any(type(e) is Set and type(e.target) is Register and not e.target.pseudo for e in rtl.effects):
            yield rtl
