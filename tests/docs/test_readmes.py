"""Each folder with modules has a README that names its modules, all of them and no others, and is read in a minute."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("vpo", "ease", "cache_sim")
LINES, WIDTH = 45, 130  # at most
PATH = re.compile(r"`([\w/]+\.py)`")
HEAD = re.compile(r"^[-*] (`[^:]*):", re.MULTILINE)  # of a line of the list: modules (with .py or without) or folders


def modules(folder):
    """Return the names of the modules of a folder, without that of the package itself."""
    return {path.name for path in folder.glob("*.py")} - {"__init__.py"}


def named(text):
    """Return the files that a README names: paths anywhere, and what the lines of its list are about."""
    return set(PATH.findall(text)) | {f"{name}.py" for head in HEAD.findall(text) for name in re.findall(r"`(\w+)`", head)}


def exists(folder, name):
    """Return whether a named file, or the folder of that name, is in a folder, or where its path from the root says."""
    return any((base / path).exists() for base in (folder, ROOT) for path in (name, name.removesuffix(".py")))


FOLDERS = [
    folder
    for package in PACKAGES
    for folder in (ROOT / package, *sorted((ROOT / package).rglob("*/")))
    if modules(folder) or folder.parent == ROOT
]


@pytest.fixture(params=FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def folder(request):
    return request.param


@pytest.fixture
def text(folder):
    readme = folder / "README.md"
    assert readme.exists(), "say what comes in, what goes out, the one rule, and the files in reading order"
    return readme.read_text()


def test_every_module_is_named(folder, text):
    assert modules(folder) - named(text) == set(), "give each a line, where a reader comes to it"


def test_every_named_module_exists(folder, text):
    missing = [name for name in named(text) if not exists(folder, name)]
    assert missing == [], "these have gone: a module is named as it is in its folder, or by its path from the root"


def test_a_readme_is_short(text):
    lines = text.splitlines()
    assert len(lines) <= LINES
    assert [line for line in lines if len(line) > WIDTH] == []
