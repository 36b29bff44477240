"""Driving the commands: in this process where that shows the same, as real processes where it does not."""

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def result(self):
        return self.status, self.out, self.err


@pytest.fixture(scope="session", autouse=True)
def _interrupts():
    """Let commands be interrupted, though a shell that runs the tests in the background ignores interrupts for them."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working directory; call it with names and texts to fill it."""
    monkeypatch.chdir(tmp_path)

    def fill(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.c").write_text(text)
        return tmp_path

    return fill


@pytest.fixture
def easecc(folder, capfd):
    """Run `easecc` in this process."""
    from ease.commands.easecc import main

    def run(*words):
        capfd.readouterr()
        status = main([str(word) for word in words])
        sys.stdout.flush()
        return Outcome(status, *capfd.readouterr())

    return run


def script(name):
    """Find an installed command."""
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    assert found, f"{name} is not installed beside {sys.executable}"
    return found


@pytest.fixture
def process(folder):
    """Run a command as a process of its own."""

    def run(name, *words, stdin=b"", environment=None, **options):
        result = subprocess.run(
            [script(name), *map(str, words)],
            input=stdin,
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            timeout=120,
            check=False,
            env={**os.environ, **(environment or {})},
            **options,
        )
        return Outcome(result.returncode, (result.stdout or b"").decode(), result.stderr.decode())

    return run


@pytest.fixture
def start(folder):
    """Start a command in a process group of its own, as a shell would."""
    started = []

    def run(name, *words, **options):
        child = subprocess.Popen(
            [script(name), *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            start_new_session=True,
            **options,
        )
        started.append(child)
        return child

    yield run
    for child in started:
        if child.poll() is None:
            child.kill()
        child.communicate()
