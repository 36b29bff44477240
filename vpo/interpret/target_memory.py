"""The interpreter's memory: a list of pages, each None (not mapped) or a view from its start into its region."""

from __future__ import annotations

import mmap
from collections.abc import Sequence

from vpo.program import Program
from vpo.rtl import BITS
from vpo.system.address_space import beyond_stack, heap_bounds, initial_stack, regions
from vpo.system.faults import MemoryFault
from vpo.system.initial_stack import InitialStack, page_ceil

_SPAN = 1 << 32  # what can be mapped
_OVERLAP = 8  # a page's view goes on into the next one, so that misaligned accesses may cross


class Memory:
    """Flat memory of a program: image, heap and stack.

    For 32-bit addresses `pages` has its entries twice, so that address + displacement need not be reduced.
    """

    def __init__(self, program: Program) -> None:
        layout = program.machine.layout
        self.page = layout.page
        self.shift = self.page.bit_length() - 1
        self.wide = BITS[program.machine.address_type] > 32
        self.count = _SPAN >> self.shift
        self.pages: list[memoryview | None] = [None] * (self.count if self.wide else 2 * self.count)
        self.beyond_stack = beyond_stack(program.machine)
        mapped = regions(program)
        self.regions = mapped
        heap_start, heap_limit = heap_bounds(program)
        low = min([heap_start, *[r.start for r in mapped if r.name != "stack"]]) // self.page * self.page
        self.low, self.mapped_end = low, page_ceil(heap_start, self.page)
        high = max([heap_limit, *[r.end for r in mapped if r.name != "stack"]])
        self.data = memoryview(mmap.mmap(-1, page_ceil(high, self.page) - low + self.page))
        for region, following in zip(mapped, [*mapped[1:], None], strict=True):
            if region.name == "stack":
                self._map(region.start, region.end, memoryview(mmap.mmap(-1, region.end - region.start)), region.start)
            else:
                goes_on = following and following.start == region.end and following.writable >= region.writable
                self._map(region.start, region.end, self.data, low, _OVERLAP if goes_on else 0)
        for address, content in program.image:
            self.data[address - low : address - low + len(content)] = content
        for region in mapped:
            if not region.writable:
                self._protect(region.start, region.end)

    def _map(self, start: int, end: int, backing: memoryview, base: int, beyond: int = 0) -> None:
        """Map whole pages; views may go on for some bytes `beyond` the last."""
        for address in range(start, end, self.page):
            stop = min(address + self.page + _OVERLAP, end + beyond)
            self._set(address, backing[address - base : stop - base])

    def _set(self, address: int, view: memoryview) -> None:
        number = address >> self.shift
        self.pages[number] = view
        if not self.wide:
            self.pages[number + self.count] = view

    def _protect(self, start: int, end: int) -> None:
        for address in range(start, end, self.page):
            view = self.pages[address >> self.shift]
            assert view is not None
            self._set(address, view.toreadonly())

    def set_break(self, end: int) -> None:
        """Map the heap up to `end`."""
        end = page_ceil(end, self.page)
        if end > self.mapped_end:
            start = max(self.mapped_end - self.page, self.low)
            view = self.pages[start >> self.shift]
            if view is None:
                start = self.mapped_end
            self._map(start, end, self.data, self.low)
            if view is not None and view.readonly:
                self._protect(start, self.mapped_end)
            self.mapped_end = end

    def start(self, program: Program, arguments: Sequence[str | bytes]) -> InitialStack:
        """Lay out the initial stack, and return where it lies.

        Raises ArgumentsTooLong.
        """
        stack = initial_stack(program, arguments)
        self.write(stack.address, stack.content)
        return stack

    def check(self, address: int, size: int, write: bool) -> None:
        """Refuse an access that is not mapped or not allowed; one of no bytes is always allowed.

        Raises MemoryFault.
        """
        for number in range(address >> self.shift, ((address + size - 1) >> self.shift) + 1) if size else ():
            view = self.pages[number] if 0 <= number < self.count else None
            if view is None or (write and view.readonly):
                kind = "stack" if address in self.beyond_stack else "wild"
                raise MemoryFault(address, size, write, kind)

    def writable(self, address: int, size: int) -> int:
        """Return how many of `size` bytes from an address on may be stored."""
        at, end = address, address + size
        while at < end:
            view = self.pages[at >> self.shift] if at >> self.shift < self.count else None
            if view is None or view.readonly:
                return at - address
            at = (at | (self.page - 1)) + 1
        return size

    def read(self, address: int, size: int) -> bytes:
        """Return bytes.

        Raises MemoryFault.
        """
        self.check(address, size, False)
        result = bytearray()
        while size > 0:
            view, offset = self.pages[address >> self.shift], address & (self.page - 1)
            assert view is not None
            piece = view[offset : min(offset + size, self.page)]
            result += piece
            address, size = address + len(piece), size - len(piece)
        return bytes(result)

    def write(self, address: int, data: bytes) -> None:
        """Store bytes.

        Raises MemoryFault.
        """
        self.check(address, len(data), True)
        done = 0
        while done < len(data):
            view, offset = self.pages[(address + done) >> self.shift], (address + done) & (self.page - 1)
            assert view is not None
            count = min(len(data) - done, self.page - offset)
            view[offset : offset + count] = data[done : done + count]
            done += count
