"""The memory of a run: which addresses are mapped, what lies there at the start, what system calls must know."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import BITS
from vpo.system.descriptors import SYMBOL, Streams
from vpo.system.initial_stack import InitialStack, StackShape, lay_out, page_ceil
from vpo.system.kernel import NO_LIMITS, Kernel, Limits
from vpo.system.system import OPEN_FLAGS

GUARD = 1 << 20  # a fault this little beyond the end of the stack is called stack exhaustion, ...
GUARDED_STACKS = 4  # ... or within so many times the size of the stack, since one frame may be larger than it


@dataclass(frozen=True, slots=True)
class Region:
    """Whole pages [start, end) of one kind: 'constant', 'data', 'heap' (grows to the heap limit) or 'stack'."""

    name: str
    start: int
    end: int
    writable: bool = True


def regions(program: Program) -> list[Region]:
    """List what is mapped when a program starts, in ascending order; the heap begins at `program.end`."""
    layout = program.machine.layout
    page = layout.page
    writable: dict[int, bool] = {}
    for address, content in program.image:
        for number in range(address // page, -(-(address + len(content)) // page)):
            writable.setdefault(number, False)
    constants = _constant_pages(program)
    for number in writable:
        writable[number] = number not in constants
    if program.end % page:
        writable[program.end // page] = True
    for space in layout.spaces:
        writable.update(dict.fromkeys(range(space.at // page, -(-(space.at + space.size) // page)), True))
    result: list[Region] = []
    for number in sorted(writable):
        name = "data" if writable[number] else "constant"
        if result and result[-1].name == name and result[-1].end == number * page:
            result[-1] = Region(name, result[-1].start, (number + 1) * page, writable[number])
        else:
            result.append(Region(name, number * page, (number + 1) * page, writable[number]))
    result.append(Region("stack", layout.stack_low // page * page, page_ceil(layout.stack_top, page)))
    return result


def beyond_stack(machine: Machine) -> range:
    """Return the addresses of which a reference means that the stack is exhausted."""
    layout = machine.layout
    guard = max(GUARD, GUARDED_STACKS * layout.stack_size)
    if machine.convention.grows_up:
        top = page_ceil(layout.stack_top, layout.page)
        return range(top, top + guard)
    heap = layout.heap_limit if layout.heap_limit <= layout.stack_low else 0
    return range(max(heap, layout.stack_low - guard), layout.stack_low)


def _constant_pages(program: Program) -> set[int]:
    """Pages that hold constant data and nothing else."""
    page = program.machine.layout.page
    literals = chain(*program.literals.values())
    constant = {address // page for found in literals for address in found.values()}
    other: set[int] = set()
    for data in program.data:
        address = program.symbols.get(data.name)
        if address is not None and data.size:
            pages = range(address // page, (address + data.size - 1) // page + 1)
            (constant if data.constant else other).update(pages)
    return constant - other


def stack_shape(machine: Machine) -> StackShape:
    """Return what the initial stack of any program on a machine has in common."""
    layout, convention = machine.layout, machine.convention
    return StackShape(
        BITS[machine.address_type] // 8, machine.big_endian, max(16, convention.stack_align), convention.grows_up,
        layout.stack_low, layout.stack_top, layout.page, layout.reserve,
    )  # fmt: skip


def initial_stack(program: Program, arguments: Sequence[str | bytes]) -> InitialStack:
    """Lay out the initial stack of a program.

    Raises ArgumentsTooLong.
    """
    environment = program.environment if program.sees_environment else ()
    return lay_out(stack_shape(program.machine), arguments, environment)


# Bytes; a browser has no memory that costs nothing until it is used.
LARGEST_HEAP = 1 << 24 if sys.platform == "emscripten" else 1 << 62


def heap_bounds(program: Program) -> tuple[int, int]:
    """Return where the heap starts and how far it may grow."""
    return program.end, max(min(program.machine.layout.heap_limit, program.end + LARGEST_HEAP), program.end)


def kernel_of(program: Program, limits: Limits = NO_LIMITS) -> Kernel:
    """Return what system calls must know about a program."""
    machine = program.machine
    macros = machine.model.macros  # the C library takes the flags of `open` from there as well
    flags = {name: int(value) for name in OPEN_FLAGS if (value := macros.get(f"__{name}", "")).isdecimal()}
    first, sizes = program.symbols.get(SYMBOL), machine.model.sizes
    streams = None if first is None else Streams(first, sizes["pointer"], sizes["int"], machine.big_endian)
    bits, bounds = BITS[machine.address_type], heap_bounds(program)
    return Kernel(bits, machine.big_endian, machine.syscalls, *bounds, flags, streams, limits)
