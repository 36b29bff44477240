"""Compilers that stay for all tests of a process, so that the library is read once for each machine and level."""

from __future__ import annotations

import functools
from dataclasses import replace

from tests.kept_machines import load
from vpo.base.c_standard import LIBRARY_STANDARD
from vpo.build.compiler import Compiler, Settings
from vpo.frontend.c_options import COptions
from vpo.rtl.function import Unit

MACHINES = ("riscv32", "m68020", "baseline")
LEVELS = (0, 1, 2)
TRIED = (("riscv32", 1), ("m68020", 1), ("baseline", 1), ("riscv32", 2))  # by turns in every run of the tests


class Checking(Compiler):
    """Verifies programs after every phase, but takes the library, which test_library.py verifies, as the cache has it."""

    def __init__(self, machine, settings: Settings) -> None:
        super().__init__(machine, replace(settings, check="invariants"))
        self.plain = Compiler(machine, settings)

    def library(self, symbol: str) -> Unit | None:
        return self.plain.library(symbol)


@functools.cache
def compiler(machine: str, level: int, include: str = "") -> Compiler:
    """Return the compiler for a machine at a level; plain char is signed, as where the expected outputs come from."""
    c = COptions((include,) if include else (), standard=replace(LIBRARY_STANDARD, char_signed=True))
    return Checking(load(machine), Settings(level=level, c=c))
