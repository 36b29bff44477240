"""What patterns say is kept in the cache: the same machine comes of it, and the parser is not loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.covering import some
from vpo.machines.match.outlines import forms
from vpo.machines.read.load import load

LOAD = """
import sys
from vpo.machines.match.outlines import forms
from vpo.machines.read.load import load
machine = load(sys.argv[1])
print(*(form.digest for form in forms(machine.recognizer.alternatives, machine.recognizer.operands)))
print("lark" in sys.modules)
"""


@pytest.mark.parametrize("name", some(("m68020", "x86_64", "arm", "vax"), 1))
def test_a_machine_is_read_without_the_parser(name, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", str(tmp_path))
    first, again = [
        subprocess.run([sys.executable, "-c", LOAD, name], check=True, capture_output=True, text=True).stdout.splitlines()
        for _ in range(2)
    ]
    assert (first[1], again[1]) == ("True", "False")
    machine = load(name)
    found = [form.digest for form in forms(machine.recognizer.alternatives, machine.recognizer.operands)]
    assert first[0] == again[0] == " ".join(found)
