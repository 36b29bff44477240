"""Runs as pages and in formats of other tools, by the ending of a file; answers of a store as CSV and the like.

Only the names of what writes a form are here: the command line asks which forms there are.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ease.base.printable import printable
from vpo.base.errors import UserError

if TYPE_CHECKING:
    from ease.model.kept_run import KeptRun

# ----------------------------------------------------------------------------------------------------------------------
# The forms of one run that need more than its measurement: pages, and the formats of other tools.


FORMS = {  # by the ending of the file
    ".html": "ease.pages.page:page_of_run",
    ".callgrind": "ease.exports.profiles:as_callgrind",
    ".folded": "ease.exports.profiles:as_folded_stacks",
    ".gcov": "ease.exports.profiles:as_annotated_source",
}


def render_run(run: KeptRun, suffix: str) -> str:
    """Return a run in the form that belongs to a file's suffix.

    Raises KeyError for a suffix that is none of FORMS.
    """
    module, _, name = FORMS[suffix].partition(":")
    text: str = getattr(import_module(module), name)(run)
    return text


# ----------------------------------------------------------------------------------------------------------------------
# Answers of a store in files: CSV, JSON and Parquet.


Rows = Sequence[Sequence[Any]]
Form = Callable[[Sequence[str], Rows], str | bytes]


def written(form: Form, columns: Sequence[str], rows: Rows) -> str | bytes:
    """Return an answer in a form; columns of one name are told apart by numbers, as no form has two of the same."""
    names: list[str] = []
    for name in columns:
        same = sum(other == name for other in columns[: len(names)])
        names.append(f"{name} {same + 1}" if same else name)
    return form(names, rows)


def as_tabs(columns: Sequence[str], rows: Rows) -> str:
    """Return lines with tabs between columns."""
    return _separated(columns, rows, "excel-tab")


def as_csv(columns: Sequence[str], rows: Rows) -> str:
    """Return CSV."""
    return _separated(columns, rows, "excel")


def as_json(columns: Sequence[str], rows: Rows) -> str:
    """Return a list of objects."""
    return json.dumps([dict(zip(columns, row, strict=True)) for row in rows], indent=1) + "\n"


def as_parquet(columns: Sequence[str], rows: Rows) -> bytes:
    """Return a Parquet file, whose columns have the types of their values.

    Raises UserError if pyarrow is not installed, or a column has values of several types.
    """
    try:
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise UserError(["'.parquet' needs pyarrow: pip install 'ease[parquet]'"]) from None
    values = zip(*rows, strict=True) if rows else ([] for _ in columns)
    try:
        table = arrow.table({name: arrow.array(list(column)) for name, column in zip(columns, values, strict=True)})
    except (arrow.ArrowInvalid, arrow.ArrowTypeError) as error:
        raise UserError([f"a column has values of several types, which '.parquet' has not: {error}"]) from None
    target = io.BytesIO()
    parquet.write_table(table, target)
    return target.getvalue()


def _separated(columns: Sequence[str], rows: Rows, dialect: str) -> str:
    text = io.StringIO()
    writer = csv.writer(text, dialect, lineterminator="\n")
    if columns:
        writer.writerow(columns)
    writer.writerows(rows)
    return printable(text.getvalue())


ANSWER_FORMS: dict[str, Form] = {".csv": as_csv, ".json": as_json, ".parquet": as_parquet}
