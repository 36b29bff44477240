"""A linked program: what the entry reaches, and then everything that a run needs, at its target addresses."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from vpo.il.routine_names import ENVIRONMENT, SAVE_CONTEXT
from vpo.machines.machine import Machine
from vpo.rtl import Effect, Half, Rtl
from vpo.rtl.function import Data, Function


@dataclass(frozen=True, eq=False)
class Linked:
    """Functions and data of a program, without addresses; `absent` are the symbols that nothing here defines."""

    machine: Machine
    functions: dict[str, Function]
    data: list[Data]
    absent: tuple[str, ...] = ()
    entry: str = "_start"


@dataclass(frozen=True, eq=False)
class Program(Linked):
    """Functions and data with addresses (`vpo.link.layout.place` gives them).

    `addresses[name]` lists the address of each RTL of function `name` in layout order, and one past the last;
    `fetched[name]` lists the bytes that are fetched when each RTL is executed, as the address of the first and the one behind
    the last: a literal pool may stand between them and the next RTL, and an RTL that is part of another one has none;
    `labels[name, label]` is the address of a block; `symbols` has every global symbol: functions,
    data, and at 0 what is absent;
    `literals[name]` lists for each block of a function the addresses of literals that it may read, which lie in a pool;
    `digest` names the text that a linked program was read from, and its machine; '' for any other program.
    `image` is (address, bytes) of all data and literals; `data_start` is where data begin, `end` the first free
    address (start of the heap).
    `environment` has the texts "NAME=VALUE" that a run finds; programs that cannot ask for them get none.

    RTLs are numbered through the program, function by function in layout order.  Like its address, the place one past the
    last RTL of each function has a number.
    """

    symbols: dict[str, int] = field(default_factory=dict)
    addresses: dict[str, list[int]] = field(default_factory=dict)
    fetched: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    labels: dict[tuple[str, str], int] = field(default_factory=dict)
    literals: dict[str, list[dict[Half, int]]] = field(default_factory=dict)
    image: list[tuple[int, bytes]] = field(default_factory=list)
    data_start: int = 0
    end: int = 0
    digest: str = ""
    environment: tuple[str, ...] = ()

    @property
    def sees_environment(self) -> bool:
        """Whether the program mentions `environ`."""
        return ENVIRONMENT in self.symbols

    def effects_of(self, rtl: Rtl) -> tuple[Effect, ...]:
        """Return what an RTL does.

        In programs that call setjmp, an RTL that enters a register window also stores the one that it puts away.  The machine
        does so when setjmp is called at the latest; until then the registers of that window do not change.
        """
        if SAVE_CONTEXT in self.functions and (stores := self.machine.window_stores(rtl.effects)):
            return *rtl.effects, *stores
        return rtl.effects

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(self.addresses[name]) for name in self.functions), initial=0))

    @cached_property
    def _firsts(self) -> dict[str, int]:
        return dict(zip(self.functions, self._starts[:-1], strict=True))

    @property
    def numbers(self) -> int:
        """How many numbers there are."""
        return self._starts[-1]

    def literals_of(self, name: str, block: int) -> Mapping[Half, int]:
        """Return the addresses of the literals that a block of a function may read."""
        return self.literals[name][block] if name in self.literals else {}

    def first(self, name: str) -> int:
        """Return the number of the first RTL of a function."""
        return self._firsts[name]

    def number(self, name: str, index: int) -> int:
        """Return the number of the RTL of a function at an index."""
        return self._firsts[name] + index

    def place(self, number: int) -> tuple[Function, int]:
        """Return the function of the RTL with a number, and its index there; one past the last RTL stands for the last.

        Raises ValueError for a number that no RTL has.
        """
        if not 0 <= number < self.numbers:
            raise ValueError(f"no RTL has number {number}")
        found = bisect_right(self._starts, number) - 1
        name, function = list(self.functions.items())[found]
        return function, min(number - self._starts[found], max(len(self.addresses[name]) - 2, 0))
