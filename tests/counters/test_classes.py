"""Execution classes are the paper's, and counters kept for them tell everything."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from fake_machine import program_of
from generate import RandomProgram
from random_flow import CELLS, RandomFlow, TooLong, Walk, function_text

from ease.counters.flow_graph import execution_classes, flow_graph
from ease.counters.plan import ROOM, plan_counters
from ease.counters.reconstruction import reconstruct
from ease.host.process.job import RunOptions
from ease.host.process.run import run
from ease.model.results import Counts
from ease.model.run_identity import profile_key
from ease.run.measuring import counted_run
from tests.covering import some
from vpo.analysis.cfg import build_cfg
from vpo.analysis.dominators import dominates, dominators
from vpo.analysis.transfers import address_taken, is_exit, may_end
from vpo.base.cache import load, store
from vpo.interpret.fast.interpreter import interpret

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


# The way to call a function whose calls are not all known: r[5] may be any address taken.
INDIRECT_START = function_text("_start", ["L1|r[7]=_sum;|ST=_sum(); r[1]=NPC;|r[10]=SYSL(1,r[10]);"])


def test_figure_9_counts_with_three_counters_of_which_two_are_incremented():
    """Entry, rounds and the way out early: whatever the number of rounds is, two increments of counters in memory."""
    program = program_of(function_text("_sum", FIGURE_8) + INDIRECT_START)
    plan = plan_counters(program)
    probes = plan.probes["_sum"]
    assert len(plan.functions["_sum"].chords) == len(probes.blocks) + len(probes.taken) + len(probes.edges) == 3
    assert list(probes.kept.values()) == [frozenset([2])]
    started = sum(len(p.blocks) + len(p.edges) + len(p.inner) for n, p in plan.probes.items() if n == "_start")
    rounds = set()
    for seed in range(30):
        walk = Walk(program, seed, plan.probes)
        counts = reconstruct(plan, walk.counters)
        assert (counts.rtls, counts.taken) == (walk.rtls, walk.taken)
        assert walk.increments - started - len(plan.probes["_start"].ends) <= 2
        rounds.add(walk.rtls["_sum"][3])
    assert len(rounds) > 3


def test_a_function_whose_calls_are_known_needs_one_counter_less():
    start = function_text("_start", ["L1|ST=_sum(); r[1]=NPC;|r[10]=SYSL(1,r[10]);"])
    plan = plan_counters(program_of(function_text("_sum", FIGURE_8) + start))
    assert len([c for c in plan.functions["_sum"].chords.values() if c in plan.counted]) == 2


def test_a_recursive_function_needs_one_counter():
    """As fib: it is entered twice for each time that it goes on, and once more."""
    fib = ["L1|PC=r[5]<r[6],L3;", "L2|ST=_fib(); r[1]=NPC;|ST=_fib(); r[1]=NPC;", "L3|PC=r[1],RT();"]
    start = function_text("_start", ["L1|ST=_fib(); r[1]=NPC;|r[10]=SYSL(1,r[10]);"])
    program = program_of(function_text("_fib", fib) + start)
    plan = plan_counters(program)
    assert sum(c in plan.counted for c in plan.functions["_fib"].chords.values()) == 1
    for seed in range(20):
        try:
            walk = Walk(program, seed, plan.probes)
        except TooLong:
            continue
        assert reconstruct(plan, walk.counters).rtls == walk.rtls


def dimension(program):
    """Of the space of all counts that conserve flow, by elimination over rationals."""
    ending, taken = may_end(program), set(address_taken(program))
    graphs = {name: flow_graph(program, function, ending) for name, function in program.functions.items()}
    columns, rows = [], []
    entered = {name: {(name, len(graph.edges) - 1): 1} for name, graph in graphs.items() if name not in taken}
    for name, graph in graphs.items():
        present = {v for edge in graph.edges[len(graph.segments) :] for v in edge}
        balance = {vertex: {} for vertex in present}
        for edge, (tail, head) in enumerate(graph.edges):
            if tail in present and head in present:
                columns.append((name, edge))
                for vertex, sign in ((tail, -1), (head, 1)):
                    balance[vertex][name, edge] = balance[vertex].get((name, edge), 0) + sign
        rows += balance.values()
        for edge, segment in enumerate(graph.segments):
            for rtl in program.functions[name].blocks[segment.block].rtls[segment.first : segment.end]:
                if rtl.call is not None and (name, edge) in columns and rtl.call.target.name in entered:
                    row = entered[rtl.call.target.name]
                    row[name, edge] = row.get((name, edge), 0) - 1
    return len(columns) - rank([*rows, *entered.values()])


def rank(rows):
    rows, result = [{k: Fraction(v) for k, v in row.items() if v} for row in rows], 0
    while rows:
        row = rows.pop()
        if row:
            result += 1
            key, value = next(iter(row.items()))
            for other in rows:
                factor = other.get(key, 0) / value
                for k, v in row.items() if factor else ():
                    other[k] = other.get(k, 0) - factor * v
                    if not other[k]:
                        del other[k]
    return result


@pytest.mark.parametrize("seed", range(20))
def test_no_counter_can_be_left_out(seed):
    """There are as many as counts have degrees of freedom: one less, and some count could be anything.

    Edges out of what never ends are 0 where they do not follow from others.
    """
    program = RandomFlow(seed, functions=1 + seed % 4).program
    plan = plan_counters(program)
    never = sum(not plus and not minus for f in plan.functions.values() for _, plus, minus in f.derived)
    assert len(plan.counted) + never == dimension(program)


@pytest.mark.parametrize("seed", range(30))
def test_counters_placed_by_a_previous_run_tell_the_same(seed):
    program = RandomFlow(seed, functions=1 + seed % 4).program
    try:
        before = Walk(program, 0, plan_counters(program).probes)
        plan = plan_counters(program, Counts(before.rtls, before.taken))
        walk = Walk(program, 1, plan.probes)
    except TooLong:
        return
    counts = reconstruct(plan, walk.counters)
    assert (counts.rtls, counts.taken) == (walk.rtls, walk.taken)


SWITCH = ["L1|r[5]=r[5]+1;|PC=r[7],{L2,L3,L4,L5,L6,L7,L8,L9,L10,L11};"]
SWITCH += [f"L{n}|r[6]=r[6]+{n};|PC=L1;" for n in range(2, 11)] + ["L11|r[10]=SYSL(1,r[10]);"]


def test_no_more_counters_stay_in_registers_than_there_is_room_for():
    kept = plan_counters(program_of(function_text("_start", SWITCH))).probes["_start"].kept
    assert len(kept) == ROOM


def test_what_a_previous_run_hardly_executed_is_counted_in_memory():
    """A profile names the loops that matter, and what they call."""
    loop = "L{0}|r[5]=r[5]+1;|PC=r[5]<r[6],L{0};"
    start = ["L1|ST=_f(); r[1]=NPC;", loop.format(2), loop.format(3), "L4|r[10]=SYSL(1,r[10]);"]
    program = program_of(function_text("_start", start) + function_text("_f", ["L1|PC=r[1],RT();"]))
    assert len(plan_counters(program).probes["_start"].kept) == 2
    rounds = {"_start": [1, 1000000, 1000000, 2, 2, 1], "_f": [1]}
    plan = plan_counters(program, Counts(rounds, {"_start": [0, 999999, 1, 0], "_f": [0]}))
    assert list(plan.probes["_start"].kept.values()) == [frozenset([1])]
    assert not plan.probes["_f"].eager
    often = plan_counters(program, Counts({**rounds, "_f": [5000]}, {"_start": [0, 999999, 1, 0], "_f": [0]}))
    assert often.probes["_f"].eager


def test_the_counts_of_a_run_place_the_counters_of_the_next(monkeypatch):
    monkeypatch.setattr("ease.run.measuring.WORTH_A_PROFILE", 0)
    program = program_of(RandomProgram(3, functions=5).text(), slots=0, cells=CELLS)
    placed = []
    monkeypatch.setattr(
        "ease.run.measuring.plan_counters", lambda *given, **more: placed.append(given[1]) or plan_counters(*given, **more)
    )
    first, second = (counted_run(program, options=RunOptions(capture=True, tier="fast")) for _ in range(2))
    assert placed == [None, first[1]]
    assert second[1] == first[1]
    assert first[1].rtls == interpret(program, capture=True).rtls


def test_a_run_that_executes_something_else_adds_to_what_is_known(monkeypatch):
    monkeypatch.setattr("ease.run.measuring.WORTH_A_PROFILE", 0)
    program = program_of(RandomProgram(5, functions=5).text(), slots=0, cells=CELLS)
    expected = interpret(program, capture=True)
    often = next(name for name in program.functions if 50 * sum(expected.rtls[name]) > sum(map(sum, expected.rtls.values())))
    known = {name: [0 if name == often else 1] * len(times) for name, times in expected.rtls.items()}
    key = profile_key(program, "counts")
    store(key, Counts(known, expected.taken))
    for _ in range(2):  # the second does not surprise
        counts = counted_run(program, options=RunOptions(capture=True, tier="fast"))[1]
        assert (counts.rtls, counts.taken) == (expected.rtls, expected.taken)
        sums = {n: [a + b for a, b in zip(known[n], expected.rtls[n], strict=True)] for n in known}
        assert load(key, (Counts,)).rtls == sums


def test_weights_of_another_program_are_refused():
    with pytest.raises(ValueError, match="of another program"):
        plan_counters(RandomFlow(1).program, Counts({}, {}))


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


@pytest.mark.parametrize("seed", range(100))
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


@pytest.mark.parametrize("seed", range(100))
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
        groups = (probes.blocks, probes.taken, probes.inner, probes.edges, probes.ends)
        counters = [counter for group in groups for counter in group.values()]
        chords = plan.functions[name].chords.values()
        assert sorted(counters) == sorted(plan.counted[chord] for chord in chords if chord in plan.counted)
        used += counters
    assert sorted(used) == list(range(plan.counters))


@pytest.mark.parametrize("seed", some(range(12), 4))
def test_host_code_counts_as_the_interpreter_does(seed):
    slots = seed % 2
    program = program_of(RandomProgram(seed, slots=slots, functions=5).text(), slots=slots, cells=CELLS)
    plan = plan_counters(program)
    expected = interpret(program, capture=True)
    got = run(program, options=RunOptions(capture=True, tier="fast", cache=""), probes=plan.probes)
    counts = reconstruct(plan, got.counters)
    assert counts.rtls == expected.rtls
    assert counts.taken == expected.taken
