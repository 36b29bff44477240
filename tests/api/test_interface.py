"""`import ease`: the same numbers as the commands, tables that sum to them, and mistakes that are told."""

import pickle

import pytest

import ease
from ease.reports.render import as_dictionary
from tests.kept_machines import load

TEXT = """
#include <stdio.h>
#ifndef TIMES
#define TIMES 5
#endif
int table[32];
static void put(int n) { if (n > 9) put(n / 10); putchar('0' + n % 10); }
int main(int count, char **words)
{
    int c, sum = 0;
    for (int i = 0; i < TIMES * count; i++)
        table[i & 31] += i * 3;
    for (int i = 0; i < 32; i++)
        sum += table[i];
    while ((c = getchar()) != EOF)
        sum += c;
    put(sum);
    putchar('\\n');
    return 0;
}
"""
MAC = {"MAC": {"rtl": "r[d]=r[d]+(r[a]*r[b]);", "asm": "mac $d,$a,$b", "latency": 2}}


@pytest.fixture(scope="module")
def file(own_cache, tmp_path_factory):
    path = tmp_path_factory.mktemp("api") / "prog.c"
    path.write_text(TEXT)
    return str(path)


@pytest.fixture(scope="module")
def run(file):
    return ease.measure(file, args=["a", 2], stdin="xy", cache="U:1k,16,2", predict="btfn")


def test_what_the_program_did(file, run):
    assert (run.output, run.errors, run.exit_status, run.fault) == (b"556\n", b"", 0, "")
    assert ease.measure(file, defines={"TIMES": 2}).output == b"3\n"


def test_tables_sum_to_the_totals(run):
    whole = run.instructions
    assert whole == run.totals["instructions"] == as_dictionary(run.measurement)["instructions"]["dynamic"]
    for name in ("lines", "functions", "types", "causes"):
        assert run.table(name).total("dynamic") == whole
        assert run.table(name).total("static") == run.totals["static instructions"]
    assert run.executed.total("executed") == whole
    assert run.table("references").total("dynamic") == run.references
    assert run.table("cycles").total("cycles") == run.cycles
    assert run.table("misses").total("misses of U") == run.table("caches").total("misses")
    assert {"lines", "misses", "caches"} <= set(run.tables)


def test_frames(run):
    lines = run.lines
    assert len(lines) == len(list(lines)) == len(lines["dynamic"])
    assert lines["dynamic"] == sorted(lines["dynamic"], reverse=True)
    assert lines[0] == dict(zip(lines.columns, lines.rows[0], strict=True))
    assert lines.where(file=lines[0]["file"], dynamic=lambda n: n > 0).total("dynamic") <= run.instructions
    assert run.executed.sums("cause", of="executed").total("executed") == run.instructions
    assert lines.head(2).to_csv().splitlines()[0] == "file,line,static,dynamic"
    assert "more rows" in str(run.executed)
    assert "<table>" in lines._repr_html_()
    with pytest.raises(ease.Error, match="no column 'x'"):
        lines["x"]


def test_pandas(run):
    pandas = pytest.importorskip("pandas")
    frame = run.executed.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.groupby("cause")["executed"].sum().sum() == run.instructions


def test_a_machine_in_code_is_one_of_a_file(tmp_path):
    made = ease.Machine("riscv32").changed(machine="mac", instructions=MAC)
    saved = tmp_path / "mac.yaml"
    saved.write_text(made.text)
    loaded = load(str(saved))
    assert [form.text for form in loaded.recognizer.alternatives] == made.instructions["form"]
    assert made.without("MAC").instructions.rows == ease.Machine("riscv32").instructions.rows
    assert ease.Machine("riscv32", {"registers.r.count": 16}).registers.where(**{"class": "r"})["count"] == [16]


def test_a_comparison(file, run):
    mac = ease.Machine("riscv32").changed(f"machine: mac\ninstructions: {MAC}")
    other = ease.measure(file, mac, args=["a", 2], stdin="xy")
    difference = ease.compare(run, other)
    for table in (difference.lines, difference.instructions, difference.causes, difference.functions):
        assert table.total("change") == other.instructions - run.instructions < 0
    assert "MAC" in difference.text()
    assert "<table>" in difference._repr_html_()
    assert ease.compare(run, run).is_equal
    assert "<html" in difference.page()


