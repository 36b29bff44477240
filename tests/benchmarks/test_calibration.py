"""Calibration: other compilers' code is counted with its instructions, ours likewise; the page's figures fit its tables."""

import math
import os
import re
from pathlib import Path
from statistics import fmean

import pytest

import ease
from benchmarks.calibration import EXTENSIONS, Extension, Measuring, asked
from benchmarks.calibration_page import CAUSES, MEAN, OURS, Found, Program, agreement, beyond, page
from benchmarks.code_quality import chosen
from benchmarks.real_compilers import bytes_of
from benchmarks.suites import embench
from benchmarks.user_code import Subject, plugin
from ease.run.verify import ToolMissing

PAGE = Path(__file__).parents[2] / "docs" / "calibration.md"
SUM = """\
int table[64];
static int sum(const unsigned char *places, int count)
{
    int s = 0;
    for (int i = 0; i < count; i++)
        s += table[places[i]];
    return s;
}
int main(int argc, char **argv)
{
    static unsigned char places[50];
    table[0] = 1;
    return sum(places, 49 + argc) - 8;
}
"""
ZERO = """\
__attribute__((noinline)) static int chosen(int condition, int value)
{
    return condition ? value : 0;
}
int main(int argc, char **argv)
{
    int s = 0;
    for (int i = 0; i < 40; i++)
        s += chosen(i & 1, argc);
    return s;
}
"""


@pytest.fixture(scope="module")
def measuring(tmp_path_factory):
    """A function that gets ready to measure an extension; skips if a tool is missing."""

    def ready(extension, compiler):
        try:
            found = Measuring(extension, plugin(tmp_path_factory.mktemp("plugin")))
            if not any(name.startswith(compiler) for name in found.pairs):
                raise ToolMissing(f"{compiler} is not installed, or does not know {extension.name}")
        except ToolMissing:
            if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
                raise
            pytest.skip("the real tools are not installed")
        return found

    return ready


@pytest.mark.tools
def test_bytes_of_an_extension_are_counted_on_both_sides(measuring, tmp_path):
    source = tmp_path / "sum.c"
    source.write_text(SUM)
    wanted = Extension("riscv32+c", "zcb", "Os", "bytes")
    found = measuring(wanted, "clang").program(Subject("sum", source, ["sum"], b"", b"", 42)).found
    for each in found.values():  # instead of as many of twice the size
        assert each.base - each.more == sum(each.by.values()) > 0


def test_bytes_of_code():
    code = (0x8000).to_bytes(2, "little") + (0x80004033).to_bytes(4, "little") + (0x20004033).to_bytes(4, "little")
    assert bytes_of(code, [("C.LBU", 0xFC03, 0x8000), ("SH2ADD", 0xFE00707F, 0x20004033)]) == {"C.LBU": 2, "SH2ADD": 4}


@pytest.mark.tools
def test_instructions_of_an_extension_are_counted_on_both_sides(measuring, tmp_path):
    source = tmp_path / "sum.c"
    source.write_text(SUM)
    found = measuring(Extension("riscv32", "zba"), "gcc").program(Subject("sum", source, ["sum"], b"", b"", 42)).found
    gcc = next(found[name] for name in found if name.startswith("gcc"))
    for each in (gcc, found[OURS]):
        assert each.by == {"SH2ADD": 50}
        assert each.base - each.more == 50


@pytest.mark.tools
def test_a_twin_stands_for_what_the_emulator_may_not_know(measuring, tmp_path):
    source = tmp_path / "zero.c"
    source.write_text(ZERO)
    found = measuring(Extension("riscv32", "zicond"), "clang").program(Subject("zero", source, ["zero"], b"", b"", 20)).found
    assert {sum(each.by.values()) for each in found.values()} == {40}


def program(name, **costs):
    return Program(name, {compiler: Found(base, more, {"SH2ADD": base - more}) for compiler, (base, more) in costs.items()})


def test_agreement():
    programs = [program("a", gcc=(100, 90), ease=(200, 178)), program("b", gcc=(100, 98), ease=(100, 98))]
    found = agreement(programs, "ease", "gcc")
    assert found.means == pytest.approx((6.5, 6))
    assert found.r == pytest.approx(1)
    assert (found.error, found.worst, found.where) == (pytest.approx(0.5), pytest.approx(1), "a")
    assert math.isnan(agreement(programs[:1], "ease", "gcc").r)


