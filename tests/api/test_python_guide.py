"""The Python of docs/python.md does what it says."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "python.md"


@pytest.fixture(autouse=True)
def _here(own_cache, monkeypatch):
    """Run where the page says."""
    monkeypatch.chdir(ROOT)


def test_the_guide(capsys):
    snippets = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert len(snippets) >= 4
    names = {}
    for snippet in snippets:
        exec(compile(snippet, str(GUIDE), "exec"), names)
    assert "MAC" in capsys.readouterr().out
