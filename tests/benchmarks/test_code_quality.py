"""The benchmark of code quality counts the user's code exactly, and says what it cannot do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.code_quality import Measured, as_json, chosen, groups, report
from benchmarks.user_code import Quality, Subject, library, measured, plugin
from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from ease.run.verify import ToolMissing
from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "code_quality.py"
COPY = """
static char from[SIZE], to[SIZE];
int main(void)
{
    char *source = from, *target = to;
    unsigned count = SIZE;

    __asm__ volatile("rep movsb" : "+S"(source), "+D"(target), "+c"(count) : : "memory");
    return 0;
}
"""


@pytest.fixture(scope="module")
def count(tmp_path_factory):
    """A function that measures a program, with gcc at a level if one is given; skips if a tool is missing."""

    def measure(subject, machine, level=""):
        try:
            counting = plugin(tmp_path_factory.mktemp("plugin"))
            return measured(subject, Compiler(load(machine), Settings(level=1)), counting, level)
        except ToolMissing:
            if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
                raise
            return pytest.skip("the real tools are not installed")

    return measure


@pytest.mark.tools
def test_the_plugin_counts_what_we_count(count):
    subject = chosen(["recursion"])[0]
    real = count(subject, "riscv32")
    program = Compiler(load("riscv32"), Settings(level=1)).program([str(subject.source)])
    _, counts = counted_run(program, subject.arguments, RunOptions(capture=True))
    users = [name for name, function in program.functions.items() if function.file == str(subject.source)]
    assert real.instructions == sum(sum(counts.rtls[name]) for name in users)
    assert real.bytes == sum(program.addresses[name][-1] - program.addresses[name][0] for name in users)


@pytest.mark.tools
def test_a_repeated_instruction_counts_once(count, tmp_path):
    found = []
    for size in (1, 1000):
        source = tmp_path / f"copy{size}.c"
        source.write_text(COPY.replace("SIZE", str(size)))
        found.append(count(Subject("copy", source, ["copy"], b"", b"", 0), "i386", "O1"))
    assert found[0].instructions == found[1].instructions < 20
    assert found[1].references - found[0].references == 2 * 999


def test_tables_have_ratios_and_geometric_means():
    names = [subject.name for subject in groups()["kernels"]][:2]
    gcc = {"O2": Quality(100, 10, 1000)}
    table = {name: Measured({"O2": Quality(number, 10, 500)}, gcc) for name, number in zip(names, (100, 400), strict=True)}
    lines = report({"riscv32": table}, ["O2/O2"], every=True)
    assert f"{names[1]:<16}{'  '}{4:8.2f}{1:8.2f}{0.5:8.2f}" in lines
    assert lines[-1].split() == ["riscv32", "2.00", "1.00", "0.50"]
    assert as_json({"riscv32": table}, ["O2/O2"])["means"] == {
        "riscv32": {"O2/O2 instructions": 2, "O2/O2 references": 1, "O2/O2 bytes": 0.5}
    }


@pytest.mark.parametrize(
    ("option", "message"),
    some([
        (["--machines", "pdp7"], "there is no machine 'pdp7'"),
        (["--machines", "vax"], "machine 'vax' names no compiler to compare with"),
        (["--levels", "O2"], "'O2' is no pair of levels such as O2/O2"),
        (["--programs", "tetris"], "there is no program 'tetris'"),
    ], 1),
)
def test_unknown_names(option, message):
    result = subprocess.run([sys.executable, SCRIPT, *option], capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 1
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("name", ["__assert_fail", "printf"])
def test_what_stands_for_the_object_is_not_in_the_library(name):
    program = library(Compiler(load("arm"), Settings(level=1)), ["main"], [name])
    assert f"_{name}" in program.functions
    assert "_main" not in {*program.functions, *(data.name for data in program.data)}
