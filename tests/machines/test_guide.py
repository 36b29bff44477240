"""Every YAML snippet of docs/machines.md is a description, or loads as an extension of riscv32."""

import re
from pathlib import Path

import pytest

from vpo.machines import convention, instructions, load, operands, registers, sections, timing, windows
from vpo.machines.examples import example

GUIDE = (Path(__file__).parents[2] / "docs" / "machines.md").read_text()
SNIPPETS = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)
KEYS = {
    *load.TOP_LEVEL, *convention.KEYS, *instructions.KEYS, *operands.KEYS, *sections.TOOLS, *sections.VALUES,
    "sign_extended", "count", "type", "names", "parts", "prefix", "view", "pairs", "stack_pointer", "zero", "low", "signed",
    *windows.WINDOW_KEYS, *timing.TIMING_KEYS, *timing.KINDS, "private", "high_text", "low_text", "into",
    "text", "stack_top", "stack_size", "heap_limit", "page", "char", "sizes", "aligns", "struct_align",
}  # fmt: skip


def test_snippets_were_found():
    assert len(SNIPPETS) >= 6
    assert registers.TYPES == ("B", "W", "L", "Q", "F", "D", "C", "G")  # the guide lists them


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_snippet(tmp_path, number):
    snippet = SNIPPETS[number]
    whole = "machine: " in snippet
    path = tmp_path / "guide.yaml"
    path.write_text(snippet if whole else f"machine: guide\nextends: riscv32\n{snippet}")
    machine = load.load(str(path))
    for alternative in machine.options["recognizer"].alternatives:
        if whole or f"  {alternative.name}" in snippet:
            assert alternative.condition or example(machine, alternative) is not None, alternative.text


@pytest.mark.parametrize("key", sorted(KEYS))
def test_every_key_is_in_the_guide(key):
    assert re.search(rf"\b{key}\b", GUIDE)


def test_the_first_snippet_is_the_proposed_machine(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(SNIPPETS[0])
    mine, proposed = (dict(load.load(name).options["source"]) for name in (str(path), "proposed"))
    assert {k: v for k, v in mine.items() if k != "machine"} == {k: v for k, v in proposed.items() if k != "machine"}
