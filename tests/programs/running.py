"""Compilers that stay for all tests of a process, so that the library is compiled once for each machine and level."""

from __future__ import annotations

import functools

from vpo.compiler import Compiler, Settings
from vpo.machines.load import load

MACHINES = ("riscv32", "m68020", "baseline")
LEVELS = (0, 1, 2)


@functools.cache
def compiler(machine: str, level: int, include: str = "") -> Compiler:
    """Return the compiler for a machine at a level; it verifies after every phase."""
    return Compiler(load(machine), Settings(level=level, include_paths=(include,) if include else (), check=True))
