"""How deep the stack became, in all and in each function."""

from ease.tools import Array, Program, Table, register

start = 0
deepest = Array()


def instrument(program: Program) -> None:
    pointer = register(program.stack_pointer)
    deepest.resize(len(program.functions))
    program.function("_start").before(begin, pointer)
    for instruction in program.instructions:
        if program.stack_pointer in instruction.sets and instruction.has_after:
            instruction.after(look, instruction.function.number, pointer)


def begin(pointer: int) -> None:
    global start
    start = pointer


def look(function: int, pointer: int) -> None:
    deepest[function] = max(deepest[function], abs(start - pointer))


def report(program: Program) -> Table:
    rows = [(function.name, deepest[function.number]) for function in program.functions if deepest[function.number]]
    return Table("Depth of the stack in bytes", ["function", "deepest"], rows).ordered("deepest")
