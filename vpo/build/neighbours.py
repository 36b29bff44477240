"""Which objects of a unit lie side by side, so that one register reaches them all.

Where no instruction has the address of a cell in it, each object costs instructions that make its address.  So objects that
functions mention are put into groups, one for each section that they may lie in, in an order in which short displacements
reach most of them; phase `share-addresses` computes addresses from that of the group.  In C that an object of a group has
another definition elsewhere is an error which few compilers allow: the linker tells, and the unit is compiled without groups.

A file of its own, since a machine and all functions of a unit are asked, before phases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vpo.algebra import binary
from vpo.machines.machine import Machine
from vpo.rtl import Const, Mem, Register, Set, Symbol
from vpo.rtl.function import Data, Function, LabelItem, PartItem
from vpo.rtl.symbols import GROUP, symbols_of_function

DISTANCES = (32760, 4088, 2040, 1016, 248)  # of cells from a register, the first of which counts that instructions reach


def groups_of(functions: Iterable[Function], data: Sequence[Data], machine: Machine) -> list[Data]:
    """Return groups of the objects of a unit, as objects of their own."""
    reach = _reach(machine)
    if not reach:
        return []
    mentioned = {name for function in functions for name in symbols_of_function(function)}
    kinds: dict[str, list[Data]] = {"constant": [], "data": [], "zero": []}
    for each in data:
        placed = each.weak or each.section or any(isinstance(item, LabelItem) for item in each.items)
        if each.name in mentioned and not placed:
            kinds["constant" if each.constant else "data" if each.items else "zero"].append(each)
    groups = [_group(f"{GROUP}{kind}", objects, reach, machine) for kind, objects in kinds.items()]
    return [group for group in groups if len(group.items) > 1]


def _reach(machine: Machine) -> int:
    """Return how far cells are reached from a register; 0 where instructions reach them by their symbols."""
    base = Register(machine.values.address, 1, machine.address_type, True)
    value = Register(machine.values.integer, 2, machine.classes[machine.values.integer].type, True)
    if machine.is_legal((Set(value, Mem(value.type, Symbol("_x"))),)):
        return 0
    cells = (Mem(value.type, binary("+", base, Const(distance))) for distance in DISTANCES)
    legal = (machine.is_legal((Set(value, cell),)) for cell in cells)
    return next((distance for distance, found in zip(DISTANCES, legal, strict=True) if found), 0)


def _group(name: str, objects: Iterable[Data], reach: int, machine: Machine) -> Data:
    """Return a group of those objects that begin within reach, the smallest first."""
    items: list[PartItem] = []
    end, largest = 0, 1
    for each in sorted(objects, key=lambda each: max(each.size, 1)):
        align = max(each.align, machine.model.object_align)
        place = -(-end // align) * align
        if place > reach:
            break
        items.append(PartItem(place, each.name))
        end, largest = place + max(each.size, 1), max(largest, align)
    return Data(name, end, largest, list(items), constant=name == f"{GROUP}constant", static=True)
