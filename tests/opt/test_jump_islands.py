"""Jumps of short reach go by islands, of which none stands where control falls into it."""

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

SOURCE = """
extern int printf(const char *, ...);
int main(void) { printf("%d %s %5.2f %x\\n", 42, "text", 2.5, 255); return 0; }
"""


def test_a_table_may_lead_to_empty_blocks_in_front_of_an_island(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    source = tmp_path / "prog.c"
    source.write_text(SOURCE)
    machine = load("riscv32", ["instructions.J.reach=[-512, 511]"])
    program = Compiler(machine, Settings(level=1)).program([str(source)])
    result = interpret(program, ["prog"], capture=True)
    assert (result.exit_status, result.output) == (0, b"42 text  2.50 ff\n")
