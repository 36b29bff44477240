"""The predefined macros that describe types are gcc's, with gcc's values."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.covering import some

OWN = ("__SYS_", "__STDC_NO_THREADS__", "__CONTEXT_SIZE__", "__ease_", "__extension__", "__builtin_offsetof", "__STDC_EMBED_")
DIFFERENT = ("LDBL", "LONG_DOUBLE", "DECIMAL_DIG", "BIGGEST", "EVAL_METHOD", "NORM_MAX")  # the i386 has 80 bits

pytestmark = pytest.mark.tools


def macros(command: list[str], text: str) -> dict[str, str]:
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    pairs = (line.split(maxsplit=2)[1:] for line in result.stdout.splitlines() if line.startswith("#define"))
    return {name: rest[0] if rest else "" for name, *rest in pairs}


@pytest.mark.parametrize("level", some(("-O0", "-O1", "-O2", "-Os"), 2))
def test_macros_of_levels_are_those_of_gcc(level):
    ease = [sys.executable, "-c", "from ease.start import easecc; raise SystemExit(easecc())"]
    names = {"__OPTIMIZE__", "__OPTIMIZE_SIZE__", "__NO_INLINE__"}
    ours, theirs = (macros([*command, level, "-x", "c", "-E", "-dM", "-"], "\n") for command in (ease, ["gcc"]))
    assert names & ours.keys() == names & theirs.keys() != set()


def test_macros_of_types_are_those_of_gcc():
    ease = [sys.executable, "-c", "from ease.start import easecc; raise SystemExit(easecc())", "-m", "riscv32", "-O0"]
    ours = macros([*ease, "-x", "c", "-E", "-dM", "-"], "\n")
    theirs = macros(["gcc", "-m32", "-std=gnu11", "-funsigned-char", "-E", "-dM", "-"], "\n")
    types = {name for name in theirs if name.endswith(("_TYPE__", "_MAX__", "_WIDTH__", "_C(c)")) or "SIZEOF" in name}
    types -= {name for name in types if name.startswith(("__DEC", "__FLT", "__DBL", "__LDBL", "__SIZEOF_FLOAT"))}
    assert sorted(types - ours.keys()) == []
    checks = "".join(
        f"_Static_assert({mine} == ({theirs[name]}), \"{name}\");\n"
        for name, mine in ours.items()
        if name in types and name.endswith(("_MAX__", "_WIDTH__")) and not name.startswith(DIFFERENT)
    )
    assert len(checks.splitlines()) > 50
    subprocess.run(["gcc", "-m32", "-funsigned-char", "-fsyntax-only", "-x", "c", "-"], input=checks, text=True, check=True)
    shared = {name: mine for name, mine in ours.items() if name in theirs and not any(part in name for part in DIFFERENT)}
    sizes = {name: mine for name, mine in shared.items() if "SIZEOF" in name}
    assert sizes == {name: theirs[name] for name in sizes}
    assert not [name for name in ours if name not in theirs and not name.startswith(OWN)]
