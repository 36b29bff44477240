"""Machines without tools here: forms encoded by hand from a manual are recognised, print so, and have that size.

A form is `{rtl, asm, bytes, source}`: the RTL, how it prints, the encoding worked out from the manual, and where it stands.
A branch is in the list once for each length it has, with `L1` as its target.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.kept_machines import load
from vpo.text import parse_effects

MANUALS = {path.stem: yaml.safe_load(path.read_text()) for path in sorted((Path(__file__).parent / "manual").glob("*.yaml"))}
LEAST = 30
CASES = [(name, form) for name, forms in MANUALS.items() for form in forms]


description = cache(load)


def read(machine, rtl):
    """Return the effects of an RTL."""
    return parse_effects(rtl, machine.cells)


def records(machine, effects):
    """Return the records of an RTL: the one that counts, and all of a branch, which is as long as it must be."""
    first = machine.recognize(effects)
    assert first is not None, "no instruction of the machine"
    if first.reach is None:
        return [first]
    return machine.forms_of(effects)


@pytest.mark.parametrize("name", MANUALS)
def test_there_are_enough_forms(name):
    assert len({form["rtl"] for form in MANUALS[name]}) >= LEAST


@pytest.mark.parametrize(("name", "form"), CASES, ids=[f"{name}-{form['asm']}" for name, form in CASES])
def test_form(name, form):
    machine = description(name)
    printed = [(record.assembly, record.size) for record in records(machine, read(machine, form["rtl"]))]
    assert (form["asm"], len(bytes.fromhex(form["bytes"]))) in printed
    assert form["source"]
