"""Floating arguments in pairs of registers that are used in order, and structures that lie on the stack whole."""

import pytest

from tests.kept_machines import load
from vpo import il
from vpo.build.compiler import Compiler, Settings
from vpo.expand.argument_passing import Assigner, aggregate_result, result_place
from vpo.interpret.fast.interpreter import interpret

INT, LONG_LONG, FLOAT, DOUBLE = il.Type("S", 4), il.Type("S", 8), il.Type("F", 4), il.Type("F", 8)
WORDS = ((0, INT), (4, INT))


def registers(assigner, *types):
    return [" ".join(map(repr, assigner.scalar(type_).registers)) for type_ in types]


def test_a_single_uses_no_half_that_was_stepped_over():
    assert registers(Assigner(load("sh4")), FLOAT, DOUBLE, FLOAT) == ["e[4]", "f[3]", "e[8]"]
    gaps = load("sh4", ["calls.float_gaps=true"])
    assert registers(Assigner(gaps), FLOAT, DOUBLE, FLOAT) == ["e[4]", "f[3]", "e[5]"]


def test_a_double_on_the_stack_leaves_registers_to_others():
    singles = [FLOAT] * 7
    assert registers(Assigner(load("sh4")), *singles, DOUBLE, FLOAT)[-2:] == ["", "e[11]"]
    closed = load("sh4", ["calls.float_overflow=stack"])
    assert registers(Assigner(closed), *singles, DOUBLE, FLOAT)[-2:] == ["", ""]


def test_numbers_of_two_words_lie_on_the_stack_whole():
    assert registers(Assigner(load("sh4")), INT, INT, INT, LONG_LONG, INT) == ["r[4]", "r[5]", "r[6]", "", "r[7]"]


def test_words_of_variadic_functions_are_in_order():
    """Their va_list is a pointer, which cannot step over a register."""
    assert registers(Assigner(load("sh4"), True), INT, INT, INT, LONG_LONG, INT)[3:] == ["r[7]", ""]


def test_results_of_singles_have_a_register_of_their_own():
    assert [result_place(load("sh4"), type_).registers[0].index for type_ in (FLOAT, DOUBLE)] == [1, 0]


def test_structures_that_are_aligned_less_come_back_in_memory():
    halves = tuple((2 * n, il.Type("S", 2)) for n in range(4))
    assert aggregate_result(load("sh4"), 8, 4, WORDS).registers
    assert aggregate_result(load("sh4"), 8, 2, halves) is None
    assert aggregate_result(load("sh4", ["calls.aggregate_result_aligned=false"]), 8, 2, halves).registers


SMALL = """
struct pair { signed char a, b; };
struct pair pair(int x) { struct pair r = {x + 1, x - 1}; return r; }
_Complex short number(int x) { _Complex short r; __real r = x + 1; __imag r = x - 1; return r; }
struct pair (*pointer)(int) = pair;
int main(void) {
    struct pair wide __attribute__((aligned(4))) = pair(9);
    signed char a = pair(5).a, b = pointer(5).b;
    short real = __real number(5), imaginary = __imag number(5);
    return a == 6 && b == 4 && real == 6 && imaginary == 4 && wide.a == 10 && wide.b == 8 ? 0 : 1;
}
"""


@pytest.mark.parametrize("level", [0, 1, 2, "s"])
def test_how_a_result_comes_back_is_known_by_its_type(level, tmp_path):
    """Even where it is held as a whole, in what is aligned more than the type; callers and functions must agree."""
    source = tmp_path / "small.c"
    source.write_text(SMALL)
    program = Compiler(load("sh4"), Settings(level=level, inline_limit=0)).program([str(source)])
    assert interpret(program).exit_status == 0
