"""Who called whom, and how many instructions each function executed, those of its callees included."""

from ease.tools import Array, Program, Table

now = depth = 0
functions = Array(100_000)  # under way, and when each began
began = Array(100_000)
active = Array()
calls = Array()
inclusive = Array()


def instrument(program: Program) -> None:
    count = len(program.functions)
    for array, length in ((active, count), (inclusive, count), (calls, count * count)):
        array.resize(length)
    for block in program.blocks:
        block.before(go_on, sum(instruction.counted for instruction in block.instructions))
    for function in program.functions:
        function.before(enter, function.number, count)
        function.after(leave, function.number)
    program.after(leave, 0)


def go_on(instructions: int) -> None:
    global now
    now += instructions


def enter(function: int, count: int) -> None:
    global depth
    calls[functions[depth] * count + function] += 1
    depth += 1
    functions[depth] = function
    began[depth] = now
    active[function] += 1


def leave(function: int) -> None:
    global depth
    left = -1
    while depth > 0 and left != function:  # longjmp and the end of the program leave several
        left = functions[depth]
        active[left] -= 1
        if active[left] == 0:
            inclusive[left] += now - began[depth]
        depth -= 1


def report(program: Program) -> Table:
    names, count = [function.name for function in program.functions], len(program.functions)
    rows = [(names[n // count], names[n % count], calls[n], inclusive[n % count]) for n in range(count * count) if calls[n]]
    return Table("Calls", ["caller", "callee", "calls", "instructions of the callee"], rows).ordered("calls")
