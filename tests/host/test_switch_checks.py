"""Between switch checks never more is taken than is told, whatever way control goes."""

import random

import pytest

from ease.host.memory.facts import CheckedSegment, ResidentLoop
from ease.host.memory.switch_checks import place_switch_checks, resident_switch_checks
from vpo.analysis.cfg import Cfg
from vpo.analysis.dominators import dominators, natural_loops


def random_graph(draw, size):
    """Blocks of which each is reached, with edges in all directions; block 0 is entered from outside only."""
    successors = [[] for _ in range(size)]
    for block in range(1, size):
        successors[draw.randrange(block)].append(block)
    for _ in range(draw.randrange(size)):
        successors[draw.randrange(size)].append(draw.randrange(1, size))
    predecessors = [[block for block in range(size) if other in successors[block]] for other in range(size)]
    return Cfg({}, successors, predecessors)


def random_segments(draw):
    """The segments of a block; slots that may be annulled stand behind something and are followed by nothing."""
    numbers = range(draw.randrange(1, 4))
    found = [CheckedSegment(number, number + 1, after_call=number > 0 and draw.random() < 0.4) for number in numbers]
    if draw.random() < 0.3:
        found.append(CheckedSegment(len(found), len(found) + 1, annullable=True))
    for segment in found:
        segment.worst = draw.choice([0, 0, 3, 10, 25])
    return found


@pytest.mark.parametrize("seed", range(200))
def test_bound(seed):
    draw = random.Random(seed)
    size, most = draw.randrange(2, 9), draw.choice([0, 10, 40])
    cfg = random_graph(draw, size)
    segments = [random_segments(draw) for _ in range(size)]
    switch_checks = place_switch_checks(cfg, segments, most)
    for _ in range(30):
        walk(draw, cfg, segments, switch_checks)


def walk(draw, cfg, segments, switch_checks):
    """Go from the entry; what has not been allowed by a switch check must not be taken.  A call may take anything."""
    allowed = block = 0
    for _ in range(60):
        for segment in segments[block]:
            allowed = 0 if segment.after_call else allowed
            switch_check = switch_checks.get((block, segment.first))
            allowed = allowed if switch_check is None else switch_check.enough
            assert segment.worst <= allowed
            allowed -= segment.worst if not segment.annullable or draw.random() < 0.5 else 0
        if not cfg.successors[block]:
            return
        block = draw.choice(cfg.successors[block])


@pytest.mark.parametrize("seed", range(200))
def test_bound_in_a_resident_loop(seed):
    draw = random.Random(seed)
    size, most = draw.randrange(2, 9), draw.choice([0, 10, 40])
    cfg = random_graph(draw, size)
    segments = [random_segments(draw) for _ in range(size)]
    switch_checks = place_switch_checks(cfg, segments, most)
    for found in natural_loops(cfg, dominators(cfg)):
        leaves = {block: draw.randrange(4) for block in found.blocks if draw.random() < 0.3}
        loop = ResidentLoop((found.header, *(found.blocks - {found.header})), frozenset(), leaves)
        saved = {(block, s.first): draw.choice([0, s.worst]) for block in loop.blocks for s in segments[block]}
        enough = resident_switch_checks(cfg, segments, switch_checks, [loop], saved)
        for _ in range(30):
            walk_in_loop(draw, cfg, segments, switch_checks, loop, saved, enough)


def walk_in_loop(draw, cfg, segments, switch_checks, loop, saved, enough):
    """Go through the loop and on: control may be in the copy for it from the header to a departure, or the end of the loop."""
    block, allowed, resident = loop.header, 0, True
    for _ in range(60):
        resident = block in loop.blocks and (resident or (block == loop.header and draw.random() < 0.5))
        for segment in segments[block]:
            place = block, segment.first
            resident = resident and segment.first <= loop.leaves.get(block, segment.first)
            allowed = 0 if segment.after_call else allowed
            if place in switch_checks:
                allowed = enough[place] if resident else switch_checks[place].enough
            taken = segment.worst - (saved[place] if resident else 0)
            assert taken <= allowed
            allowed -= taken
        resident = resident and block not in loop.leaves
        if not cfg.successors[block]:
            return
        block = draw.choice(cfg.successors[block])
