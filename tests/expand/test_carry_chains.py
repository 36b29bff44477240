"""Numbers of two words are added and subtracted by carries in codes, where the machine has instructions for that."""

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.rtl import Register

PROGRAM = """\
typedef unsigned long long wide;
wide numbers[9] = {0, 1, 0xffffffff, 0x100000000, -1, 0x7fffffffffffffff, 0x8000000000000000, 0x123456789abcdef0, 77};
static wide sum;
wide add(wide a, wide b) { return a + b; }
wide subtract(wide a, wide b) { return a - b; }
wide (*volatile operations[])(wide, wide) = {add, subtract};
static void note(wide value) { sum = (sum << 5) - sum + value; }
int main(void)
{
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            wide a = numbers[i], b = numbers[j];
            note(operations[0](a, b)); note(operations[1](a, b)); note(a + 0x1fffffffe); note(5 - a); note(-a);
            note(a + (int)b); note((wide)(unsigned)a + (unsigned)b); note(a - (unsigned)b);
            note(++numbers[i]); note(numbers[j]--); note(a << 1);
        }
    return (int)((sum ^ sum >> 32) % 251);
}
"""


def expected():
    """Return what the program does, by Python's numbers."""
    numbers = [0, 1, 0xFFFFFFFF, 0x100000000, -1, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0x123456789ABCDEF0, 77]
    total = 0
    for i in range(9):
        for j in range(9):
            a, b = numbers[i] % 2**64, numbers[j] % 2**64
            low, narrow = a % 2**32, b % 2**32
            signed = narrow - (narrow >> 31 << 32)
            values = [a + b, a - b, a + 0x1FFFFFFFE, 5 - a, -a, a + signed, low + narrow, a - narrow]
            numbers[i] += 1
            values.append(numbers[i])
            values.append(numbers[j])
            numbers[j] -= 1
            values.append(2 * a)
            for value in values:
                total = (31 * total + value) % 2**64
    return (total ^ total >> 32) % 251


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("carries") / "carries.c"
    path.write_text(PROGRAM)
    return str(path)


@pytest.mark.parametrize("level", some([0, 2], 1, first=1))
@pytest.mark.parametrize("name", ["arm", "i386", "m68020", "sparc"])
def test_carries_are_in_codes(name, level, source):
    program = Compiler(load(name), Settings(level=level)).program([source])
    for function in ("_add", "_subtract"):
        codes = [
            r for rtl in program.functions[function].rtls() for r in rtl.sets if isinstance(r, Register) and r.type == "C"
        ]
        assert len(codes) == 1
    result = interpret(program)
    assert result.fault is None
    assert result.exit_status == expected()
