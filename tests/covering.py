"""Matrices of tests: which combinations `make test` tries; the others have the mark `thorough`."""

import pytest

from vpo.machines.names import machine_names

LEVELS = (0, 1, 2, "s")


def case(*values, usual):
    """Return the values of a test that is tried always, or in thorough runs only."""
    return pytest.param(*values, marks=() if usual else pytest.mark.thorough)


def usual_level(machine):
    """Return the level at which a machine is always tried: one for all tests, so that its library is compiled once."""
    return LEVELS[machine_names().index(machine) % len(LEVELS)]


def turns(rows, columns, times=1):
    """Return for each row as many columns as told, which come by turns, so that each column is as often taken as any other."""
    columns = list(columns)
    return {(row, columns[(n * times + i) % len(columns)]) for n, row in enumerate(rows) for i in range(times)}
