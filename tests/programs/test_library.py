"""The whole C library passes the verifier after every phase, on every machine."""

from __future__ import annotations

import pytest

from tests.programs.running import MACHINES
from vpo.compiler import Compiler, Settings
from vpo.libc import SOURCES
from vpo.machines.load import load


@pytest.mark.parametrize("machine", MACHINES)
def test_library_verifies(machine):
    compiler = Compiler(load(machine), Settings(level=2, check=True))
    for source in sorted(SOURCES.glob("*.c")):
        compiler.compile_file(source, compiler.settings, library=True)
