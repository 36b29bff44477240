"""Code and counts depend on the program, the machine and the options alone.

Not on where objects lie in memory, by which nodes are hashed, on the user, the folder, the language, the time, or on what
is kept.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.covering import some

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


MEASURED = """\
static int table[8];
static int f(int x)
{
    switch (x % 7) { case 0: return 3; case 1: return x * 5; case 2: return x / 3; case 3: return -x; case 4: return x ^ 9; }
    return 1;
}
static int sum(const int *from, int n) { int s = 0; while (n--) s += from[n] * n; return s; }
int main(void) { for (int i = 0; i < 300; i++) table[i & 7] += f(i); return sum(table, 8) & 63; }
"""
COMMAND = ("-m", "riscv32", "-O2", "-cache", "I:1k,16,1+D:1k,16,2", "-predict", "gshare:1k,8", "-report", "run.json")
WAYS = {  # environments, options, names of the file
    "hash seed": ({"PYTHONHASHSEED": "77"}, (), "prog.c"),
    "processes": ({"EASE_CACHE": ""}, ("-jobs", "2"), "prog.c"),
    "locale": ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, (), "prog.c"),
    "time zone": ({"TZ": "Asia/Kathmandu"}, (), "prog.c"),
    "python -O": ({"PYTHONOPTIMIZE": "2"}, (), "prog.c"),
    "no cache": ({"EASE_CACHE": ""}, (), "prog.c"),
    "no user": ({"HOME": "/nonexistent", "USER": "", "LOGNAME": ""}, (), "prog.c"),
    "name": ({}, (), "a 'b'\n\"ö\\n.c"),
    "folder": ({}, (), "x y\nä/prog.c"),
}


def started(folder, environment, options, name):
    """Start compiling and measuring a program in a folder of its own."""
    path = folder / name
    path.parent.mkdir(parents=True)
    path.write_text(MEASURED)
    words = [Path(sys.executable).parent / "easecc", *COMMAND, *options, path.name]
    own = {"EASE_CACHE": str(folder.parent / "cache"), **environment}
    return subprocess.Popen(words, cwd=path.parent, env={**os.environ, **own}, stderr=subprocess.PIPE, text=True)


def told(folder, process, name):
    """Return what a run came to, its report, and the assembly text of the program, without the name of the file."""
    errors = process.communicate()[1]
    path = folder / name
    report = json.loads((path.parent / "run.json").read_text())
    del report["run"]  # the command
    words = [Path(sys.executable).parent / "easecc", "-m", "riscv32", "-O2", "-S", "-o", "-", path.name]
    text = subprocess.run(words, cwd=path.parent, capture_output=True, text=True, check=True).stdout
    shown = path.name.replace("\n", "\\n")
    report = json.loads(json.dumps(report).replace(json.dumps(path.name), '"FILE"'))
    return process.returncode, errors, report, text.replace(shown, "FILE")


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """The folder of a run whose cache is cold, and what it came to."""
    folder = tmp_path_factory.mktemp("determinism")
    return folder, told(folder / "usual", started(folder / "usual", {}, (), "prog.c"), "prog.c")


@pytest.mark.parametrize("way", some(WAYS, 2))
def test_results_are_the_same_in_other_ways(usual, way):
    folder, expected = usual
    environment, options, name = WAYS[way]
    place = folder / way
    assert expected[:2] == (34, "")
    assert told(place, started(place, environment, options, name), name) == expected


def test_results_are_the_same_of_compilations_at_once(usual):
    folder, expected = usual
    places = [folder / f"at once {number}" for number in range(8)]
    processes = [started(place, {"EASE_CACHE": str(folder / "another cache")}, (), "prog.c") for place in places]
    assert [told(place, process, "prog.c") for place, process in zip(places, processes, strict=True)] == [expected] * 8
