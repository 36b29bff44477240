"""A terminal tells that a large program is compiled, until the program begins."""

import os
import pty
import subprocess
import sys

import pytest

from ease.host.process import process as waiting_note
from tests.covering import some

CODE = """
import sys
from ease.host.process import process as waiting_note
from ease.host.process.job import RunOptions
from ease.host.process.run import run
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import load
waiting_note.LARGE = int(sys.argv[2])
run(Compiler(load("riscv32"), Settings()).program([sys.argv[1]]), options=RunOptions(tier="quick"))
"""


@pytest.mark.parametrize("large", some([1, 10**6], 1))
def test_terminal_shows_a_note_that_the_program_does_not_meet(tmp_path, large):
    source = tmp_path / "hello.c"
    source.write_text('int puts(const char *);\nint main(void) { return puts("here") < 0; }\n')
    parent, child = pty.openpty()
    subprocess.run([sys.executable, "-c", CODE, source, str(large)], stdout=child, stderr=child, check=True)
    shown = os.read(parent, 10_000).decode()
    os.close(parent)
    os.close(child)
    note = shown.split("here")[0]
    assert shown.endswith("here\r\n")
    if large > 1:
        assert note == ""
    else:
        assert note.startswith(f"{waiting_note.NOTE}compiling ")
        assert note.endswith(f"{waiting_note.BACK}{waiting_note.ERASE}")
