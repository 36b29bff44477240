"""Jump tables that several blocks of a function jump by, as the dispatches of a threaded interpreter do.

Each has a number below that of any block, so that edges can lead over it: with 250 dispatches of 250 operations, 500 edges
stand for 62,500.
"""

from __future__ import annotations

from dataclasses import dataclass

from vpo.analysis.cfg import OUTSIDE, transfer_of
from vpo.function import Function
from vpo.rtl import IndirectJump


@dataclass(frozen=True, slots=True)
class JumpTable:
    """The labels of a table, the blocks that jump by it, and its number, which is less than OUTSIDE."""

    number: int
    labels: tuple[str, ...]
    blocks: tuple[int, ...]


def shared_tables(function: Function) -> dict[tuple[str, ...], JumpTable]:
    """Return the tables that more than one block jumps by, by their labels."""
    users: dict[tuple[str, ...], list[int]] = {}
    for number, block in enumerate(function.blocks):
        rtl = transfer_of(block, function.stage == "final")
        if rtl is not None and isinstance(rtl.transfer, IndirectJump):
            users.setdefault(rtl.transfer.labels, []).append(number)
    shared = {labels: blocks for labels, blocks in users.items() if len(blocks) > 1}
    return {labels: JumpTable(OUTSIDE - 1 - i, labels, tuple(shared[labels])) for i, labels in enumerate(shared)}
