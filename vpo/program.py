"""A linked program: everything that a run needs, at its target addresses."""

from __future__ import annotations

from dataclasses import dataclass, field

from vpo.function import Data, Function
from vpo.machines.machine import Machine
from vpo.rtl import Half


@dataclass(eq=False)
class Program:
    """Functions and data with addresses.

    `addresses[name]` lists the address of each RTL of function `name` in layout order, and one past the last;
    `labels[name, label]` is the address of a block; `symbols` has every global symbol (functions and data);
    `literals[name]` the addresses of the literals of a function, which lie in its pools;
    `image` is (address, bytes) of all data and literals; `data_start` is where data begin, `end` the first free
    address (start of the heap).
    """

    machine: Machine
    functions: dict[str, Function]
    data: list[Data]
    symbols: dict[str, int] = field(default_factory=dict)
    addresses: dict[str, list[int]] = field(default_factory=dict)
    labels: dict[tuple[str, str], int] = field(default_factory=dict)
    literals: dict[str, dict[Half, int]] = field(default_factory=dict)
    image: list[tuple[int, bytes]] = field(default_factory=list)
    data_start: int = 0
    end: int = 0
    entry: str = "_start"
