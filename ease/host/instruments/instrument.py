"""The interface of instruments: analyses that are woven into host code and have memory of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Protocol, runtime_checkable

from ease.host.translation.emitter import Emitter
from vpo.rtl import Register
from vpo.rtl.function import Function

if TYPE_CHECKING:
    from cache_sim.native.code import State


@dataclass(frozen=True, slots=True)
class Thread:
    """A value that is passed from function to function: a variable in each function, an argument and a result of each call."""

    type: str
    variable: str
    start: int


LATER = ".later"  # the copy that has only the later turns of loops
RESIDENT = ".resident"  # the copy that has only turns of loops whose lines are in the instruction cache
PARTIAL = (LATER, RESIDENT)  # copies of some blocks only


@dataclass(slots=True)
class Site:
    """A function under translation; `first` is the number of its first RTL in the program.

    The blocks are written once for each of the `copies`; a copy is the suffix of its labels.  The function begins in the first
    copy.  All copies share the variables, so an instrument may jump from a place in one copy to the same place in another.
    `copy` is the one being written.

    `peeled`: the blocks of some loops, each with its loop's header.  Of these the first copy has the first turn, and the copy
    LATER the others; that has no other blocks.

    `resident`: blocks of other loops, each with its loop's header, which the copy RESIDENT has as well.  An instrument jumps
    to the header there, and back to the first copy before an RTL that calls something; then it sets `gone`.
    """

    function: Function
    emitter: Emitter
    first: int
    shared: int = 0  # the host address of the memory that parent and child share
    copies: tuple[str, ...] = ("",)
    copy: str = ""
    uncounted: tuple[str, ...] = ()  # the copies in which traps are not counted
    splits: bool = False  # instruments may jump to another copy before any RTL, in delay slots, too
    peeled: Mapping[int, int] = field(default_factory=dict)
    resident: Mapping[int, int] = field(default_factory=dict)
    gone: bool = False  # the rest of the block being written is in another copy

    def copy_of(self, source: int, target: int) -> str:
        """Return the copy in which control goes on at a block when it comes from another of the copy being written."""
        if self.copy == RESIDENT:
            return RESIDENT if self.resident.get(target) == self.resident[source] else self.copies[0]
        header = self.peeled.get(source)
        if header is None or self.copy not in (self.copies[0], LATER):
            return self.copy
        turns = target == header or (self.copy == LATER and self.peeled.get(target) == header)
        return LATER if turns else self.copies[0]

    @property
    def whole(self) -> str:
        """The copy being written, or where that does not have all blocks, the first."""
        return self.copies[0] if self.copy in PARTIAL else self.copy

    def has(self, block: int) -> bool:
        """True if the copy being written has a block."""
        return self.copy not in PARTIAL or block in (self.peeled if self.copy == LATER else self.resident)


class FunctionInstrument(Protocol):
    """An instrument at work on one function."""

    def variables(self) -> list[tuple[str, str]]:
        """Return the LLVM type and name of each variable that the instrument needs, without threads."""
        ...

    def enter(self) -> None:
        """Write code at the head of the function and behind each call."""
        ...

    def begin(self, block: int) -> None:
        """Write code at the head of a block, before the block is counted."""
        ...

    def before(self, block: int, index: int) -> None:
        """Write code before the RTL at an index of a block."""
        ...

    def transfer(self, block: int, index: int, value: str) -> None:
        """Write code before an RTL transfers control or calls; its assignments have been made.

        `value` is the condition of a branch (an i1), the target of an indirect jump, indirect call or return, or else ''.
        """
        ...

    def edge(self, source: int, target: int) -> None:
        """Write code on the edge from a block to another one (-1: out of the function)."""
        ...


@runtime_checkable
class FollowingInstrument(FunctionInstrument, Protocol):
    """An instrument that also writes behind instructions."""

    def after(self, block: int, index: int) -> None:
        """Write code behind the RTL at an index of a block, unless it transfers control or calls."""
        ...


@runtime_checkable
class ArrivingInstrument(FunctionInstrument, Protocol):
    """An instrument that reads on edges what registers hold at their ends, behind delay slots that a branch may annul."""

    def arrive(self, source: int, target: int) -> None:
        """Write code on the edge of a taken branch that annuls, behind its delay slots, in place of what `edge` writes."""
        ...


class Instrument(Protocol):
    """An analysis of one run."""

    @property
    def follows_cut(self) -> bool:
        """Whether `before` and `transfer` are also written for what a limit of instructions lets a last block execute."""
        return False

    @property
    def threads(self) -> Sequence[Thread]:
        """The values that the analysis passes from function to function."""
        ...

    def place(self, state: State, large: State) -> None:
        """Lay out memory: `state` can be read after the run; `large` is for big sparse arrays that are not read."""
        ...

    def function(self, site: Site) -> FunctionInstrument:
        """Return the instrument of one function."""
        ...

    def text(self) -> str:
        """Return the LLVM functions that the woven code calls; this comes after all functions of the program."""
        ...


@runtime_checkable
class RegisterReader(Protocol):
    """An instrument that looks at the registers of the machine, or at values that they are saved as."""

    def registers_read(self) -> Mapping[str, frozenset[Register]] | None:
        """Return the registers looked at in each function; None if none are in any."""
        ...


@runtime_checkable
class SharingInstrument(Protocol):
    """An instrument that lets other processes look at its memory during a run."""

    def sharing(self, descriptor: int, start: int) -> AbstractContextManager[None]:
        """Return what is entered before a run, and left behind it: shared memory is a file, and begins at a host address."""
        ...


@runtime_checkable
class StreamingInstrument(Protocol):
    """An instrument whose code writes to files while the program runs."""

    def open_streams(self) -> list[IO[bytes]]:
        """Return the files right before the run begins; they are closed when it has ended."""
        ...
