"""-profile: a report of an earlier run guides the compiler; it changes how programs are compiled, not what they do."""

import json
import subprocess
import sys

import pytest

from ease.commands.compile.command import read_profile
from vpo.build.compiler import UserError

PROGRAM = """
static int often(int x)
{
    int y = ((x * 3 + 1) ^ (x >> 2)) + (x & 7) * (x | 5) - (x ^ 99) + (x << 1) + x % 7 + (x & 3) * x;
    y ^= (y >> 3) * 5 + (y & 255) * x;
    return y + (y % 11) * (x ^ 3);
}
__attribute__((noinline)) int step(int n, int sum)
{
    if (n % 1000 == 777)
        return often(sum) + often(sum + 1);
    return sum + often(n);
}
int main(void)
{
    int n = 500, sum = 0;
    while (n-- > 0)
        sum = step(n, sum);
    return sum & 127;
}
"""


def easecc(folder, *words):
    command = [sys.executable, "-m", "ease.commands.easecc", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.fixture
def program(tmp_path):
    (tmp_path / "p.c").write_text(PROGRAM)
    return tmp_path


def test_a_profile_guides_inlining(program):
    first = easecc(program, "-O1", "-report", "o1.json", "p.c")
    plain = easecc(program, "-O2", "-inline-limit", "12", "-report", "plain.json", "p.c")
    guided = easecc(program, "-O2", "-inline-limit", "12", "-profile", "o1.json", "-report", "guided.json", "p.c")
    assert guided.returncode == first.returncode == plain.returncode != 0, guided.stderr
    instructions = [json.loads((program / name).read_text())["instructions"] for name in ("plain.json", "guided.json")]
    assert instructions[1]["dynamic"] < instructions[0]["dynamic"]


@pytest.mark.parametrize("text", ["no report", "[1]", '{"lines": 3}', '{"lines": {"p.c": {"x": 1}}}'])
def test_what_is_no_report_is_told(tmp_path, text):
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(UserError, match="error: not a report in JSON"):
        read_profile(tmp_path / "bad.json")


def test_a_profile_that_is_missing(program):
    result = easecc(program, "-profile", "none.json", "-S", "-o", "-", "p.c")
    assert result.returncode == 1
    assert "none.json" in result.stderr
    assert "Traceback" not in result.stderr
