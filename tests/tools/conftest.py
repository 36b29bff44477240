import sys
from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measured_run
from ease.tools.tool_file import Tool

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("interpret", "host"))]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(own_cache):
    """No test here uses the user's cache."""


@pytest.fixture(scope="session")
def measured_with():
    """A function that runs a program with tools, by their names."""

    def run(program, *names, **options):
        wanted = MeasureOptions(tools=[Tool(str(name)) for name in names], **options)
        return measured_run(program, ["program"], wanted, RunOptions(capture=True, tier="quick"))

    return run


@pytest.fixture
def tool_file(tmp_path):
    """A function that writes a tool's file."""

    def write(text, name="tool"):
        file = tmp_path / f"{name}.py"
        file.write_text(text)
        return file

    return write
