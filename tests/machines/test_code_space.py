"""The instructions that a machine can write."""

from tests.kept_machines import load
from vpo.machines.read.encoding import encoding_bits, encodings


def test_each_register_and_constant_counts():
    whole = encodings(load("riscv32"))
    assert whole - encodings(load("riscv32", ["instructions.MUL=null"])) == 32**3
    assert whole - encodings(load("riscv32", ["instructions.SLLI=null"])) == 32**2 * 32
    narrow = encodings(load("riscv32", ["instructions.SLLI=null", "operands.shift.constant=0..15"]))
    assert narrow == encodings(load("riscv32", ["operands.shift.constant=0..15"])) - 32**2 * 16
    assert 2 ** (encoding_bits(load("riscv32")) - 1) < whole <= 2 ** encoding_bits(load("riscv32")) <= 2**32
