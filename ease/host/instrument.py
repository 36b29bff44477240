"""What may be woven into host code: analyses that follow the program while it runs, each with memory of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from ease.host.emitter import Emitter
from vpo.function import Function

if TYPE_CHECKING:
    from cache_sim.native.state import State


@dataclass(frozen=True, slots=True)
class Thread:
    """A value that goes from function to function: each keeps it in a variable, and calls hand it on and back."""

    type: str
    variable: str
    start: int


@dataclass(slots=True)
class Site:
    """A function under translation: `first` is the number of its first RTL in the program.

    Its blocks are written once for each of the `copies`, which are what all their labels end in; the function begins in the
    first one.  Variables are common to all, so an instrument may let control go from a place in one to the same in another.
    `copy` is the one that is being written.  `parts` are more copies, of some blocks only: where control
    leaves these, it is in the first copy again.
    """

    function: Function
    emitter: Emitter
    first: int
    copies: tuple[str, ...] = ("",)
    copy: str = ""
    parts: dict[str, frozenset[int]] = field(default_factory=dict)


class FunctionInstrument(Protocol):
    """Weaves into one function."""

    def variables(self) -> list[tuple[str, str]]:
        """Return (LLVM type, name) of the variables that it needs beside threads."""
        ...

    def enter(self) -> None:
        """Write what stands at the head of the function and behind each call."""
        ...

    def begin(self, block: int) -> None:
        """Write what stands at the head of a block, before it is counted."""
        ...

    def before(self, block: int, index: int) -> None:
        """Write what stands before the RTL at an index of a block."""
        ...

    def transfer(self, block: int, index: int, value: str) -> None:
        """Write what stands before control is transferred by an RTL whose assignments were made, or by its call.

        `value` is the condition of a branch (an i1), where an indirect jump, indirect call or return goes to, else ''.
        """
        ...

    def edge(self, source: int, target: int) -> None:
        """Write what stands on the way from a block to another (-1: out of the function)."""
        ...


class Instrument(Protocol):
    """An analysis of one run."""

    @property
    def threads(self) -> Sequence[Thread]:
        """The values that it hands from function to function."""
        ...

    def place(self, state: State, large: State) -> None:
        """Lay out memory: `state` can be read after the run, `large` is for what is big, sparse and not read."""
        ...

    def function(self, site: Site) -> FunctionInstrument:
        """Begin a function."""
        ...

    def text(self) -> str:
        """Return the functions that the woven code calls, after all functions of the program."""
        ...
