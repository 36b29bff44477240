"""What `docs/architecture.md` says about the files of the packages: how long they are, and that names tell them apart."""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("vpo", "ease", "cache_sim")
MOST = 400  # lines of a file
LONGER = {"vpo/opt/combine.py", "vpo/opt/selects.py", "vpo/libc/symbols.py"}  # one purpose each; a table
TWICE = {"causes.py", "history.py"}  # the plain and the fast form of one thing

FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def test_files_are_short():
    long = {str(path.relative_to(ROOT)) for path in FILES if path.read_bytes().count(b"\n") > MOST}
    assert long == LONGER, "split these along their purposes, or say in docs/architecture.md why not"


def test_names_tell_files_apart():
    names = Counter((path.relative_to(ROOT).parts[0], path.name) for path in FILES if path.name != "__init__.py")
    assert {name for (_, name), count in names.items() if count > 1} == TWICE, "two files of a package have one name"


def test_the_documentation_names_the_exceptions():
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert all(f"`{name}`" in text for name in (*LONGER, *(name.removesuffix(".py") for name in TWICE)))
