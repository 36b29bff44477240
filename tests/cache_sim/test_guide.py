"""What docs/caches.md shows is so."""

import doctest
import re
from dataclasses import fields
from pathlib import Path

from cache_sim import policies
from cache_sim.parse import load
from cache_sim.results import CacheResults, Results
from cache_sim.yaml_form import parse_yaml

GUIDE = Path(__file__).parents[2] / "docs" / "caches.md"
TEXT = GUIDE.read_text()


def test_sessions():
    try:
        result = doctest.testfile(str(GUIDE), module_relative=False)
    finally:
        policies._makers.pop("most_recent", None)
    assert result.failed == 0
    assert result.attempted > 15


def test_configurations():
    (yaml,) = re.findall(r"^```yaml\n(instruction: .*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    system = parse_yaml(yaml, "guide")
    assert all(getattr(system, field.name) for field in fields(system))
    shown = re.findall(r"(?<=\s)(?:I|D|U):\d\S+", TEXT)
    assert len(shown) >= 2
    for text in shown:
        load(text)


def test_every_result_is_explained():
    for field in [*fields(Results), *fields(CacheResults)]:
        assert field.name in TEXT
