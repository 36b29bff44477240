"""A link register in a class of its own is saved by way of another register, which the function does not preserve."""

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from vpo.analysis.register_summaries import saved_registers
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.read.load import load

MACHINE = """
machine: link_class
extends: riscv32
toolchain: null
registers: {lr: {type: L}}
allocable: {r: ["r[15]..r[10]", "r[16]", "r[17]", "r[5]..r[7]", "r[28]..r[31]", "r[8]", "r[9]", "r[18]..r[27]"]}
instructions:
  MFLR: {rtl: "r[d]=lr[0];", asm: "mflr $d"}
  MTLR: {rtl: "lr[0]=r[d];", asm: "mtlr $d"}
  JAL: {rtl: "ST=target(); lr[0]=NPC;"}
  JALR: {rtl: "ST=r[target](); lr[0]=NPC;"}
  RET: {rtl: "PC=lr[0],RT();"}
calls: {link: "lr[0]", call: "ST=f(); lr[0]=NPC;", return: "PC=lr[0],RT();"}
start:
  - "r[10]=L[r[2]];"
  - "r[11]=r[2]+4;"
  - "r[12]=0;"
  - "ST=_main(r[10],r[11],r[12]); lr[0]=NPC;"
  - "ST=_exit(r[10]); lr[0]=NPC;"
"""
SOURCE = """
int n, cap, q;
__attribute__((noinline)) void g(int k) { q += k; }
__attribute__((noinline)) static void add(int a) { if (n == cap) { cap = cap ? 2 * cap : 16; g(cap); } n++; }
int main(void) { for (int i = 0; i < 20; i++) add(i); return n; }
"""


@pytest.mark.parametrize("level", [1, 2])
def test_functions_return(level, tmp_path):
    description, source = tmp_path / "link_class.yaml", tmp_path / "program.c"
    description.write_text(MACHINE)
    source.write_text(SOURCE)
    program = Compiler(load(str(description)), Settings(level=level)).program([str(source)])
    assert interpret(program, ["program"], capture=True).exit_status == 20
    assert run(program, ["program"], RunOptions(capture=True)).exit_status == 20
    for function in program.functions.values():
        for before, load_, move in zip(function.rtls(), function.rtls()[1:], function.rtls()[2:], strict=False):
            if move.cause == "save" and program.machine.convention.link in move.sets and load_.loads:
                assert before.cause != "address", "an address that nothing reads"
    saved = {register for function in program.functions.values() for register in saved_registers(function, program.machine)}
    assert saved <= set(program.machine.convention.saved)
