"""How often each kind of instruction was executed."""

from ease.tools import Array, Program, Table

executed = Array()
names: list[str] = []


def instrument(program: Program) -> None:
    names[:] = sorted({instruction.name for instruction in program.instructions})
    executed.resize(len(names))
    for instruction in program.instructions:
        if instruction.counted:
            instruction.before(count, names.index(instruction.name))


def count(kind: int) -> None:
    executed[kind] += 1


def report() -> Table:
    rows = [(name, number) for name, number in zip(names, executed, strict=True) if number]
    return Table("Instructions", ["instruction", "executed"], rows, ("total", sum(executed))).ordered("executed")
