"""The wheel, installed somewhere else, works from an empty folder and has everything with it."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("ease", "vpo", "cache_sim", "machine_descriptions")
SAMPLES = "samples"  # under `ease` in the wheel


def run(*command, **options):
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300, check=False, **options)
    assert result.returncode == 0, f"{command}: {result.stdout}{result.stderr}"
    return result


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy, with what is installed here."""
    pytest.importorskip("setuptools")
    place = tmp_path_factory.mktemp("wheel")
    names = run("git", "ls-files", *PACKAGES, SAMPLES, "pyproject.toml", "setup.py", "README.md", cwd=ROOT).stdout.split()
    for name in names:
        (place / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        (place / "source" / name).write_bytes((ROOT / name).read_bytes())
    build = "from setuptools.build_meta import build_wheel; build_wheel('..')"
    run(sys.executable, "-c", build, cwd=place / "source", env={**os.environ, "EASE_NATIVE": "0"})
    (path,) = place.glob("*.whl")
    packed = [name for name in names if name.startswith(PACKAGES) and not name.endswith("README.md")]
    return path, {*packed, *(name for name in names if name.startswith(SAMPLES))}


def test_the_wheel_is_the_tree_that_is_tested(wheel):
    path, files = wheel
    archive = zipfile.ZipFile(path)
    packed = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == {f"ease/{name}" if name.startswith(SAMPLES) else name: (ROOT / name).read_bytes() for name in files}


def test_installed_wheel_runs_in_an_empty_folder(wheel, tmp_path, monkeypatch):
    path, _ = wheel
    home = tmp_path / "venv"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip())
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--no-compile", "--quiet", path)
    # what the project depends on, but not the project: that is installed here by a finder in a .pth, which is not read
    (site / "zz_dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "hello.c").write_text('#include <stdio.h>\nint main(void) { puts("3.143"); return 5; }\n')
    environment = {**os.environ}
    for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    where = "import vpo, cache_sim, machine_descriptions as m; print(vpo.__file__, cache_sim.__file__, m.__file__)"
    for file in run(python, "-c", where, cwd=empty, env=environment).stdout.split():
        assert Path(file).is_relative_to(site)
    result = subprocess.run(
        [home / "bin" / "easecc", "-measure", "hello.c"],
        cwd=empty,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (5, "3.143\n"), result.stderr
    assert result.stderr.startswith("machine riscv32, -O1, ")
    assert "riscv32" in run(home / "bin" / "ease", "machine", "list", cwd=empty, env=environment).stdout
    trace = run(home / "bin" / "cache-sim", "D:64,16,1", "-", cwd=empty, env=environment, input="0 10\n").stdout
    assert trace.startswith("cache  accesses  misses")
    assert [p.name for p in empty.iterdir()] == ["hello.c"]
    started = {"cwd": empty, "env": environment}
    assert "queens.c" in run(home / "bin" / "ease", "samples", **started).stdout
    tools = ["-tool", "instruction_mix", "-tool", "cache", "-save"]
    run(home / "bin" / "easecc", *tools, "samples/queens.c", "--", "4", **started)
    assert "Data cache" in run(home / "bin" / "ease", "report", "-1", "-show", "tools", **started).stdout
    run(home / "bin" / "ease", "page", "-1", "-o", "page.html", **started)
    again = subprocess.run([home / "bin" / "ease", "samples"], **started, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr) == (1, "ease samples: samples: is there already; name another folder\n")
