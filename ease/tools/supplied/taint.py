"""Which branches are decided by what nobody has written: unwritten bytes are followed through copies and arithmetic."""

from ease.tools import ADDRESS, NUMBER, RESULT, Array, Program, Table, argument, register

written = Array(1 << 32, bits=8)  # 0: not yet, 1: with what is known, 2: with what is not
top = 0
tainted = 0  # registers, a bit for each
loaded = 0  # whether the instruction under way has read what is not known
flowing = 0  # whether what it writes is not known
decided = Array()


def instrument(program: Program) -> None:
    decided.resize(len(program.instructions))
    program.function("_start").before(begin, register(program.stack_pointer))
    used = sorted({name for each in program.instructions for name in each.uses | each.sets})
    if len(used) > 64:
        raise ValueError(f"registers are followed by 64 bits, and the program uses {len(used)}")
    bits = {name: 1 << number for number, name in enumerate(used)}
    for each in program.instructions:
        uses, sets = (sum(bits[name] for name in names) for names in (each.uses, each.sets))
        for reference in (reference for reference in each.references if not reference.is_write):
            reference.before(read, ADDRESS, reference.size, program.data_end)
        if each.is_branch:
            each.before(decide, each.number, uses)
        each.before(flow, uses, sets)
        for reference in (reference for reference in each.references if reference.is_write):
            reference.before(write, ADDRESS, reference.size)
    numbers = {name: number for number, name in program.system_call_names.items()}
    for call in program.system_calls:
        call.after(fill, NUMBER, numbers["read"], argument(1), RESULT)


def begin(pointer: int) -> None:
    global top
    top = pointer


def read(address: int, size: int, end: int) -> None:
    global loaded
    fresh = 1 if end <= address < top else 0  # in the stack or heap
    for byte in range(address, address + size):
        loaded |= 1 if written[byte] == 2 or (fresh == 1 and written[byte] == 0) else 0


def decide(number: int, uses: int) -> None:
    decided[number] += 1 if loaded != 0 or tainted & uses != 0 else 0


def flow(uses: int, sets: int) -> None:
    global tainted, loaded, flowing
    flowing = 1 if loaded != 0 or tainted & uses != 0 else 0
    tainted = tainted | sets if flowing else tainted & ~sets
    loaded = 0


def write(address: int, size: int) -> None:
    for byte in range(address, address + size):
        written[byte] = 1 + flowing


def fill(number: int, wanted: int, address: int, count: int) -> None:
    for byte in range(address, address + (count if number == wanted else 256)):
        written[byte] = 1


def report(program: Program) -> Table:
    found = [each for each in program.instructions if decided[each.number]]
    rows = [(each.function.name, each.name, each.line, decided[each.number]) for each in found]
    columns = ["function", "branch", "line", "decisions"]
    return Table("Decisions by what nobody wrote", columns, rows, ("total", "", "", sum(decided)))
