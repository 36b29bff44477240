"""Division by constants is exact: every dividend and divisor of 8 bits, by high products with sign and without."""

import pytest

from tests.kept_machines import load
from vpo import il
from vpo.algebra import wrap
from vpo.build.compiler import Compiler, Settings
from vpo.expand.arithmetic import ConstantDivision
from vpo.expand.wide import with_other_extension
from vpo.rtl import Const, Op

OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    ">>u": lambda a, b: (a & 255) >> b,
}


class Bytes:
    """Words of 8 bits, on which operations are done at once."""

    bits, integer, word, line = 8, "r", "B", 0

    def operate(self, op, a, b, cls):
        assert op not in (">>", ">>u", "<<") or 0 <= b.value < 8
        result = OPERATIONS[op](a.value, b.value) & 255
        return Const(result - 256 if result > 127 else result)

    def wrapped(self, value):
        return wrap(value, 8)

    def in_integer(self, word):
        return word

    def number(self, word, type_):
        return word

    narrow = number


class Division(ConstantDivision):
    def __init__(self, signed_products):
        self.values = self.code = Bytes()
        self.bits = 8
        self.signed_products = signed_products

    def _high(self, x, y, extension):
        if extension == "sx":
            signed = Const(wrap(x.value * y.value >> 8, 8))
            return signed if self.signed_products else with_other_extension(self.code, self._high(x, y, "zx"), x, y, "sx")
        unsigned = Const(wrap((x.value & 255) * (y.value & 255) >> 8, 8))
        return with_other_extension(self.code, self._high(x, y, "sx"), x, y, "zx") if self.signed_products else unsigned


def exact(op, a, b):
    """Divide as C does."""
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return Const(wrap(quotient if op[0] == "/" else a - b * quotient, 8))


@pytest.mark.parametrize("signed_products", [False, True])
def test_signed(signed_products):
    division, byte = Division(signed_products), il.Type("I", 1)
    for divisor in range(-128, 128):
        for a in range(-128, 128) if divisor else ():
            assert division.multiplied("/", Const(a), divisor, byte) is exact("/", a, divisor)
        for a in range(-128, 128, 17) if divisor else ():
            assert division.multiplied("%", Const(a), divisor, byte) is exact("%", a, divisor)


@pytest.mark.parametrize("signed_products", [False, True])
def test_unsigned(signed_products):
    division, byte = Division(signed_products), il.Type("U", 1)
    for divisor in range(1, 256):
        for a in range(256):
            assert division.multiplied("/u", Const(wrap(a, 8)), divisor, byte) is exact("/", a, divisor)
        for a in range(0, 256, 17):
            assert division.multiplied("%u", Const(wrap(a, 8)), divisor, byte) is exact("%", a, divisor)


SOURCE = """
int ten(int x) { return x / 10; }
int eight(int x) { return x % 8; }
struct twelve { int i[3]; };
long apart(struct twelve *p, struct twelve *q) { return p - q; }
"""


def test_it_goes_by_the_price(tmp_path):
    """A machine that multiplies fast never divides; one that needs as long for anything divides by what is no power of two."""
    source = tmp_path / "d.c"
    source.write_text(SOURCE)

    def divisions(machine):
        unit = Compiler(load(machine), Settings(2)).unit(str(source))
        return {
            function.name
            for function in unit.functions
            for rtl in function.rtls()
            for effect in rtl.effects
            if isinstance(getattr(effect, "source", None), Op) and effect.source.op in ("/", "%")
        }

    assert divisions("riscv32") == set()
    assert divisions("stack") == {"_ten", "_eight"}