def test_settings_change_the_machine(file, run):
    small = ease.measure(file, args=["a", 2], set={"registers.r.count": 16})
    assert "registers.r.count=16" in small.command
    assert small.instructions != run.instructions
    listed = ease.measure(file, ease.Machine("riscv32", ["registers.r.count=16"]), args=["a", 2])
    assert listed.totals == small.totals


def test_a_run_comes_back_from_a_store(run, tmp_path):
    number = run.save(tmp_path / "kept.ease")
    found = ease.load(number, tmp_path / "kept.ease")
    assert found.totals == run.totals
    assert found.executed.rows == run.executed.rows
    assert ease.compare(run, found).is_equal
    with pytest.raises(ease.Error, match="no run 9"):
        ease.load(9, tmp_path / "kept.ease")


def test_tools_and_intervals_come_back_from_a_store(file, tmp_path):
    made = ease.measure(file, tools=["instruction_mix", "cache"], regions=["main"], predict="btfn", over_time=100)
    (mix,), (cache,) = made.tools["instruction_mix"], made.tools["cache"]
    assert mix.total(mix.columns[-1]) == made.instructions
    assert len(cache) > 0
    assert made.table("over time")["up to"][-1] == made.instructions
    assert "-tool instruction_mix -tool cache -region main -predict btfn -over-time 100" in made.command
    made.save(tmp_path / "kept.ease")
    kept = ease.load(db=tmp_path / "kept.ease")
    assert kept.tools == made.tools
    assert kept.table("over time") == made.table("over time")
    regions = ease.measure(file, regions=["main"], predict="bimodal:16")
    assert regions.table("attribution")["region"] == ["main"]
    assert "attribution" in regions.tables
    regions.save(tmp_path / "kept.ease")
    assert ease.load(db=tmp_path / "kept.ease").table("attribution") == regions.table("attribution")


def test_a_run_is_written(run, tmp_path):
    for ending in ("html", "json", "md", "csv", "txt"):
        run.write(tmp_path / f"out.{ending}")
        assert (tmp_path / f"out.{ending}").stat().st_size > 100
    with pytest.raises(ease.Error, match=r"'\.doc'"):
        run.write(tmp_path / "out.doc")
    assert "Path length" in run.report("path-length")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda file: ease.measure("none.c"), "none.c: error: cannot read"),
        (lambda file: ease.measure(file, "riscv"), "there is no machine 'riscv'"),
        (lambda file: ease.measure(file, set={"registers.q.count": 1}), "there is no 'q' here"),
        (lambda file: ease.measure(file, cache="U:1k,17"), "17"),
        (lambda file: ease.measure(file, level=7), "there is no level 7"),
        (lambda file: ease.Machine().changed(instructions={"MUUL": None}), "did you mean 'MUL'"),
        (lambda file: ease.measure([]), "which files"),
    ],
)
def test_mistakes_are_told(file, call, message):
    with pytest.raises(ease.Error, match=message):
        call(file)


def test_a_run_that_is_cut_short(file):
    run = ease.measure(file, args=["a", 2], limit=500)
    assert run.instructions == 500
    assert "cut short" in repr(run)
    assert "cut short" in run._repr_html_()


def test_a_program_is_compiled_once_and_measured_often(file, run, monkeypatch):
    program = ease.Machine("riscv32").compile(file)
    monkeypatch.setattr("ease.api.programs.Compiler", None)
    runs = [program.measure(args=words, stdin="xy", quick=True) for words in (["a", 2], ["a"])]
    assert runs[0].totals == {name: number for name, number in run.totals.items() if name in runs[0].totals}
    assert runs[0].program is program
    assert runs[1].instructions < runs[0].instructions
    assert runs[0].command.endswith(f"-timing {file} -- a 2")
    assert program.read == tuple(sorted(set(program.read)))
    assert file in program.read
    assert any(name.endswith("stdio.h") for name in program.read)


