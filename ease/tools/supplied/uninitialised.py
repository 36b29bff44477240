"""Which references read bytes of the stack or heap that nobody has written."""

from ease.tools import ADDRESS, NUMBER, RESULT, Array, Program, Table, argument, register

written = Array(1 << 32, bits=8)
top = 0
reads = Array()


def instrument(program: Program) -> None:
    reads.resize(len(program.references))
    program.function("_start").before(begin, register(program.stack_pointer))
    for reference in program.references:
        if reference.is_write:
            reference.before(write, ADDRESS, reference.size)
        else:
            reference.before(read, ADDRESS, reference.size, reference.number, program.data_end)
    numbers = {name: number for number, name in program.system_call_names.items()}
    for call in program.system_calls:
        call.after(fill, NUMBER, numbers["read"], argument(1), RESULT)


def begin(pointer: int) -> None:
    global top
    top = pointer


def write(address: int, size: int) -> None:
    for byte in range(address, address + size):
        written[byte] = 1


def read(address: int, size: int, reference: int, end: int) -> None:
    if end <= address < top:
        for byte in range(address, address + size):
            reads[reference] += written[byte] == 0


def fill(number: int, wanted: int, address: int, count: int) -> None:
    write(address, count if number == wanted else 256)  # other calls may fill a structure


def report(program: Program) -> Table:
    found = [reference for reference in program.references if reads[reference.number]]
    rows = [(each.instruction.function.name, each.cell, each.instruction.line, reads[each.number]) for each in found]
    return Table("Reads of what nobody wrote", ["function", "cell", "line", "bytes"], rows, ("total", "", "", sum(reads)))
