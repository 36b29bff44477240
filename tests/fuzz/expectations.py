"""Which seeds the tests use and what their programs print: kept in expectations.json, so that testing builds nothing.

    python -m tests.fuzz.expectations 200       # chooses so many seeds and writes the file; needs every compiler

A program is known by its hash; where csmith makes another one from the same seed, the tests ask the other compilers.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tempfile
from pathlib import Path

from tests.fuzz import csmith, oracles
from tests.kept_machines import load
from vpo.machines.names import machine_names

FILE = Path(__file__).with_suffix(".json")


def digest(text: str) -> str:
    """Return what a program is known by."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def sees(text: str) -> str:
    """Return what a program contains of the words by which `oracles.model_of` tells models apart."""
    return " ".join(sorted(set(re.findall(r"\b(?:union|float|double|transparent_crc_bytes)\b", text))))


def models_of(text: str) -> list[str]:
    """Return the models of all machines whose outputs a program's tests need, as far as a compiler has them."""
    models = dict.fromkeys(oracles.model_of(load(name), text) for name in machine_names())
    return [model for model in models if model in oracles.ORACLES]


def choose(count: int) -> dict[str, dict[str, object]]:
    """Return an entry for each of so many seeds: the first ones whose programs end and are not too long."""
    entries: dict[str, dict[str, object]] = {}
    seed = 0
    with tempfile.TemporaryDirectory() as folder:
        while len(entries) < count:
            seed += 1
            text = csmith.generate(seed)
            source = Path(folder) / "program.c"
            source.write_text(text)
            if "float" in text and oracles.is_undefined([source]):
                continue
            outputs = {model: oracles.expected([source], model, seconds=2) for model in models_of(text)}
            if None in outputs.values():
                continue
            entries[str(seed)] = {"digest": digest(text), "sees": sees(text), "outputs": outputs}
    return entries


def main() -> None:
    if missing := [what for model in oracles.ORACLES if (what := oracles.missing(model))]:
        sys.exit("\n".join(f"not installed: {what}" for what in missing))
    entries = choose(int(sys.argv[1]))
    lines = ",\n".join(f"{json.dumps(seed)}: {json.dumps(entry)}" for seed, entry in entries.items())
    FILE.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
