"""The whole C library passes the verifier after every phase: each file on one machine, all machines by turns."""

from __future__ import annotations

import functools

import pytest

from tests.covering import some, turns
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.libc import SOURCES
from vpo.machines.names import machine_names

FILES = sorted(SOURCES.glob("*.c"))
TURNS = turns(FILES, machine_names())


@functools.cache
def checking(machine):
    return Compiler(load(machine), Settings(level=2, check="invariants"))


@pytest.mark.parametrize("machine", some(machine_names(), 2, first=3))
def test_library_verifies(machine):
    compiler = checking(machine)
    files = [file for file in FILES if (file, machine) in TURNS]
    assert files
    for file in files:
        compiler.compile_file(file, compiler.settings, library=True)


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("machine", machine_names())
def test_whole_library_verifies(machine):
    for file in FILES:
        checking(machine).compile_file(file, checking(machine).settings, library=True)
