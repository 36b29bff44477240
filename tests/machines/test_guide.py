"""Every YAML snippet of the pages about descriptions is a description, or loads as an extension of riscv32."""

import re
from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.advice.examples import example
from vpo.machines.read import convention, instructions, load, operands, registers, sections
from vpo.machines.read import convention as windows
from vpo.machines.read import sections as timing
from vpo.machines.read.composition import read

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [(DOCS / name).read_text() for name in ("machines.md", "new-machine.md", "machine-keys.md")]
REFERENCE = PAGES[-1]
SNIPPETS = re.findall(r"```yaml\n(.*?)```", "".join(PAGES), re.DOTALL)
KEYS = {
    *load.TOP_LEVEL, *convention.KEYS, *instructions.KEYS, *operands.KEYS, *sections.TOOLS, *sections.VALUES,
    "sign_extended", "count", "type", "names", "parts", "prefix", "view", "pairs", "stack_pointer", "zero", "low", "signed",
    *windows.WINDOW_KEYS, *timing.TIMING_KEYS, *timing.KINDS, "private", "high_text", "low_text", "into",
    "text", "stack_top", "stack_size", "heap_limit", "page", "char", "sizes", "aligns", "struct_align", "object_align",
}  # fmt: skip


def test_snippets_were_found():
    assert len(SNIPPETS) >= 6
    assert registers.TYPES == ("B", "W", "L", "Q", "F", "D", "C", "G")  # the reference lists them


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_snippet(tmp_path, number):
    snippet = SNIPPETS[number]
    whole = "machine: " in snippet
    path = tmp_path / "guide.yaml"
    extends = "extension: " in snippet
    path.write_text(snippet if whole or extends else f"machine: guide\nextends: riscv32\n{snippet}")
    for other in SNIPPETS:  # one that extends another finds it beside itself
        if named := re.match(r"machine: (\w+)\n", other):
            (tmp_path / f"{named[1]}.yaml").write_text(other)
    machine = load.load(f"riscv32+{path}" if extends else str(path))
    for alternative in machine.recognizer.alternatives:
        if (whole and "extends: " not in snippet) or f"  {alternative.name}" in snippet:
            assert alternative.condition or example(machine, alternative) is not None, alternative.text


@pytest.mark.parametrize("key", sorted(KEYS))
def test_every_key_is_in_the_reference(key):
    assert re.search(rf"\b{key}\b", REFERENCE)


PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>

static int numbers[] = {5, -3, 40000, 7, 0};

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void bye(void) { puts("bye"); }

int main(int count, char **words)
{
    int i;
    double sum = 0;

    atexit(bye);
    qsort(numbers, 5, sizeof *numbers, order);
    for (i = 0; i < 5; i++) {
        printf("%d ", numbers[i]);
        sum += numbers[i] / 8.0f;
    }
    printf("%.3f %s\n", sum, words[count - 1]);
    exit(3);
}
"""


@pytest.mark.thorough
def test_the_whole_machine_runs_c(tmp_path):
    (snippet,) = (snippet for snippet in SNIPPETS if "machine: toy" in snippet)
    (tmp_path / "toy.yaml").write_text(snippet)
    (tmp_path / "program.c").write_text(PROGRAM)
    machine = load.load(str(tmp_path / "toy.yaml"))
    program = Compiler(machine, Settings()).program([str(tmp_path / "program.c")])
    words = ["program", "word"]
    for result in (
        interpret(program, words, capture=True),
        counted_run(program, words, RunOptions(capture=True, tier="fast"))[0],
    ):
        assert (result.fault, result.exit_status) == (None, 3)
        assert result.output == b"-3 0 5 7 40000 5001.125 word\nbye\n"


def test_the_first_snippet_is_the_proposed_machine(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(SNIPPETS[0])
    mine, proposed = (dict(read(name)) for name in (str(path), "proposed"))
    assert {k: v for k, v in mine.items() if k != "machine"} == {k: v for k, v in proposed.items() if k != "machine"}
