"""Find the RTL of a host program counter, through the line table of the compiled module."""

from __future__ import annotations

from typing import IO, Any

from ease.host.job import ENTRY


def identity_at(code: IO[bytes], pc: int, anchor: int) -> int | None:
    """Return the number of the RTL that the instruction at `pc` belongs to; `anchor` is where ENTRY was loaded."""
    from elftools.elf.elffile import ELFFile  # only needed once a program has failed

    elf: Any = ELFFile(code)
    symbol = elf.get_section_by_name(".symtab").get_symbol_by_name(ENTRY)[0]
    section = elf.get_section(symbol["st_shndx"])
    offset = pc - anchor + symbol["st_value"]
    return _search(elf, offset) if 0 <= offset < section["sh_size"] else None


def _search(elf: Any, offset: int) -> int | None:
    """Find the row of the line table that covers an offset into the code."""
    rows: list[tuple[int, int]] = []
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=True)
    for unit in dwarf.iter_CUs():
        program = dwarf.line_program_for_CU(unit)
        if program is not None:
            rows += [(e.state.address, e.state.line) for e in program.get_entries() if e.state is not None]
    rows.sort(key=lambda row: row[0])
    found: int | None = None
    for address, line in rows:
        if address > offset:
            break
        if line:
            found = line - 1
    return found
