"""Sets of numbers as intervals, against all numbers of four bits."""

import operator
import random
from itertools import pairwise

import pytest

from vpo.algebra.number_sets import both, either, holding, pieces_of, without

BITS, FULL = 4, 15
COMPARED = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def members(numbers):
    assert all(low <= high for low, high in numbers)
    assert all(one[1] + 1 < other[0] for one, other in pairwise(numbers))
    return {number for low, high in numbers for number in range(low, high + 1)}


def holds(relation, left, right):
    signed = [number - (number >> BITS - 1 << BITS) for number in (left, right)]
    return COMPARED[relation.removesuffix("u")](*((left, right) if relation.endswith("u") else signed))


def sets(count):
    chance = random.Random(7)
    for _ in range(count):
        parts = [tuple(sorted((chance.randint(0, FULL), chance.randint(0, FULL)))) for _ in range(chance.randint(1, 4))]
        yield either(tuple(parts), ())


@pytest.mark.parametrize("relation", ["==", "!=", "<", "<=", ">", ">=", "<u", "<=u", ">u", ">=u"])
def test_numbers_that_stand_in_a_relation(relation):
    for number in range(-8, 16):
        expected = {x for x in range(FULL + 1) if holds(relation, x, number & FULL)}
        assert members(holding(relation, number, BITS)) == expected


def test_sets_are_joined_and_taken_from_each_other():
    found = list(sets(200))
    for a, b in pairwise(found):
        assert members(either(a, b)) == members(a) | members(b)
        assert members(both(a, b)) == members(a) & members(b)
        assert members(without(FULL, a)) == set(range(FULL + 1)) - members(a)


def test_pieces_tell_just_the_numbers_of_a_set():
    for numbers in sets(2000):
        if members(numbers) == set(range(FULL + 1)):
            continue
        told = set()
        for piece in pieces_of(numbers, BITS):
            distance, relation, limit = piece.question(BITS)
            told |= {x for x in range(FULL + 1) if holds(relation, (x & ~piece.bit) + distance & FULL, limit)}
        assert told == members(numbers)


def test_letters_are_one_piece():
    (piece,) = pieces_of(((65, 90), (97, 122)), 32)
    assert (piece.bit, piece.question(32)) == (32, (-65, "<=u", 25))
