"""Instructions of the cookbook, written in random spellings that mean the same: the compiler makes the same code."""

from __future__ import annotations

import random
import re

import pytest

from tests.covering import some
from tests.opt.test_cookbook import ENTRIES, instructions, machine_of
from vpo.algebra import reverse
from vpo.rtl import COMMUTATIVE, RELATIONS, SWAPPED, Branch, Const, Mem, Op, Set
from vpo.text import RegisterVariable, parse_pattern, show_effects

SPELLINGS = 3
RTL = re.compile(r'rtl: "([^"]*)"')
SAMPLE = [name for name, match in ENTRIES.items() if "${" not in match["entry"] and "#include" not in match["code"]][::6]
PARTS = {255: "B", 65535: "W"}


def spelled(node, chance):
    """Return an expression in another spelling."""
    if isinstance(node, Mem):
        return node.at(spelled(node.address, chance))
    if not isinstance(node, Op):
        return node
    node = Op(node.op, node.type, *(spelled(arg, chance) for arg in node.args))
    return next((new for new in others(node) if new is not None and chance.random() < 0.6), node)


def others(node):
    """Yield other spellings of an operator."""
    match node:
        case Op(op=op, args=(a, b)) if op in COMMUTATIVE and not isinstance(b, Const):
            yield Op(op, node.type, b, a)
        case Op(op=op, args=(a, b)) if op in RELATIONS and not isinstance(b, Const):
            yield Op(SWAPPED[op], "", b, a)
        case Op(op="-", args=(a, b)) if not isinstance(a, Const) and not isinstance(b, Const):
            yield Op("+", node.type, a, Op("neg", b.type, b))
        case Op(op="not", args=(a,)) if a.type:
            yield Op("^", a.type, a, Const(-1))
            yield Op("-", a.type, Const(-1), a)
        case Op(op="neg", args=(a,)) if a.type:
            yield Op("-", a.type, Const(0), a)
        case Op(op="&", args=(RegisterVariable(type="L") as a, Const(value=mask))) if mask in PARTS:
            yield Op("zx", "L", Op("tr", PARTS[mask], a))
        case Op(op="<<", args=(RegisterVariable(type="L") as a, Const(value=by))):
            yield Op("+", "L", a, a) if by == 1 else Op("*", "L", a, Const(1 << by))
        case Op(op="SEL", args=(Op() as condition, a, b)):
            yield Op("SEL", node.type, reverse(condition), b, a)


def respelled(text, chance):
    """Return effects in another spelling."""
    effects, _ = parse_pattern(text, {"r": "L"})
    new = []
    for effect in effects:
        if isinstance(effect, Branch):
            new.append(Branch(spelled(effect.condition, chance), effect.label))
        else:
            assert isinstance(effect, Set)
            new.append(Set(spelled(effect.target, chance), spelled(effect.source, chance)))
    return show_effects(tuple(new))


@pytest.mark.parametrize("name", some(SAMPLE, 6))
def test_the_spelling_makes_no_difference(name, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    entry, source = ENTRIES[name]["entry"], tmp_path / "a.c"
    source.write_text(ENTRIES[name]["code"])
    wanted = instructions(machine_of(entry, tmp_path), 2, source)
    (text,) = RTL.findall(entry)
    spellings = {respelled(text, random.Random(f"{name} {seed}")) for seed in range(SPELLINGS)}
    for spelling in spellings - {text}:
        found = instructions(machine_of(entry.replace(text, spelling), tmp_path), 2, source)
        assert found == wanted, spelling
