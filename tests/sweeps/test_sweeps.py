"""Sweeps: every point is what easecc measures; what is kept is not measured again; all forms say the same."""

import contextlib
import csv
import io
import json
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

import pytest

import ease
from ease.api.progress import Progress, in_words
from ease.commands.ease_command import main
from ease.lab.experiments.suites import read_suite
from ease.lab.sweeps.axes import OF_MACHINE, Axis, Choice, Configuration, Sweep, axis_of, axis_of_setting, spread, values_of
from ease.lab.sweeps.points import Outcome
from ease.lab.sweeps.sweep_file import read_sweep
from ease.lab.sweeps.sweep_run import Swept, in_turn, local, run_sweep
from ease.lab.sweeps.sweep_table import FORMS, front, heat_map, rows
from ease.store.database import StoreError, reading
from vpo.machines.read.source import DescriptionError

GUIDE = Path(__file__).parents[2] / "docs" / "sweeps.md"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("8..10", ["8", "9", "10"]), ("8..32..8", ["8", "16", "24", "32"]), ("-2..1", ["-2", "-1", "0", "1"]),
        ("1..64*4", ["1", "4", "16", "64"]), ("a,b", ["a", "b"]), ("7", ["7"]), ("r[1]..r[5]", ["r[1]..r[5]"]),
        ("[1, 2]", ["[1, 2]"]),
    ],
)  # fmt: skip
def test_values(text, values):
    assert values_of(text) == values


@pytest.mark.parametrize("text", ["9..8", "1..9..0", "1..8*1", "0..8*2", "0..999999999"])
def test_values_that_cannot_be(text):
    with pytest.raises(ValueError, match=re.escape(f"'{text}'")):
        values_of(text)


def test_a_range_that_the_description_can_have_is_a_value():
    single, several = spread("riscv32", ["instructions.MUL.latency=2..4", "machine=other", "registers.r.count=28,32"])
    assert (single, several) == (["machine=other"], {
        "instructions.MUL.latency": ["2", "3", "4"], "registers.r.count": ["28", "32"],
    })  # fmt: skip


def swept(folder, db=None, jobs=1, progress=None):
    axes = (axis_of("level", "level", [1, 2]), axis_of_setting("registers.r.count", ["22", "32"]))
    programs = tuple(read_suite(["one.c abc", "two.c de"]))
    sweep = Sweep(axes, programs, Configuration("riscv32"), pareto=("instructions", "static bytes"))
    return run_sweep(sweep, local(jobs), db, progress or Progress(quiet=True))


def test_points_are_what_is_measured_and_kept(folder, monkeypatch):
    found = swept(folder, "kept.ease", jobs=2)
    assert len(found.outcomes) == 8
    assert not found.known
    run = ease.measure("two.c", set={"registers.r.count": 22}, level=2, args=["de"])
    configuration = Configuration("riscv32", ("registers.r.count=22",), 2)
    measures = found.outcomes[configuration, "two"].measures
    assert measures.items() >= run.totals.items()
    assert measures.keys() - run.totals.keys() == set(OF_MACHINE)
    assert rows(found)[0].measures["encodings"] == measures["encodings"]  # of two programs
    assert found.outcomes[configuration, "two"].status == run.exit_status
    assert not found.errors
    assert not found.unlike

    def never(points, session):
        raise AssertionError("measured again")

    monkeypatch.setattr("ease.lab.sweeps.sweep_run.run_point", never)
    again = swept(folder, "kept.ease")
    assert again.known == 8
    assert again.outcomes == found.outcomes
    with reading("kept.ease") as connection:
        assert connection.execute("SELECT count(*) FROM point").fetchone() == (8,)
    (folder / "two.c").write_text((folder / "two.c").read_text() + "\n")
    with pytest.raises(AssertionError, match="measured again"):
        swept(folder, "kept.ease")


def test_an_interrupted_sweep_goes_on(folder):
    class Impatient(Progress):
        def done(self, about, outcome):
            super().done(about, outcome)
            if self.measured == 3:
                raise KeyboardInterrupt

    found = swept(folder, "kept.ease", progress=Impatient(quiet=True))
    assert found.interrupted
    text = FORMS[".txt"](found)
    assert "cut short: 3 of 8 points" in text
    again = swept(folder, "kept.ease")
    assert (again.known, len(again.outcomes), again.interrupted) == (3, 8, False)


