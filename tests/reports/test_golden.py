"""The text of reports and of the overview, exactly.  `python tests/reports/test_golden.py` rewrites the files beside it."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

from ease.model.results import BranchCount, Characteristics, Count, Line, Measurement, WindowCount, WindowMove
from ease.model.run_identity import RunIdentity
from ease.model.static_kinds import Access, OperandField, Reference
from ease.reports.render import as_dictionary, render, render_file
from ease.reports.report import percent

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "report-format.md"

MEASUREMENT = Measurement(
    "made-up",
    Characteristics(
        instructions=Count(9, 1_000_040),
        sizes={2: Count(4, 500_000), 4: Count(5, 500_040)},
        types={"ADD": Count(3, 600_000), "CMP": Count(2, 200_020), "JLT": Count(2, 200_000), "LOAD": Count(2, 20)},
        operands={
            OperandField("ADD", "DST", "REGISTER", "LONG"): Count(3, 600_000),
            OperandField("CMP", "SRC1", "REGISTER", "LONG"): Count(2, 200_020),
            OperandField("CMP", "SRC2", "IMMED", "LONG"): Count(1, 200_000),
            OperandField("CMP", "SRC2", "REGISTER", "LONG"): Count(1, 20),
            OperandField("JLT", "TARGET", "LABEL", "CODE"): Count(2, 200_000),
            OperandField("LOAD", "DST", "REGISTER", "LONG"): Count(2, 20),
            OperandField("LOAD", "MEM", "DISP", "BYTE"): Count(1, 19),
            OperandField("LOAD", "MEM", "REGDFR", "LONG"): Count(1, 1),
        },
        references={
            Reference("read", "variable", "BYTE", "DISP"): Count(1, 19),
            Reference("read", "save", "LONG", "REGDFR"): Count(1, 1),
            Reference("write", "save", "LONG", "REGDFR"): Count(1, 1),
            Reference("write", "argument", "LONG", "REGDFR"): Count(1, 7),
        },
        registers={
            Access("r2", "read"): Count(4, 10),
            Access("r10", "read"): Count(1, 2),
            Access("r2", "write"): Count(1, 3),
        },
        condition_codes={Access("cc", "write", "CMP"): Count(2, 200_020), Access("cc", "read", "JLT"): Count(2, 200_000)},
        branches={"JGE": BranchCount(1, 0, 0), "JLT": BranchCount(2, 200_000, 133_333)},
        transfers=Count(3, 200_000),
        runs={1: Count(1, 0), 5: Count(1, 200_000), 40: Count(0, 1)},
        functions={"_main": Count(4, 40), "_put": Count(5, 1_000_000)},
        windows={
            WindowMove("enter", "main", Line("a.c", 3)): WindowCount(1, 40, 7),
            WindowMove("leave", "main", Line("a.c", 12)): WindowCount(2, 39, 6),
        },
        lines={Line("a.c", 3): Count(4, 40), Line("a.c", 12): Count(4, 999_999), Line("b.c", 1): Count(1, 1)},
    ),
    exit_status=3,
)

SOURCES = {"a.c": "\n\nint main(void)" + "\n" * 9 + "    put(" + "x + " * 20 + "y);", "b.c": "a | b"}


def test_text():
    assert render(MEASUREMENT, names=["all"]) == (HERE / "golden.txt").read_text()


def test_overview():
    assert render(MEASUREMENT, sources=SOURCES) == (HERE / "overview.txt").read_text()
    assert render(MEASUREMENT, ".md", sources=SOURCES) == (HERE / "overview.md").read_text()


def test_rows_are_as_many_as_asked_for():
    text = render(MEASUREMENT, most=1)
    assert "b.c:1" not in text
    assert "2 other lines" in text
    assert "2 other lines" in render(MEASUREMENT, names=["lines"], most=1)


def test_rows_come_in_the_order_that_is_asked_for():
    names = [name for name in ("ADD", "LOAD", "BEQ") if name in render(MEASUREMENT, names=["instruction-types"])]
    for sort, key in (("name", str), ("dynamic", lambda name: -MEASUREMENT.characteristics.types[name].dynamic)):
        text = render(MEASUREMENT, names=["instruction-types"], sort=sort)
        assert sorted(names, key=text.index) == sorted(names, key=key)
    assert "Functions, by name" in render(MEASUREMENT, sort="name")
    branches = render(MEASUREMENT, names=["branches"], sort="dynamic")
    assert branches.index("\nJLT") < branches.index("\nJGE")
    lines = render(MEASUREMENT, names=["lines"], sort="name", most=1).splitlines()
    assert next(line for line in lines if ".c:" in line).startswith("a.c:")


def test_a_report_with_nothing_to_draw_has_no_picture():
    assert "constants" not in render_file(MEASUREMENT, ".txt", plot=True, names=["all"])


def test_csv_has_every_number_of_json():
    rows = list(csv.DictReader(io.StringIO(render(MEASUREMENT, ".csv", ["instruction-types"]))))
    found = {(row["key 2"], row["key 3"]): row["value"] for row in rows if row["key 1"] == "instruction_types"}
    assert found["ADD", "dynamic"] == "600000"
    assert found["LOAD", "static"] == "2"
    assert len(found) == 8


def test_small_shares_are_not_zero():
    assert [percent(part, 1_000_000) for part in (0, 1, -1, 200)] == ["0", "<0.01", ">-0.01", "0.02"]
    assert percent(0, 0) == "0"


def test_json():
    assert render(MEASUREMENT, ".json") == (HERE / "golden.json").read_text()


def test_every_key_is_documented():
    documented = re.findall(r"^\| `(\w+)`", DOCUMENT.read_text(), re.MULTILINE)
    ours = ["sampling", "memory_system", "misses_over_time", "over_time", "sweep", "prediction", "wrong_paths", "timing"]
    ours += ["memories", "memories_of_lines", "tools", "regions", "attribution"]
    identity = RunIdentity(("easecc", "a.c"), ("a.c",), (), "made-up", (), "1", "0")
    assert documented == [*as_dictionary(replace(MEASUREMENT, identity=identity)), *ours]


def test_a_fault_is_named():
    failed = Measurement("made-up", MEASUREMENT.characteristics, 139, True, "a.c:3: in main: wild pointer", exact=False)
    lines = render(failed).splitlines()
    assert lines[0].startswith("INCOMPLETE: counts of the loops and calls under way")
    assert lines[1:4] == [
        "machine made-up, exit status 139",
        "a.c:3: in main: wild pointer",
        "The run was cut short. What follows is less than it did.",
    ]
    assert as_dictionary(failed)["fault"] == "a.c:3: in main: wild pointer"


def test_few_rows_are_shown_of_many_functions():
    functions = {f"_f{i:02}": Count(1, i) for i in range(30)}
    many = Measurement("made-up", Characteristics(instructions=Count(30, 435), functions=functions))
    lines = render(many, ".txt", ["functions"]).splitlines()
    assert lines[-2].split() == ["10", "other", "functions", "10", "33.33", "45", "10.34"]
    assert len(as_dictionary(many)["functions"]) == 30


if __name__ == "__main__":
    for suffix in (".txt", ".json"):
        (HERE / f"golden{suffix}").write_text(render(MEASUREMENT, suffix, ["all"]))
    for suffix in (".txt", ".md"):
        (HERE / f"overview{suffix}").write_text(render(MEASUREMENT, suffix, sources=SOURCES))
