"""Why registers are saved: across which calls the values live for which functions save them."""

from collections.abc import Iterable, Iterator

from ease.tools import Array, Function, Instruction, Program, Table

SAVES = ("save", "callsave")
executed = Array()
reasons: list[tuple[Function, str, list[Instruction], list[Instruction], list[Instruction]]] = []


def instrument(program: Program) -> None:
    executed.resize(len(program.instructions))
    reasons[:] = [reason for function in program.functions for reason in saved(function)]
    wanted = {each for _, _, saves, _, calls in reasons for each in (*saves, *calls)}
    for instruction in program.instructions:
        if instruction in wanted:
            instruction.before(count, instruction.number)


def count(number: int) -> None:
    executed[number] += 1


def saved(function: Function) -> Iterator[tuple[Function, str, list[Instruction], list[Instruction], list[Instruction]]]:
    """Yield the registers that a function saves: the instructions that do it, that set them, and calls in between."""
    stores: dict[str, list[Instruction]] = {}
    for each in function.instructions:
        if each.cause in SAVES and any(reference.is_write for reference in each.references):
            cells = " ".join(reference.cell for reference in each.references)
            for register in sorted(register for register in each.reads if register not in cells):
                stores.setdefault(register, []).append(each)
    for register, saves in stores.items():
        sets = [each for each in function.instructions if register in each.writes and each.cause not in SAVES]
        yield function, register, saves, sets, calls_across(function, register)


def calls_across(function: Function, register: str) -> list[Instruction]:
    """Return the calls behind which the function reads what a register had before them, or restores it for that."""
    live = dict.fromkeys(function.blocks, False)
    found: list[Instruction] = []
    changed = True
    while changed:
        found, changed = [], False
        for block in reversed(function.blocks):
            now = any(live[edge.target] for edge in block.edges)
            for each in reversed(block.instructions):
                if now and "call" in each.transfer and register not in each.writes:
                    found.append(each)
                used = register in each.reads or (each.cause == "callsave" and register in each.writes)
                now = each.cause != "save" and (used or (now and register not in each.writes))
            changed, live[block] = changed or now != live[block], now
    return found


def report() -> Table:
    rows = []
    for function, register, saves, sets, calls in reasons:
        why = {each.callee.removeprefix("_") or "computed" for each in calls}
        why = why or {"(a call sets it)" if any("call" in each.transfer for each in sets) else "(no call)"}
        stored, crossed = (sum(executed[each.number] for each in many) for many in (saves, calls))
        lines = some(each.line for each in sets)
        rows.append((function.name, register, lines, some(why), len(saves), stored, len(calls), crossed))
    columns = ["function", "register", "set in lines", "lives across calls of", "saves", "saved", "calls", "called"]
    return Table("Saved registers", columns, rows).ordered("saved")


def some(things: Iterable[int | str]) -> str:
    names = sorted(map(str, set(things)), key=lambda each: (len(each) * each.isdecimal(), each))
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