def test_rows_are_complete_one_after_the_other():
    """Of three machines two are worked on at a time, each program on both before the next one."""
    axes = axis_of_setting("registers.r.count", ["22", "24", "32"]), axis_of("cache", "cache", ["", "U:1k,16,1"])
    one, two = read_suite(["one.c", "two.c"])
    order = [(program.name, *names) for names, _, program in in_turn(Sweep(axes, (one, two), Configuration("riscv32")), 2)]
    first = [(name, count, cache) for name in ("one", "two") for count in ("22", "24") for cache in ("none", "U:1k,16,1")]
    assert order[:8] == first
    assert order[8:] == [(name, "32", cache) for name in ("one", "two") for cache in ("none", "U:1k,16,1")]


def made(measures, status=0):
    """Return what a sweep over one axis found; None: a point that failed."""
    axis = Axis("choice", tuple(Choice(name, (("sets", (name,)),)) for name in measures))
    sweep = Sweep((axis,), tuple(read_suite(["one.c"])), Configuration("riscv32"), pareto=("instructions", "static bytes"))
    outcomes = {
        (Configuration("riscv32", (name,)), "one"):
            Outcome(error="this cannot be") if pair is None
            else Outcome({"instructions": pair[0], "static bytes": pair[1]}, status if name == "b" else 0)
        for name, pair in measures.items()
    }  # fmt: skip
    return Swept(sweep, outcomes)


def test_fronts():
    found = made({"a": (10, 10), "b": (9, 11), "c": (10, 11), "d": (20, 1), "e": (9, 11), "f": None})
    assert front(found, ("instructions", "static bytes")) == {("a",), ("b",), ("d",), ("e",)}
    text = FORMS[".txt"](found)
    assert sum(line.endswith("*") for line in text.splitlines()) == 4
    assert "this cannot be" in text


def test_another_end_is_told():
    assert "one does not write the same" in FORMS[".txt"](made({"a": (1, 1), "b": (1, 1)}, status=3))


def test_forms_say_the_same(folder):
    found = swept(folder)
    json_form = json.loads(FORMS[".json"](found))
    table = list(csv.DictReader(io.StringIO(FORMS[".csv"](found))))
    assert json_form["complete"]
    assert len(table) == len(json_form["points"]) == 8
    for row, point in zip(table, json_form["points"], strict=True):
        assert (row["level"], row["registers.r.count"]) == tuple(point["choices"].values())
        assert int(row["instructions"]) == point["measures"]["instructions"]
    sums = [row.measures["instructions"] for row in rows(found)]
    assert sum(sums) == sum(int(row["instructions"]) for row in table)
    for number in sums:
        assert f"{number:,}" in FORMS[".txt"](found)
        assert f"{number:,}" in FORMS[".md"](found)
    drawn = xml.etree.ElementTree.fromstring(FORMS[".svg"](found))
    assert len(drawn.findall(".//{*}circle")) == 4
    plain = Swept(Sweep(found.sweep.axes, found.sweep.programs, found.sweep.base), found.outcomes)
    assert "registers.r.count" in FORMS[".svg"](plain)


def test_a_heat_map_says_whose_changes_it_shows():
    """Of one axis each program has a row, and all together; of several, rows are of all programs."""
    of = {"base": (100, 200), "mac": (100, 150), "broken": (90, None)}
    axis = Axis("choice", tuple(Choice(name, (("sets", (name,)),)) for name in of))
    programs = tuple(read_suite(["one.c", "two.c"]))
    outcomes = {
        (Configuration("riscv32", (choice,)), program.name):
            Outcome(error="this cannot be") if number is None else Outcome({"instructions": number}, 0)
        for choice, numbers in of.items() for program, number in zip(programs, numbers, strict=True)
    }  # fmt: skip
    found = heat_map(Swept(Sweep((axis,), programs, Configuration("riscv32")), outcomes), "instructions")
    assert found.rows == ["one", "two", "all 2 programs"]
    assert [[f"{cell:.3f}" for cell in row] for row in found.cells] == [
        ["0.000", "0.000", "-0.100"], ["0.000", "-0.250", "nan"], ["0.000", "-0.167", "nan"],
    ]  # fmt: skip
    sweep = Sweep((axis_of("level", "level", [1, 2]), axis), programs, Configuration("riscv32"))
    of_both = heat_map(Swept(sweep, {}), "instructions")
    assert of_both.rows == ["1", "2"]
    assert of_both.title.endswith("down: level; all 2 programs")


