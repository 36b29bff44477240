"""A consumer in C reads events over a pipe, as docs/traces.md has it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cache_sim.traces.formats.simple_formats import read_records
from cache_sim.traces.trace_file import KINDS, TraceFile
from ease.commands.runs.trace_command import main as ease_trace
from tests.traces.programs import ENDING

PAGE = Path(__file__).parents[2] / "docs" / "traces.md"


def test_the_consumer_of_the_page_counts_what_the_trace_has(programs, traced, tmp_path, capsys):
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    text = re.search(r'^```c\n(#include "ease_events.h"\n.*?)^```', PAGE.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "consumer.c").write_text(text[1])
    assert ease_trace(["header"]) == 0
    (tmp_path / "ease_events.h").write_text(capsys.readouterr().out)
    subprocess.run([compiler, "-Wall", "-Werror", "-o", "consumer", "consumer.c"], cwd=tmp_path, check=True)
    (tmp_path / "program.trace").write_bytes(traced(programs(ENDING["indirect"], "riscv32"))[0])
    assert ease_trace(["convert", str(tmp_path / "program.trace"), "-o", str(tmp_path / "program.events")]) == 0
    with (tmp_path / "program.events").open("rb") as file:
        done = subprocess.run([tmp_path / "consumer"], stdin=file, capture_output=True, check=True, text=True)
    kinds = [kind for events in TraceFile(tmp_path / "program.trace").events() for kind in events.kinds.tolist()]
    counts = [kinds.count(kind) for kind in (2, 0, 1)]
    assert done.stdout == "{} fetches, {} reads, {} writes\n".format(*counts)
    with (tmp_path / "program.events").open("rb") as file:
        again = [row for found in read_records(file, "x", 1) for row in found.kinds.tolist()]
    assert again == [k for events in TraceFile(tmp_path / "program.trace").events(tuple(KINDS)) for k in events.kinds.tolist()]
