"""`ease phases`: what each phase did, in tables and as JSON."""

import json
import re

import pytest

from ease.commands.compiler_commands import tell_phases
from ease.commands.easecc import main
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

SOURCE = """\
static int twice(int x) { return x + x + 0; }
int main(int argc, char **argv)
{
    int i, sum = 0;
    for (i = 0; i < 10; i++) sum += i * 4 + twice(argc);
    return sum;
}
"""


@pytest.fixture
def phases(folder, capfd):
    """Run `ease phases` on the program in this process; return its exit status and what it prints."""
    folder(sum=SOURCE)

    def run(*words):
        status = tell_phases([*words, "sum.c"])
        out, err = capfd.readouterr()
        return status, out, err

    return run


def test_tables(phases):
    status, text, err = phases("-O1")
    assert (status, err) == (0, "")
    titles = re.findall(r"^[a-z].*(?=\n\n)", text, re.MULTILINE)
    assert titles == ["twice", "main", "all functions"]
    assert re.search(r"^ +\d+ +combine +[1-9]\d* +\d+ +\d+ +\d+ +\d+ +\d+ +\d+\.\d$", text, re.MULTILINE)
    assert phases("-O1", "--total")[1].startswith("all functions\n")


def test_changes_are_those_that_bisect_counts(phases, folder):
    report = json.loads(phases("-O2", "--json", "-")[1])
    compiler = Compiler(load(report["machine"]), Settings(2, max_changes=1 << 60))
    compiler.program(["sum.c"])
    assert sum(row["changes"] for row in report["total"]) == compiler.options.changes.made > 0
    for function in report["functions"]:
        rows = function["phases"]
        assert [row["number"] for row in rows] == [*range(1, len(rows) + 1)]
        assert [row["rtls_after"] for row in rows[:-1]] == [row["rtls_before"] for row in rows[1:]]
        for row in rows:  # of those that are written some were there before, with other effects
            new = row["rtls_after"] - row["rtls_before"] + row["rtls_removed"]
            assert 0 <= new <= row["rtls_written"] <= row["rtls_after"]
            assert row["rtls_moved"] <= row["rtls_after"] - row["rtls_written"]


HOISTED = """
int sum(int *v, int n, int k)
{
    int i, s = 0;
    for (i = 0; i < n; i++)
        s += v[i] ^ k * 12345;
    return s;
}
"""


def test_what_leaves_a_loop_is_told_as_moved(folder, capfd):
    folder(hoisted=HOISTED)
    assert tell_phases(["-O2", "-m", "riscv32", "--json", "-", "hoisted.c"]) == 0
    (function,) = json.loads(capfd.readouterr()[0])["functions"]
    moved = {row["phase"]: row["rtls_moved"] for row in function["phases"] if row["phase"] in ("motion", "dead")}
    assert moved["motion"] > 0 == moved["dead"]


def test_json_goes_to_a_file_beside_the_tables(phases, folder):
    text = phases("--total", "--json", "phases.json")[1]
    assert text.startswith("all functions\n")
    assert {f["function"] for f in json.loads((folder() / "phases.json").read_text())["functions"]} == {"twice", "main"}


def test_a_repeated_group_is_one_row_of_the_totals(phases):
    needed = "assign,frame,register-stack,delay,span"
    report = json.loads(phases("-phases", f"(combine,dead)*,{needed}", "--json", "-")[1])
    assert [row["phase"] for row in report["total"]] == ["combine", "dead", *needed.split(",")]
    assert [row["phase"] for row in report["functions"][1]["phases"]].count("combine") > 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--json",), "no input files"),
        (("-phases", "dead"), "-phases: there must be "),
        (("--all",), "unknown option '--all'"),
    ],
)
def test_mistakes(phases, words, message):
    status, out, err = phases(*words)
    assert (status, out) == (2, "")
    assert err.startswith(f"ease phases: {message}")


def test_times_of_steps_sum_up(folder, capfd):
    folder(sum=SOURCE)
    assert main(["-O2", "-time", "-measure", "sum.c"]) != 2
    rows = [line.rsplit(None, 2) for line in capfd.readouterr().err.split("seconds ", 1)[1].splitlines()[1:]]
    seconds = {name: (float(own), float(library)) for name, own, library in rows}
    assert {"front end", "phases", "linker", "host code: LLVM", "run", "reports"} <= seconds.keys()
    assert seconds["phases"][0] > 0
    total = seconds.pop("in all")
    for column, wanted in enumerate(total):
        assert sum(each[column] for each in seconds.values()) == pytest.approx(wanted, abs=0.005 * len(seconds) + 0.006)
