"""The trace of operations is that of the program, not of a machine: equal where data are laid out alike."""

from functools import cache

import pytest

from ease.commands.easecc import main as easecc
from ease.commands.runs.replay_command import main as replay
from ease.traces.operations import untargeted
from ease.traces.trace_tables import event_lines
from tests.covering import case
from tests.kept_machines import load
from tests.traces.conftest import trace_of
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

ALIKE = (("riscv32", "arm", "stack", "clipper"), ("sparc", "m88100"), ("i386", "vax"))  # by byte order and alignments
PROGRAM = """
    struct pair { char tag; int value; double share; } pairs[3];
    static long long total;
    static float half(float x) { return x / 3; }
    int main(void)
    {
        unsigned char small = 250;
        int i;
        for (i = 0; i < 3; i++) {
            pairs[i].value = (i << 3) - 9;
            pairs[i].share = half(pairs[i].value);
            small += 3;
            total = total * 1000003 + pairs[i].value % 5 + small;
        }
        return (total >> 20 & 15) + small + (pairs[1].share == -0.5) * 100;
    }"""


@pytest.fixture(scope="module")
def operations(traced, tmp_path_factory):
    """A function that returns the lines of a machine's trace of operations."""
    source = tmp_path_factory.mktemp("operations") / "program.c"
    source.write_text(PROGRAM)

    @cache
    def lines(machine):
        program = Compiler(untargeted(machine), Settings(level=0)).program([str(source)])
        content, result, _ = traced(program)
        return list(event_lines(trace_of(content), 0, None)), result.exit_status

    return lines


@pytest.mark.parametrize("machines", [case(machines, usual=len(machines) == 2) for machines in ALIKE])
def test_operations_are_equal_on_machines_that_lay_out_data_alike(programs, operations, machines):
    found = [operations(machine) for machine in machines]
    assert len(found[0][0]) > 300
    assert all(other == found[0] for other in found)
    assert found[0][1] == interpret(programs(PROGRAM, machines[0], 0), ["program"], capture=True).exit_status


def test_operations_differ_where_data_are_laid_out_otherwise(operations):
    assert operations("riscv32") != operations("sparc")  # the words of a long long
    assert operations("riscv32") != operations("i386")


def test_operations_tell_types_sources_destinations_and_addresses(operations):
    lines = [line.split() for line in operations("riscv32")[0]]
    texts = [line[2:] for line in lines]
    assert any(text[:4] == ["shl.l", "t0,", "t0,", "3"] and text[-1].endswith("program.c:10") for text in texts)
    assert any(text[0] == "div.f" and text[-1].endswith("program.c:4") for text in texts if text)
    stored = next(number for number, text in enumerate(texts) if text[:1] == ["store.d"])
    assert lines[stored + 1][::2] == ["write", "+8"]


@pytest.mark.parametrize("machine", ["m68020", "c3230"])
def test_the_untargeted_machine_has_the_data_model_of_a_machine(machine):
    target, made = load(machine), untargeted(machine)
    for name in ("big_endian", "char_signed", "sizes", "aligns", "struct_align"):
        assert getattr(made.model, name) == getattr(target.model, name)


def test_other_kinds_and_records_are_refused(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.c").write_text("int main(void) { return 0; }")
    assert easecc(["-trace", "operations,branch", "program.c"]) == 2
    assert easecc(["-trace", "operations", "-record", "x.run", "program.c"]) == 2
    assert replay(["x.run", "-trace", "operations"]) == 2
    assert easecc(["-m", "riscv64", "-trace", "operations", "program.c"]) == 1
    said = capsys.readouterr().err
    assert said.count("give it alone") == 2
    assert "made from sources" in said
    assert "addresses of 32 bits" in said


def test_the_command_writes_it_at_any_level(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.c").write_text("int main(void) { return 5; }")
    assert easecc(["-m", "mips", "-O2", "-trace", "operations", "-trace-to", "x.trace", "program.c"]) == 5
    content = (tmp_path / "x.trace").read_bytes()
    assert trace_of(content).facts["machine"] == "untargeted"
    assert any("mov.l t0, 5" in line for line in event_lines(trace_of(content), 0, None))
