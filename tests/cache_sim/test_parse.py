"""Configurations: what they mean, that printing and parsing are inverse, and what is said of wrong ones."""

from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cache_sim.config import Cache, ConfigurationError, MemorySystem, Switch
from cache_sim.parse import format_short, load, load_any, parse_short
from cache_sim.sweeps import Grid, format_sweep
from cache_sim.yaml_form import format_yaml, parse_yaml
from tests.cache_sim.strategies import systems

UNIFIED, TLB = Cache("U", 1024, 16), Cache("TLB", 32 * 4096, 4096, 32)


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("I:1k,16,1+D:8K,16,4", MemorySystem(Cache("I", 1024, 16), Cache("D", 8192, 16, 4))),
        ("U:1k,16,1", MemorySystem(UNIFIED, UNIFIED)),
        ("D:64,16,full,fifo,through,noallocate,prefetch", MemorySystem(
            data=Cache("D", 64, 16, 4, "fifo", "through", False, "next"))),
        ("D:1m,64,8,plru+L2:1g,64,16,random,back,allocate", MemorySystem(
            data=Cache("D", 1 << 20, 64, 8, "plru"), second=Cache("L2", 1 << 30, 64, 16, "random"))),
        ("ITLB:64x4k,2,fifo+DTLB:8x1k,full", MemorySystem(
            instruction_tlb=Cache("ITLB", 1 << 18, 4096, 2, "fifo"), data_tlb=Cache("DTLB", 8192, 1024, 8))),
        ("TLB:32x4k,full", MemorySystem(instruction_tlb=TLB, data_tlb=TLB)),
        ("U:1k,16,1+switch:10000", MemorySystem(UNIFIED, UNIFIED, switch=Switch(10000))),
        ("switch:50000i+U:1k,16,1+causes", MemorySystem(
            UNIFIED, UNIFIED, switch=Switch(50000, "instructions"), causes=True)),
        ("U:1k,16,1+uncached:0x20000,16k,512,1", MemorySystem(UNIFIED, UNIFIED, uncached=((0x20000, 16384), (512, 1)))),
        ("U:1k,16,1+switch:9,miss=20,hit=2", MemorySystem(UNIFIED, UNIFIED, switch=Switch(9, "work", 2, 20))),
    ],
)  # fmt: skip
def test_short_forms(text, system):
    assert load(text) == system


YAML = """\
# a comment
instruction: {size: 1k, line: 16, ways: 1}
data:
  name: scratch
  size: 8192
  line: 16
  ways: full
  policy: fifo
  write: through
  allocate: false
  prefetch: next
second: {size: 64k, line: 32, ways: 8}
tlb: {entries: 32, page: 4k, ways: full}
switch: {every: 10000, unit: instructions, hit: 2, miss: 20}
causes: true
"""


def test_yaml(tmp_path):
    path = tmp_path / "system.yaml"
    path.write_text(YAML)
    assert load(str(path)) == MemorySystem(
        Cache("I", 1024, 16),
        Cache("scratch", 8192, 16, 512, "fifo", "through", False, "next"),
        Cache("L2", 1 << 16, 32, 8),
        TLB,
        TLB,
        Switch(10000, "instructions", 2, 20),
        True,
    )


@given(systems())
def test_what_is_printed_is_parsed_to_the_same(system):
    assume(system != MemorySystem())
    assert parse_short(format_short(system)) == system
    assert parse_yaml(format_yaml(system), "system.yaml") == system


