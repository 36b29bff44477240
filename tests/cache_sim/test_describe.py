"""Memory systems in words and numbers."""

import pytest

from cache_sim.config import Cache
from cache_sim.describe import bits_of, describe
from cache_sim.parse import load
from cache_sim.yaml_form import parse_yaml


@pytest.mark.parametrize(
    ("role", "cache", "parts", "stored"),
    [
        ("I", Cache("I", 1024, 16), (4, 6, 22), (8192, 64 * 22, 64, 0)),
        ("D", Cache("D", 8192, 16, 4), (4, 7, 21), (65536, 512 * 21, 1024, 128 * 5)),  # 4! orders take 5 bits
        ("D", Cache("D", 8192, 16, 4, "fifo", "through"), (4, 7, 21), (65536, 512 * 21, 512, 128 * 2)),
        ("U", Cache("U", 512, 8, 64, "plru"), (3, 0, 29), (4096, 64 * 29, 128, 63)),
        ("DTLB", Cache("DTLB", 32 * 4096, 4096, 2, "random"), (12, 4, 16), (0, 32 * 16, 32, 0)),
    ],
)
def test_bits(role, cache, parts, stored):
    bits = bits_of(cache, role)
    assert (bits.offset, bits.index, bits.tag) == parts
    assert (bits.data, bits.tags, bits.state, bits.order) == stored
    assert bits.total == sum(stored)


def test_both_forms_stand_in_the_description():
    text = "I:1k,16,1+D:8k,16,4,fifo,through,noallocate,prefetch+L2:64k,32,8+DTLB:32x4k,2+switch:10000+causes"
    described = describe(load(text))
    assert f"\n  {text}\n" in described
    assert parse_yaml(described.split("YAML\n")[1], "described") == load(text)
    for word in ("direct-mapped", "a miss also brings in the next line", "brings nothing in", "every 10,000 units of work"):
        assert word in described


def test_a_cache_of_another_name_has_no_short_form():
    described = describe(parse_yaml("data: {size: 1k, line: 16, ways: full, name: X}", "file"))
    assert "X: data cache, 1k bytes, lines of 16 bytes, fully associative" in described
    assert "short form\n  none (" in described
