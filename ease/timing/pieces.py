"""Functions cut into pieces that are executed from the first instruction to the last, and what comes before each.

A piece ends where control is transferred (behind the delay slots), behind calls and system calls, and at labels.  Slots that
a branch may annul are a piece of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ease.results import Counts
from ease.timing.scoreboard import Step, step_of
from vpo.analysis.cfg import transfer_of
from vpo.analysis.delay_slots import delay_slots, units
from vpo.analysis.references import references
from vpo.function import Function
from vpo.program import Program
from vpo.rtl import Branch, Jump, Rtl


@dataclass(slots=True)
class Piece:
    """RTLs [first, end) of a function, by their positions in it; `last`: whether it is the last of its block.

    `before`: how often other pieces, by number, came directly before.  Else, nothing is known of what did: the function was
    entered, a call or the system came back, or an indirect jump arrived.
    """

    block: int
    first: int
    end: int
    last: bool = False
    before: dict[int, int] = field(default_factory=dict)


def pieces_of(program: Program, function: Function) -> list[Piece]:
    """Cut a function; what comes before is not known yet."""
    found = []
    for number, (block, position) in enumerate(zip(function.blocks, function.block_starts(), strict=True)):
        first = position
        for end in _ends(program, function, number):
            found.append(Piece(number, first, position + end, end == len(block.rtls)))
            first = position + end
    return found


def _ends(program: Program, function: Function, number: int) -> Iterator[int]:
    """Yield where the pieces of a block end."""
    rtls = function.blocks[number].rtls
    for index, cut, end in units(program.machine, function, function.blocks[number]):
        if cut < end:
            yield cut
        if end >= len(rtls):
            yield len(rtls)
        elif rtls[index].call is not None or rtls[index].system_call is not None:
            yield end


def steps_of(program: Program, function: Function) -> list[Step]:
    """Return the steps of all RTLs of a function; a branch to where it goes on anyway loses nothing."""
    steps, addresses = [], program.addresses[function.name]
    for position, rtl in enumerate(function.rtls()):
        step, transfer = step_of(program.machine, rtl), rtl.transfer
        if isinstance(transfer, Branch):
            behind = addresses[position + 1 + delay_slots(program.machine, function, rtl)]
            step = replace(step, taken=0) if program.labels[function.name, transfer.label] == behind else step
        steps.append(step)
    return steps


def time_passes(piece: Piece, position: int, rtl: Rtl) -> bool:
    """Whether, for memory, time passes at an RTL of a piece (but for system calls in the middle of a block)."""
    return bool(references(rtl)) or (position == piece.end - 1 and (piece.last or rtl.system_call is None))


def linked_pieces(program: Program, function: Function, counts: Counts) -> list[Piece]:
    """Cut a function, and count what came before each piece in a run."""
    linker = _Linker(program, function, counts)
    for number in range(len(linker.pieces)):
        linker.link(number)
    return linker.pieces


class _Linker:
    """Counts what comes before the pieces of one function."""

    def __init__(self, program: Program, function: Function, counts: Counts) -> None:
        self.function, self.rtls = function, function.rtls()
        self.pieces = pieces_of(program, function)
        self.taken, self.executed = counts.taken[function.name], counts.rtls[function.name]
        self.heads: list[int | None] = [None] * (len(function.blocks) + 1)  # the piece at which each block begins
        for number in reversed(range(len(self.pieces))):
            self.heads[self.pieces[number].block] = number
        for number in reversed(range(len(function.blocks))):
            if not function.blocks[number].rtls:
                self.heads[number] = self.heads[number + 1]
        self.labels = {block.label: number for number, block in enumerate(function.blocks)}

    def link(self, number: int) -> None:
        """Count what a piece comes directly before."""
        piece, executed = self.pieces[number], self.executed[self.pieces[number].end - 1]
        taken = self.taken[piece.block]
        transfer = transfer_of(self.function.blocks[piece.block], self.function.stage == "final")
        target = transfer.transfer if transfer is not None else None
        if self.rtls[piece.end - 1].annuls and self._same_block(number, number + 1):
            self._link(number, number + 1, taken)
            self._link(number, self.heads[piece.block + 1], executed - taken)
        elif self._same_block(number, number + 1) or self._forgets(piece):
            return
        elif isinstance(target, Branch) and self._same_block(number - 1, number) and self.rtls[piece.first - 1].annuls:
            self._link(number, self.heads[self.labels[target.label]], taken)
        elif isinstance(target, Branch):
            self._link(number, self.heads[piece.block + 1], executed - taken)
            self._link(number, self.heads[self.labels[target.label]], taken)
        elif isinstance(target, Jump):
            self._link(number, self.heads[self.labels[target.label]], executed)
        elif target is None:
            self._link(number, self.heads[piece.block + 1], executed)

    def _same_block(self, number: int, other: int) -> bool:
        if number < 0 or other >= len(self.pieces):
            return False
        return self.pieces[number].block == self.pieces[other].block

    def _forgets(self, piece: Piece) -> bool:
        """Whether something unknown happens behind a piece: it calls a function or the system."""
        return any(rtl.call is not None or rtl.system_call is not None for rtl in self.rtls[piece.first : piece.end])

    def _link(self, number: int, to: int | None, times: int) -> None:
        if to is not None and times > 0:
            before = self.pieces[to].before
            before[number] = before.get(number, 0) + times
