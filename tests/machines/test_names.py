"""Machines are data: no Python file of the packages names one."""

import functools
import re
from pathlib import Path

import pytest

from vpo.machines.names import default_machine, machine_names

ROOT = Path(__file__).parents[2]
SOURCES = {path: path.read_text() for package in ("vpo", "ease", "cache_sim") for path in (ROOT / package).rglob("*.py")}

# machines with names that are words of another meaning as well: they may stand in the text, but not as a string of their own
WORDS = {
    "arm": "one of the values of a selection",
    "baseline": "what measurements are compared with",
    "proposed": "what one wants to measure: machines that do not exist",
    "rt": "`RT`, the part of an RTL that returns",
    "stack": "a program's stack, or a list used as one",
}
STRINGS = {"stack": "also a kind of memory, of fault, and of where arguments travel"}
# machines on which the tool itself runs: what depends on the processor of the host stands in these files
HOSTS = ("ease/host/translation/runtime.py", "ease/host/sampling/metering.py", "ease/host/process/wall.py")
RUNNING = ("aarch64", "x86_64")


@functools.cache
def words_of(path):
    """Return the words in a source."""
    return {*re.findall(r"[a-z0-9_]+", SOURCES[path].lower())}


def places(pattern, flags, without=(), word=""):
    """Return where a pattern stands in the sources, which is or has a word."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path, text in SOURCES.items()
        if not word or word in words_of(path)
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(pattern, line, flags) and str(path.relative_to(ROOT)) not in without
    ]


@pytest.mark.parametrize("name", machine_names())
def test_no_python_file_names_a_machine(name):
    if name not in WORDS:
        assert places(rf"(?<![a-z0-9_]){name}(?![a-z0-9_])", re.IGNORECASE, HOSTS if name in RUNNING else (), name) == []
    elif name not in STRINGS:
        assert places(rf"""(["']){name}\1""", 0, (), name) == []


def test_names_are_found_where_they_are():
    assert len(SOURCES) > 100
    assert places(r"(?<![a-z0-9_])stack(?![a-z0-9_])", re.IGNORECASE)
    assert places(r"""(["'])stack\1""", 0)


def test_the_default_machine_is_one():
    assert default_machine() in machine_names()


def test_exemptions_are_of_machines():
    assert set(machine_names()) >= set(WORDS) >= set(STRINGS)
