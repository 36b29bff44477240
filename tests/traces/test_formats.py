"""Formats of other tools: what is written is read by decoders that were written here, from their specifications alone."""

import gzip
import io
import json
import lzma
import re
import shutil
import struct
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from cache_sim import load, simulate, trace_of
from cache_sim.command import main as cache_sim
from cache_sim.reference import COMPILED_FROM
from cache_sim.streamed import filtered, simulate_events
from cache_sim.trace import TraceError
from cache_sim.traces.formats import FORMATS, read_trace
from cache_sim.traces.formats.references import events_of
from cache_sim.traces.listed import merged
from cache_sim.traces.trace_file import TraceFile
from ease.commands.runs.trace_command import main as ease_trace
from ease.traces import open as open_trace
from tests.covering import some
from tests.traces.programs import ENDING

SYSTEM = "I:256,16,1+D:256,16,2"
ALL = [(2, 0x1000, 4), (0, 0x20, 1), (1, 0x2C, 8), (2, 0x1004, 2), (1, 0x30, 2), (0, 0x10FC, 4), (2, 0x2000, 4)]


def events(rows):
    return events_of(*np.array(rows, np.uint64).reshape(-1, 3).T)


def rows(chunks):
    return [
        row for part in chunks for row in zip(part.kinds.tolist(), part.addresses.tolist(), part.sizes.tolist(), strict=True)
    ]


def written(name, chunks):
    out = io.BytesIO()
    FORMATS[name].write(chunks, *[{}] * FORMATS[name].described, out)
    return out.getvalue()


def read(name, content, size=1):
    return rows(FORMATS[name].read(io.BytesIO(content), "file", size))


def decoded_lackey(content):
    for line in content.decode().splitlines():
        mark, address, size = re.fullmatch(r"(I | L| S) ([0-9a-f]+),(\d+)", line).groups()
        yield " LSI".index(mark.strip()) - 1, int(address, 16), int(size)


def decoded_din(content):
    for line in content.decode().splitlines():
        kind, address, *_ = line.split()
        yield int(kind), int(address, 16)


CALLS = """
int add(int a, int b) { return a + b; }
int (*volatile pointer)(int, int) = add;
int sum(int n) { return n ? add(n, sum(n - 1)) : 0; }
int main(void) { return sum(10) - pointer(50, 5); }
"""
CHAMPSIM = struct.Struct("<QBB2B4B2Q4Q")  # struct input_instr of inc/trace_instruction.h


def decoded_champsim(content):
    """Yield address, whether it is a branch, whether it is taken, addresses read and written, registers written and read."""
    for ip, branch, taken, *rest in CHAMPSIM.iter_unpack(content):
        yield ip, branch, taken, [a for a in rest[8:] if a], [a for a in rest[6:8] if a], rest[:2], rest[2:6]


def champsim_branch(branch, written, read):
    """Return what kind of branch a record is, as ChampSim's O3_CPU::read_from_trace tells by its registers."""
    stack, flags, pointer = 6, 25, 26
    other = any(register not in (0, stack, flags, pointer) for register in read)
    assert bool(branch) == (pointer in written)
    if not branch:
        return ""
    reads, writes = [r in read for r in (stack, flags, pointer)], stack in written
    return {
        (False, False, False): "indirect" if other else "direct", (False, False, True): "indirect" if other else "direct",
        (False, True, True): "conditional", (True, False, True): "indirect call" if other else "call",
        (True, False, False): "return",
    }[tuple(reads)] if writes == reads[0] else "other"  # fmt: skip


