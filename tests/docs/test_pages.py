"""The pages of docs/: their commands work, their links lead somewhere, the reference is what the commands say."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ease.commands.command_line import parse
from ease.commands.ease_command import main as ease
from ease.commands.easecc import main as easecc
from ease.commands.help_text import reference
from ease.reports import REPORTS

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
PROGRAM = """
static int a[20], b[20];
int main(int count, char **words)
{
    int sum = count;
    for (int i = 0; i < 20; i++) {
        a[i] = i * words[count - 1][0];
        b[i] = i;
    }
    for (int i = 0; i < 20; i++)
        sum += a[i] * b[i];
    return sum * 0;
}
"""


def commands(page):
    """Return the commands of a page: lines of their own that begin with one."""
    return [line.strip() for line in page.read_text().splitlines() if re.match(r"    (ease|easecc) ", line)]


def run(line):
    """Run a command of a page, without the comment behind it; returns the exit status."""
    program, *words = shlex.split(line.replace(" FUNCTION ", " main "), comments=True)
    return (ease if program == "ease" else easecc)(words)


@pytest.mark.parametrize("name", ["pages", "store"])
def test_commands_about_kept_runs(own_cache, tmp_path, monkeypatch, capfd, name):
    """Each command of a page works where two runs of a program are kept, and two descriptions lie."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samples").mkdir()
    for file in ("prog.c", "samples/matmult.c"):
        (tmp_path / file).write_text(PROGRAM)
    for name_of, like in (("base", "riscv32"), ("proposed", "proposed")):
        (tmp_path / f"{name_of}.yaml").write_text(f"machine: {name_of}\nextends: {like}\n")
        assert easecc(["-m", f"{name_of}.yaml", "-save", "prog.c"]) == 0
    for line in commands(DOCS / f"{name}.md"):
        assert run(line) == 0, f"{line}\n{capfd.readouterr().err}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_options_of_easecc_are_there(page):
    """The command lines of easecc on all pages are such, whether or not a test runs them."""
    for line in commands(page):
        program, *words = shlex.split(line, comments=True)
        if program == "easecc":
            parse(words)


@pytest.mark.parametrize("name", ["tutorial", "howto"])
def test_commands(own_cache, tmp_path, monkeypatch, capfd, name):
    """Each command of a page does what it is for, one after the other; small programs have the names of the samples."""
    monkeypatch.chdir(tmp_path)
    page = DOCS / f"{name}.md"
    samples = tmp_path / "samples"
    if "ease samples" not in commands(page):
        samples.mkdir()
    machines = dict.fromkeys(re.findall(r"```yaml\n(machine: mac\n.*?)```", page.read_text(), re.DOTALL))
    found = commands(page)
    assert len(found) > 10
    for line in found:
        for sample in ("queens", "matmult") if samples.exists() else ():
            (samples / f"{sample}.c").write_text(PROGRAM)
        assert run(line) == 0, f"{line}\n{capfd.readouterr().err}"
        if line.startswith("ease machine new mac"):
            (tmp_path / "mac.yaml").write_text(next(iter(machines)))
    for file in re.findall(r"-(?:o|report) (\S+)", "\n".join(found)):
        assert (tmp_path / file).stat().st_size > 100, file


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_every_page_is_in_the_index():
    index = (DOCS / "index.md").read_text()
    for page in PAGES:
        assert page.name == "index.md" or f"({page.name}" in index, page.name


def test_the_site_is_built_without_warnings(tmp_path):
    """The tool also tells links to headings that are not there, and pages that no menu has."""
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", DOCS.parent / "mkdocs.yml"]
    result = subprocess.run([*command, "--site-dir", tmp_path / "site"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    for page in (tmp_path / "site").glob("*.html"):
        assert not re.search(r"""(?:<script|<link|<img)[^>]*(?:src|href)=["']https?://""", page.read_text()), page.name


def test_every_report_is_explained():
    text = (DOCS / "counting.md").read_text()
    assert re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE) == list(REPORTS)


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="help looks different in other versions of Python")
def test_the_reference_is_what_commands_say(pytestconfig):
    if pytestconfig.getoption("--bless"):
        (DOCS / "reference.md").write_text(reference())
    assert (DOCS / "reference.md").read_text() == reference(), "docs/reference.md: ease man --markdown docs"
