"""What branches tell of a register is found in each block in which it holds, and in no other."""

import random

from vpo.analysis.dominators import dominance_intervals, is_within
from vpo.analysis.value_ranges import Fact, Facts
from vpo.rtl import Const


def test_facts_of_a_block_are_those_whose_blocks_dominate_it():
    numbers = random.Random(5)
    held = 0
    for _ in range(60):
        size = numbers.randrange(1, 40)
        idom = {block: numbers.randrange(block) if block else 0 for block in range(size)}
        dominance = dominance_intervals(idom)
        facts = Facts(dominance)
        for value in range(numbers.randrange(1, 30)):
            facts.add(Fact(numbers.randrange(size), "<", Const(value)))
        for block in range(size):
            assert facts.in_block(block) == [fact for fact in facts.all if is_within(dominance, fact.block, block)]
            held += len(facts.in_block(block))
    assert held > 1000
