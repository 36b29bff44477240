"""The page as files that any web server can offer: Python runs in the browser, compiled to WebAssembly (pyodide).

What is slow is done when the files are made.  The examples are answered here: the page has the answers, the browser gets what
the compiler kept on disk.  Node imports the packages and answers the first example again: the browser gets the memory of
Python as it is then.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from importlib.resources import files as folder_of
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml

import ease
from ease.lab.play.answers import answer
from ease.lab.play.server import FOLDER, page

PACKAGES = ("vpo", "ease", "cache_sim", "machine_descriptions", "lark", "yaml", "jinja2", "markupsafe")
LEFT_OUT = {"__pycache__", "samples"}  # folders
COMPILED = (".pyc", ".so", ".pyd")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
OWN = ("worker.js", "python.mjs")


def write(folder: Path, pyodide: Path, machines: Sequence[str], first: str, node: str = "node") -> None:
    """Write the page and all that it needs into a folder; `pyodide` is the folder of npm's package.

    Raises Error.
    """
    missing = [name for name in PYODIDE if not (pyodide / name).is_file()]
    if missing:
        raise ease.Error(f"{pyodide}: no {missing[0]} (`npm install pyodide` makes node_modules/pyodide)")
    examples = yaml.safe_load(FOLDER.joinpath("examples.yaml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="ease-play-") as place:
        made = Path(place)
        answers = _answers(examples, made)
        files = packed([*_files(), *_kept(made / "cache")])
        question, here = next(iter(examples.items()))
        there = _in_node([node, FOLDER / "build.mjs", pyodide.absolute()], made, files, here)
        if there != answers[question]:
            raise ease.Error(f"Python in WebAssembly has another answer to '{question}'")
        (folder / "pyodide").mkdir(parents=True, exist_ok=True)
        for name in PYODIDE:
            shutil.copyfile(pyodide / name, folder / "pyodide" / name)
        for name in OWN:
            shutil.copyfile(FOLDER / name, folder / name)
        (folder / "files.gz").write_bytes(gzip.compress(files, 9, mtime=0))
        shutil.copyfile(made / "memory.gz", folder / "memory.gz")
    (folder / "index.html").write_text(page(machines, first, answers), encoding="utf-8")


def _answers(questions: Mapping[str, Any], made: Path) -> dict[str, Any]:
    """Answer questions by name, with a cache of their own in a folder."""
    (made / "work").mkdir()
    with patch.dict(os.environ, EASE_CACHE=str(made / "cache")), chdir(made / "work"):
        return {name: json.loads(json.dumps(answer(question))) for name, question in questions.items()}


def packed(files: Sequence[tuple[str, bytes]]) -> bytes:
    """Return a tar archive of files, in which nothing says when or by whom."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, data in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return content.getvalue()


def _files() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the packages, but for compiled ones."""
    for package in PACKAGES:
        root = Path(str(folder_of(package)))
        for path in sorted(root.rglob("*")):
            inner = path.relative_to(root)
            if path.is_file() and not LEFT_OUT.intersection(inner.parts) and not path.name.endswith(COMPILED):
                yield f"site/{package}/{inner.as_posix()}", path.read_bytes()


def _kept(cache: Path) -> Iterator[tuple[str, bytes]]:
    """Yield what the compiler kept in a cache."""
    for path in sorted((cache / "entries").rglob("*")):
        if path.is_file():
            yield f"cache/{path.relative_to(cache).as_posix()}", path.read_bytes()


def _in_node(words: Sequence[str | Path], made: Path, files: bytes, question: Mapping[str, Any]) -> Any:
    """Have Node answer a question, and write its memory to a folder.

    Raises Error.
    """
    (made / "files.tar").write_bytes(files)
    (made / "question.json").write_text(json.dumps(question), encoding="utf-8")
    command = [*words, made / "files.tar", made / "question.json", made / "memory.gz"]
    try:
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as problem:
        raise ease.Error(f"{words[0]}: {problem.strerror}") from None
    if outcome.returncode:
        raise ease.Error(f"{words[0]}: {outcome.stderr.strip() or outcome.returncode}")
    return json.loads(outcome.stdout)
