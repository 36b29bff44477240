"""Papers: every rule holds of the paper's own figures, and the command finds figures that runs have."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import ease
from ease.commands.studies.reproduce_command import main
from ease.lab.reproduce.gathering import ASKS, MAKES, programs_of, tasks
from ease.lab.reproduce.paper import FOLDER, PAPERS, QUICK, read
from ease.lab.reproduce.rules import EACH, Missing, Rule, RuleError
from ease.lab.reproduce.verdicts import judge
from ease.lab.sweeps.points import SHOWING
from vpo.base.cache import code_version

OF_GATHERING = ("rules", "shows", "shows_of_studies", "shows_of_tools")  # it makes figures of answers, too
ROOT = Path(__file__).parents[2]
FIGURES = {"a": {"x": 1.0, "y": 4.0}, "b": {"x": 2.0, "y": 3.0}, "c": {"x": 8.0, "y": 2.0}}


@pytest.mark.parametrize("name", PAPERS)
def test_rules_hold_of_the_paper(name):
    for exhibit in read(name).exhibits:
        for rule in exhibit.rules:
            if exhibit.figures and not rule.stated:
                assert rule.holds(exhibit.figures, exhibit.figures), (exhibit.name, rule.says)


@pytest.mark.parametrize("name", PAPERS)
def test_exhibits_name_what_there_is(name):
    paper = read(name)
    names = [exhibit.name for exhibit in paper.exhibits]
    assert len(names) == len(set(names))
    for exhibit in paper.exhibits:
        assert exhibit.ask in ASKS
        assert exhibit.show in MAKES
        assert {rule.shown for rule in exhibit.rules} <= {"", *names}
        for _, _, task in tasks(exhibit, programs_of(exhibit, QUICK, ROOT / "samples"), ROOT):  # its machines can be had
            files = [word for word in json.loads(task.settings).get("options", []) if word.endswith(".yaml")]
            assert all(Path(file).is_file() for file in (*files, *task.point.program.files))


@pytest.mark.parametrize(
    ("text", "of", "holds", "seen"),
    [
        ('"a" < "b" < "c"', "x", True, "1 < 2 < 8"),
        ('"a" < "b" < "c"', "y", False, "4 < 3 < 2"),
        ('"c | x" == 2 * "a | y"', "", True, "8 == 2 * 4"),
        ('"x" < "y"', EACH, False, "not for c"),
        ('"x" + "y" > 4', EACH, True, "for all rows"),
        ("largest() > 3 * middle() and smallest() == 1", "x", True, "8 > 3 * 2 and 1 == 1"),
        ('least("a", "b") + most("b", "c") == -1 + 10', "x", True, "least(1, 2) + most(2, 8) == -1 + 10"),
        ("agree() == 1", "x", True, "1 == 1"),
        ('"x" < "y"', "a", True, "1 < 4"),
    ],
)
def test_rules(text, of, holds, seen):
    rule = Rule(text, "", of)
    assert rule.holds(FIGURES, FIGURES) is holds
    assert rule.seen(FIGURES, FIGURES) == seen


def test_rules_that_cannot_be_asked():
    with pytest.raises(Missing, match="d"):
        Rule('"a" < "d"', "", "x").holds(FIGURES, FIGURES)
    for text in ("import os", '__import__("os")', '"a".real', "a < 1"):
        with pytest.raises(RuleError):
            Rule(text, "", "x").holds(FIGURES, FIGURES)


def test_a_long_program_counts_for_no_more_than_a_short_one():
    short = {"instructions": 100, "saves": 50, "save_points": 10, "calls": 5, "memory_references": 80}
    long = {"instructions": 100_000, "saves": 0, "save_points": 0, "calls": 0, "memory_references": 20_000}
    answers = {"VAX": {"short": {"outcome": short}, "long": {"outcome": long}}}
    exhibit = next(each for each in read("ease").exhibits if each.name == "Table III")
    assert {name: row["instructions"] for name, row in MAKES["mechanisms"](exhibit, answers).items()} == {
        "mask": 75_075, "special": 80_080, "load/store": 100_100
    }  # fmt: skip
    assert MAKES["mechanisms"](exhibit, answers)["special"]["references"] == 40_040 + 10_010


def test_order_is_compared_with_the_paper():
    turned = {"a": {"x": 8.0}, "b": {"x": 2.0}, "c": {"x": 3.0}}
    assert Rule("agree() > 0.3", "", "x").holds(turned, FIGURES)
    assert not Rule("agree() > 0.4", "", "x").holds(turned, FIGURES)


PROGRAM = """\
static int twice(int n) { return n < 2 ? n : twice(n - 1) + twice(n - 2); }
int main(void) { return twice(12) & 63; }
"""


@pytest.mark.thorough  # docs/papers.md does the same with another program
def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice.c").write_text(PROGRAM)
    words = ["ease", "--quick", "--only", "table iii", "-j", "1", "-q", "-o", "out", "twice.c"]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "Table III: saving and restoring" in text
    known = json.loads((tmp_path / "out" / "ease.json").read_text())["exhibits"]["Table III"]
    sets = ["calls.save=caller", "calls.save_with=single"]
    run = ease.measure("twice.c", "vax", set=sets, level=1)
    assert known["today"]["load/store"] == {"instructions": run.instructions, "references": run.references}
    assert known["today"]["mask"]["references"] > run.references
    assert {rule["verdict"] for rule in known["rules"]} == {"agrees"}
    page = (tmp_path / "out" / "ease.html").read_text()
    assert "108,588,162" in page

    monkeypatch.setattr("ease.lab.reproduce.gathering.find_out", None)  # all of it is in the store
    assert main(words) == 0
    assert capsys.readouterr().out == text


def test_twice_is_the_same(tmp_path, capsys, monkeypatch):
    """Byte for byte, out of a store that is filled, and measured anew."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice.c").write_text(PROGRAM)
    words = ["ease", "--quick", "--only", "figures 6 to 10,table iv", "-j", "1", "-q", "-o", "out", "twice.c"]
    told = []
    for store in ("empty", "filled", "empty"):
        if store == "empty":
            Path("measurements.ease").unlink(missing_ok=True)
        assert main(words) == 0
        written = {file.name: file.read_bytes() for file in sorted(Path("out").iterdir())}
        told.append((capsys.readouterr().out, written))
    assert told[0] == told[1] == told[2]
    assert len(written) >= 4


