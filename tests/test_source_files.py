"""What `docs/architecture.md` says about the files of the packages: their length, their names, and who imports whom."""

from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
PACKAGES = ("vpo", "ease", "cache_sim")
MOST = 600  # lines of a file
LONGER = {"vpo/libc/symbols.py"}  # a table
TWICE = {"causes.py", "history.py"}  # the plain and the fast form of one thing

SHOWN_BY = "vpo.text.printer"  # RTLs show themselves

FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def test_files_are_short():
    long = {str(path.relative_to(ROOT)) for path in FILES if path.read_bytes().count(b"\n") > MOST}
    assert long == LONGER, "split these along their purposes, or say in docs/architecture.md why not"


def test_names_tell_files_apart():
    names = Counter((path.relative_to(ROOT).parts[0], path.name) for path in FILES if path.name != "__init__.py")
    assert {name for (_, name), count in names.items() if count > 1} == TWICE, "two files of a package have one name"


def test_no_two_modules_need_each_other():
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    needed = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    for module in graph.find_descendants("vpo.rtl"):
        needed[module] -= {SHOWN_BY}
    TopologicalSorter(needed).prepare()  # raises CycleError, which names them


def test_the_documentation_names_the_exceptions():
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert all(f"`{name}`" in text for name in (*LONGER, *(name.removesuffix(".py") for name in TWICE)))
