"""`docs/architecture.md` and `CONTRIBUTING.md` lead to what there is: their paths, modules, and the map of folders."""

import pkgutil
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
PACKAGES = ("vpo", "ease", "cache_sim")
ROWS, WIDTH = 30, 200  # of the table, at most

ROOTED = rf"(?:{'|'.join(PACKAGES)}|tests|docs|samples|benchmarks|machine_descriptions)"
PATH = re.compile(rf"(?<![\w./<>-])(?P<rooted>{ROOTED}(?:/[\w.*-]+)+)|(?<![\w./(>-])(?P<bare>\w+\.(?:py|lark|sql|toml))\b")
MODULE = re.compile(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`")
INVENTED = re.compile(r"NAME|FILE|<")  # what a reader puts in the place of


def paths(line):
    """Return the paths that a line names; a file without a folder is in the one that is named before it, or in the root."""
    folder, found = ROOT, []
    for match in PATH.finditer(line):
        name = match["bare"] or match["rooted"].rstrip(".")
        path = (ROOT if match["rooted"] or (ROOT / name).exists() else folder) / name
        folder = path if path.is_dir() else path.parent
        found.append(path)
    return found


@pytest.mark.parametrize("page", [PAGE, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_every_path_is_there(page):
    named = [path for line in page.read_text().splitlines() for path in paths(line) if not INVENTED.search(path.name)]
    missing = {str(path.relative_to(ROOT)) for path in named if not any(path.parent.glob(path.name))}
    assert named
    assert missing == set()


def test_paths_are_found():
    line = "`vpo/opt`: `state.py`, `PHASES` of `vpo/opt/driver.py`; `setup.py`, `ease/model` (`results.py`), [x.md](x.md)"
    names = ["vpo/opt", "vpo/opt/state.py", "vpo/opt/driver.py", "setup.py", "ease/model", "ease/model/results.py"]
    assert paths(line) == [ROOT / name for name in names]
    assert paths("`vpo/nowhere`: `state.py`") == [ROOT / "vpo/nowhere", ROOT / "vpo/state.py"]


def test_every_module_is_there():
    """So are names in modules, such as `vpo.rtl.tie`."""
    modules = set(MODULE.findall(PAGE.read_text()))
    assert modules
    for name in modules:
        pkgutil.resolve_name(name)


def test_the_map_has_every_folder():
    map_ = PAGE.read_text().split("## Where things are")[1].split("```")[1]
    folders = {str(path.parent.relative_to(ROOT)) for package in PACKAGES for path in (ROOT / package).glob("*/__init__.py")}
    assert {str(path.relative_to(ROOT)) for line in map_.splitlines() for path in paths(line) if path.is_dir()} == folders


def test_the_table_is_short():
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    assert len(rows) <= ROWS + 1  # its head
    assert max(map(len, rows)) <= WIDTH
