"""The fuzzer says which tools are missing before it begins; a missing one is no failed program."""

import subprocess
import sys

import pytest

from tests.fuzz import csmith, oracles, run
from tests.kept_machines import load


@pytest.fixture
def no_compiler(monkeypatch):
    """Every other compiler fails, as gcc -m32 does without the library for it."""

    def fails(command, **_):
        raise subprocess.CalledProcessError(1, command)

    oracles.missing.cache_clear()
    monkeypatch.setattr(subprocess, "run", fails)
    monkeypatch.setattr(csmith, "version", lambda: "csmith 2.3.0")
    yield
    oracles.missing.cache_clear()


def test_a_compiler_that_cannot_compile_is_missing(no_compiler, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["run", "--machines", "riscv32", "--count", "1"])
    assert run.main() == run.MISSING
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("not installed: gcc -m32 ")
    assert "lib32gcc-N-dev" in lines[0]
    assert lines[0].endswith("for programs on riscv32")


def test_machines_without_a_compiler_are_named(no_compiler, monkeypatch):
    line = oracles.missing("no such")
    assert "data model 'no such'" in line
    monkeypatch.setattr(csmith, "version", lambda: None)
    assert run.missing_tools("csmith", []) == ["csmith (packages: csmith libcsmith-dev)"]


def test_models_of_a_machine():
    assert oracles.models_of(load("riscv64")) == ["wide"]
    assert oracles.models_of(load("s390x")) == ["wide", "big-wide"]
    assert oracles.models_of(load("m68020")) == ["little-4", "big-4", "big-2"]
