"""Running in a child: standard streams, arguments, the cache, tables, and what a child may leave behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fake_machine import program_of
from generate import _system_call as call

from ease.host.process.job import RunOptions
from ease.host.process.run import run

HEAD = 'function _start file "prog.c" line 1 stage framed {\nL1:\n'


def start(*lines: str) -> str:
    body = "".join(f"{text}\n" if text.endswith(":") or "#" in text else f"\t{text} # program 2\n" for text in lines)
    return HEAD + body + "\n".join(call(1, "r[19]")) + "\n}\n"


ECHO = start(*call(3, "0", "_x", "8"), "r[19]=r[10];", "r[21]=r[10];", *call(4, "1", "_x", "r[19]"))
DATA = "data _x size 16 align 4 {\n}\n"


def test_standard_streams_and_exit_status():
    result = run(program_of(ECHO + DATA), options=RunOptions(b"hello", capture=True))
    assert (result.output, result.exit_status, result.fault) == (b"hello", 5, None)


def test_real_standard_streams_are_inherited():
    script = "import sys; sys.path[:0] = sys.argv[1:3]; import test_run as t; print(t.run(t.program_of(t.ECHO + t.DATA)))"
    folders = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "interpret")]
    done = subprocess.run([sys.executable, "-c", script, *folders], input=b"abc", capture_output=True, check=True)
    assert done.stdout.startswith(b"abcRunResult(exit_status=3")


def test_arguments():
    program = program_of(start("r[3]=L[r[2]+8];", "r[19]=zxL(B[r[3]]);"), big_endian=True)
    assert run(program, ["prog", "A"]).exit_status == 65


def test_compiled_code_is_kept_and_found_again(tmp_path):
    program = program_of(start("r[19]=9;"))
    first = run(program, options=RunOptions(tier="full", cache=str(tmp_path)))
    (kept,) = tmp_path.rglob("*.o")
    assert run(program, options=RunOptions(tier="full", cache=str(tmp_path))).exit_status == first.exit_status == 9
    kept.write_bytes(b"")  # as a full disk or a crash might leave it
    assert run(program, options=RunOptions(tier="full", cache=str(tmp_path))).exit_status == 9


def test_an_unwritable_cache_does_no_harm(tmp_path):
    (tmp_path / "file").write_text("")
    assert run(program_of(start("r[19]=9;")), options=RunOptions(cache=str(tmp_path / "file" / "below"))).exit_status == 9


@pytest.mark.parametrize("tier", ["quick", "fast", "full"])
def test_big_jump_table(tier):
    labels = [f"L{10 + i}" for i in range(12)]
    lines = ["r[19]=0;", "r[3]=0;", "L2:", "r[4]=r[3]<<2;", "r[4]=L[r[4]+_table];", f"PC=r[4],{{{','.join(labels)}}};"]
    for i, label in enumerate(labels):
        lines += [f"{label}:", f"r[19]=(r[19]*3)+{i * i};", "PC=L3;"]
    lines += ["L3:", "r[3]=r[3]+1;", "PC=r[3]<12,L2;", "L4:", "r[19]=r[19]&255;"]
    items = "".join(f"\t{4 * i}: label {label} _start\n" for i, label in enumerate(labels))
    expected = 0
    for i in range(12):
        expected = expected * 3 + i * i
    program = program_of(start(*lines) + f"data _table constant size 48 align 4 {{\n{items}}}\n")
    assert run(program, options=RunOptions(tier=tier)).exit_status == expected & 255


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    run(program_of(start("r[19]=0;")))
    assert os.listdir(tmp_path) == []


def test_modules_in_the_working_directory_are_not_imported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pickle.py").write_text("raise SystemExit('wrong module')")
    assert run(program_of(start("r[19]=3;"))).exit_status == 3
