"""Matrices of tests: which combinations `make test` tries; the others have the mark `thorough`."""

import pytest

from vpo.machines.names import machine_names

LEVELS = (0, 1, 2, "s")


def case(*values, usual):
    """Return the values of a test that is tried always, or in thorough runs only."""
    return pytest.param(*values, marks=() if usual else pytest.mark.thorough)


def some(values, count, first=0):
    """Return cases of which so many are tried always, evenly spread from one on; others in thorough runs only."""
    values = list(values)
    always = {(first + n * len(values) // count) % len(values) for n in range(count)}
    return [case(*(v if isinstance(v, tuple) else (v,)), usual=n in always) for n, v in enumerate(values)]


def usual_level(machine):
    """Return the level at which a machine runs programs that print: one for all tests, so that its library is compiled once.

    It is mostly that of commands that are given none.
    """
    return 2 if machine_names().index(machine) % 3 == 2 else 1


def turns(rows, columns, times=1):
    """Return for each row as many columns as told, which come by turns, so that each column is as often taken as any other."""
    columns = list(columns)
    return {(row, columns[(n * times + i) % len(columns)]) for n, row in enumerate(rows) for i in range(times)}