def test_what_a_program_consists_of(file, run):
    program = ease.Program(ease.Machine("riscv32").compile(file).linked, "mine")
    assert program.functions.total("size") == program.size == run.size
    assert program.functions.total("instructions") == len(program.instructions) == run.totals["static instructions"]
    assert [row[:-1] for row in run.executed.rows] == list(program.instructions.rows)
    assert program.rtls("put").startswith("function _put")
    assert program.rtls("put") in program.rtls()
    assert program.measure(args=["a", 2], stdin="xy").totals == ease.measure(file, args=["a", 2], stdin="xy").totals
    assert program.measure().command == ""
    with pytest.raises(ease.Error, match="no function 'puut'"):
        program.rtls("puut")


def test_counts_are_those_of_the_tables(run):
    found = sum(sum(times) for times in run.counts.rtls.values())
    assert found == run.counts.instructions >= run.instructions
    blocks = run.table("blocks")
    assert blocks.total("dynamic") == run.instructions
    assert blocks.total("static") == run.totals["static instructions"]
    misses = run.table("misses")
    assert set(misses["direction"]) <= {"fetch", "read", "write"}
    assert set(run.table("references")["group"]) == set(run.table("reference groups")["group"])


def test_parts_of_a_machine_are_taken_away():
    machine = ease.Machine("riscv32")
    multiply = next(part for part in machine.parts if (part.kind, part.name) == ("instruction", "MUL"))
    without = machine.edited(multiply)
    assert "MUL" in machine.instructions["instruction"]
    assert "MUL" not in without.instructions["instruction"]
    assert ease.Machine("without", text=without.text).instructions == without.instructions
    with pytest.raises(ease.Error):
        without.edited(multiply)


def test_mistakes_of_descriptions_come_back_from_other_processes():
    with pytest.raises(ease.Error) as mistake:
        ease.Machine("riscv32", {"registers.q.count": 1})
    again = pickle.loads(pickle.dumps(mistake.value))
    assert (str(again), str(again.origin)) == (str(mistake.value), str(mistake.value.origin))


def test_values_are_kept_in_a_store(run, tmp_path):
    store = ease.Store(tmp_path / "kept.ease")
    store.keep("a", {"instructions": 3}, "of a")
    store.keep("a", [4])
    run.save(tmp_path / "kept.ease")
    assert ease.Store(tmp_path / "kept.ease").values(["a", "b", *map(str, range(1000))]) == {"a": [4]}
    (tmp_path / "other").write_text("no store")
    with pytest.raises(ease.Error, match="no store of measurements"):
        ease.Store(tmp_path / "other")


def test_titled_tables(run):
    table = run.functions.head(2).titled("Hot | functions", note="of prog.c")
    assert str(table).startswith("Hot | functions\n\nfunction")
    assert str(table).endswith("\n\nof prog.c")
    assert table.markdown().splitlines()[3] == "| --- | --: | --: |"
    assert table.csv().splitlines()[0] == "function,static,dynamic"
    assert ease.TitledTable("t", [["a|b", "n"], ["c", "1"]]).markdown() == (
        "**t**\n\n| a&#124;b | n |\n| --- | --: |\n| c | 1 |\n"
    )


def test_progress_is_told_on_standard_error(capsys):
    for quiet in (True, False):
        progress = ease.Progress(quiet=quiet)
        progress.begin(3, known=1)
        progress.done("two")
        progress.done("three", failed=True)
        progress.end()
    said = capsys.readouterr().err.splitlines()
    assert said == ["3 points, 1 of them from the store", "3 of 3, 0 s left: three (1 failed)"]


def test_names():
    assert set(dir(ease)) >= {"measure", "compare", "Machine"}
    with pytest.raises(AttributeError, match="measur"):
        _ = ease.measur


@pytest.mark.thorough
def test_samples(file):
    given = {"args": range(60), "cache": "U:1k,16,2", "timing": True}
    made = ease.measure(file, **given, sample="every=100,length=20,warm=all", tools=["blocks"])
    whole = ease.measure(file, **given)
    assert made.output == whole.output
    assert made.instructions < whole.instructions / 3
    estimates = {row["what"]: row for row in made.table("samples")}
    true, found = whole.cycles / whole.instructions, estimates["cycles an instruction"]
    assert abs(found["estimate"] - true) < 0.5 * true
    assert 0 < found["half width"] < true
    assert "-sample every=100,length=20,warm=all" in made.command
    with pytest.raises(ease.Error, match="not kept in a store"):
        made.save()
    with pytest.raises(ease.Error, match="sample excludes"):
        ease.measure(file, sample="every=100,length=20", limit=5)
