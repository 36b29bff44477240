"""What all tests share."""

import gc
import os
from pathlib import Path

import pytest

from ease.host.process import process
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

gc.set_threshold(100_000)  # as in the commands: most of what the compiler makes lives on


def pytest_addoption(parser):
    parser.addoption("--bless", action="store_true", help="rewrite expected outputs from what is printed now")
    parser.addoption("--processor-times", metavar="FILE", type=Path, help="add to a file what each test cost, in seconds")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    """Note what a test cost, with its fixtures and the processes that it waited for.

    Runs that a server forks are the server's: what they cost is not noted.
    """
    before = sum(os.times()[:4])
    yield
    if file := item.config.getoption("--processor-times"):
        with file.open("a") as out:
            out.write(f"{sum(os.times()[:4]) - before:8.2f} {item.nodeid}\n")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory, worker_id):
    """Keep compiled code out of the user's cache, unless $EASE_CACHE names one; parallel workers share it."""
    base = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        if not os.environ.get("EASE_CACHE"):
            patch.setenv("EASE_CACHE", str((base if worker_id == "master" else base.parent) / "cache"))
        yield


OPTIMISED = {"host", "programs", "samples"}  # folders of tests that see what all of LLVM's passes do to host code
AS_FOR_USERS = process.tier_of


@pytest.hookimpl(tryfirst=True)  # before fixtures
def pytest_runtest_setup(item):
    """Have LLVM do as much to host code as for programs that ran long, where tests are about host code."""
    optimised = OPTIMISED.intersection(item.path.parts)
    process.tier_of = (lambda *_: "balanced") if optimised and item.path.stem != "test_tiers" else AS_FOR_USERS


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """A function that compiles a text for a machine at a level, once."""
    made = {}

    def compile_(text, machine, level=1):
        if (text, machine, level) not in made:
            source = tmp_path_factory.mktemp("programs") / "program.c"
            source.write_text(text)
            made[text, machine, level] = Compiler(load(machine), Settings(level=level)).program([str(source)])
        return made[text, machine, level]

    return compile_
