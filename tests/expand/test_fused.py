"""fma() is one instruction where there is one; a*b+c is if the user allows it."""

import pytest

from tests.kept_machines import load
from vpo.base.c_standard import LIBRARY_STANDARD, Standard
from vpo.build.compiler import Compiler, Settings
from vpo.frontend.c_options import COptions
from vpo.interpret.fast.interpreter import interpret

SOURCE = """
double fma(double, double, double); float fmaf(float, float, float);
double called(double x, double y, double z) { return fma(x, y, z); }
double less(double x, double y, double z) { return fma(x, y, -z); }
float single(float x, float y, float z) { return fmaf(x, y, z); }
double written(double x, double y, double z) { return x * y + z; }
double difference(double x, double y, double z) { return x * y - z; }
double other(double x, double y, double z) { return z - x * y; }
volatile double tiny = 0x1p-30, one = 1;
volatile float small = 0x1p-13f, whole = 1;
int main(void)
{
    double x = one + tiny;
    float y = whole + small;
    return (called(x, x, -one) != 0x1p-29 + 0x1p-60) | (less(x, x, one) != 0x1p-29 + 0x1p-60) << 1
        | (single(y, y, -whole) != 0x1p-12f + 0x1p-26f) << 2 | (written(x, x, -one) == 0x1p-29) << 3
        | (difference(x, x, one) == 0x1p-29) << 4 | (other(x, x, one) == -0x1p-29) << 5;
}
"""


@pytest.fixture(scope="module")
def machine():
    return load("riscv32")


def compiled(machine, tmp_path, contracts):
    source = tmp_path / "a.c"
    source.write_text(SOURCE)
    compiler = Compiler(machine, Settings(level=1, c=COptions(standard=Standard(contracts=contracts))))
    unit = compiler.unit(str(source))
    used = {f.name[1:]: [machine.record(rtl).name for rtl in f.rtls()][:-1] for f in unit.functions}
    return used, interpret(compiler.program([str(source)])).exit_status


def test_only_calls_are_fused_unless_allowed(machine, tmp_path):
    used, status = compiled(machine, tmp_path, False)
    assert [used[name] for name in ("called", "less", "single")] == [["FMADD.D"], ["FMSUB.D"], ["FMADD.S"]]
    assert (used["written"], status) == (["FMUL.D", "FADD.D"], 0b111000)


def test_expressions_are_fused_if_allowed(machine, tmp_path):
    used, status = compiled(machine, tmp_path, True)
    assert (used["written"], used["difference"], status) == (["FMADD.D"], ["FMSUB.D"], 0)
    assert used["other"] == ["FNMSUB.D"]


def test_what_is_allowed_is_as_in_gcc():
    assert (Standard().fuses, Standard(gnu=False).fuses, LIBRARY_STANDARD.fuses) == (True, False, False)


def test_a_machine_without_calls_the_library(tmp_path):
    assert compiled(load("mips"), tmp_path, True)[1] == 0b111000