def test_reasons_name_what_ours_did_not_use():
    programs = [program("a", gcc=(100, 90), ease=(100, 97)), program("b", gcc=(100, 98), ease=(100, 98))]
    why = {"m": lambda name, instruction: [f"no {instruction} in {name}"]}
    text = page({"m": ("O2", "instructions", programs)}, why, "made so")
    assert "made so" in text
    assert "SH2ADD 3.0 here and 10.0 there" in text
    assert "`SH2ADD`: no SH2ADD in a" in text
    assert "of what gcc does without the extension, 1.08 with it" in text
    assert "**b**" not in text


def test_causes_are_of_programs_that_there_are():
    known = {subject.name for subject in chosen(["kernels", "suite"])}
    assert {name for causes in CAUSES.values() for name in causes} <= known
    assert {*CAUSES} <= {each.machine for each in EXTENSIONS}


def test_extensions_that_are_asked_for():
    assert asked("riscv32+zbb,m.yaml+zcb:Os:bytes") == [Extension("riscv32", "zbb"), Extension("m.yaml", "zcb", "Os", "bytes")]


def test_a_program_of_embench_is_one_file(tmp_path):
    (tmp_path / "src" / "crc32").mkdir(parents=True)
    (tmp_path / "src" / "crc32" / "crc.c").write_text(
        '#include "support.h"\nvoid initialise_benchmark(void) { init_heap(); }\n'
        "int benchmark(void) { return 3; }\nint verify_benchmark(int result) { return result == 3; }\n"
    )
    (tmp_path / "support").mkdir()
    (tmp_path / "support" / "support.h").write_text("void init_heap(void);\n")
    (tmp_path / "support" / "beebsc.c").write_text("void init_heap(void) {}\n")
    (found,) = embench(tmp_path, tmp_path)
    assert (found.name, found.expected) == ("embench-crc32", b"1\n")
    run = ease.Machine("riscv32").compile(str(found.source), level=0).measure(quick=True)
    assert (run.output, run.exit_status) == (b"1\n", 0)


def test_what_lies_between_two_compilers():
    assert beyond(program("a", gcc=(100, 90), clang=(100, 97), ease=(100, 95))) == 0
    assert beyond(program("a", gcc=(100, 90), clang=(100, 97), ease=(100, 98))) == pytest.approx(1)
    assert beyond(program("a", gcc=(100, 90), clang=(100, 97), ease=(100, 88))) == pytest.approx(2)


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables(text):
    """Return the tables of programs of the page: by machine and compiler, what is saved of each program."""
    found = {}
    for section in text.split("\n## ")[1:]:
        head, *rows = [cells(line) for line in section.splitlines() if line.startswith("|")]
        machine = section.splitlines()[0]
        for number, name in enumerate(head):
            found[machine, name] = [row[number] for row in rows[1:]]
        others = [name for name in head[1:] if name != OURS and not name.startswith(f"{OURS} - ")]
        columns = [list(map(float, found[machine, name])) for name in others]
        found[machine, MEAN] = [str(fmean(each)) for each in zip(*columns, strict=True)]
    return found


def test_the_figures_of_the_page_are_those_of_its_tables():
    text = PAGE.read_text()
    found = tables(text)
    summary = text.split("\n## ")[0]
    rows = [cells(line) for line in summary.splitlines() if line.startswith("| ") and " and " in line]
    assert rows
    for machine, what, count, *figures in rows:
        one, other = re.match(r"(.*) and (.*), -O", what).groups()
        mine, theirs = ([float(value) for value in found[machine, name]] for name in (one, other))
        whole = [
            Program(name, {one: Found(10**6, round(10**6 - 10**4 * x), {}), other: Found(10**6, round(10**6 - 10**4 * y), {})})
            for name, x, y in zip(found[machine, "program"], mine, theirs, strict=True)
        ]
        again = agreement(whole, one, other)
        assert int(count) == len(whole)
        assert [float(each) for each in figures[:2]] == pytest.approx(again.means, abs=0.02)
        assert float(figures[2]) == pytest.approx(again.r, abs=0.05, nan_ok=True)  # of rounded savings
        assert float(figures[3]) == pytest.approx(again.error, abs=0.02)
        assert float(figures[4].split()[0]) == pytest.approx(again.worst, abs=0.02)