def test_a_name_of_ones_own_needs_yaml():
    system = MemorySystem(data=Cache("scratch", 64, 16))
    assert parse_yaml(format_yaml(system), "system.yaml") == system
    with pytest.raises(ValueError, match="no short form has a cache named scratch: it is D"):
        format_short(system)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "'': expected one of I, D, U, L2, ITLB, DTLB, TLB, switch"),
        ("I:1k,16,1+", 11, "'': expected one of"),
        ("X:1k,16,1", 1, "'X': expected one of"),
        ("I:1k,16", 3, "expected SIZE,LINE,WAYS as in 8k,16,4"),
        ("I:1x,16,1", 3, "size '1x' is not a size such as 512, 8k or 1m"),
        ("I:010,16,1", 3, "size '010' is not a size"),
        ("I:4096g,16,1", 3, "size 4398046511104 is more than 1024g"),
        (f"I:{'9' * 5000},16,1", 3, "size '999"),
        ("I:1000,16,1", 3, "size 1000 is no multiple of the 16 bytes of a line"),
        ("D:1k,16,1+I:1k,15,1", 16, "a line of 15 bytes is not a power of two"),
        ("I:1k,2,1", 6, "a line of 2 bytes is shorter than 4"),
        ("I:1k,2k,1", 6, "a line of 2048 bytes is larger than the cache (1024 bytes)"),
        ("I:1k,16,three", 9, "ways 'three' is not a decimal number"),
        ("I:1k,16,3", 9, "64 lines by 3 ways are 21.33 sets, which is not a power of two"),
        ("D:48k,64,16", 3, "768 lines by 16 ways are 48 sets, which is not a power of two"),
        ("D:48k,64,12,plru", 10, "'plru' divides ways by two, and 12 is not a power of two"),
        ("I:1k,16,0", 9, "ways 0 is less than 1"),
        ("I:1g,16,1", 3, "67,108,864 lines are more than the 16,777,216 that a cache may have"),
        ("I:1k,16,128", 9, "128 ways are more than the 64 lines there are"),
        ("I:1k,16,1,mru", 11, "'mru' is no option: there are lru, fifo, random, plru, rrip, back, through, "),
        ("I:1k,16,1,lru,fifo", 15, "policy is given twice"),
        ("I:1k,16,1+D:1k,16,1+I:1k,16,1", 21, "there is one for this already: I:1k,16,1"),
        ("U:1k,16,1+D:1k,16,1", 11, "there is one for this already: U:1k,16,1"),
        ("D:1k,32,1+L2:4k,16,1", 11, "the second level cannot have shorter lines than the first (16 bytes, D has 32)"),
        ("switch:100+L2:4k,16,1", 12, "a second level without a first"),
        ("ITLB:4k,1", 6, "expected ENTRIESxPAGE,WAYS and perhaps a policy, as in 32x4k,full,lru"),
        ("ITLB:30x4k,1", 6, "30 lines by 1 ways are 30 sets, which is not a power of two"),
        ("ITLB:24x4k,16", 6, "24 lines by 16 ways are 1.5 sets, which is not a power of two"),
        ("ITLB:32x5k,1", 9, "page 5120 is not a power of two"),
        ("ITLB:32x4k,64", 12, "64 ways are more than the 32 lines there are"),
        ("ITLB:32x4k,1,prefetch", 14, "a TLB has no choice of writing, allocation or prefetching"),
        ("switch:0", 8, "a context switch every 0 units"),
        ("switch:10k", 8, "every '10k' is not a decimal number"),
        ("switch:10,cost=3", 11, "expected hit=NUMBER or miss=NUMBER, each once"),
        ("switch:10,hit=3,miss=2", 22, "a miss (2 units) cannot cost less than a hit (3)"),
        ("causes:yes", 1, "'causes': expected one of"),
    ],
)
def test_wrong_short_forms(text, column, message):
    with pytest.raises(ConfigurationError) as caught:
        load(text)
    first, shown, pointer = str(caught.value).split("\n")
    assert first.startswith(f"column {column}: error: {message}")
    assert (shown, pointer) == (f"    {text}", f"    {' ' * (column - 1)}^")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "1:1", "expected a mapping with some of the keys instruction, data, unified,"),
        ("- a", "1:1", "expected a mapping with the keys"),
        ("data: [1", "1:9", "not YAML: "),
        ("cache: {}", "1:1", "'cache' is none of the keys instruction, data, unified,"),
        ("data: 8k,16,1", "1:7", "expected a mapping with the keys size, line, ways, allocate, name, policy,"),
        ("data: {size: 8k, line: 16}", "1:7", "'ways' is missing"),
        ("data:\n  size: 8k\n  line: 20\n  ways: 1", "3:9", "a line of 20 bytes is not a power of two"),
        ("data: {size: 8k, line: 16, ways: [1]}", "1:34", "expected a word or a number"),
        ("data: {size: 8k, line: 16, ways: 1, size: 4k}", "1:37", "'size' is given twice"),
        ("data: {size: 8k, line: 16, ways: 1, policy: mru}", "1:45", "policy 'mru' is none of lru, fifo, random, plru, rrip"),
        ("data: {size: 8k, line: 16, ways: 1, write: behind}", "1:44", "write 'behind' is none of back, through"),
        ("data: {size: 8k, line: 16, ways: 1, allocate: no}", "1:47", "'no' is neither true nor false"),
        ("tlb: {entries: 32, page: 4000, ways: full}", "1:26", "page 4000 is not a power of two"),
        ("data: {size: 64, line: 32, ways: 1}\nsecond: {size: 64, line: 16, ways: 1}", "2:9", "the second level cannot"),
        ("data: {size: 64, line: 32, ways: 1}\nunified: {size: 64, line: 16, ways: 1}", "2:10",
         "'unified' and another key describe one cache"),
        ("data: {size: 64, line: 32, ways: 1}\ninstruction: {size: 64, line: 16, ways: 1, name: D}", "1:1",
         "two caches named D"),
        ("switch: {every: 10, unit: seconds}", "1:27", "unit 'seconds' is none of work, instructions"),
        ("switch: {unit: work}", "1:9", "'every' is missing"),
        ("causes: 1", "1:9", "'1' is neither true nor false"),
        ("data: &a {size: *a, line: 1, ways: 1}", "1:7", "expected a word or a number"),
        ("[1]: 2", "1:1", "expected a word or a number"),
    ],
)  # fmt: skip
def test_wrong_files(text, place, message, tmp_path):
    path = tmp_path / "system.yaml"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        load(str(path))
    assert str(caught.value).startswith(f"{path}:{place}: error: {message}")