def decoded_idtrace(content):
    sizes = {1: 1, 2: 2, 3: 4, 4: 8, 5: 10}
    for tag, address in struct.iter_unpack("<BI", content):
        yield (2, address, 1) if tag == 0x60 else ({1: 0, 2: 1}[tag >> 4], address, sizes[tag & 15])


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The file of a trace, and what `easecc -cache` said of that run."""
    folder = tmp_path_factory.mktemp("traces")
    (folder / "program.c").write_text(ENDING["nested loops"])
    words = ["-m", "riscv32", "-cache", SYSTEM, "-report", str(folder / "run.json")]
    traced = ["-trace", "execution", "-trace-to", str(folder / "run.trace")]
    for asked in (words, ["-m", "riscv32", *traced]):
        command = [sys.executable, "-m", "ease.commands.easecc", *asked, str(folder / "program.c")]
        subprocess.run(command, capture_output=True, check=False)
    return folder


@pytest.mark.parametrize("split", [1, 3, len(ALL)])
def test_text_formats(split):
    chunks = [events(ALL[first : first + split]) for first in range(0, len(ALL), split)]
    lackey, din = written("lackey", chunks), written("din", chunks)
    assert list(decoded_lackey(lackey)) == read("lackey", lackey) == ALL
    assert list(decoded_din(din)) == [row[:2] for row in ALL]
    assert read("din", din) == ALL


def test_lackey_as_valgrind_writes_it():
    text = b"==12== Lackey, an example Valgrind tool\nI  0023C790,2\n M 0025747C,1\n S BE80199C,4\n L 1ffeffe7a0,8\n"
    wanted = [(2, 0x23C790, 2), (0, 0x25747C, 1), (1, 0x25747C, 1), (1, 0xBE80199C, 4), (0, 0x1FFEFFE7A0, 8)]
    assert read("lackey", text) == wanted
    with pytest.raises(TraceError, match=r"file:2: error: 'L 10,4'"):
        read("lackey", b"I  10,4\nL 10,4\n")


@pytest.mark.skipif(not shutil.which("valgrind"), reason="no valgrind")
def test_what_valgrind_traces_is_what_it_counts(tmp_path):
    command = ["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-file=log", "/bin/true"]
    subprocess.run(command, cwd=tmp_path, check=True)
    text = (tmp_path / "log").read_bytes()
    counted = int(re.search(rb"guest instrs: +([0-9,]+)", text)[1].replace(b",", b""))
    found = read("lackey", text)
    assert sum(kind == 2 for kind, _, _ in found) == counted
    assert list(decoded_lackey(written("lackey", [events(found)]))) == found


def test_champsim_records_of_any_form():
    many = [(2, 0x400, 4), *((0, 0x100 + 8 * n, 8) for n in range(9)), (1, 0x80, 8), (2, 0x404, 4), (1, 0x90, 4)]
    found = list(decoded_champsim(written("champsim", [events(many[:5]), events(many[5:])])))
    assert [(ip, reads, writes) for ip, _, _, reads, writes, _, _ in found] == [
        (0x400, [0x100, 0x108, 0x110, 0x118], [0x80]), (0x400, [0x120, 0x128, 0x130, 0x138], []), (0x400, [0x140], []),
        (0x404, [], [0x90]),
    ]  # fmt: skip
    record = CHAMPSIM.pack(0x7FFF12345678, 0, 0, 1, 0, 2, 3, 0, 0, 0x50, 0, 0x60, 0, 0, 0x68)
    wanted = [(2, 0x7FFF12345678), (0, 0x60), (0, 0x68), (1, 0x50)]
    assert read("champsim", record * 2, 4) == [(*row, 4) for row in wanted] * 2
    with pytest.raises(TraceError, match="its last record is cut short"):
        read("champsim", record[:-1])


@pytest.mark.parametrize(("machine", "slots"), some([("riscv32", 0), ("mips", 1)], 1))
def test_champsim_knows_calls_returns_and_registers(machine, slots, tmp_path, monkeypatch):
    """Each return goes behind the call that is open, with its delay slot; what an instruction reads was written before."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.c").write_text(CALLS)
    words = ["-m", machine, "-trace", "execution", "-trace-to", "run.trace", "program.c"]
    subprocess.run([sys.executable, "-m", "ease.commands.easecc", *words], capture_output=True, check=False)
    assert ease_trace(["convert", "run.trace", "-o", "run.champsim"]) == 0
    found = list(decoded_champsim((tmp_path / "run.champsim").read_bytes()))
    kinds = [champsim_branch(branch, written, read) for _, branch, _, _, _, written, read in found]
    assert set(kinds) >= {"", "direct", "conditional", "call", "indirect call", "return"}
    assert "other" not in kinds
    open_calls = []
    for (ip, *_), kind, (after, *_) in zip(found, kinds, found[1 + slots :], strict=False):
        if kind.endswith("call"):
            open_calls.append(ip + 4 * (1 + slots))
        elif kind == "return":
            assert open_calls.pop() == after
    assert kinds.count("return") > 20
    known = {6, 26}
    computed = [(written, read) for *_, written, read in found if 26 not in written]
    for written, _ in computed:
        known.update(written)
    assert sum(any(read) and any(written) for written, read in computed) > len(computed) / 2
    assert {register for _, read in computed for register in read} <= known | {0, 1}


