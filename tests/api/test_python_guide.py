"""The Python of docs/python.md and of the tutorial notebook does what they say."""

import ast
import json
import re
from pathlib import Path

import pytest

import ease

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "python.md"
NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"


PROGRAM = """
static int a[20], b[20];
int main(int count, char **words)
{
    int sum = count;
    for (int i = 0; i < 20; i++) {
        a[i] = i * words[1][0];
        b[i] = i;
    }
    for (int i = 0; i < 20; i++)
        sum += a[i] * b[i];
    return sum & 63;
}
"""


@pytest.fixture(autouse=True)
def _here(own_cache, tmp_path, monkeypatch):
    """Run where small programs have the names of samples, whose libraries take long to compile for each machine."""
    (tmp_path / "samples").mkdir()
    for name in ("queens", "matmult"):
        (tmp_path / "samples" / f"{name}.c").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)


def test_the_guide(capsys):
    snippets = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert len(snippets) >= 4
    names = {}
    for snippet in snippets:
        exec(compile(snippet, str(GUIDE), "exec"), names)
    assert "MAC" in capsys.readouterr().out


def test_the_guide_knows_every_name():
    text = GUIDE.read_text()
    unknown = [name for name in ease.__all__ if f"ease.{name}" not in text]
    assert not unknown
    members = [*vars(ease.Program), *vars(ease.Machine), *vars(ease.Run), *vars(ease.Store)]
    assert not [name for name in members if not name.startswith("_") and not re.search(rf"[.`]{name}\b", text)]


def displayed(source, names):
    """Execute a cell, and return what a notebook would display for its last line."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(NOTEBOOK), "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)


@pytest.mark.thorough
def test_the_notebook(capsys):
    notebook = json.loads(NOTEBOOK.read_text())
    assert notebook["nbformat"] == 4
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 6
    names = {}
    shown = [displayed(cell, names) for cell in cells]
    assert sum(hasattr(value, "_repr_html_") and "<table>" in value._repr_html_() for value in shown) >= 4
