"""How often each conditional branch was executed and taken."""

from ease.tools import TAKEN, Array, Instruction, Program, Table

executed = Array()
taken = Array()
branches: list[Instruction] = []


def instrument(program: Program) -> None:
    branches[:] = [instruction for instruction in program.instructions if instruction.is_branch]
    executed.resize(len(branches))
    taken.resize(len(branches))
    for number, branch in enumerate(branches):
        branch.before(decide, number, TAKEN)


def decide(branch: int, is_taken: int) -> None:
    executed[branch] += 1
    taken[branch] += is_taken


def report() -> Table:
    rows = [
        (branch.file, branch.line, branch.address, executed[number], taken[number])
        for number, branch in enumerate(branches)
        if executed[number]
    ]
    total = ("total", "", "", sum(executed), sum(taken))
    return Table("Branches", ["file", "line", "address", "executed", "taken"], rows, total)