def test_idtrace():
    content = written("idtrace", [events(ALL[:3]), events(ALL[3:])])
    wanted = [(2, 0x1000, 1), *ALL[1:3], *ALL[4:6], (2, 0x2000, 1)]
    assert list(decoded_idtrace(content)) == read("idtrace", content) == wanted
    assert read("idtrace", written("idtrace", [events([(1, 0x7, 15)])])) == [(1, 7, 8), (1, 15, 4), (1, 19, 2), (1, 21, 1)]
    assert read("idtrace", bytes([0x33, 4, 0, 0, 0, 0x41, 8, 0, 0, 0, 0x50, 0, 0, 0, 0])) == [(0, 4, 4), (1, 8, 1)]
    with pytest.raises(TraceError, match="entry 1: tag 0x70 is none"):
        read("idtrace", bytes([0x60, 0, 0, 0, 0, 0x70, 0, 0, 0, 0]))
    with pytest.raises(TraceError, match="addresses of 32 bits"):
        written("idtrace", [events([(0, 1 << 32, 4)])])


def test_a_recorded_trace_in_all_formats(recorded, tmp_path, capsys):
    trace = open_trace(recorded / "run.trace")
    all_rows = rows(trace.events())
    names = {"run.din": 3, "run.lackey": 3, "run.champsim": 2, "again.trace": 3}
    for name in names:
        assert ease_trace(["convert", str(recorded / "run.trace"), "-o", str(tmp_path / name)]) == 0
    assert rows(open_trace(tmp_path / "again.trace").events()) == all_rows
    assert list(decoded_lackey((tmp_path / "run.lackey").read_bytes())) == all_rows
    assert list(decoded_din((tmp_path / "run.din").read_bytes())) == [row[:2] for row in all_rows]
    found = list(decoded_champsim((tmp_path / "run.champsim").read_bytes()))
    assert [ip for ip, *_ in found] == [address for kind, address, _ in all_rows if kind == 2]
    assert [a for _, _, _, reads, _, _, _ in found for a in reads] == [a for kind, a, _ in all_rows if kind == 0]
    sizes = {address: size for kind, address, size in all_rows if kind == 2}
    for before, after in pairwise(found):  # control goes on elsewhere behind taken branches only
        assert (after[0] != before[0] + sizes[before[0]]) <= (before[1] == before[2] == 1)
    decided = sum(int((part.kinds == 4).sum()) for part in trace.events(("branch",)))
    assert sum(25 in read for *_, read in found) == decided > 1000
    assert ease_trace(["check", str(tmp_path / "again.trace")]) == 0
    assert ease_trace(["convert", str(tmp_path / "run.lackey"), "-o", str(tmp_path / "other.trace")]) == 0
    assert rows(open_trace(tmp_path / "other.trace").events()) == all_rows
    for command in ("info", "check", "view"):
        assert ease_trace([command, str(tmp_path / "other.trace")]) == 0
    assert "no run counted them" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "x.unknown"], "the ending of 'x.unknown' says no format; give --to"),
        (["-o", "x.din", "--to", "dni"], "there is no format 'dni'"),
        (["-o", "missing/x.din"], "there is no such folder"),
        (["-o", "x.champsim", "--kernel", "default"], "of a kernel's instructions nothing is known"),
        (["-o", "x.din", "--kernel", "call=some"], "says nothing of a kernel"),
        (["-o", "x.din", "--filter", "I:60,16,1"], "size 60 is no multiple of the 16 bytes"),
    ],
)
def test_mistakes_of_convert(words, message, recorded, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert ease_trace(["convert", str(recorded / "run.trace"), *words]) == 1
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_kernel_is_added(recorded, tmp_path, capsys):
    for name in ("all.trace", "all.din"):
        given = ["convert", str(recorded / "run.trace"), "-o", str(tmp_path / name), "--kernel", "call=9,every=0"]
        assert ease_trace(given) == 0
    trace, added = TraceFile(str(recorded / "run.trace")), TraceFile(str(tmp_path / "all.trace"))
    assert added.end["instructions"] == trace.end["instructions"] + 9 * len(trace.calls) > trace.end["instructions"]
    assert not added.static
    addresses = [address for events in added.events() for address in events.addresses.tolist()]
    assert sum(address >= 1 << 31 for address in addresses) >= 12 * len(trace.calls)
    assert len((tmp_path / "all.din").read_text().splitlines()) == len(addresses)


def test_the_cache_simulator_finds_what_the_run_found(recorded, tmp_path, capsys):
    live = json.loads((recorded / "run.json").read_text())["memory_system"]
    assert ease_trace(["convert", str(recorded / "run.trace"), "-o", str(tmp_path / "run.din")]) == 0
    for file in (recorded / "run.trace", tmp_path / "run.din"):
        assert cache_sim([SYSTEM, str(file), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["references"]["fetch"] > COMPILED_FROM
        for name in ("instructions", "references", "work", "memory"):
            assert found[name] == live[name]
        for cache in ("I", "D"):
            for name in ("accesses", "misses", "writebacks", "passed"):
                assert found["caches"][cache][name] == live["caches"][cache][name]


def some_references(seed, count=30_000):
    generator = np.random.default_rng(seed)
    near = generator.integers(0, 1 << 11, count)
    far = generator.integers(0, 1 << 16, count)
    addresses = np.where(generator.random(count) < 0.8, near, far).astype(np.uint64)
    return events_of(generator.integers(0, 3, count), addresses, generator.choice([1, 2, 4, 8, 40], count))


def simulated(spec, found):
    trace = trace_of(found.kinds, found.addresses, found.sizes)
    return [cache.misses for cache in simulate(load(spec), trace).caches]


@pytest.mark.parametrize("seed", range(2))
def test_a_filtered_trace_gives_the_misses_of_larger_caches(seed):
    whole = some_references(seed)
    pieces = [events_of(whole.kinds[n : n + 7000], whole.addresses[n : n + 7000], whole.sizes[n : n + 7000])
              for n in range(0, len(whole), 7000)]  # fmt: skip
    parts = list(filtered(pieces, load("I:1k,16,1+D:1k,16,1")))
    left = events_of(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("kinds", "addresses", "sizes")))
    assert len(left) < 0.8 * len(whole)
    for spec in ("I:1k,16,1+D:1k,16,1", "I:2k,16,2+D:4k,16,4", "I:2k,16,1+D:16k,16,8"):
        assert simulated(spec, left) == simulated(spec, whole)
    assert simulated("I:512,16,1+D:512,16,1", left) != simulated("I:512,16,1+D:512,16,1", whole)


@pytest.mark.parametrize("instructions", [False, True])
@pytest.mark.parametrize("split", [1, 4, 1000])
def test_programs_run_in_turn(instructions, split):
    first = [(2, 0x100 + 4 * n, 4) if n % 3 == 0 else (n % 2, n, 1) for n in range(20)]
    second = [(2, 0x900, 4), (0, 5, 4), (0, 6, 4), (2, 0x904, 4), (1, 7, 4), (2, 0x908, 4)]

    def turns(trace):
        """Return the parts of a trace, from its definition: two references, or two fetches and what follows them."""
        if not instructions:
            return [trace[n : n + 2] for n in range(0, len(trace), 2)]
        starts = [n for n, row in enumerate(trace) if row[0] == 2][::2]
        return [trace[a:b] for a, b in pairwise([*starts, len(trace)])]

    parts = turns(first), turns([(kind, address | 1 << 48, size) for kind, address, size in second])
    wanted = [row for n in range(20) for part in parts if n < len(part) for row in part[n]]
    sources = [[events(trace[n : n + split]) for n in range(0, len(trace), split)] for trace in (first, second)]
    assert rows(merged(sources, 2, instructions)) == wanted


def test_merged_on_the_command_line(tmp_path, capsys):
    (tmp_path / "a.lackey").write_text(" L 0,4\n" * 6)
    (tmp_path / "b.din").write_text("0 0\n" * 6)
    files = [str(tmp_path / "a.lackey"), str(tmp_path / "b.din")]
    misses = []
    for quantum in ("1", "3", "100"):
        assert cache_sim(["D:64,16,1", *files, "--quantum", quantum]) == 0
        misses.append(capsys.readouterr().out.splitlines()[1].split()[2])
    assert misses == ["12", "4", "2"]  # both lines have one place, and go in turn
    assert cache_sim(["D:64,16,1", *files, "-"]) == 1
    assert "standard input cannot be one of several" in capsys.readouterr().err


def test_damage_is_told(recorded, tmp_path, capsys):
    (tmp_path / "bad.trace").write_bytes((recorded / "run.trace").read_bytes()[:40] + b"x" * 50)
    (tmp_path / "none.trace").write_bytes(b"")
    for name in ("bad.trace", "none.trace"):
        assert cache_sim(["D:64,16,1", str(tmp_path / name)]) == 1
        assert "error: " in capsys.readouterr().err


def test_a_file_cut_short_is_used_as_far_as_it_goes(recorded, tmp_path, capsys):
    content = (recorded / "run.trace").read_bytes()
    cut = tmp_path / "cut.trace"
    cut.write_bytes(content[: content.index(b"DONE") + 9])
    assert cache_sim([SYSTEM, str(cut)]) == 0
    assert ease_trace(["convert", str(cut), "-o", str(tmp_path / "cut.din")]) == 0
    assert capsys.readouterr().err.count("the file was cut short") == 2
    assert cache_sim([SYSTEM, str(recorded / "run.trace")]) == 0
    assert not capsys.readouterr().err


def test_names_tell_formats():
    file = io.BufferedReader(io.BytesIO(b" S 10,4\n"))
    assert rows(read_trace(file, "x.lackey")) == [(1, 16, 4)]
    with pytest.raises(TraceError, match="not a trace of ease"):
        read_trace(file, "x.trace")


@pytest.mark.parametrize("high", [0, 28_000])
def test_high_addresses_are_simulated_plainly(high):
    found = some_references(5)
    found.addresses[high:] += np.uint64(1 << 63)
    chunks = [events_of(*(column[n : n + 9000] for column in (found.kinds, found.addresses, found.sizes)))
              for n in range(0, len(found), 9000)]  # fmt: skip
    opened = []

    def open_again():
        opened.append(1)
        return chunks

    results = simulate_events(load(SYSTEM), open_again)
    assert [cache.misses for cache in results.caches] == simulated(SYSTEM, found)
    assert len(opened) == (2 if high else 1)


@pytest.mark.parametrize(("ending", "opener"), [("xz", lzma.open), ("gz", gzip.open)])
def test_compressed_files(ending, opener, tmp_path, capsys):
    (tmp_path / "a.lackey").write_text("I  10,4\n L 20,4\n" * 50)
    name = str(tmp_path / f"a.champsim.{ending}")
    assert ease_trace(["convert", str(tmp_path / "a.lackey"), "-o", name]) == 0
    with opener(name) as file:
        assert len(list(decoded_champsim(file.read()))) == 50
    assert cache_sim(["I:64,16,1+D:64,16,1", name]) == 0
    assert "100 (50 fetches, 50 reads, 0 writes)" in capsys.readouterr().out
    content = (tmp_path / f"a.champsim.{ending}").read_bytes()
    for damaged in (content[:-9], b"damaged" + content):
        (tmp_path / f"b.champsim.{ending}").write_bytes(damaged)
        assert cache_sim(["D:64,16,1", str(tmp_path / f"b.champsim.{ending}")]) == 1
        assert "it cannot be decompressed" in capsys.readouterr().err


def decoded_execution(trace, blocks):
    """Yield references, and the targets that are told, of IDtrace's execution trace, from its appendix A."""
    entries = struct.iter_unpack("<BI", trace)
    sizes = {1: 1, 2: 2, 3: 4, 4: 8, 5: 10}
    for tag, place in entries:
        assert tag == 0x80
        address, count = struct.unpack_from("<IB", blocks, place)
        for number in range(count):
            _, size, own = struct.unpack_from("<hBb", blocks, place + 6 + 4 * number)
            yield 2, address, size
            address += size
            for _ in range(own):
                tag, at = next(entries)
                if tag == 0x90:
                    yield "target", at, 0
                    continue
                for kind in {0: (0, 1), 1: (0,), 2: (1,)}[tag >> 4]:
                    yield kind, at, sizes[tag & 15]


@pytest.mark.parametrize("machine", some(("riscv32", "sparc", "m68020", "arm"), 1))
def test_execution_trace_of_idtrace(machine, programs, traced, tmp_path):
    content, _, _ = traced(programs(ENDING["indirect"], machine))
    (tmp_path / "a.trace").write_bytes(content)
    trace = open_trace(str(tmp_path / "a.trace"))
    assert ease_trace(["convert", str(tmp_path / "a.trace"), "--to", "idtrace-execution", "-o", str(tmp_path / "a.trc")]) == 0
    blocks = (tmp_path / "a.blk").read_bytes()
    found = list(decoded_execution((tmp_path / "a.trc").read_bytes(), blocks))
    halves = rows(trace.events())
    assert [row for row in found if row[0] != "target"] == halves
    for before, (kind, target, _), after in zip(found, found[1:], found[2:], strict=False):
        assert kind != "target" or (before[0] != "target" and after[:2] == (2, target))
    count, *_ = struct.unpack_from("<i", blocks)
    counts = np.frombuffer((tmp_path / "a.cnt").read_bytes()[8:], "<u4")
    assert len(counts) == count
    assert counts.sum() == sum(tag == 0x80 for tag, _ in struct.iter_unpack("<BI", (tmp_path / "a.trc").read_bytes()))
    with open(tmp_path / "a.trc", "rb") as file:
        assert rows(read_trace(file, str(tmp_path / "a.trc"))) == halves
    for name, cut in (("b.trc", 3), ("b.blk", 1)):
        (tmp_path / "b.trc").write_bytes((tmp_path / "a.trc").read_bytes())
        (tmp_path / "b.blk").write_bytes(blocks)
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-cut])
        with open(tmp_path / "b.trc", "rb") as file, pytest.raises(TraceError, match=r"b\.trc: error: "):
            rows(read_trace(file, str(tmp_path / "b.trc")))
