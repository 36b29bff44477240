"""Orders in which graphs and trees are walked are those that recursion gives."""

import random

import pytest

from vpo import il
from vpo.analysis.cfg import Cfg
from vpo.il.traversal import children, walk

I4 = il.Type("I", 4)


def random_graph(chosen):
    """Return a flow graph of a few blocks; some lead to a block twice, as jump tables may, and some cannot be reached."""
    size = chosen.randrange(1, 12)
    successors = [[chosen.randrange(size) for _ in range(chosen.choice((0, 1, 1, 2, 2, 4)))] for _ in range(size)]
    predecessors = [[p for p in range(size) for s in successors[p] if s == block] for block in range(size)]
    return Cfg({f"L{block}": block for block in range(size)}, successors, predecessors)


def postorder(cfg, block, seen):
    """Yield the blocks that one leads to, each behind those that it leads to first."""
    seen.add(block)
    for successor in cfg.successors[block]:
        if successor not in seen:
            yield from postorder(cfg, successor, seen)
    yield block


@pytest.mark.parametrize("seed", range(200))
def test_blocks_come_in_the_order_of_a_recursive_walk(seed):
    cfg, seen = random_graph(random.Random(seed)), set()
    assert cfg.reverse_postorder() == [*postorder(cfg, 0, seen)][::-1]
    assert cfg.reachable() == seen
    assert cfg.reachable() is cfg.reachable()


def random_tree(chosen, depth):
    if depth == 0 or chosen.random() < 0.2:
        return il.Const(I4, chosen.randrange(9))
    a, b = random_tree(chosen, depth - 1), random_tree(chosen, depth - 1)
    kind = chosen.randrange(5)
    if kind == 0:
        return il.Load(I4, a)
    if kind == 1:
        return il.Unary("neg", I4, a)
    if kind == 2:
        return il.Convert(I4, a)
    return il.Compare("lt", I4, a, b) if kind == 3 else il.Binary("add", I4, a, b)


def parents_first(node):
    yield node
    for child in children(node):
        yield from parents_first(child)


@pytest.mark.parametrize("seed", range(50))
def test_trees_are_walked_parents_first_from_the_left(seed):
    tree = random_tree(random.Random(seed), 6)
    assert [*map(id, walk(tree))] == [*map(id, parents_first(tree))]