def test_times():
    assert [in_words(s) for s in (3.2, 61, 3720)] == ["3 s", "1 min 1 s", "1 h 2 min"]


def test_the_command(folder, capsys):
    words = ["sweep", "--set", "registers.r.count=24,32", "one.c ab", "-o", "-", "-o", "a.csv", "-o", "a.svg", "-q", "-j", "1"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "registers.r.count" in out
    assert "(riscv32)" in out
    assert len((folder / "a.csv").read_text().splitlines()) == 3
    assert (folder / "a.svg").read_text().startswith("<svg")
    assert (folder / "measurements.ease").exists()


def test_easecc(folder, capfd):
    from ease.commands.easecc import main as easecc

    (folder / "times.h").write_text("#define TIMES 4\n")  # how C is read is part of each point
    words = ["-DTIMES=3", "-UTIMES", "-include", "times.h", "--set", "registers.r.count=24,32", "-report", "a.json", "one.c"]
    assert easecc([*words, "--", "ab"]) == 0
    points = json.loads((folder / "a.json").read_text())["points"]
    run = ease.measure("one.c", defines={"TIMES": 4}, args=["ab"])
    assert points[1]["measures"].items() >= run.totals.items()
    assert easecc(["-measure", "-show", "lines", "--set", "registers.r.count=24,32", "one.c"]) == 1
    assert "-show has no place" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "registers.q.count=1,2", "one.c"], "there is no 'q' here"),
        (["--set", "registers", "one.c"], "expected key.key=value"),
        (["--set", "a=3..1", "one.c"], "3 is larger than 1"),
        (["-m", "riscv", "one.c"], "there is no machine 'riscv'"),
        (["-O", "1,7", "one.c"], "there is no level '7'"),
        (["--set", "registers.r.count=32,32", "one.c"], "a choice is there twice"),
        (["one.c", "-o", "a.doc"], "a sweep has no form '.doc'"),
        (["nothing.c", "-q"], "1 of 1 points failed"),
        (["none.yaml"], "none.yaml: No such file"),
        (["one.c", "-q", "-j", "1", "--measure", "joules"], "'joules' was not measured"),
        (["one.c", "--executor", "dask", "--scheduler", "tcp://127.0.0.1:1"], "no Dask scheduler answers"),
    ],
)
def test_mistakes(folder, capsys, words, message):
    if "dask" in words:
        pytest.importorskip("distributed")
    assert main(["sweep", *words]) == 1
    told = capsys.readouterr()
    assert message in told.err + told.out


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("programs: one.c\nmachine: x", "2:1", "'machine' is not a key of a sweep; did you mean 'machines'"),
        ("programs: one.c\nlevels: [1, 5]", "2:13", "there is no level '5'"),
        ("programs: one.c\nmachines: riscv", "2:11", "there is no machine 'riscv'"),
        ("programs: one.c\nset: {a: 4..2}", "2:10", "4 is larger than 2"),
        ("programs: one.c\nconventions: {a: 4}", "2:18", "must be a mapping of settings"),
        ("programs: one.c\ncaches: [U:3]", "2:10", "3"),
        ("programs: [", "2:1", "not YAML"),
    ],
)
def test_mistakes_in_files(folder, text, place, message):
    (folder / "a.yaml").write_text(text)
    with pytest.raises(DescriptionError, match=re.escape(f"a.yaml:{place}: error: ")) as error:
        read_sweep("a.yaml")
    assert message in str(error.value)


