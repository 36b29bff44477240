"""`ease propose`: which instructions are found, that their entries load, and that what is measured is what compiling gives."""

import json
from functools import partial

import pytest

from ease import Machine
from ease.lab.experiments.ablation import Ablation
from ease.lab.experiments.suites import read_suite
from ease.lab.proposals.candidates import Entry, candidates, name_all
from ease.lab.proposals.cover import best, typical, typical_part
from ease.start import ease
from tests.covering import some
from vpo.machines.read.load import build, read_description

SOURCE = """
int a[100], b[100];
int dot(int *x, int *y, int n) { int s = 0; while (n--) s += *x++ * *y++; return s; }
int below(int *x, int *y, int n) { int i, s = 0; for (i = 0; i < n; i++) if (x[i] < y[n - 1 - i]) s++; return s; }
int main(int argc, char **argv)
{
    int i, s = 0;
    for (i = 0; i < 100; i++) { a[i] = i + argc; b[i] = i ^ argc; }
    for (i = 0; i < 20; i++) s += dot(a, b, 100) + below(a, b, 100);
    return s & 127;
}
"""
FEWER = ("instructions.BLT=null", "instructions.BGE=null", "instructions.BGT=null", "instructions.BLE=null")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("propose") / "prog.c"
    path.write_text(SOURCE)
    return str(path)


@pytest.fixture(autouse=True)
def cached(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", str(tmp_path / "cache"))


def found(machine, source, level, count):
    ablation = Ablation(machine, read_suite([source]), level)
    counted = [(run.program.linked, run.counts.rtls) for run in ablation.runs.values()]
    worth = partial(typical_part, executed=[price.instructions for price in ablation.whole.prices.values()])
    promises = best(candidates(machine.built, counted, worth), worth, count, 1)
    name_all([promise.candidate for promise in promises], machine.description)
    return promises


FIELDS = """
unsigned first(unsigned t, unsigned n) { for (unsigned i = 0; i < n; i++) t = (t & ~496) | ((i & 31) << 4); return t; }
unsigned second(unsigned t, unsigned n) { for (unsigned i = 0; i < n; i++) t = (t & ~496) | ((i << 4) & 496); return t; }
unsigned far(unsigned t, unsigned n, unsigned k)
{
    for (unsigned i = 0; i < n; i++) t = ((t + k) & ~(31u << 12)) | ((i & 31) << 12);
    return t;
}
int main(int argc, char **argv) { return first(argc, 1000 + argc) ^ second(argc, 999 + argc) ^ far(argc, 998 + argc, argc); }
"""


@pytest.mark.parametrize("level", [1, 2])
def test_bit_field_inserts_are_found_however_they_are_written(level, tmp_path):
    source = tmp_path / "fields.c"
    source.write_text(FIELDS)
    promises = {p.candidate.rtl: p.instructions for p in found(Machine("riscv32"), str(source), level, 12)}
    assert promises["r[dst]=(r[a]&-497)|((r[b]&31)<<4);"] == 3 * (1001 + 1000)
    five = "r[dst]=((r[a]+r[b])&-126977)|((r[c]&31)<<12);"  # the mask is in a register, at level 2 set before the loop
    assert promises[five] >= 4 * 999


def test_what_is_missing_is_found(source):
    patterns = [p.candidate.rtl for p in found(Machine("riscv32", FEWER), source, 1, 12)]
    assert "r[dst]=L[r[a]+(r[b]<<2)];" in patterns  # the indexed load of machine_descriptions/proposed.yaml
    assert "r[dst]=r[dst]+(r[a]*r[b]);" in patterns  # multiply and accumulate
    assert "r[dst]=L[r[a]]; r[a]=r[a]+4;" in patterns  # step an address
    assert any(p.startswith("PC=r[") and "<" in p for p in patterns), patterns  # compare and branch


def test_what_helps_one_program_is_worth_less_than_what_helps_all():
    assert typical([0.01] * 8) == pytest.approx(0.01)
    assert typical([0.08] + [0.0] * 7) == pytest.approx(0.08 / 64)
    assert typical([0.01, -0.01]) == 0
    assert typical([-0.04, -0.04, -0.04]) == pytest.approx(-0.04)


@pytest.mark.parametrize("name", some(("accumulator", "arm", "m68020"), 1))
def test_entries_load_on_other_machines(name, source):
    machine = Machine(name)
    promises = found(machine, source, 1, 8)
    assert promises
    for promise in promises:
        machine.edited(Entry(promise.candidate, machine.description).edit)


def run(capfd, monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["ease", "propose", "-O1", *words])
    status = ease()
    return status, *capfd.readouterr()


def test_what_is_promised_is_measured(source, tmp_path, capfd, monkeypatch):
    other = tmp_path / "other.c"
    other.write_text(SOURCE.replace("i ^ argc", "i * 3"))
    words = ["-m", "riscv32", "--top", "3", "-j", "1", "-q", "--json", "-", source, "--held-out", str(other)]
    status, out, _ = run(capfd, monkeypatch, *words)
    assert status == 0
    result = json.loads(out)["propose"]
    before = sum(price["instructions"] for price in result["whole"].values())
    after = sum(price["instructions"] for price in result["together"].values())
    assert len(result["proposals"]) == 3
    assert result["promised"] == pytest.approx(before - after, rel=0.05)
    apart = result["apart"]
    assert apart["together"]["other"]["cycles"] < apart["whole"]["other"]["cycles"]


def test_what_is_written_is_a_machine(source, tmp_path, capfd, monkeypatch):
    written = tmp_path / "more.yaml"
    status, out, _ = run(capfd, monkeypatch, "-m", "riscv32", "--top", "2", "-j", "1", "-q", "--write", str(written), source)
    assert status == 0
    assert "all together" in out
    machines = (build(read_description(name)) for name in ("riscv32", str(written)))
    before, after = ({alternative.name for alternative in machine.recognizer.alternatives} for machine in machines)
    assert before < after
    assert len(after - before) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--top", "0"], "--top 0: at least one"),
        (["--held-out", "none.json"], "none.json"),
        (["--write", "x.yaml", "--set", "registers.r.count=31"], "--write: what is written extends"),
    ],
)
def test_mistakes(source, words, message, capfd, monkeypatch):
    status, _, errors = run(capfd, monkeypatch, "-m", "riscv32", "-q", source, *words)
    assert status == 1
    assert message in errors
