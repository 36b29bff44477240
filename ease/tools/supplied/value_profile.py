"""Which loads often load the same value: candidates are found by majority vote, as in value profiles of compilers."""

from ease.tools import VALUE, Array, Program, Reference, Table

loaded = Array()
candidate = Array()
votes = Array()
same = Array()
loads: list[Reference] = []


def instrument(program: Program) -> None:
    loads[:] = [reference for reference in program.references if not reference.is_write]
    for array in (loaded, candidate, votes, same):
        array.resize(len(loads))
    for number, load in enumerate(loads):
        load.before(look, number, VALUE)


def look(load: int, value: int) -> None:
    loaded[load] += 1
    if value == candidate[load]:
        votes[load] += 1
        same[load] += 1
    elif votes[load] > 0:
        votes[load] -= 1
    else:
        candidate[load] = value
        votes[load] = 1
        same[load] = 1


def report() -> Table:
    where = [(load.instruction.function.name, load.instruction.line) for load in loads]
    rows = [(*where[n], loaded[n], candidate[n], same[n]) for n in range(len(loads)) if loaded[n]]
    return Table("Values loaded", ["function", "line", "loads", "value", "at least"], rows).ordered("at least")