def test_the_file_of_the_guide(folder, monkeypatch):
    (text,) = re.findall(r"```yaml\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    (folder / "guide.yaml").write_text(text)
    sweep = read_sweep("guide.yaml")
    assert [(axis.name, len(axis.choices)) for axis in sweep.axes] == [
        ("machine", 1), ("level", 1), ("registers.r.count", 2), ("convention", 2), ("cache", 3),
    ]  # fmt: skip
    assert [program.name for program in sweep.programs] == ["queens", "matmult"]
    text = text.replace('"samples/queens.c 6", "samples/matmult.c -i 8"', '"one.c a"').replace("24..32..8", "[32]")
    (folder / "guide.yaml").write_text(text)
    found = run_sweep(read_sweep("guide.yaml"), local(1), None, Progress(quiet=True))
    assert len(found.outcomes) == 6
    assert not found.errors
    assert any("misses U" in outcome.measures for outcome in found.outcomes.values())


def test_from_python(folder):
    mac = ease.Machine("riscv32").changed(
        machine="mac", instructions={"MAC": {"rtl": "r[d]=r[d]+(r[a]*r[b]);", "asm": "mac $d,$a,$b"}}
    )
    found = ease.sweep("one.c a", ["riscv32", mac], set={"registers.r.count": [24, 32]}, jobs=1)
    assert found.table["machine"] == ["riscv32", "riscv32", "mac", "mac"]
    assert found.totals["instructions"][1] == ease.measure("one.c", args=["a"], level=2).instructions
    assert found.totals["instructions"][3] == ease.measure("one.c", mac, args=["a"], level=2).instructions
    assert len(found.pareto("instructions", "static bytes")) >= 1
    assert "<table>" in found._repr_html_()
    assert found.as_form(".csv").count("\n") == 5
    with pytest.raises(ease.Error, match="a sweep needs programs"):
        ease.sweep([])


@pytest.mark.thorough
def test_a_script_needs_no_guard(folder):
    """Processes of a sweep do not run the script that asked for them."""
    script = 'import ease\nprint(len(ease.sweep("one.c", set={"registers.r.count": [24, 32]}, jobs=2).table))\n'
    (folder / "script.py").write_text(script)
    assert subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, check=True).stdout == "2\n"


@pytest.mark.thorough
def test_on_a_cluster_that_loses_a_worker(folder):
    distributed = pytest.importorskip("distributed")
    from ease.lab.sweeps.sweep_run import dask

    axes = (axis_of_setting("registers.r.count", ["24", "32"]),)
    sweep = Sweep(axes, tuple(read_suite(["one.c a", "two.c b"])), Configuration("riscv32"))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=0, silence_logs=50
    ) as cluster:
        killed = []

        class Killer(Progress):
            def done(self, about, outcome):
                if not killed:
                    worker = next(iter(cluster.workers.values()))
                    killed.append(worker.process.process.kill())
                super().done(about, outcome)

        found = run_sweep(sweep, dask(cluster.scheduler_address, 2), "kept.ease", Killer(quiet=True))
    assert killed
    assert not found.errors
    here = run_sweep(sweep, local(1), None, Progress(quiet=True))
    assert here.outcomes == found.outcomes


def points_of(db):
    """Return how many points a store has."""
    try:
        with reading(db) as connection:
            return int(connection.execute("SELECT count(*) FROM point").fetchone()[0])
    except StoreError:
        return 0


def living(group):
    """Return the processes of a group that have not ended."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, number = status.read_text().rpartition(")")[2].split()[:3]
            found += [status.parent.name] if int(number) == group and state not in "ZX" else []
    return found


def heeding_ctrl_c():
    """Let a new process end by Ctrl-C where tests run in the background, and ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c(folder):
    """The command says what it has, leaves whole points in the store and no process behind, and goes on."""
    words = ["sweep", "--set", "registers.r.count=22..32", "-O", "0,1,2,s", "-j", "2", "one.c ab"]
    with subprocess.Popen(
        [str(Path(sys.executable).with_name("ease")), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, preexec_fn=heeding_ctrl_c,
    ) as process:  # fmt: skip
        begun = time.monotonic()
        while points_of("measurements.ease") < 2 and time.monotonic() - begun < 120:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    kept = points_of("measurements.ease")
    assert 2 <= kept < 44
    assert "Traceback" not in err
    assert re.search(r"cut short: \d+ of 44 points were measured", out)
    while living(process.pid) and time.monotonic() - begun < 180:
        time.sleep(0.1)
    assert not living(process.pid)
