"""Linked programs and records that were made up: no traceback, and a small file does not fill the memory."""

import json
import sys
import zlib

import pytest

from cache_sim.traces.container import json_section, section
from ease.commands.compile.executable_file import LARGEST
from ease.commands.ease_command import main as ease
from ease.executable import main
from ease.records.record_file import MAGIC
from tests.limited import run_limited

TEXT = zlib.compress(b"")
DAMAGED = "p: error: not a program that easecc linked, or a damaged one"


@pytest.mark.parametrize(
    ("how", "content"),
    [
        ({"unknown": 1}, TEXT), ({"words": ["a"]}, TEXT), ({"limit": "x"}, TEXT), ({"limit": -1}, TEXT),
        ({"show": [1]}, TEXT), ({"machine": ["riscv32"]}, TEXT), ({"folders": "/"}, TEXT), ({"timeout": {}}, TEXT),
        ([1, 2], TEXT), (None, TEXT), ("[" * 100_000, TEXT), ({}, TEXT[:4]), ({}, b"nothing"),
    ],
)  # fmt: skip
def test_linked_programs(tmp_path, monkeypatch, capfd, how, content):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p").write_bytes(file_of(how if isinstance(how, str) else json.dumps(how), content))
    assert main(["p"]) == 1
    assert capfd.readouterr().err == f"{DAMAGED}\np: 1 error\n"


def file_of(how, content):
    return b"#!/bin/sh\nexec\n" + how.encode() + b"\n" + content


def test_a_linked_program_that_unpacks_too_far(tmp_path):
    packing = zlib.compressobj(1)
    bomb = b"".join(packing.compress(bytes(1 << 26)) for _ in range(5)) + packing.flush()
    assert LARGEST < 5 << 26
    (tmp_path / "p").write_bytes(file_of("{}", bomb))
    status, told = run_limited([sys.executable, "-P", "-m", "ease.executable", "p"], tmp_path)
    assert (status, told) == (1, f"{DAMAGED}\np: 1 error\n")


def zeros(kind):
    return section(kind, bytes(1 << 25))


HEAD = json_section("HEAD", {})


@pytest.mark.parametrize("sections", [["HEAD"], [HEAD, "PROG"], [HEAD, HEAD, "DESC"], ["SLIC"], [HEAD, "CALL"]])
def test_sections_of_zeros(tmp_path, monkeypatch, capfd, sections):
    monkeypatch.chdir(tmp_path)
    made = [zeros(part) if isinstance(part, str) else part for part in sections]
    (tmp_path / "r.run").write_bytes(MAGIC + b"".join(made))
    assert ease(["replay", "r.run"]) == 1
    assert capfd.readouterr().err.startswith("r.run: error: the record is damaged: a section is larger than any can be\n")
