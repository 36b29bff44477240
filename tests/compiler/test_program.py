"""Numbers of RTLs in a program."""

import pytest

from vpo.program import Program
from vpo.rtl import Rtl
from vpo.rtl.function import Block, Function


@pytest.fixture
def program():
    sizes = {"_a": (2, 0, 1), "_empty": (), "_b": (1,)}
    functions = {name: Function(name) for name in sizes}
    for name, function in functions.items():
        function.blocks = [Block(f"L{n}", [Rtl(()) for _ in range(size)]) for n, size in enumerate(sizes[name], 1)]
    addresses = {name: list(range(sum(sizes[name]) + 1)) for name in sizes}
    return Program(None, functions, [], addresses=addresses)


def test_each_function_has_a_number_more_than_rtls(program):
    assert [program.first(name) for name in program.functions] == [0, 4, 5]
    assert program.numbers == 7
    assert program.number("_b", 1) == 6


def test_a_number_tells_function_and_index(program):
    places = [program.place(number) for number in range(program.numbers)]
    assert [(function.name, index) for function, index in places] == [
        ("_a", 0), ("_a", 1), ("_a", 2), ("_a", 2), ("_empty", 0), ("_b", 0), ("_b", 0),
    ]  # fmt: skip
    for number in (-1, program.numbers):
        with pytest.raises(ValueError, match="no RTL"):
            program.place(number)


def test_blocks_begin_where_those_before_them_end(program):
    assert program.functions["_a"].block_starts() == [0, 2, 2]
    assert program.functions["_empty"].block_starts() == []
