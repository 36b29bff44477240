"""Which seeds the tests use and what their programs print: kept in expectations.json, so that testing builds nothing.

    python -m tests.fuzz.expectations 200       # chooses so many seeds and writes the file; needs every compiler

A program is known by its hash; where csmith makes another one from the same seed, the tests ask the other compilers.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from pathlib import Path

from tests.fuzz import programs

FILE = Path(__file__).with_suffix(".json")
LENGTHS = range(1500, 8000)  # of programs worth the time


def digest(text: str) -> str:
    """Return what a program is known by."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def models_of(text: str) -> list[str]:
    """Return the models whose outputs a program's tests need."""
    return list(dict.fromkeys(programs.model_for(text, big, align) for big, align in ((False, 4), (True, 4), (True, 2))))


def choose(count: int) -> dict[str, dict[str, object]]:
    """Return an entry for each of so many seeds: the first ones whose programs end and are not too long."""
    entries: dict[str, dict[str, object]] = {}
    seed = 0
    with tempfile.TemporaryDirectory() as folder:
        while len(entries) < count:
            seed += 1
            text = programs.generate(seed)
            if len(text) not in LENGTHS:
                continue
            source = Path(folder) / "program.c"
            source.write_text(text)
            outputs = {model: programs.expected(source, model, seconds=2) for model in models_of(text)}
            if None in outputs.values():
                continue
            entries[str(seed)] = {"digest": digest(text), "outputs": outputs}
    return entries


def main() -> None:
    if missing := [what for model in programs.ORACLES if (what := programs.missing(model))]:
        sys.exit("\n".join(f"not installed: {what}" for what in missing))
    entries = choose(int(sys.argv[1]))
    lines = ",\n".join(f"{json.dumps(seed)}: {json.dumps(entry)}" for seed, entry in entries.items())
    FILE.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
