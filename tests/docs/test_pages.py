"""The pages of docs/: their commands work, their links lead somewhere, the reference is what the commands say."""

import operator
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ease.base.version import VERSION
from ease.commands.compile.command_line import parse
from ease.commands.help_text import reference
from ease.reports import REPORTS
from tests.docs import blocks
from tests.docs.setting import Setting
from tests.kept_machines import load
from vpo.machines.advice.doubts import doubts

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
DEAR = {  # with outputs that are compared in thorough runs only: pages, and how these commands begin
    "caches": "easecc -O2 -cache sweep+D+size:1k-4k+line:16+ways:2,full -",
    "papers": "ease reproduce",
    "gallery": ("ease dossier", "ease reproduce"),
    "machines": "ease machine check riscv32 --set '",
    "new-machine": "ease machine check",
    "not-used": "easecc",
    "store": "ease compare",
    "studies": "ease experiment",
    "sweeps": "ease sweep",
}
NAME = operator.attrgetter("stem")
MISSING = re.compile(r"is not installed|not found")
BLESS = "write it anew: python -m tests.docs.blocks --bless docs/{}"


def commands(page):
    """Return the commands of a page: lines of their own that begin with one."""
    return [line.strip() for line in page.read_text().splitlines() if re.match(r"    (ease|easecc) ", line)]


def steps(page):
    """Return the commands of a page."""
    return [part for part in blocks.parts(page.read_text()) if isinstance(part, blocks.Step)]


def is_cheap(page, step):
    return page.stem not in DEAR or not step.command.startswith(DEAR[page.stem])


def check(page, folder, wanted):
    """Run wanted commands of a page in its order: each works, and prints what the page shows of it."""
    for step, status, printed in blocks.walk(page, Setting(page, folder), wanted):
        place = f"{page.name}:{step.line + 1}: {step.command}"
        if step.shown is None:
            assert status == 0, "\n".join((place, *printed))
        elif status and MISSING.search("\n".join(printed)) and not os.environ.get("EASE_REQUIRE_TOOLS"):
            continue
        else:
            wrong = blocks.differs(step.shown, printed)
            assert not wrong, "\n".join((place, "is said to print", wrong, "prints", *printed, "", BLESS.format(page.name)))


SHOWING = [page for page in blocks.PAGES if any(blocks.shows(step) and is_cheap(page, step) for step in steps(page))]


@pytest.mark.parametrize("page", SHOWING, ids=NAME)
def test_commands_print_what_pages_show(own_cache, tmp_path, page):
    check(page, tmp_path, lambda step: blocks.shows(step) and is_cheap(page, step))


@pytest.mark.thorough
@pytest.mark.parametrize("page", [page for page in blocks.PAGES if steps(page)], ids=NAME)
def test_commands_work(own_cache, tmp_path, page):
    check(page, tmp_path, lambda step: True)


@pytest.mark.parametrize("page", blocks.PAGES, ids=NAME)
def test_every_block_is_run_or_has_a_language(page):
    """What a page shows as output is run, since a block that is indented and none of commands is an error."""
    assert all(part.language for part in blocks.parts(page.read_text()) if isinstance(part, blocks.File))


ADDED = re.compile(r"latency|\*|/r\[")  # in descriptions whose instructions take long
ADDING = [page for page in blocks.PAGES if ADDED.search(page.read_text()) and "```yaml" in page.read_text()]


@pytest.mark.parametrize("page", ADDING, ids=NAME)
def test_latencies_of_descriptions_are_honest(tmp_path, page):
    """No instruction that a page adds is faster than its slowest part, or what it saves would be made up."""
    for part in blocks.parts(page.read_text()):
        if isinstance(part, blocks.File) and (part.name or "").endswith(".yaml"):
            (tmp_path / part.name).write_text(part.text)
            if ADDED.search(part.text):
                extended = "riscv32+" if part.text.startswith("extension:") else ""
                told = [found.reason for found in doubts(load(f"{extended}{tmp_path / part.name}"))]
                assert not [reason for reason in told if reason.startswith("latency")]


def test_outputs_are_compared_and_written_anew():
    shown = ("...", "total  1,234  5.0", "...", "last 1")
    printed = ["first", "total    999  4.5", "more", "last 2"]
    assert blocks.differs(shown, printed) == "total  1,234  5.0"
    assert blocks.anew(shown, printed) == ["...", "total    999  4.5", "...", "last 2"]
    assert not blocks.differs(tuple(blocks.anew(shown, printed)), printed)
    assert blocks.differs(("first",), printed)
    assert blocks.differs(("...", "first", "last 2"), printed)
    assert blocks.anew(("other",), printed) == printed
    with pytest.raises(ValueError, match="gone"):
        blocks.anew(("...", "gone 1", "..."), printed)
    with pytest.raises(ValueError, match="line 3"):
        list(blocks.parts("Text.\n\n    total 5\n"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_options_of_easecc_are_there(page):
    """The command lines of easecc on all pages are such, whether or not a test runs them."""
    for line in commands(page):
        program, *words = shlex.split(line, comments=True)
        if program == "easecc":
            parse(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_every_page_is_in_the_index():
    index = (DOCS / "index.md").read_text()
    for page in PAGES:
        assert page.name == "index.md" or f"({page.name}" in index, page.name


def test_the_site_is_built_without_warnings(tmp_path):
    """The tool also tells links to headings that are not there; the site loads nothing from elsewhere."""
    pytest.importorskip("zensical")
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(DOCS.parent / "zensical.toml", tmp_path)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    for page in (tmp_path / "build/site").glob("*.html"):
        assert not re.search(r"""(?:<script|<link|<img)[^>]*(?:src|href)=["']https?://""", page.read_text()), page.name


def test_the_site_has_every_page_in_a_menu():
    site = tomllib.loads((DOCS.parent / "zensical.toml").read_text())["project"]
    assert set(re.findall(r"[\w-]+\.md", str(site["nav"]))) == {page.name for page in PAGES}
    assert site["copyright"] == f"ease {VERSION}"


def test_every_report_is_explained():
    text = (DOCS / "counting.md").read_text()
    assert re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE) == list(REPORTS)


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="help looks different in other versions of Python")
def test_the_reference_is_what_commands_say(pytestconfig):
    if pytestconfig.getoption("--bless"):
        (DOCS / "reference.md").write_text(reference())
    assert (DOCS / "reference.md").read_text() == reference(), "docs/reference.md: ease man --markdown docs"
