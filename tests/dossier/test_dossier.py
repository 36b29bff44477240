"""A dossier: its numbers are those of runs, a second one measures nothing, and the check finds a number that was changed."""

import csv
import json

import pytest

import ease
from ease.commands.studies.dossier_command import main
from ease.lab.dossier import sections
from ease.lab.dossier.facts import gather, run_at, tasks
from ease.lab.dossier.folder import asked_of, check
from ease.lab.dossier.opcode_space import Space, space_of

PROGRAM = """\
int a[8], b[8];
int main(int argc, char **argv)
{
    int s = 0;
    for (int i = 0; i < 8; i++)
        s += a[i] * b[i] + argc;
    return s & 15;
}
"""
MAC = """\
machine: mac
extends: riscv32
instructions:
  MAC: {rtl: "r[d]=r[d]+(r[a]*r[b]);", asm: "mac $d,$a,$b", encoding: "opcode:17 d:5 a:5 b:5"}
  FAR: {rtl: "PC=(r[a]&7)==5,to;", asm: "far $a,$to", size: 4, reach: [-4096, 4094]}
"""


def rows_of(file):
    with file.open(newline="") as lines:
        return list(csv.reader(lines))


def test_a_dossier(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dot.c").write_text(PROGRAM)
    (tmp_path / "mac.yaml").write_text(MAC)
    words = ["-m", "riscv32", "-m", "mac.yaml", "-O", "2", "-j", "1", "-q", "-o", "out", "dot.c"]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("At -O2, against riscv32, mac saves ")
    runs = [ease.measure("dot.c", machine, level=2) for machine in ("riscv32", "mac.yaml")]
    before, after = (run.totals for run in runs)
    summary = dict(zip(*rows_of(tmp_path / "out" / "summary.csv"), strict=True))
    for measure in ("instructions", "cycles", "static bytes"):
        assert float(summary[f"{measure} %"]) == round(100 * (after[measure] / before[measure] - 1), 2)
    head, mac, far = rows_of(tmp_path / "out" / "instructions-mac-O2.csv")
    assert mac[:3] == ["MAC", "32,768", f"{100 * 2**-17:.3g}"]
    assert int(mac[head.index("executed")]) == runs[1].executed.where(instruction="MAC").total("executed") > 0
    assert float(mac[head.index("instructions % alone")]) == float(summary["instructions %"])
    assert far[head.index("executed")] == "0"
    assert far[head.index("instructions % alone")] == "0"
    card = (tmp_path / "out" / "card-mac.svg").read_text()
    assert summary[f"{'cycles'} %"].lstrip("-") in card
    page = (tmp_path / "out" / "dossier.html").read_text()
    assert "saves" in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")

    asked = asked_of(["riscv32", "mac.yaml"], ["2"], ["dot.c"])
    progress, store = ease.Progress(quiet=True), ease.Store("measurements.ease")
    gather(asked, 1, store, progress)
    assert progress.known == progress.points == len(list(tasks(asked)))
    assert check(tmp_path / "out", 1, progress, store) == []
    gather(asked, 1, None, progress)
    assert run_at.cache_info().misses == 4  # the base, the candidate, and it without either instruction: once each
    table = tmp_path / "out" / "summary.csv"
    table.write_text(table.read_text().replace("mac,-O2,-", "mac,-O2,-9"))
    assert check(tmp_path / "out", 1, progress, store) == ["summary.csv differs, first in line 2"]
    facts = tmp_path / "out" / "dossier.json"
    facts.write_text(json.dumps(json.loads(facts.read_text()) | {"format": 0}))
    assert main(["--check", "out"]) == 1


PROCESSOR = "-cache D:128,16,1+delays:first=10 -predict btfn"


def test_how_far_a_dossier_can_be_relied_on(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dot.c").write_text(PROGRAM)
    (tmp_path / "other.c").write_text(PROGRAM.replace("a[i] * b[i] + argc", "a[i] + argc"))
    (tmp_path / "mac.yaml").write_text(MAC)
    beside = ["--held-out", "other.c", "--noise", "1", "--processor", PROCESSOR]
    words = ["-m", "riscv32", "-m", "mac.yaml", "-O", "2", "-j", "1", "-q", *beside, "-o", "out", "dot.c"]
    assert main(words) == 0
    assert "mac saves" in capsys.readouterr().out
    rows = rows_of(tmp_path / "out" / "noise.csv")[1:]
    summary = dict(zip(*rows_of(tmp_path / "out" / "summary.csv"), strict=True))
    for _, measure, change, least, most in rows:
        assert change == summary[f"{measure} %"]
        assert float(least) <= float(change) <= float(most)
    held_out = [row[2:5] for row in rows_of(tmp_path / "out" / "held-out.csv")[1:]]
    assert held_out == [["other", "0", "0"], ["geometric mean", "0", "0"]]
    runs = [
        ease.measure("dot.c", machine, level=2, cache="D:128,16,1+delays:first=10", timing=True)
        for machine in ("riscv32", "mac.yaml")
    ]
    before, after = (run.totals["cycles"] for run in runs)
    found = {tuple(row[1:3]): row[3] for row in rows_of(tmp_path / "out" / "processors.csv")[1:]}
    assert float(found[PROCESSOR, "cycles"]) == round(100 * (after / before - 1), 2)
    assert (PROCESSOR, "misses D") in found
    assert (PROCESSOR, "mispredicted") in found
    assert found["in order, no caches", "cycles"] == summary["cycles %"]
    assert check(tmp_path / "out", 1, ease.Progress(quiet=True), ease.Store("measurements.ease")) == []


def test_what_an_instruction_takes(tmp_path):
    (tmp_path / "mac.yaml").write_text(MAC)
    machine = ease.Machine(tmp_path / "mac.yaml").built
    assert space_of(machine, "MAC").exact
    far = space_of(machine, "FAR")
    assert (far.points, far.part, far.exact) == (32 * 4096, 2**-15, False)


@pytest.mark.parametrize("name", ["C.ADDI", "C.LWSP"])
def test_exact_encodings_are_counted_word_by_word(name):
    found = ease.Machine("rv32imc").built
    codes = [form.code for form in found.recognizer.alternatives if form.name == name]
    words = sum(any(w & code.mask == code.value and not _taken(code, w) for code in codes) for w in range(1 << 16))
    space = space_of(found, name)
    assert (space.points, space.part, space.exact) == (words, words / 2**16, True)


def _taken(code, word):
    return any(word >> shift & mask in numbers for shift, mask, numbers in code.without)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "riscv32", "-o", "out", "a.c"], "-m BASE -m CANDIDATE"),
        (["-m", "riscv32", "-m", "riscv32", "-o", "out", "a.c"], "two machines have the same name"),
        (["-m", "riscv32", "-m", "sparc", "-O", "2,7", "-o", "out", "a.c"], "there is no level '7'"),
        (["-m", "riscv32", "-m", "sparc", "-o", "out"], "copy the samples with `ease samples`"),
        (["-m", "riscv32", "-m", "sparc", "-o", "out", "--processor", "-cash I:1k", "a.c"], "'-cash I:1k': a processor is"),
        (["-m", "riscv32", "-m", "sparc", "-o", "out", "--held-out", "a.c", "a.c"], "'a' is both a program that decides"),
        (["--check", "nowhere"], "nowhere: this is no dossier"),
    ],
)
def test_mistakes(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text("int main(void) { return 0; }")
    assert main([*words, "-q", "-db", ""]) == 1
    assert message in capsys.readouterr().err


def test_small_numbers_keep_their_digits():
    assert [sections.signed(change) for change in (0.0, -0.00001, -0.0123)] == ["0", "-0.0010", "-1.23"]
    space = Space(1 << 22, 2.0**-10, 4, True)
    assert sections._share({"cycles": -0.01}, "cycles", space) == "10.2"
    assert sections._share({"cycles": 0.0}, "cycles", space) == "0"
