"""One small program, compiled for each machine once."""

import sys
from functools import partial
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("interpret", "host")]

PROGRAM = r"""
static int numbers[60];
static double sums[4];
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int twice(int (*f)(int), int n) { return f(n) + f(n - 1); }
int main(void) {
    int round, i, s = 0;
    for (round = 0; round < 3; round++)
        for (i = 0; i < 20; i++) {
            numbers[i * 7 % 60] += i / (round + 1);
            sums[i % 4] += numbers[i] * 0.5 / (i + 1);
            switch (i % 7) {
            case 0: s++; break;
            case 1: s += 2; break;
            case 2: s ^= 3; break;
            case 3: s -= 4; break;
            case 4: s *= 3; break;
            }
        }
    return (twice(fib, 6) + s) & 127;
}
"""


@pytest.fixture(scope="session", autouse=True)
def _own_cache(own_cache):
    """No test here uses the user's cache."""


@pytest.fixture(scope="session")
def compiled(programs):
    """A function that compiles the program for a machine at a level."""
    return partial(programs, PROGRAM)
