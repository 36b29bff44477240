"""What an interpreter executes and refers to for each line of its own program, which it tells by ease_line of <ease.h>."""

from ease.tools import ADDRESS, VALUE, Array, Program, Table

LINES = 100_000
current = 0
executed = Array(LINES)
reads = Array(LINES)
writes = Array(LINES)


def instrument(program: Program) -> None:
    place = program.address_of("ease_current_line")
    for block in program.blocks:
        block.before(execute, sum(instruction.counted for instruction in block.instructions))
    for reference in program.references:
        reference.before(refer, reference.is_write, ADDRESS, VALUE, place)


def execute(instructions: int) -> None:
    executed[current] += instructions


def refer(is_write: int, address: int, value: int, place: int) -> None:
    global current
    reads[current] += not is_write
    writes[current] += is_write
    if is_write and address == place:
        current = min(value, LINES - 1)


def report() -> Table:
    rows = [(line, executed[line], reads[line], writes[line]) for line in range(LINES) if executed[line]]
    return Table("Lines of the interpreted program", ["line", "instructions", "reads", "writes"], rows)
