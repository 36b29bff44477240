"""Expressions that nobody refers to are forgotten, and those that somebody refers to stay the ones that they are."""

from __future__ import annotations

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.rtl import forgetting
from vpo.rtl.effects import Branch, Set
from vpo.rtl.nodes import Const, Mem, Op, Register
from vpo.text import print_unit

SOURCE = """
struct node { struct node *next; int key; short small[4]; };
int count(struct node *n, int key) { int c = 0; for (; n; n = n->next) if (n->key == key) c++; return c; }
int sum(struct node *n) { int s = 0; for (int i = 0; i < 4; i++) s += n->small[i] * i; return s; }
void fill(struct node *n, int v) { for (int i = 0; i < 4; i++) n->small[i] = v >> i; n->key = v; }
int main(void) { struct node n = {0, 1}; fill(&n, 9); return count(&n, 9) + sum(&n); }
"""


@pytest.fixture
def at_once(monkeypatch):
    """Look whenever it is asked."""
    monkeypatch.setattr(forgetting, "MANY", 0)
    monkeypatch.setattr(forgetting._Next, "at", 0)


def made(number):
    """Make an RTL's effects of all kinds that are looked at, of registers that nothing else has."""
    register = Register("r", number, "L", True)
    address = Op("+", "L", register, Op("<<", "L", register, Const(2)))
    return (
        Set(Mem("L", address), Op("+", "L", Mem("L", address), register)),
        Branch(Op("<", "", register, Const(1)), f"L{number}"),
    )  # fmt: skip


def in_tables(number):
    registers = [node for node in Register._table.values() if node.pseudo and node.index == number]
    named = {*registers}
    tables = (Set, Branch, Op, Mem)
    return len(registers) + sum(not named.isdisjoint(node.uses) for kind in tables for node in kind._table.values())


def test_what_nobody_refers_to_goes(at_once):
    made(770_001)
    assert in_tables(770_001) == 8
    forgetting.forget_some(lambda: None)
    assert in_tables(770_001) == 0


def test_what_somebody_refers_to_stays_as_it_is(at_once):
    def with_parts():
        store, branch = made(770_002)
        parts = (store.target, store.source, store.target.address, branch.condition, *store.uses, *store.memory)
        return [store, branch, *parts]

    nodes = with_parts()
    forgetting.forget_some(lambda: None)
    assert all(one is other for one, other in zip(nodes, with_parts(), strict=True))


def test_a_part_that_is_kept_keeps_its_own_parts_and_not_its_whole(at_once):
    cell = made(770_003)[0].target
    forgetting.forget_some(lambda: None)
    assert in_tables(770_003) == 4  # the register, its double, the sum, the cell
    assert cell.memory == (cell,)
    assert cell is made(770_003)[0].target


def test_it_waits_until_there_are_many(monkeypatch):
    monkeypatch.setattr(forgetting._Next, "at", forgetting.interned())
    asked = []
    forgetting.forget_some(lambda: asked.append(True))
    assert not asked
    made(770_004)
    forgetting.forget_some(lambda: asked.append(True))
    assert asked == [True]
    forgetting.forget_some(lambda: asked.append(True))
    assert asked == [True]


def text(machine, file):
    target = load(machine)
    return print_unit(Compiler(target, Settings(2)).unit(str(file)), target.cells)


@pytest.mark.parametrize("machine", ["riscv32", "m68020", "x86_64"])
def test_code_is_the_same_if_it_looks_after_each_function(machine, tmp_path, monkeypatch):
    file = tmp_path / "list.c"
    file.write_text(SOURCE)
    monkeypatch.setattr(forgetting._Next, "at", 10**9)
    usual = text(machine, file)
    monkeypatch.setattr(forgetting, "MANY", 0)
    monkeypatch.setattr(forgetting._Next, "at", 0)
    assert text(machine, file) == usual
