"""The system calls with their arguments and results, as many as there is room for, and the bytes that they moved."""

from ease.tools import NUMBER, RESULT, Array, Program, Table, argument

ROOM = 1000
log = Array(5 * ROOM)
made = read = written = 0


def instrument(program: Program) -> None:
    numbers = {name: number for number, name in program.system_call_names.items()}
    for call in program.system_calls:
        call.before(begin, NUMBER, argument(0), argument(1), argument(2))
        call.after(end, NUMBER, RESULT, numbers["read"], numbers["write"])


def begin(number: int, first: int, second: int, third: int) -> None:
    global made
    if made < ROOM:
        log[5 * made] = number
        log[5 * made + 1] = first
        log[5 * made + 2] = second
        log[5 * made + 3] = third
    made += 1


def end(number: int, result: int, read_number: int, write_number: int) -> None:
    global read, written
    read += max(result, 0) if number == read_number else 0
    written += max(result, 0) if number == write_number else 0
    if made <= ROOM:
        log[5 * made - 1] = result


def report(program: Program) -> list[Table]:
    names = program.system_call_names
    rows = [(names.get(log[at]), *(log[at + n] for n in range(1, 5))) for at in range(0, 5 * min(made, ROOM), 5)]
    calls = Table("System calls", ["call", "argument 0", "argument 1", "argument 2", "result"], rows)
    return [calls, Table("Input and output", ["calls", "bytes read", "bytes written"], [(made, read, written)])]
