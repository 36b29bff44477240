"""Which references step through memory by the same distance again and again."""

from ease.tools import ADDRESS, Array, Program, Table

made = Array()
last = Array()
stride = Array()
again = Array()


def instrument(program: Program) -> None:
    for array in (made, last, stride, again):
        array.resize(len(program.references))
    for reference in program.references:
        reference.before(look, reference.number, ADDRESS)


def look(reference: int, address: int) -> None:
    made[reference] += 1
    step = address - last[reference]
    again[reference] += step == stride[reference]
    stride[reference] = step
    last[reference] = address


def report(program: Program) -> Table:
    rows = [
        (reference.instruction.function.name, reference.cell, reference.instruction.line, made[n], again[n], stride[n])
        for n, reference in enumerate(program.references)
        if made[n] > 2
    ]
    return Table("Strides", ["function", "cell", "line", "made", "same step", "last step"], rows).ordered("same step")
