"""Runs of one small program, for pages about them, and a browser to look at these."""

import os
import shutil
import subprocess
from dataclasses import replace

import pytest

from ease.run.measure_options import MeasureOptions

PROGRAM = """\
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        switch (i % 4) {
        case 0: sum += even(i); break;
        case 1: sum += 3; break; /* </script> <!-- <script> */
        case 2: sum -= 1; break;
        default: sum ^= i;
        }
    }
    return sum & 1;
}
"""


@pytest.fixture(scope="session", autouse=True)
def _own_cache(own_cache):
    """No test here uses the user's cache."""


@pytest.fixture(scope="session")
def kept_run(_own_cache, tmp_path_factory):
    """A function that measures the program on a machine with a memory system, and a predictor."""
    from cache_sim.parse import load_any
    from ease.model.kept_run import keep
    from ease.model.run_identity import RunIdentity
    from ease.run.measuring import measure
    from vpo.build.compiler import Compiler, Settings
    from vpo.machines.read.load import load

    file = tmp_path_factory.mktemp("pages") / "even.c"
    file.write_text(PROGRAM)

    def run(machine, system="D:256,16,1", timing=False, level=1):
        program = Compiler(load(machine, []), Settings(level=level)).program([str(file)])
        measured = measure(program, ["even"], MeasureOptions(load_any(system), "btfn", timing))
        identity = RunIdentity(("easecc", "even.c"), (str(file),), (), machine, (), "1", "0")
        return keep(replace(measured, identity=identity), program, f"machine: {machine}")

    return run


@pytest.fixture(scope="session")
def kept(kept_run):
    """Runs on two machines, with a cache."""
    return [kept_run("riscv32"), kept_run("m68020")]


@pytest.fixture
def browser(tmp_path):
    """A function that returns what a page has become in a browser, its script included."""
    name = next(filter(shutil.which, ("chromium", "chromium-browser", "google-chrome")), None)
    if name is None and os.environ.get("EASE_REQUIRE_TOOLS") == "1":
        pytest.fail("needs chromium")
    if name is None:
        pytest.skip("needs chromium")

    def rendered(text):
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        words = [name, "--headless", "--no-sandbox", "--disable-gpu", profile, "--dump-dom", "--enable-logging=stderr"]
        outcome = subprocess.run([*words, f"file://{file}"], capture_output=True, text=True, timeout=120, check=True)
        assert "CONSOLE" not in outcome.stderr, outcome.stderr
        return outcome.stdout

    return rendered
