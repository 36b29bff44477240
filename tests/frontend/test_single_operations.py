"""One operation on singles that is written in doubles is one on singles if that is the same value."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo import il
from vpo.frontend import compile_c
from vpo.il.traversal import expressions_of, walk

SINGLE = ["(float)(x / 3.0)", "(float)(0.5 - x)", "(float)-(double)x", "x <= 1.0", "x != (double)y", "(float)((double)x * y)"]
DOUBLE = ["(float)(x / 3.1)", "(float)(x * 0.5 * y)", "x < 0.1", "x + 1.0", "(float)(x + d)", "x == d", "x < 1e300", "1.0 / x"]


@pytest.mark.parametrize(("text", "size"), [*((text, 4) for text in SINGLE), *((text, 8) for text in DOUBLE)])
def test_operations_are_on_singles_if_nothing_is_lost(text, size):
    unit = compile_c("test.c", LP64, source=f"float y; double d; double f(float x) {{ return {text}; }}")
    nodes = [node for each in unit.functions[0].body for tree in expressions_of(each) for node in walk(tree)]
    operations = [node for node in nodes if isinstance(node, il.Binary | il.Unary)]
    operands = [node.left for node in nodes if isinstance(node, il.Compare)] + operations
    assert {node.type.size for node in operands if node.type.is_float} >= {size}
    assert size == 8 or all(node.type.size == 4 for node in operands if node.type.is_float)
