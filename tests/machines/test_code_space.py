"""The instructions that a machine can write."""

from tests.kept_machines import load
from vpo.machines.read.encoding import encoding_bits, encodings


def space(*settings):
    machine = load("riscv32", list(settings))
    return machine.recognizer, machine.classes


def test_each_register_and_constant_counts():
    whole = encodings(*space())
    assert whole - encodings(*space("instructions.MUL=null")) == 32**3
    assert whole - encodings(*space("instructions.SLLI=null")) == 32**2 * 32
    narrow = encodings(*space("instructions.SLLI=null", "operands.shift.constant=0..15"))
    assert narrow == encodings(*space("operands.shift.constant=0..15")) - 32**2 * 16
    assert 2 ** (encoding_bits(*space()) - 1) < whole <= 2 ** encoding_bits(*space()) <= 2**32
