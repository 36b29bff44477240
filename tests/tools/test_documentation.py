"""The tutorial's tools and commands do what the page says."""

import re
import shlex
from pathlib import Path

from ease.commands.easecc import main as easecc
from ease.tools.tool_file import supplied

PAGE = (Path(__file__).parents[2] / "docs" / "tools.md").read_text()
PROGRAM = """
static int a[20], b[20];
int main(int count, char **words)
{
    int sum = count;
    for (int i = 0; i < 20; i++) {
        a[i] = i * words[count - 1][0];
        b[i] = i;
    }
    for (int i = 0; i < 20; i++)
        sum += a[i] * b[i];
    return sum < 0;
}
"""


def test_the_tutorial(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prog.c").write_text(PROGRAM)
    for name, text in zip(("calls", "zeros", "pages"), re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL), strict=True):
        (tmp_path / f"{name}.py").write_text(text)
    shown, printed = {}, {}
    for line in re.findall(r"^    (easecc .*)", PAGE, re.MULTILINE):
        assert easecc(shlex.split(line)[1:]) == 0, line
        printed[line], shown[line] = capfd.readouterr()
    assert re.search(r"^calls +1$", shown["easecc -tool calls.py prog.c"], re.MULTILINE)
    assert re.search(r"^prog.c +11 +20 +1$", shown["easecc -tool zeros.py prog.c"], re.MULTILINE)
    assert re.fullmatch(r"[2-9] pages\n", printed["easecc -tool pages.py prog.c"])
    assert "Loads of zero" in (tmp_path / "zeros.json").read_text()
    assert re.search(r"^main .*\n", shown["easecc -region main prog.c"], re.MULTILINE)


def test_every_supplied_tool_is_named():
    assert set(supplied()) <= {*re.findall(r"-tool (\w+)", PAGE), *re.findall(r"`(\w+)`", PAGE)}
