"""Where numpy and the solver are not installed: the same values on samples, and proofs without the solver."""

import random
import sys

import numpy as np
import pytest

from vpo.algebra import proofs, samples, vectors
from vpo.algebra.building import binary, unary
from vpo.rtl import Const, Op, Register

NAMES = [Register("r", number, "L", True) for number in range(3)]
OPERATORS = ["+", "-", "*", "&", "|", "^", "<<", ">>", ">>u", "rotl"]
RELATIONS = ["==", "!=", "<", "<=", ">", ">=", "<u", "<=u", ">u", ">=u"]


def expression(chance: random.Random, depth: int):
    if not depth or chance.random() < 0.2:
        return chance.choice([*NAMES, Const(chance.choice((0, 1, 31, -1, 255, 1 << 31)))])
    a, b = expression(chance, depth - 1), expression(chance, depth - 1)
    match chance.randrange(9):
        case 8:
            return binary(chance.choice(("/", "%u")), a, Const(1 << chance.randrange(1, 31)), "L")
        case 0:
            return Op("SEL", "L", Op(chance.choice(RELATIONS), "", a, b), a, b)
        case 1:
            return unary(chance.choice(("sx", "zx")), "L", unary("tr", chance.choice("BW"), a))
        case 2:
            return unary(chance.choice(("neg", "not", "abs", "popcount", "clz", "bswap")), "L", a)
    return binary(chance.choice(OPERATORS), a, b, "L")


def evaluated(node, module):
    """Return the values of an expression on samples, calculated with numpy or with what stands for it."""
    with pytest.MonkeyPatch.context() as patch:
        prefixes = ("u", "")
        for table, prefix in zip((samples.UNSIGNED, samples.SIGNED), prefixes, strict=True):
            for type_, bits in {"B": 8, "W": 16, "L": 32, "Q": 64}.items():
                patch.setitem(table, type_, getattr(module, f"{prefix}int{bits}"))
        patch.setattr(samples, "np", module)
        samples.samples.cache_clear()
        values = {name: samples.samples(number, "L") for number, name in enumerate(NAMES)}
        try:
            found = samples.evaluate(node, values, "L")
        except samples.NotSampledError:
            return None
        finally:
            samples.samples.cache_clear()
        return [int(value) for value in found.tolist()], found.tobytes()


def test_values_are_those_of_numpy():
    chance = random.Random(3)
    nodes = [expression(chance, 3) for _ in range(300)]
    found = [evaluated(node, np) for node in nodes]
    assert sum(values is not None for values in found) > 250
    assert [evaluated(node, vectors) for node in nodes] == found


def test_columns_are_those_of_numpy():
    columns = ([1, 2, 3], [4, 5], [6, 7])
    for some in (columns[:1], columns[:2], columns):
        plain = vectors.meshgrid(*(vectors.array(column, vectors.uint32) for column in some))
        known = [column.ravel().tolist() for column in np.meshgrid(*(np.array(column, np.uint32) for column in some))]
        assert [column.tolist() for column in plain] == known
    vector = vectors.array([3, 0, 7], vectors.uint8)
    assert vectors.resize(vector, 5).tolist() == np.resize(np.array([3, 0, 7]), 5).tolist()
    assert vectors.flatnonzero(vector == 0).tolist() == [1]
    assert vector[vector > 1].tolist() == [3, 7]
    with pytest.raises(ValueError, match="lengths"):
        vector + vectors.array([1, 2], vectors.uint8)


def test_proofs_without_the_solver(monkeypatch):
    monkeypatch.setitem(sys.modules, "bitwuzla", None)
    a, b = NAMES[:2]
    smaller = Op("SEL", "L", Op("<", "", a, b), a, b)
    same = Op("SEL", "L", Op(">=", "", a, b), b, a)
    other = Op("SEL", "L", Op(">=u", "", a, b), b, a)
    proofs.are_equal.cache_clear()
    assert proofs.are_equal(smaller, same, "L")
    assert not proofs.are_equal(smaller, other, "L")
    both, either = binary("&", a, b, "L"), binary("|", a, b, "L")
    assert proofs.are_equal(binary("+", both, either, "L"), binary("+", a, b, "L"), "L")
    assert proofs.are_equal(Op("<", "", a, b), Op(">", "", b, a), "")
    assert not proofs.are_equal(Op("<", "", a, b), Op("<u", "", a, b), "")
    assert not proofs.are_equal(binary("*", a, b, "L"), binary("*", a, binary("+", b, Const(1), "L"), "L"), "L")
    proofs.are_equal.cache_clear()
