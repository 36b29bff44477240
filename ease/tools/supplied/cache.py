"""Misses of a direct-mapped data cache of 8 KiB with lines of 32 bytes, as ATOM's example has it."""

from ease.tools import ADDRESS, Array, Program, Table

tags = Array(256, fill=-1)
references = 0
misses = 0


def instrument(program: Program) -> None:
    for reference in program.references:
        reference.before(look_up, ADDRESS)


def look_up(address: int) -> None:
    global misses, references
    references += 1
    line = address >> 5
    if tags[line & 255] != line:
        tags[line & 255] = line
        misses += 1


def report(program: Program) -> Table:
    return Table("Data cache", ["references", "misses", "per cent"], [(references, misses, 100 * misses / max(references, 1))])
