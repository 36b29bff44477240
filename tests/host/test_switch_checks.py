"""Between switch checks never more is taken than is told, whatever way control goes."""

import random

import pytest

from ease.host.segments import Stretch
from ease.host.switch_checks import place_switch_checks
from vpo.analysis.cfg import Cfg


def random_graph(draw, size):
    """Blocks of which each is reached, with edges in all directions; block 0 is entered from outside only."""
    successors = [[] for _ in range(size)]
    for block in range(1, size):
        successors[draw.randrange(block)].append(block)
    for _ in range(draw.randrange(size)):
        successors[draw.randrange(size)].append(draw.randrange(1, size))
    predecessors = [[block for block in range(size) if other in successors[block]] for other in range(size)]
    return Cfg({}, successors, predecessors)


def random_stretches(draw):
    """The stretches of a block; slots that may be annulled stand behind something and are followed by nothing."""
    found = [Stretch(index, index + 1, forgets=index > 0 and draw.random() < 0.4) for index in range(draw.randrange(1, 4))]
    if draw.random() < 0.3:
        found.append(Stretch(len(found), len(found) + 1, perhaps=True))
    for stretch in found:
        stretch.worst = draw.choice([0, 0, 3, 10, 25])
    return found


@pytest.mark.parametrize("seed", range(200))
def test_bound(seed):
    draw = random.Random(seed)
    size, most = draw.randrange(2, 9), draw.choice([0, 10, 40])
    cfg = random_graph(draw, size)
    stretches = [random_stretches(draw) for _ in range(size)]
    number = {block: number for number, block in enumerate(cfg.reverse_postorder())}
    heads = {block for block in range(size) if any(number[other] >= number[block] for other in cfg.predecessors[block])}
    ways = {(a, b) for a in range(size) for b in cfg.successors[a] if b in heads and draw.random() < 0.3}
    switch_checks = place_switch_checks(cfg, stretches, most, ways)
    for _ in range(30):
        walk(draw, cfg, stretches, ways, switch_checks)


def walk(draw, cfg, stretches, ways, switch_checks):
    """Go from the entry; what has not been allowed by a switch check must not be taken.  A call may take anything."""
    allowed = block = 0
    for _ in range(60):
        for stretch in stretches[block]:
            allowed = 0 if stretch.forgets else allowed
            switch_check = switch_checks.get((block, stretch.index))
            allowed = allowed if switch_check is None else switch_check.enough
            assert stretch.worst <= allowed
            allowed -= stretch.worst if not stretch.perhaps or draw.random() < 0.5 else 0
        if not cfg.successors[block]:
            return
        following = draw.choice(cfg.successors[block])
        allowed = 0 if (block, following) in ways else allowed  # what is allowed there is not for what comes behind
        block = following
