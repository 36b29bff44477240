"""qemu with our plugin misses the same caches as often as the plain simulator, which the interpreter drives."""

import os
from pathlib import Path

import pytest

from benchmarks.emulated import misses
from cache_sim.config import Cache, MemorySystem
from cache_sim.reference import Simulator
from ease.run.verify import ToolMissing, build
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

FOLDER = Path(__file__).parents[2] / "benchmarks" / "kernels"
ARGUMENTS = {"fft": ["6", "2"], "tree": ["150", "300"]}
CACHES = [Cache("direct", 1024, 16), Cache("two ways", 512, 32, 2), Cache("four ways", 2048, 16, 4)]

pytestmark = pytest.mark.tools


@pytest.fixture(params=[("riscv32", "fft"), pytest.param(("riscv64", "tree"), marks=pytest.mark.thorough)], ids=" ".join)
def running(request, tmp_path):
    """Return a program, its executable and its arguments."""
    machine, kernel = request.param
    program = Compiler(load(machine), Settings(level=1)).program([str(FOLDER / f"{kernel}.c")])
    try:
        return program, build(program, tmp_path), [kernel, *ARGUMENTS[kernel]]
    except ToolMissing:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            raise
        pytest.skip("the real tools are not installed")


def test_the_same_misses(running):
    program, executable, arguments = running
    for cache, sides in zip(CACHES, (("instruction",), ("data",), ("instruction", "data")), strict=True):
        system = MemorySystem(**dict.fromkeys(sides, cache))
        simulator = Simulator(system)
        assert interpret(program, arguments, capture=True, observer=simulator).fault is None
        results = simulator.results()
        ours, theirs = results.caches[0].misses, misses(program, executable, arguments, b"", system)
        assert theirs.fetches == results.instructions
        assert (theirs.fetch_misses, theirs.reference_misses) == (ours.fetch, ours.read + ours.write)
