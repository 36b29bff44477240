"""How often each basic block was executed."""

from ease.tools import Array, Program, Table

counts = Array()


def instrument(program: Program) -> None:
    counts.resize(len(program.blocks))
    for block in program.blocks:
        block.before(count, block.number)


def count(number: int) -> None:
    counts[number] += 1


def report(program: Program) -> Table:
    rows = [(block.function.name, block.label, counts[block.number]) for block in program.blocks if counts[block.number]]
    return Table("Blocks", ["function", "block", "entered"], rows).ordered("entered")
