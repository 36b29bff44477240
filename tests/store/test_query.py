"""`ease query`: answers on standard output and in files; all forms have the same rows."""

import csv
import io
import json

import pytest

from ease.commands.runs.store_commands import query_store as main
from ease.store.database import writing

SELECT = "SELECT 'a b' AS name, 3 AS n, 0.5 AS share UNION ALL SELECT 'c', 4, NULL ORDER BY n"
COLUMNS = ["name", "n", "share"]
ROWS = [["a b", 3, 0.5], ["c", 4, None]]


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with writing("measurements.ease"):
        pass
    return tmp_path


def test_forms_have_the_same_rows(store, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("a.csv", "a.json", "a.parquet", "a.txt"):
        assert main(["-o", name, SELECT]) == 0
    assert json.loads((store / "a.json").read_text()) == [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]
    table = parquet.read_table(store / "a.parquet")
    assert (table.column_names, [list(row.values()) for row in table.to_pylist()]) == (COLUMNS, ROWS)
    texts = [COLUMNS, ["a b", "3", "0.5"], ["c", "4", ""]]
    assert list(csv.reader((store / "a.csv").open())) == texts
    assert list(csv.reader((store / "a.txt").open(), "excel-tab")) == texts
    capsys.readouterr()
    assert main(["--csv", SELECT]) == 0
    assert list(csv.reader(io.StringIO(capsys.readouterr().out))) == texts


def test_columns_of_one_name(store, capsys):
    assert main(["-o", "-", "SELECT 1 AS a, 2 AS a, 3 AS b"]) == 0
    assert capsys.readouterr().out == "a\ta 2\tb\n1\t2\t3\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "no/a.csv", SELECT], "there is no such folder"),
        (["-o", "a.parquet", "SELECT 1 AS a UNION ALL SELECT 'x'"], "values of several types"),
        (["SELECT nowhere"], "no such column: nowhere"),
        (["DELETE FROM run"], "ease query: "),
    ],
)
def test_mistakes(store, capsys, words, message):
    assert main(words) == 1
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
