"""Each level of detail tells what the plain interpreter does; tools have settings, and know where direct transfers go."""

import pytest

from ease.host.process.job import RunOptions
from ease.model.sampling import parse_sample
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measured_run
from ease.sampling.sampled_run import sampled_run
from ease.tools.tool_file import Tool
from tests.tools.plain import interpret_with
from vpo.base.errors import UserError
from vpo.interpret.plain import interpret_plainly

PROGRAM = r"""
#include <unistd.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int (*const choices[])(int) = { fib, fib };
int main(int argc, char **argv) {
    char text[4];
    text[0] = 'a' + choices[argc & 1](5);
    text[1] = '\n';
    write(1, text, 2);
    return 3;
}
"""


class Seen:
    """Fetches and data, each as the level `types` writes it."""

    def __init__(self):
        self.lines = []

    def fetch(self, address, size, site=0):
        self.lines.append([f"{address:08x}"])

    def data(self, address, size, write, site=0):
        self.lines[-1].append(f"{'write' if write else 'read'}:{size}={address:08x}")


def told(tmp_path, level, run):
    file = tmp_path / f"{level}.txt"
    run(Tool(f"detail:LEVEL={level},FILE={file}"))
    return file.read_text()


@pytest.mark.parametrize("machine", ["riscv32", "sparc"])
def test_levels_tell_what_the_interpreter_does(programs, tmp_path, machine):
    program, sizes = programs(PROGRAM, machine), []

    def natively(tool):
        measured_run(program, ["program"], MeasureOptions(tools=[tool]), RunOptions(capture=True, tier="quick"))

    def plainly(tool):
        interpret_with(tool, program, ["program"])
        tool.names["report"]()

    for level in ("before", "calls", "blocks", "trace", "types", "values", "registers"):
        expected = told(tmp_path, level, plainly)
        sizes.append(len(expected))
        if level in ("calls", "blocks", "registers") or (machine, level) == ("sparc", "types"):
            assert told(tmp_path, level, natively) == expected
    assert sizes[0] == 0
    assert sizes[3:] == sorted(sizes[3:])
    seen = Seen()
    interpret_plainly(program, ["program"], capture=True, observer=seen)
    words = [line.split() for line in (tmp_path / "types.txt").read_text().splitlines()]
    assert [[line[0], *(w for w in line if w[:4] in ("read", "writ"))] for line in words] == seen.lines
    calls = (tmp_path / "calls.txt").read_text().splitlines()
    assert any(line.endswith("argument2=2 result=2") for line in calls)


def test_detail_of_samples(programs, tmp_path):
    program, file = programs(PROGRAM, "riscv32"), tmp_path / "detail.txt"
    tool = Tool(f"detail:FILE={file}")
    spec = "hc:start=100,length=37"
    found = sampled_run(
        program, ["program"], parse_sample(spec), spec, MeasureOptions(tools=[tool]), RunOptions(capture=True, tier="quick")
    )[1]
    seen = Seen()
    interpret_plainly(program, ["program"], capture=True, observer=seen)
    assert file.read_text().split() == [line[0] for line in seen.lines[100:137]]
    assert found.tools[f"detail:FILE={file}"][0].rows[0][-1] == 37


TARGETS = """
from ease.tools import TARGET, Array
LENGTH = 20
seen = Array(LENGTH * 2)
wrong = calls = 0
def instrument(program):
    for each in program.instructions:
        if each.transfer == "call":
            each.before(go, TARGET)
    for function in program.functions:
        function.before(come, function.address)
def go(target):
    seen[LENGTH] = target
def come(address):
    global wrong, calls
    calls += seen[LENGTH] != 0
    if seen[LENGTH] != 0 and seen[LENGTH] != address:
        wrong += 1
    seen[LENGTH] = 0
"""


def test_direct_calls_tell_where_they_go(programs, tool_file):
    tool = Tool(str(tool_file(TARGETS)))
    program = programs(PROGRAM, "riscv32")
    measured_run(program, ["program"], MeasureOptions(tools=[tool]), RunOptions(capture=True, tier="quick"))
    assert tool.names["wrong"] == 0
    assert tool.names["calls"] > 10


def test_settings_change_constants(tool_file):
    file = tool_file(TARGETS)
    tool = Tool(f"{file}:LENGTH=0x30")
    assert len(tool.names["seen"]) == 0x60
    assert tool.name == "tool:LENGTH=0x30"
    assert Tool(str(file)).names["LENGTH"] == 20


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("LENGHT=3", "there is no setting 'LENGHT'; did you mean 'LENGTH'"),
        ("LENGTH=x", "LENGTH=x is no whole number"),
        ("LENGTH", "'LENGTH' is no setting"),
        ("LENGTH=1,LENGTH=2", "'LENGTH=2' is no setting"),
    ],
)
def test_mistakes_in_settings(tool_file, setting, message):
    with pytest.raises(UserError, match=message):
        Tool(f"{tool_file(TARGETS)}:{setting}")
