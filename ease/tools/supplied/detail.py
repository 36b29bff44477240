"""What instructions do, one by one, into a file: LEVEL is one of seven levels of detail, as DICE has them."""

from pathlib import Path
from typing import Any, TextIO

from ease.tools import ADDRESS, NUMBER, RESULT, TAKEN, TARGET, Program, Table, argument, in_chunks, register

LEVEL = "trace"
FILE = "detail.txt"
LEVELS = ("before", "calls", "blocks", "trace", "types", "values", "registers")
BEFORE, BLOCK, CALL, ARGUMENT, RESULTS, DATA, GOES, READS, SETS = range(9)
events, lines = [0], [0]
names: list[str] = []
line: list[str] = []
view: Program
out: TextIO


def instrument(program: Program) -> None:
    global view, out
    view, out, level = program, Path(FILE).open("w"), LEVELS.index(LEVEL)  # noqa: SIM115 - `report` closes it
    for block in program.blocks if LEVEL == "blocks" else ():
        block.before(note, BLOCK, block.number, 0)
    for each in program.instructions if level not in (1, 2) else ():
        each.before(note, BEFORE, each.number, 0)
        for reference in each.references if level > 3 else ():
            reference.before(note, DATA, reference.number, ADDRESS)
        for way, wanted in (("branch", TAKEN), ("call jump return", TARGET)) if level > 3 else ():
            if each.transfer and each.transfer.split()[-1] in way:
                each.before(note, GOES, wanted is TAKEN, wanted)
        for name in sorted(each.uses) if level > 4 else ():
            each.before(note, READS, place(name), register(name))
        for name in sorted(each.sets) if level > 4 and each.has_after else ():
            each.after(note, SETS, place(name), register(name))
    for call in program.system_calls if level and level != 2 else ():
        call.before(note, CALL, 0, NUMBER)
        for number in range(3):
            call.before(note, ARGUMENT, number, argument(number))
        call.after(note, RESULTS, 0, RESULT)


def place(name: str) -> int:
    names.extend([name] * (name not in names))
    return names.index(name)


@in_chunks
def note(kinds: Any, numbers: Any, values: Any) -> None:
    events[0] += len(kinds)
    for kind, number, value in zip(kinds.tolist(), numbers.tolist(), values.tolist(), strict=True):
        if kind <= BLOCK or (kind == CALL and LEVEL == "calls"):
            end_line()
        tell(kind, number, value % 2**64)


def tell(kind: int, number: int, value: int) -> None:
    if kind == BEFORE and LEVEL != "before":
        instruction = view.instructions[number]
        types = [f"{instruction.name}:{instruction.size}"] if LEVEL in LEVELS[4:] else []
        line.extend([f"{instruction.address:08x}", *types])
    elif kind == DATA:
        reference = view.references[number]
        line.append(f"{'write' if reference.is_write else 'read'}:{reference.size}={value:08x}")
    elif kind in (READS, SETS):
        line.append(f"{'<>'[kind - READS]}{names[number] + '=' if LEVEL == 'registers' else ''}{value:x}")
    elif kind == BLOCK:
        line.append(f"{view.blocks[number].address:08x}")
    elif kind != BEFORE:
        words = {CALL: "call", GOES: ("to", "taken")[number % 2], ARGUMENT: f"argument{number}", RESULTS: "result"}
        line.append(f"{words[kind]}={value:x}")


def end_line() -> None:
    if line:
        out.write(" ".join(line) + "\n")
        line.clear()
        lines[0] += 1


def report() -> Table:
    end_line()
    out.close()
    return Table("Detail", ["level", "file", "events", "lines"], [(LEVEL, FILE, events[0], lines[0])])
