"""What relations tell of others, against all numbers of eight bits."""

import random

from vpo.algebra import binary, relate
from vpo.algebra.folding import wrap
from vpo.analysis.relations import Fact, outcome_of
from vpo.rtl import Const, Op, Register

A, B = (Register("b", number, "B", True) for number in (1, 2))
RELATIONS = ["==", "!=", "<", "<=", ">", ">=", "<u", "<=u", ">u", ">=u"]
EDGES = [-128, -127, -1, 0, 1, 5, 126, 127]


def holds(relation, values):
    left, right = (arg.value if isinstance(arg, Const) else values[arg] for arg in relation.args)
    if relation.op.endswith("u"):
        return relate(relation.op.removesuffix("u"), left % 256, right % 256)
    return relate(relation.op, wrap(left, 8), wrap(right, 8))


def check(relations, cases):
    """An outcome is what it is in all cases in which the facts hold; return what was told."""
    *known, asked = relations
    told = outcome_of(asked.relation, known)
    possible = {holds(asked.relation, c) for c in cases if all(holds(f.relation, c) == f.holds for f in known)}
    assert told is None or possible <= {told}
    return told, possible


def related(choose, left, right):
    relation = binary(choose.choice(RELATIONS), left, right)
    return Fact(relation, choose.random() < 0.5) if isinstance(relation, Op) else related(choose, left, right)


def test_relations_with_numbers():
    choose, found = random.Random(1), 0
    cases = [{A: value} for value in range(-128, 128)]
    for _ in range(400):
        told, possible = check([related(choose, A, Const(choose.choice(EDGES))) for _ in range(3)], cases)
        assert told is not None or len(possible) != 1, "what is certain is told"
        found += told is not None
    assert found > 50


def test_relations_between_values():
    choose, found = random.Random(2), 0
    cases = [{A: a, B: b} for a in EDGES for b in EDGES]
    for _ in range(400):
        pairs = [choose.choice([(A, B), (B, A)]) for _ in range(3)]
        told, _ = check([related(choose, *pair) for pair in pairs], cases)
        found += told is not None
    assert found > 50
