"""Programs do the same on a machine that lacks narrow cells, shifts, logic or a branch as on one that has them."""

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

# Neighbours in memory, of each width, are stored one after the other; shifts and logic are done at each width.
PROGRAM = """
volatile int three = 3;
static unsigned char bytes[7] = {1, 2, 3, 4, 5, 6, 7};
static signed char below = -2, between = 5, above = -3;
static short halves[3] = {-1, 300, -300};
struct { char a; short b; unsigned char c; } parts = {-7, 1000, 200};
static unsigned sum;
static void add(unsigned value) { sum = sum * 31 + value; }
int main(void)
{
    char local = 9, other = -9;
    char *p = &local, *q = &other;
    long long wide = -0x123456789abLL;
    int i, word = -1234567;
    between = (signed char)(above + three);
    *p = (char)(*q * three);
    for (i = 1; i < 7; i++) {
        bytes[i] ^= bytes[i - 1] << 1;
        halves[i % 3] -= bytes[i];
        add(bytes[i]);
        add(halves[i % 3]);
    }
    parts.b = (short)(parts.a + halves[1]);
    parts.c += 100;
    add(below), add(between), add(above), add(local), add(other), add(parts.a), add(parts.b), add(parts.c);
    for (i = 0; i < 32; i += three) {
        add(word >> i), add((unsigned)word >> i), add(word << i), add(word & i << 8), add(word | i), add(word ^ i);
        add((unsigned)(wide >> i)), add((unsigned)(wide << i >> 32)), add((unsigned)((unsigned long long)wide >> (i + 20)));
    }
    wide *= word * three, add((unsigned)wide), add((unsigned)(wide >> 32));
    add(word >> 31), add(word >> 5), add((unsigned)word >> 7), add(word << 9), add((unsigned)(wide >> 37));
    return (sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 24) & 255;
}
"""
NARROW = "{LB: null, LBU: null, LH: null, LHU: null, SB: null, SH: null}"
PRODUCTS = "{MUL: null, MULH: null, MULHU: null, DIV: null, DIVU: null, REM: null, REMU: null}"
LACKING = {
    "loads and stores of bytes and halves": f"instructions: {NARROW}",
    "the same, the highest byte first": f"endian: big\ninstructions: {NARROW}",
    "shifts by registers": "instructions: {SLL: null, SRA: null, SRL: null}",
    "any shift": "instructions: {SLL: null, SRA: null, SRL: null, SLLI: null, SRAI: null, SRLI: null}",
    "low halves of products": "instructions: {MUL: null}",
    "products and quotients": f"instructions: {PRODUCTS}",
    "branches if unequal": "instructions: {BNE: null}",
    "logic": "instructions: {AND: null, OR: null, XOR: null, ANDI: null, ORI: null, XORI: null, NOT: null, ZEXT.B: null}",
}


def exit_status(machine, source):
    program = Compiler(machine, Settings(level=1)).program([source])
    return interpret(program, limit=3_000_000).exit_status


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("missing") / "program.c"
    path.write_text(PROGRAM)
    return str(path)


@pytest.fixture(scope="module")
def expected(source):
    return exit_status(load("riscv32"), source)


@pytest.mark.parametrize("lacking", some(LACKING, 4))
def test_what_is_missing_is_made_of_what_is_there(tmp_path, lacking, source, expected):
    description = tmp_path / "lacking.yaml"
    description.write_text(f"machine: lacking\nextends: riscv32\n{LACKING[lacking]}\n")
    assert exit_status(load(str(description)), source) == expected


@pytest.mark.parametrize(("factor", "most"), [(3, 1), (10, 2), (-3, 2), (-1, 1), (100, 3)])
def test_shifts_and_sums_are_better_than_an_expansion_for_all_products(tmp_path, factor, most):
    source = tmp_path / "product.c"
    source.write_text(f"int f(int a) {{ return a * {factor}; }}")
    machine = load("parisc")
    (function,) = Compiler(machine, Settings(level=1)).unit(str(source)).functions
    names = [machine.record(rtl).name for rtl in function.rtls()]
    assert "XMPYU" not in names
    assert len(names) <= most + 1  # and the return


LOOPS = """
static int grid[60];
static int rows(int n, int m)
{
    int i, j, sum = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            sum += grid[i * m + j] * 3 + (n * m) / (i + 1);
    return sum;
}
int main(void)
{
    unsigned i, sum = 0;
    for (i = 0; i < 60; i++)
        grid[i] = i * i - 50;
    for (i = 9; i; i -= 3)
        sum = sum * i + 100000u / i + (sum % (i + 1)) * (sum / i);
    return (rows(6, 10) ^ rows(7, 3) ^ sum ^ sum >> 9) & 255;
}
"""
WITHOUT_PRODUCTS = {
    "riscv32": PRODUCTS,
    "riscv64": "{MUL: null, MULW: null, DIV: null, DIVU: null, REM: null, REMU: null,"
    " DIVW: null, DIVUW: null, REMW: null, REMUW: null}",
    "sparc": "{SMUL: null, UMUL: null, SDIV: null, UDIV: null}",
    "short16": "{MUL: null, DIV: null, DIVU: null, MUL.W: null}",
}


@pytest.mark.parametrize("machine", some(WITHOUT_PRODUCTS, 1))
def test_products_by_routines_are_optimised_as_others_are(tmp_path, machine):
    description, source = tmp_path / "lacking.yaml", tmp_path / "loops.c"
    description.write_text(f"machine: lacking\nextends: {machine}\ninstructions: {WITHOUT_PRODUCTS[machine]}\n")
    source.write_text(LOOPS)
    lacking = load(str(description))
    results = [
        interpret(Compiler(each, Settings(level=level)).program([str(source)]), limit=3_000_000).exit_status
        for each, level in ((load(machine), 0), (lacking, 2))
    ]
    assert results[0] == results[1]
