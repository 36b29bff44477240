"""The output does not depend on where objects lie in memory, by which nodes are hashed."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
import vpo.rtl

factor = int(sys.argv[1])
vpo.rtl.Node.__hash__ = lambda node: (id(node) >> 4) * factor & (1 << 60) - 1  # before the first node is made

from vpo.link.assembly import assembly
from vpo.build.compiler import Compiler, Settings
from tests.kept_machines import load

machine = load("riscv32")
unit = Compiler(machine, Settings(2)).unit(sys.argv[2])
print(assembly(machine, unit.functions, unit.data))
"""


def test_sets_may_have_their_members_in_any_order():
    words = [sys.executable, "-c", SCRIPT]
    source = str(ROOT / "samples" / "spline.c")
    environment = {**os.environ, "EASE_CACHE": ""}
    outputs = {
        subprocess.run([*words, str(factor), source], env=environment, capture_output=True, check=True).stdout
        for factor in (1, 0x9E3779B97F4A7C15)
    }
    assert len(outputs) == 1
