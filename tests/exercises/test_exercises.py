"""`ease exercise`: each solution passes, and what an exercise begins with does not."""

import re
from pathlib import Path

import pytest

import ease
from ease.commands.studies.exercise_command import main
from ease.lab.exercises.exercises import FOLDER, check, exercises, solution
from tests.covering import some


def holds(findings):
    return all(each.holds is not False for each in findings)


@pytest.mark.parametrize("name", some(exercises(), 3))
def test_the_solution_passes_and_the_beginning_does_not(name):
    exercise = exercises()[name]
    begun = check(exercise, exercise.begin)
    assert begun[0].holds, "what it begins with does the same as itself"
    assert not holds(begun)
    solved = check(exercise, solution(name))
    assert holds(solved), solved
    assert [each.wanted for each in solved] == [each.wanted for each in begun]


def test_there_are_ten_and_no_answer_too_many():
    assert len(exercises()) == 10
    assert {path.stem for path in FOLDER.joinpath("answers").iterdir()} == set(exercises())


def test_the_sheet_of_the_lab_has_the_same_pages():
    lab = Path("docs/lab.md").read_text(encoding="utf-8")
    for name, exercise in exercises().items():
        assert re.search(rf"^\| {name} \| .* \| \[{re.escape(exercise.read)}\]", lab, re.MULTILINE), name
        assert Path("docs", exercise.read).exists()


def test_another_result_is_no_answer():
    exercise = exercises()["two-sums"]
    found = check(exercise, "int main(void) { return 3; }")
    assert not found[0].holds
    assert found[0].found == "exit status 3"
    assert found[1].holds, "fewer cycles alone are not enough"


def test_too_many_operand_bits():
    wide = solution("fields").replace("1..16", "1..31").replace("EXTU", "EXTV").replace("$d,$s", "$d,$s,")
    bits = {each.wanted: each.found for each in check(exercises()["fields"], wide)}
    assert bits["opcode bits that are left: at least 12"] == "12"


def test_an_answer_that_is_none():
    exercise = exercises()["dot-product"]
    with pytest.raises(ease.Error, match=r"answer.yaml:1:16: error: 'MAC' is new"):
        check(exercise, "instructions: {MAC: {rtl: 'r[1'}}", "answer.yaml")
    with pytest.raises(ease.Error, match=r"answer.yaml:1:1: error: what changes riscv32 extends no other machine"):
        check(exercise, "extends: mips\n" + solution("dot-product"), "answer.yaml")
    assert holds(check(exercise, "extends: riscv32\n" + solution("dot-product")))


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 10
    assert main(["replacement"]) == 0
    assert "  * misses D: at most 400" in capsys.readouterr().out
    assert main(["replacement", "-o", "mine"]) == 0
    assert (tmp_path / "mine/program.c").exists()
    assert main(["replacement", "mine/answer.txt"]) == 1
    told = capsys.readouterr().out
    assert told.endswith("Not yet.\n")
    assert re.search(r"^     instructions \(([\d,]+), at first \1\)$", told, re.MULTILINE), "what it comes to besides"
    (tmp_path / "mine/answer.txt").write_text(solution("replacement"))
    assert main(["replacement", "mine/answer.txt"]) == 0
    assert "yes  misses D: at most 400 (" in capsys.readouterr().out
    assert main(["replacment"]) == 1
    assert "did you mean 'replacement'?" in capsys.readouterr().err
