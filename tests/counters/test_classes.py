"""Execution classes are the paper's, and counters kept for them tell everything."""

from __future__ import annotations

import itertools

import pytest
from fake_machine import program_of
from generate import RandomProgram
from random_flow import RandomFlow, TooLong, Walk, function_text

from ease.counters import plan_counters, reconstruct
from ease.flow_graph import execution_classes, flow_graph, is_exit, may_end
from ease.host.run import run
from vpo.cfg import build_cfg, dominates, dominators
from vpo.interpret import interpret

# Figure 8: 1 branches to 5; 3 is a loop.
FIGURE_8 = ["L1|r[5]=0;|PC=r[5]<=0,L5;", "L2|r[6]=0;", "L3|r[5]=r[5]+1;|PC=r[5]<r[6],L3;",
            "L4|r[10]=r[5];|PC=r[1],RT();", "L5|r[10]=-1;|PC=r[1],RT();"]  # fmt: skip
EXIT = function_text("_start", ["L1|r[10]=SYSL(1,r[10]);"])


def classes_of(program, name):
    """Sets of blocks of a function, numbered from 1, in the order of their first."""
    graph = flow_graph(program, program.functions[name], may_end(program))
    found = {}
    for segment, cls in zip(graph.segments, execution_classes(graph), strict=False):
        found.setdefault(cls, []).append(segment.block + 1 if not segment.first else (segment.block + 1, segment.first))
    found.pop(None, None)
    return list(found.values())


def test_figure_8():
    program = program_of(function_text("_sum", FIGURE_8) + EXIT)
    assert classes_of(program, "_sum") == [[1], [2, 4], [3], [5]]


def test_figure_8_needs_no_counter_for_branches():
    program = program_of(function_text("_sum", FIGURE_8) + EXIT)
    plan = plan_counters(program)
    assert plan.probes["_sum"].blocks == {0: 0, 1: 1, 2: 2, 4: 3}
    assert plan.probes["_sum"].taken == {}
    counts = reconstruct(plan, [7, 5, 50, 2, 1])
    assert counts.rtls["_sum"] == [7, 7, 5, 50, 50, 5, 5, 2, 2]
    assert counts.taken["_sum"] == [2, 0, 45, 0, 0]


def test_a_cycle_beside_the_way_out_parts_what_dominates_and_follows():
    """Block 1 dominates 3, 3 always follows 1, both are in the same loop; yet 1 runs more often."""
    blocks = ["L1|NOP;", "L2|r[5]=1;|PC=r[5]<r[6],L4;", "L3|r[5]=2;|PC=r[5]<r[6],L5;", "L4|PC=L2;", "L5|PC=r[1],RT();"]
    program = program_of(function_text("_f", blocks) + EXIT)
    assert [2] in classes_of(program, "_f")


def test_two_loops_with_one_header():
    blocks = ["L1|NOP;", "L2|r[5]=1;|PC=r[5]<r[6],L2;", "L3|r[5]=2;|PC=r[5]<r[6],L2;", "L4|PC=r[1],RT();"]
    program = program_of(function_text("_f", blocks) + EXIT)
    assert classes_of(program, "_f") == [[1, 4], [2], [3]]


def test_a_call_that_may_not_return_cuts_its_block():
    text = function_text("_start", ["L1|ST=_f(); r[1]=NPC;|r[5]=1;|ST=_g(); r[1]=NPC;|r[5]=2;", "L2|r[10]=SYSL(1);"])
    text += function_text("_f", ["L1|r[10]=SYSL(4);|PC=r[1],RT();"])
    text += function_text("_g", ["L1|PC=r[5]<r[6],L3;", "L2|r[10]=SYSL(1);", "L3|PC=r[1],RT();"])
    program = program_of(text)
    assert may_end(program) == {"_start", "_g"}
    assert classes_of(program, "_start") == [[1], [(1, 3), 2]]


