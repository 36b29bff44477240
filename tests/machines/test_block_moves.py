"""Block saves: the condition of a repeated pattern may ask for the first register and how many there are."""

from tests.kept_machines import load
from vpo.text import parse_effects

STORE_MULTIPLE = """
machine: blocks
extends: riscv32
instructions:
  STM: {rtl: "L[mem]=r[list]; ...", mem: address, when: "list + count == 32 and count > 2", asm: "stm $list.first,$mem"}
"""


def test_registers_up_to_the_last(tmp_path):
    path = tmp_path / "blocks.yaml"
    path.write_text(STORE_MULTIPLE)
    machine = load(str(path))

    def stored(*registers):
        text = " ".join(f"L[r[2]+{4 * number}]=r[{register}];" for number, register in enumerate(registers))
        record = machine.recognize(parse_effects(text, machine.cells))
        return record and record.assembly

    assert stored(29, 30, 31) == "stm t4,0(sp)"
    assert stored(30, 31) is None
    assert stored(28, 29, 30) is None
    assert stored(28, 30, 31) is None
