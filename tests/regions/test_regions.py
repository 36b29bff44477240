"""Regions have what the plain interpreter executes in them and in calls from them; marks put nothing into a program."""

from pathlib import Path

import pytest
from following import NAMES, PROGRAM, Following

from ease.commands.easecc import main as easecc
from ease.host.process.job import RunOptions
from ease.model.regions import Mark, find_regions, marks
from ease.reports.render import as_dictionary
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measured_run
from ease.run.observers import WHOLE
from tests.covering import some
from vpo.base.errors import UserError
from vpo.interpret.result import run_with_streams


@pytest.mark.parametrize("machine", some(("riscv32", "sparc"), 1))
def test_regions_are_what_the_plain_interpreter_executes(machine, programs):
    program = programs(PROGRAM, machine)
    regions = find_regions(NAMES, program)
    assert [region.name for region in regions] == ["inner", "all", *NAMES[1:]]
    result, found = measured_run(program, ["program"], MeasureOptions(regions=regions), RunOptions(capture=True, tier="quick"))
    plain = measured_run(program, ["program"], options=RunOptions(capture=True, tier="quick"))[1]
    assert found.counts == plain.counts
    followed = []

    def run(streams):
        followed.append(Following(program, ["program"], streams, (), None, None))
        followed[0].follow(regions)
        return followed[0].run()

    assert run_with_streams(run, None, True).output == result.output
    for region in regions:
        counts = found.regions[region.name].counts.rtls
        assert {(f, n): c for f, row in counts.items() for n, c in enumerate(row) if c} == followed[0].counts[region.name]
    fib = as_dictionary(found)["regions"]["fib"]
    assert fib["instructions"]["dynamic"] == found.characteristics.functions["_fib"].dynamic
    assert found.regions[WHOLE].counts == found.counts


def test_marks_put_nothing_into_a_program(tmp_path, capsys):
    texts = []
    for marked in (True, False):
        file = tmp_path / "program.c"
        file.write_text(PROGRAM if marked else PROGRAM.replace("ease_begin", ";//").replace("ease_end", ";//"))
        assert easecc(["-S", "-o", "-", str(file)]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def test_what_is_wrong_is_said():
    assert list(marks("a.c", PROGRAM)) == [Mark("inner", "a.c", 14, 16), Mark("all", "a.c", 11, 21)]
    for text, line, message in (
        ('\nease_begin("x");', 2, "without ease_end"),
        ('ease_end("x");', 1, "without ease_begin"),
        ('ease_begin("x");\nease_begin("x");', 2, "again"),
    ):
        with pytest.raises(UserError) as caught:
            list(marks("a.c", text))
        assert caught.value.messages[0].startswith(f"a.c:{line}: error: ease_")
        assert message in caught.value.messages[0]


@pytest.mark.parametrize(("name", "message"), [("fob", "did you mean 'fib'?"), ("program.c:900-901", "no instruction")])
def test_what_is_not_there(name, message, programs):
    with pytest.raises(UserError, match=message.replace("?", r"\?")):
        find_regions([name], programs(PROGRAM, "riscv32"))


def test_references_belong_to_lines_of_the_interpreted_program(tmp_path, capfd):
    file = Path(tmp_path) / "small.c"
    file.write_text(
        "#include <ease.h>\nint a[9];\n"
        "int main(void) { int i, j; for (i = 0; i < 9; i++) { ease_line(i % 2 + 1);\n"
        "for (j = 0; j <= i % 2 * 10; j++) a[i] += j; } return 0; }\n"
    )
    assert easecc(["-tool", "interpreted_lines", str(file)]) == 0
    rows = [line.split() for line in capfd.readouterr().err.splitlines() if line[:1].isspace() and line.split()[0].isdigit()]
    (one, two) = [[int(cell.replace(",", "")) for cell in row] for row in rows if row[0] in "12"]
    assert two[1] > 4 * one[1]
    assert two[2] - 4 > one[2]
