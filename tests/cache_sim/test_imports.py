"""Each module of traces can be the first that is imported."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["cache_sim.traces.trace_file", "cache_sim.traces.formats", "ease.traces.traced_run"])
def test_no_module_needs_another_to_be_imported_before(module):
    subprocess.run([sys.executable, "-c", f"import {module}"], timeout=120, check=True)
