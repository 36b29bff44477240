"""How many writes to memory a write cache saves, which combines writes to the same line (Jouppi, ISCA 1993, section 4)."""

from ease.tools import ADDRESS, Array, Program, Table

LINE = 8  # bytes that one buffer holds
BUFFERS = 16  # the most that are looked at

held = Array(fill=-1)  # lines, the last written first: of these, N buffers hold the first N
combined = Array()  # writes by the place at which their line was
writes = 0


def instrument(program: Program) -> None:
    held.resize(BUFFERS)
    combined.resize(BUFFERS)
    for reference in program.references:
        if reference.is_write:
            reference.before(write, ADDRESS, reference.size)


def write(address: int, size: int) -> None:
    global writes
    for line in range(address // LINE, (address + size - 1) // LINE + 1):
        writes += 1
        place = 0
        while place < BUFFERS and held[place] != line:
            place += 1
        if place < BUFFERS:
            combined[place] += 1
        else:
            place -= 1
        while place > 0:
            held[place] = held[place - 1]
            place -= 1
        held[0] = line


def report(program: Program) -> Table:
    rows, saved = [], 0
    for number in range(BUFFERS):
        saved += combined[number]
        if number & (number + 1) == 0 or number == BUFFERS - 1:
            rows.append((number + 1, writes, saved, writes - saved, 100 * saved / max(writes, 1)))
    return Table("Write cache", ["buffers", "writes", "combined", "to memory", "per cent combined"], rows)
