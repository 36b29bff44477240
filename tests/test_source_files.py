"""What `docs/architecture.md` says about the files of the packages: their length, their names, and who imports whom."""

from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
PACKAGES = ("vpo", "ease", "cache_sim")
MOST = 600  # lines of a file
FEW = 60  # lines of a file that has to say why it is one
REASON = "A file of its own"  # with which the sentence in its docstring begins that says so
EACH_ITS_OWN = "ease/tools/supplied"  # tools, each as short as one that a user writes
IN_A_FOLDER = 25  # files

SHOWN_BY = "vpo.rtl.printer"  # RTLs show themselves
# what users are given by each other: a machine compiles programs, a program makes runs, a run has its program
GIVEN_BY_EACH_OTHER = {"ease.api.machine_handle", "ease.api.programs", "ease.api.runs"}

FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def test_files_are_short():
    long = {str(path.relative_to(ROOT)) for path in FILES if path.read_bytes().count(b"\n") > MOST}
    assert long == set(), "split these along their purposes"


def test_small_files_say_why():
    small = {path for path in FILES if path.read_bytes().count(b"\n") < FEW and not path.name.startswith("__")}
    asked = {str(path.relative_to(ROOT)) for path in small if REASON not in path.read_text()}
    unsaid = {name for name in asked if not name.startswith(f"{EACH_ITS_OWN}/")}
    assert unsaid == set(), f"join these to files, or say: {REASON}, since"


def test_folders_are_small():
    folders = Counter(str(path.parent.relative_to(ROOT)) for path in FILES)
    assert {folder for folder, count in folders.items() if count > IN_A_FOLDER} == set(), "build a room"


def test_no_two_modules_need_each_other_not_even_for_types():
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    needed = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    for module in graph.find_descendants("vpo.rtl"):
        needed[module] -= {SHOWN_BY}
    needed["ease"] = set()  # what users import: it hands names on, to studies, too
    for module in GIVEN_BY_EACH_OTHER:
        needed[module] -= GIVEN_BY_EACH_OTHER
    TopologicalSorter(needed).prepare()  # raises CycleError, which names them
