"""Programs that depend on options: what csmith is asked for, what is written otherwise, and how both compilers take them."""

import pytest

from tests.fuzz import csmith, oracles
from tests.fuzz.test_csmith import require
from tests.fuzz.trying import Job
from tests.fuzz.variants import VARIANTS
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

PROGRAM = """
#include <stdint.h>
#include <unistd.h>
int8_t a = -1;
uint8_t b = 255;
int main(void) { write(1, a < 0 && b > 0 ? "1 1\\n" : "no\\n", 4 - (a >= 0 || b <= 0)); return 0; }
"""


@pytest.mark.parametrize("name", ["none", "signed-char", "unsigned-char"])
def test_plain_characters_have_the_sign_that_is_asked_for(name, tmp_path):
    """If we did not know the option, one of the machines would print something else."""
    require([missing] if (missing := oracles.missing("little-4")) else [])
    source = tmp_path / "program.c"
    source.write_text(VARIANTS[name].write(PROGRAM))
    assert ("char a" in source.read_text(), "char b" in source.read_text()) == (name == "signed-char", name == "unsigned-char")
    assert oracles.expected([source], "little-4", variant=VARIANTS[name]) == (0, "1 1\n")
    for number, machine in enumerate(("rt", "i386")):
        assert load(machine).model.char_signed == bool(number)
        job = Job([machine], [1], turns=True, variant=VARIANTS[name])
        job.compilers[machine, 1] = Compiler(load(machine), Settings(1))
        assert job.try_program(1 + number, [source]) == {"failures": [], "tried": {f"{machine} -O1": 1}}


def test_arithmetic_that_wraps_is_not_made_safe():
    require([] if csmith.version() else [csmith.CSMITH])
    assert "safe_" not in csmith.generate(7, more=VARIANTS["wrapv"].csmith)
