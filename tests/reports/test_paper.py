"""The tables of the paper come out of the reports, to the last digit."""

from __future__ import annotations

import paper

from ease.reports import REPORTS
from ease.reports.render import as_dictionary, as_text

MEASUREMENT = paper.measurement()


def dynamic_columns(name):
    table = REPORTS[name].table(MEASUREMENT.characteristics)
    return table, {tuple(row[: table.keys]): _printed(row[table.keys + 2 :]) for row in table.rows}


def _printed(cells):
    """Return cells as the paper prints them, in which small shares are 0.00."""
    return tuple(cell.replace("<0.01", "0.00") for cell in cells)


def test_table_iv():
    table, rows = dynamic_columns("addressing-modes")
    assert rows == {(mode,): (f"{count:,}", share) for mode, (count, share) in paper.TABLE_IV.items()}
    assert list(table.total)[3:] == ["13,261,673", "100.00"]


def test_table_v():
    table, rows = dynamic_columns("instruction-types")
    assert rows == {(name,): (f"{count:,}", share) for name, (count, share) in paper.TABLE_V.items()}
    assert list(table.total)[3:] == ["6,195,303", "100.00"]


def test_table_vi():
    table, _ = dynamic_columns("operand-fields")
    found, key = {}, ["", "", "", ""]
    for row in table.rows:
        for i, part in enumerate(row[:4]):
            if part:
                key[i:] = [part, *[""] * (3 - i)]
        found[tuple(key)] = _printed(row[6:])
    assert {k: v for k, v in found.items() if k[0] in ("LOAD", "STORE")} == {
        key: (f"{count:,}", share) for key, (count, share) in paper.TABLE_VI.items()
    }


def test_identities():
    modes = as_dictionary(MEASUREMENT)["addressing_modes"]
    types = {name: count for name, (count, _) in paper.TABLE_V.items()}
    branches = sum(types[name] for name in paper.BRANCHES)
    assert modes["LABEL"]["dynamic"] == branches + types["JMP"] == 818_555
    by_mode: dict[str, int] = {}
    for (_, field, mode, _), (count, _) in paper.TABLE_VI.items():
        if field == "MEM":
            by_mode[mode] = by_mode.get(mode, 0) + count
    assert by_mode == {
        "INDEX": modes["INDEX"]["dynamic"],
        "REGDFR": modes["REGDFR"]["dynamic"],
        "DISP": modes["DISP"]["dynamic"] - types["CALL"],
    }
    assert sum(by_mode.values()) == types["LOAD"] + types["STORE"] == 1_739_834


def test_a_line_of_text_is_as_in_the_paper():
    text = as_text(MEASUREMENT, ["instruction-types"])
    assert "LOAD            1      3.85  1,226,515     19.80" in text.splitlines()