ANSWERED = """
import sys
from pathlib import Path
from ease.lab.reproduce import gathering, paper
exhibit = next(each for each in paper.read("ease").exhibits if each.name == "Table III")
_, _, task = next(gathering.tasks(exhibit, gathering.programs_of(exhibit, "quick", Path(), [sys.argv[1]]), Path()))
assert gathering.find_out(task)["answer"]
print(*(module.__file__ for name, module in sys.modules.items() if name.startswith("ease.") and module.__file__))
"""


def test_answers_do_not_depend_on_what_shows_them(tmp_path):
    """What is kept stays good when files change that no answer needs."""
    (tmp_path / "twice.c").write_text(PROGRAM)
    run = subprocess.run(
        [sys.executable, "-c", ANSWERED, tmp_path / "twice.c"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    used = {str(Path(file).relative_to(ROOT / "ease")) for file in run.stdout.split()}
    assert "run/measuring.py" in used
    assert {file for file in used if file.startswith(SHOWING)} <= {f"lab/reproduce/{name}.py" for name in OF_GATHERING}
    package = Path(ease.__file__).parent
    assert len({code_version(package), code_version(package, SHOWING), code_version(package, ("run/",))}) == 3


@pytest.mark.parametrize("name", PAPERS)
def test_the_page_tells_of_exhibits_that_there_are(name):
    """What docs/papers.md tells of is there, depends on no computer, and has as many rules as the paper has now."""
    page = (ROOT / "docs" / "papers.md").read_text()
    part = page.split(f"<!-- verdicts: {name} -->")[1].split(f"<!-- end of verdicts: {name} -->")[0]
    steady = [exhibit for exhibit in read(name).exhibits if not exhibit.computer]
    rows = [line.split(" | ") for line in part.splitlines() if line.startswith("| ")][2:]
    found = {cells[0].removeprefix("| "): int(cells[2]) for cells in rows}
    known = {each.name: len(each.rules) for each in steady}
    assert found == known, f"ease reproduce {name} --quick --into docs/papers.md"


def test_what_is_wrong_is_told(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["ease", "--only", "table 3", "-q"]) == 1
    assert "the paper has no 'table 3' here" in capsys.readouterr().err
    assert main(["ease", "--only", "Table III", "-q", "-j", "1", "none.c"]) == 1
    assert "none.c" in capsys.readouterr().err
    (tmp_path / "page.md").write_text("No place.")
    (tmp_path / "twice.c").write_text(PROGRAM)
    assert main(["ease", "--only", "Table III", "-q", "-j", "1", "--into", "page.md", "twice.c"]) == 1
    assert "the page has no lines '<!-- verdicts: ease -->'" in capsys.readouterr().err
    (tmp_path / "loop.c").write_text("int main(void) { return *(volatile int *)0; }\n")
    assert main(["ease", "--only", "Table III", "-q", "-j", "1", "loop.c"]) == 1
    assert "ease reproduce: 1 error" in capsys.readouterr().err
    for words in (["eas"], ["ease", "-j", "0"], []):
        with pytest.raises(SystemExit, match="2"):
            main(words)


def test_counters_are_those_of_the_plan(tmp_path, monkeypatch):
    """Three of a function of five blocks, as in the paper's example: of the loop, of one way out, of the way in."""
    monkeypatch.chdir(tmp_path)
    assert main(["ease", "--only", "figures 6 to 10", "-j", "1", "-q", "--json", "found.json", "-db", ""]) == 0
    found = json.loads(Path("found.json").read_text())["exhibits"]["Figures 6 to 10"]
    assert found["today"]["sum"]["counters"] == 3
    assert found["verdict"] == "agrees"


def test_differences_are_explained_by_what_shows_them():
    paper = read("ease")
    figures = {exhibit.name: {} for exhibit in paper.exhibits}
    results = judge(paper, figures)
    assert all(judged.verdict != "agrees" for result in results for judged in result.judged)


COMPILED = b"""\
1694 tokens, 1360 nodes, 1098 instructions, improved 601, 543 of the machine, 3679743c
sum 689561486
14 after 1305539 instructions
"""  # the program that it compiles, translated by another compiler, writes the same sum


@pytest.mark.thorough
@pytest.mark.parametrize(("machine", "level"), [("riscv32", 2), ("vax", 1)])
def test_the_compiler_of_long_runs(machine, level):
    run = ease.measure(str(FOLDER / "compiler.c"), machine, args=["1", "1"], level=level)
    assert (run.exit_status, run.output) == (0, COMPILED)