PIECES = [
    "D",
    "L2",
    "TLB",
    "switch",
    "causes",
    *":,+{}[]&*!#|?=\n\t",
    ": ",
    "data",
    "size",
    "1k",
    "16",
    "full",
    "x",
    "hit",
    "- ",
    "²",
    "0",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_whatever_is_written_there_is_no_other_error(text):
    for parse in (parse_short, lambda text: parse_yaml(text, "system.yaml")):
        with suppress(ConfigurationError):
            parse(text)


def test_a_file_that_is_not_text(tmp_path):
    path = tmp_path / "system.yaml"
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(ConfigurationError, match=r"system.yaml:1:1: error: not UTF-8 text"):
        load(str(path))


def test_what_no_text_says_is_wrong_in_python_as_well():
    with pytest.raises(ConfigurationError, match="a TLB has no choice"):
        MemorySystem(data_tlb=Cache("DTLB", 4096, 1024, write="through"))
    with pytest.raises(ConfigurationError, match="a hit cannot cost -1 units"):
        Switch(10, hit=-1)


@pytest.mark.parametrize(
    ("text", "grid"),
    [
        ("sweep", Grid()),
        ("sweep+D+I", Grid()),
        ("sweep+U", Grid(sides=("U",))),
        (
            "sweep+D+size:256-1k+line:64,16+ways:1-4,16+switch:100i",
            Grid((256, 512, 1024), (16, 64), (1, 2, 4, 16), ("D",), 100),
        ),
    ],
)
def test_sweeps(text, grid):
    assert load_any(text) == grid
    assert load_any(format_sweep(grid)) == grid


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("sweep:1k", 1, "what a sweep is of follows a '+', as in sweep+D+size:1k-64k"),
        ("sweep+", 7, "'': expected one of I, D, U, size:, line:, ways:, "),
        ("sweep+L2", 7, "'L2': expected one of"),
        ("sweep+size:", 12, "size '' is not a size such as 512, 8k or 1m"),
        ("sweep+size:1k-3k", 15, "size 3072 is not a power of two"),
        ("sweep+size:1k,3k", 7, "size 3072 makes a power of two of sets with none of the ways"),
        ("sweep+ways:1,12", 7, "12 ways make a power of two of sets in none of the sizes"),
        ("sweep+size:1k,3k+ways:3,full", 7, "size 3072 is not a power of two, as sizes are where ways are full"),
        ("sweep+size:4k-1k", 12, "there is nothing from 4k to 1k"),
        ("sweep+size:1k-32m", 7, "size 33554432 is more than the 16m that a sweep looks for where not all ways are full"),
        ("sweep+size:1k-2048g", 7, "size 2199023255552 is more than 1024g"),
        ("sweep+line:16,x", 15, "line 'x' is not a size"),
        ("sweep+ways:1+ways:2", 14, "there is one for this already: ways:1"),
        ("sweep+ways:64", 7, "64 ways are more than the 32 that a sweep looks for"),
        ("sweep+D+U", 9, "sides D, U: there are I, D, I and D, or U"),
        ("sweep+size:1k+line:2k", 15, "no cache of the sweep has room for lines of 2048 bytes"),
        ("sweep+size:full", 12, "size 'full' is not a size"),
        ("sweep+sample:0.1", 7, "only fully associative caches are found from a sample, and none are asked for"),
        ("sweep+ways:full+sample:2", 24, "expected the share of lines that are in the sample, as in 0.01"),
        ("sweep+ways:full+sample:0.00000001", 17, "a sampling rate of 1e-08 is not between 6e-08 and 1"),
        ("sweep+ways:full+size:1k+line:2k", 25, "no cache of the sweep has room for lines of 2048 bytes"),
        ("sweep+switch:100", 14, "a sweep switches every so many instructions, as in 10000i"),
        ("sweep+switch:0i", 14, "a context switch every 0 instructions"),
        ("sweep+switch:xi", 14, "every 'x' is not a decimal number"),
    ],
)
def test_errors_in_sweeps(text, column, message):
    with pytest.raises(ConfigurationError) as caught:
        load_any(text)
    assert caught.value.place == f"column {column}"
    assert caught.value.message.startswith(message)
    assert caught.value.message.splitlines()[1:] == [f"    {text}", f"    {' ' * (column - 1)}^"]
