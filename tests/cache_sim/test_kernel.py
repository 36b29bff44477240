"""A kernel's references: as docs/together.md says, by a plain reading of it."""

import random

import numpy as np
import pytest

from cache_sim.trace import TraceError
from cache_sim.traces.formats.references import chosen, events_of
from cache_sim.traces.kernel import Kernel, Shadow, parse_kernel
from cache_sim.traces.regeneration import BRANCH, FETCHED, READ, SYSTEM, WRITE


def jump(chance, theta):
    length = int((1 - chance.random()) ** (-1 / theta)) - 1
    return length if chance.random() < 0.5 else -length


def plainly(chance, kernel, what, instructions, process):
    """Return the references of one activity: kind and address."""
    run, unit, found = what * (kernel.code // 32) // 3, process * 256, []
    for number in range(instructions):
        if number and number % 8 == 0:
            run = (run + (jump(chance, kernel.theta) or 1)) % (kernel.code // 32)
        found.append((FETCHED, (1 << 31) + run * 32 + number % 8 * 4))
        if number % 3 == 2:
            unit = (unit + jump(chance, kernel.theta)) % (kernel.data // 16)
            address = (1 << 31) + kernel.code + unit * 16 + 4 * chance.randrange(4)
            found.append((WRITE if number % 9 == 8 else READ, address))
    return found


def rows(events):
    return list(zip(events.kinds.tolist(), events.addresses.tolist(), strict=True))


def test_activities_are_what_the_page_says():
    kernel = Kernel(call=70, switch=40, interrupt=25, every=0, code=2048, data=4096, theta=1.2, seed=9)
    shadow, chance = Shadow(kernel), random.Random(9)
    assert rows(shadow.switch(3)) == plainly(chance, kernel, 0, 40, 3)
    assert rows(shadow.switch(0)) == plainly(chance, kernel, 0, 40, 0)
    assert rows(Shadow(kernel, 5 << 48).switch(0))[0][1] == (5 << 48) + (1 << 31)


def test_the_kernel_comes_behind_calls_and_between_instructions():
    kernel = Kernel(call=2, switch=0, interrupt=1, every=3, code=1024, data=1024)
    kinds = [FETCHED, READ, FETCHED, SYSTEM, FETCHED, BRANCH, FETCHED, FETCHED, WRITE, FETCHED, FETCHED]
    program = events_of(np.array(kinds), np.arange(len(kinds)), 4)
    shadow, seen = Shadow(kernel), []
    for first, end in ((0, 5), (5, 7), (7, len(kinds))):
        part = chosen(program, slice(first, end))
        seen += [(of_kernel, row) for of_kernel, piece in shadow.between([part], 0) for row in rows(piece)]
    own = [row for of_kernel, row in seen if not of_kernel]
    assert own == rows(program)
    text = "".join("kK"[row[0] == FETCHED] if of_kernel else ".F"[row[0] == FETCHED] for of_kernel, row in seen)
    assert text == "F.F.KKF.KFF.FKF"


@pytest.mark.parametrize("text", ["call", "call=x", "calls=2", "call=1,call=2", "theta=0", "code=1", "call=-1", ""])
def test_what_is_no_kernel_is_told(text):
    with pytest.raises(TraceError):
        parse_kernel(text)


def test_numbers_are_read():
    assert parse_kernel("default") == Kernel()
    assert parse_kernel("call=2k,code=2k,theta=0.5") == Kernel(call=2000, code=2048, theta=0.5)
    assert parse_kernel(str(Kernel(call=7, theta=2.5))) == Kernel(call=7, theta=2.5)


def test_a_larger_theta_uses_more_again():
    def lines(theta):
        shadow = Shadow(Kernel(theta=theta))
        return len({address >> 4 for _ in range(20) for _, address in rows(shadow.switch(1))})

    assert lines(0.8) > 1.5 * lines(1.5) > 1.5 * 1.5 * lines(4)
