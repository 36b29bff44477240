"""What is measured: the samples on their long inputs, and the kernels."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ease.host.process.job import RunOptions
from vpo.build.compiler import Compiler
from vpo.program import Program

ROOT = Path(__file__).parents[1]
INDEXES = {"samples": ROOT / "samples" / "samples.json", "kernels": ROOT / "benchmarks" / "kernels" / "kernels.json"}
QUICK = ("queens", "fft", "words")  # to try things out


@dataclass(frozen=True, slots=True)
class Subject:
    """A program, compiled, and its long run.  `arguments` begin with its name."""

    name: str
    source: Path
    arguments: list[str]
    stdin: bytes
    program: Program

    def options(self, tier: str = "full", **more: Any) -> RunOptions:
        """How it is run, its code as fast as it gets; the folders of files are those that arguments name."""
        folders = sorted({str(Path(word).parent) for word in self.arguments[1:] if Path(word).is_absolute()})
        return RunOptions(self.stdin, capture=True, roots=folders, tier=tier, **more)


def entries() -> dict[str, tuple[Path, dict[str, Any]]]:
    """Return the source and the long run of every program by name."""
    return {
        name: (path.parent / f"{name}.c", entry["bench"])
        for path in INDEXES.values()
        for name, entry in json.loads(path.read_text()).items()
    }


def chosen(names: Sequence[str]) -> list[str]:
    """Return the names of programs; 'samples' and 'kernels' stand for all of them.

    Raises KeyError with a name that is none.
    """
    known = entries()
    found = [entry for name in names for entry in (json.loads(INDEXES[name].read_text()) if name in INDEXES else [name])]
    for name in found:
        if name not in known:
            raise KeyError(name)
    return list(dict.fromkeys(found))


def subject(name: str, compiler: Compiler, inputs: Callable[[], Path]) -> Subject:
    """Compile a program; `inputs` is asked for the folder of the files of `make_inputs` if there is need."""
    source, bench = entries()[name]

    def placed(word: str) -> str:
        return word.replace("{inputs}", str(inputs())) if "{inputs}" in word else word

    words = [placed(word) for word in bench["args"]]
    given = bench.get("stdin")
    stdin = Path(placed(given)).read_bytes() if given else b""
    return Subject(name, source, [name, *words], stdin, compiler.program([str(source)]))
