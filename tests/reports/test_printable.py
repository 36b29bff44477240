"""No name of a file and no word of a command line commands a terminal: control characters are shown as what they are."""

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ease.base.printable import PrintableStream, commanding, printable
from ease.reports.report import aligned
from tests.covering import some

NAME = "a\x1b]0;title\x07b\x9b31m.c"
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
EASECC = Path(sys.executable).parent / "easecc"


def test_what_is_printable():
    assert printable("plain ä text\twith\nlines") == "plain ä text\twith\nlines"
    assert printable("\x1b[31m \x7f \x9b \r \udcff") == r"\x1b[31m \x7f \x9b \x0d \xff"
    assert list(aligned([["a\x1bb", "1"], ["two\nlines", "2"]], 1)) == [r"a\x1bb      1", r"two\nlines  2"]


def test_only_the_stream_beneath_commands():
    raw = io.BytesIO()
    stream = PrintableStream(io.TextIOWrapper(raw, "utf-8"))
    print("\x1b[31mred", file=stream)
    print("\x1b[1mbold", file=commanding(stream), flush=True)
    assert raw.getvalue() == b"\\x1b[31mred\n\x1b[1mbold\n"


@pytest.fixture
def named(tmp_path):
    (tmp_path / NAME).write_text("int main(void) { return *(volatile int *)0; }\n")
    return tmp_path


@pytest.mark.parametrize("suffix", some([".txt", ".md", ".csv"], 1))
def test_names_in_reports(named, suffix):
    command = [EASECC, "-report", f"report{suffix}", "-show", "lines,functions", NAME, "--", "\x1b[2J"]
    done = subprocess.run(command, cwd=named, capture_output=True, check=False)
    assert done.returncode == 139
    for text in (done.stderr.decode(), (named / f"report{suffix}").read_bytes().decode()):
        assert not COMMANDS.search(text)
        assert r"a\x1b]0;title\x07b\x9b31m.c" in text


@pytest.mark.parametrize("words", [["missing\x1b[2J.c"], ["-c", "wrong\x1b[2J.c"], ["-m", "no\x1b[2Jne", NAME], ["-\x1b[2J"]])
def test_names_in_diagnostics_of_a_terminal(named, words):
    (named / "wrong\x1b[2J.c").write_text("int x = ; // \x1b[2J\n")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "NO_COLOR": "1"}
    assert subprocess.run([EASECC, *words], cwd=named, stderr=theirs, env=environment, check=False).returncode in (1, 2)
    os.close(theirs)
    told = b""
    try:
        while piece := os.read(ours, 1 << 16):
            told += piece
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    shown = told.decode().replace("\r\n", "\n")
    assert r"\x1b[2J" in shown
    assert not COMMANDS.search(shown)