def test_the_number_of_a_system_call_is_found_in_its_block():
    text = function_text("_start", ["L1|r[17]=4;|r[10]=SYSL(r[17]);|r[17]=1;|r[10]=SYSL(r[17]);", "L2|r[10]=SYSL(r[17]);"])
    program = program_of(text)
    blocks = program.functions["_start"].blocks
    assert [is_exit(program, blocks[0], 1), is_exit(program, blocks[0], 3), is_exit(program, blocks[1], 0)] == [
        False, True, True,
    ]  # fmt: skip


def papers_classes(function):
    """Pairs of blocks in (DOM and AS) - DIFFLOOPS, by brute force over a graph without exits."""
    cfg = build_cfg(function)
    idom = dominators(cfg)
    reachable = sorted(idom)

    def reaches(start, goals, without):
        seen, stack = set(), [s for s in cfg.successors[start] if s != without]
        while stack:
            block = stack.pop()
            if block in goals:
                return True
            if block not in seen:
                seen.add(block)
                stack += [s for s in cfg.successors[block] if s != without]
        return False

    ends = {b for b in reachable if not cfg.successors[b]}
    can_end = {b for b in reachable if b in ends or reaches(b, ends, None)}
    assert can_end == set(reachable)
    for a, b in itertools.permutations(reachable, 2):
        always = a not in ends and not reaches(a, (ends | {a}) - {b}, b)
        in_other_loop = reaches(b, {b}, a)
        if dominates(idom, a, b) and always and not in_other_loop:
            yield a + 1, b + 1


@pytest.mark.parametrize("seed", range(300))
def test_random_classes_are_the_papers(seed):
    program = RandomFlow(seed, functions=1, blocks=9).program
    function = program.functions["_start"]
    for block in function.blocks:
        block.rtls = [rtl for rtl in block.rtls if "SYS" not in repr(rtl)]
    try:
        expected = set(papers_classes(function))
    except AssertionError:
        return  # part of it never ends
    found = {pair for members in classes_of(program, "_start") for pair in itertools.permutations(members, 2)}
    assert expected | {(b, a) for a, b in expected} == found


@pytest.mark.parametrize("seed", range(300))
def test_counts_of_random_walks(seed):
    program = RandomFlow(seed, functions=1 + seed % 4).program
    plan = plan_counters(program)
    for walk_seed in range(5):
        try:
            walk = Walk(program, walk_seed, plan.probes)
        except TooLong:
            continue
        counts = reconstruct(plan, walk.counters)
        assert counts.rtls == walk.rtls
        assert counts.taken == walk.taken


def test_walks_end_and_exit():
    ended = finished = 0
    for seed in range(300):
        program = RandomFlow(seed, functions=1 + seed % 4).program
        try:
            walk = Walk(program, 0, plan_counters(program).probes)
        except TooLong:
            continue
        ended += walk.ended
        finished += 1
    assert ended > 30
    assert finished - ended > 50


@pytest.mark.parametrize("seed", range(50))
def test_no_class_has_two_counters(seed):
    program = RandomFlow(seed).program
    plan = plan_counters(program)
    used = []
    for name, probes in plan.probes.items():
        counters = [*probes.blocks.values(), *probes.taken.values(), *probes.inner.values()]
        assert sorted(counters) == sorted(plan.functions[name].counted.values())
        used += counters
    assert sorted(used) == list(range(plan.counters))


@pytest.mark.parametrize("seed", range(12))
def test_host_code_counts_as_the_interpreter_does(seed):
    slots = seed % 2
    cells = {
        "r": "L",
        "b": "B",
        "w": "W",
        "l": "L",
        "q": "Q",
        "s": "F",
        "d": "D",
        "cc": "C",
        "fc": "G",
        "e": "F",
        "f": "D",
    }
    program = program_of(RandomProgram(seed, slots=slots, functions=5).text(), slots=slots, cells=cells)
    plan = plan_counters(program)
    expected = interpret(program, capture=True)
    got = run(program, probes=plan.probes, capture=True, tier="fast", cache="")
    counts = reconstruct(plan, got.counters)
    assert counts.rtls == expected.rtls
    assert counts.taken == expected.taken
