"""What was asked of malloc, by size, and what came back to free."""

from ease.tools import RETURNED, Array, Program, Table, parameter

calls = Array(33)
allocated = Array(33)
failed = 0
freed = 0


def instrument(program: Program) -> None:
    for function in program.functions:
        if function.name == "malloc":
            function.before(allocate, parameter(0))
            function.after(check, RETURNED)
        elif function.name == "free":
            function.before(release, parameter(0))


def allocate(size: int) -> None:
    kind = 0
    while size >> kind and kind < 32:
        kind += 1
    calls[kind] += 1
    allocated[kind] += size


def check(address: int) -> None:
    global failed
    failed += address == 0


def release(address: int) -> None:
    global freed
    freed += address != 0


def report() -> Table:
    rows = [(f"below {1 << kind}", calls[kind], allocated[kind]) for kind in range(33) if calls[kind]]
    rows += [("failed", failed, 0), ("freed", freed, 0)]
    return Table("Calls of malloc and free", ["size in bytes", "calls", "bytes"], rows)
