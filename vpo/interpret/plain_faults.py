"""What goes wrong in the plain interpreter: how it is told, or how it becomes a signal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vpo.analysis.delay_slots import units
from vpo.fault_delivery import ENTRY
from vpo.faults import MESSAGES, Fault, MemoryFault, access_message, stack_message, transfer_message
from vpo.interpret.plain_values import mask
from vpo.rtl import BITS

if TYPE_CHECKING:
    from vpo.interpret.plain import PlainInterpreter


class NowhereError(Exception):
    """A 'call', 'jump' or 'return' goes to an address where there is no such thing, or a function ends without ('end')."""

    def __init__(self, kind: str, address: int = 0, expected: int | None = None) -> None:
        super().__init__(kind)
        self.kind, self.address, self.expected = kind, address, expected


class LimitError(Exception):
    """As many instructions have been executed as may be."""


def fault_of(run: PlainInterpreter, error: Exception) -> Fault:
    """Describe what went wrong at the program counter."""
    position, digits = run.position, BITS[run.word] // 4
    match error:
        case LimitError():
            kind, message = "limit", f"stopped after {run.limit} instructions"
        case NowhereError(kind="end"):
            kind, message, position = "end", MESSAGES["end"], len(run.function.rtls()) - 1
        case NowhereError():
            kind, message = error.kind, transfer_message(error.kind, error.address, error.expected, digits)
        case MemoryFault(kind="stack"):
            kind, message = "stack", stack_message(run.machine.layout.stack_size, error.address, digits)
        case MemoryFault():
            kind, message = error.kind, access_message(error.kind, error.write, error.size, error.address, digits)
        case _:
            kind, message = "division", MESSAGES["division"]
    line = max(run.function.rtls()[position].lines)
    return Fault(kind, message, run.function.name, run.function.file, line, run.fetched[position][0], position)


def deliver(run: PlainInterpreter, error: Exception) -> bool:
    """Enter the handler of a fault; return False if the program has none (`vpo.fault_delivery`)."""
    kind = error.kind if isinstance(error, NowhereError | MemoryFault) else "division"
    number = run.delivery.signal(kind, run.state.memory.read) if run.delivery is not None else 0
    if run.delivery is None or not number:
        return False
    block = run.function.blocks[run.block]
    _, cut, _ = next(unit for unit in units(run.machine, run.function, block) if unit[2] > run.index)
    if run.index >= cut:  # in slots that a branch may annul
        run.taken[run.function.name][run.block] -= 1
    else:
        run.count(1, cut - run.index)
    if run.index < cut and not isinstance(error, NowhereError):
        run.executed += sum(rtl.record is None or rtl.record.counted for rtl in block.rtls[run.index : cut])
    address = 0 if kind == "division" else error.address  # type: ignore[attr-defined]
    run.state.store("B", run.delivery.number, number)
    run.state.store(run.word, run.delivery.where, address & mask(run.word))
    run.state.write(run.machine.stack_pointer, run.delivery.stack)
    run.enter(run.program.functions[ENTRY], None)
    return True
