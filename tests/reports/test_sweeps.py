"""Reports of sweeps: the plain simulators' misses, what sums to what, pictures, and that measurements add."""

import re
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cache_sim.config import Cache, MemorySystem
from cache_sim.parse import load_any
from cache_sim.reference import Simulator
from ease.host.process.job import RunOptions
from ease.reports import REPORTS
from ease.reports.pictures import BOTTOM, HEIGHT, WIDTH, Curve, Panel, style
from ease.reports.render import as_dictionary, as_text, render
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measure
from vpo.interpret.fast.interpreter import interpret

DOCUMENT = Path(__file__).parents[2] / "docs" / "report-format.md"
OURS = [name for name, report in REPORTS.items() if report.about == "sweep"]
SIZES = (64, 128, 256, 512, 1024)


@pytest.fixture(scope="module")
def measured(small):
    return measure(
        small("riscv32", 1),
        ["small"],
        MeasureOptions(load_any("sweep+size:64-1k+line:8,16+ways:1-8,full")),
        RunOptions(capture=True, tier="fast"),
    )


def whole_number(cell):
    return int(cell.replace(",", "") or 0)


@pytest.mark.parametrize(("size", "line", "ways"), [(64, 16, 4), (256, 8, 1), (1024, 16, 2)])
def test_misses_are_the_plain_simulators(small, measured, size, line, ways):
    plain = Simulator(MemorySystem(Cache("I", size, line, ways), Cache("D", size, line, ways)))
    interpret(small("riscv32", 1), ["small"], capture=True, observer=plain)
    values = as_dictionary(measured)["sweep"]
    for side in ("I", "D"):
        wanted = {"side": side, "line": line, "size": size, "ways": ways}
        (found,) = [cache for cache in values["caches"] if wanted.items() <= cache.items()]
        assert found["misses"] == plain.results()[side].misses.total > 0
        assert values["accesses"][side][str(line)] == plain.results()[side].accesses.total


def test_distances_sum_to_accesses(measured):
    table = REPORTS["stack-distances"].table(measured.sweep)
    assert table.headings == ["side", "line", "sets", "0", "1", "2-3", "4-7", "deeper or new"]
    for side, line, _, *counts in table.rows:
        assert sum(map(whole_number, counts)) == measured.sweep.accesses(side, int(line))
    for row in as_dictionary(measured)["sweep"]["stack_distances"]:
        assert sum(row["distances"].values()) + row["deeper"] == measured.sweep.accesses(row["side"], row["line"])


def test_tables_have_a_cell_for_every_cache(measured):
    table = REPORTS["sweep-misses"].table(measured.sweep)
    cells = [whole_number(cell) for row in table.rows for cell in row[3:-1] if cell]
    assert cells == [misses for _, misses in measured.sweep.caches()]
    full = [measured.sweep.full_misses(*place).misses for place in product(("I", "D"), SIZES, (8,))]
    assert [whole_number(row[-1]) for row in (*table.rows[:5], *table.rows[10:15])] == full
    assert "accesses" in table.note
    assert len(REPORTS["sweep-ratios"].table(measured.sweep).rows) == len(table.rows) == 2 * 2 * 5


def test_text_has_every_report_and_no_other_of_memory(measured):
    text = as_text(measured)
    assert all(f"\n{REPORTS[name].title}\n" in text for name in OURS)
    assert REPORTS["caches"].title not in text


def test_pictures_are_well_formed(measured):
    for names, panels in ((None, 11), (["sweep-ratios"], 4)):
        picture = ElementTree.fromstring(render(measured, ".svg", names))
        assert len(picture.findall("{*}g")) == panels
        assert (picture.get("width"), picture.get("height")) == (str(3 * WIDTH), str(-(-panels // 3) * HEIGHT))


def test_distances_among_all_lines_sum_to_accesses_and_say_misses(measured):
    table = REPORTS["full-distances"].table(measured.sweep)
    assert table.headings[:4] == ["distance", "I, lines of 8", "per cent", "I, lines of 16"]
    for number, (side, line) in enumerate(measured.sweep.full):
        counts = [whole_number(row[1 + 2 * number]) for row in table.rows]
        assert sum(counts) == measured.sweep.accesses(side, line)
        for size in SIZES:  # distance 0 has the first row, 2**n to 2**(n + 1) - 1 the row n + 1
            first = min((size // line).bit_length(), len(counts) - 1)  # new lines have the last row
            assert sum(counts[first:]) == measured.sweep.full_misses(side, size, line).misses
    for row in as_dictionary(measured)["sweep"]["full_distances"]:
        assert sum(row["distances"].values()) + row["new"] == measured.sweep.accesses(row["side"], row["line"])


def test_samples_say_their_error(small):
    program = small("riscv32", 1)
    found = measure(
        program,
        ["small"],
        MeasureOptions(load_any("sweep+D+ways:full+line:4+sample:0.5")),
        RunOptions(capture=True, tier="fast"),
    )
    table = REPORTS["sweep-ratios"].table(found.sweep)
    assert all(re.fullmatch(r"\d+\.\d\d ± \d+\.\d\d", row[-1]) for row in table.rows)
    assert "± its standard error" in REPORTS["sweep-misses"].table(found.sweep).note
    estimate = found.sweep.full_misses("D", 1024, 4)
    said = as_dictionary(found)["sweep"]["fully_associative"][0]
    assert said == {"side": "D", "line": 4, "size": 1024, "misses": round(estimate.misses), "error": round(estimate.error, 1)}
    assert "stack distance\n" not in as_text(found)


def test_what_a_panel_shows_fits_into_it():
    for most in (0, 1e-5, 0.7, 5, 99.9, 100):
        panel = Panel("", "", ["a", "b", "c"], [Curve("x", [most, None, most / 2])])
        ticks = list(panel.ticks())
        assert (2 if most < 1e-4 else 5) <= len(ticks) <= 16
        assert [float(value) for _, value in ticks] == sorted(float(value) for _, value in ticks)
        assert panel.top >= most
        points = panel.points(panel.curves[0])
        assert len(points) == 2
        assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in points)


def test_many_curves_can_be_told_apart():
    count = 24
    assert len({style(number) for number in range(count)}) == count
    panel = Panel("", "", ["a"], [Curve(str(number), [number]) for number in range(count)])
    heights = [panel.name_y(number) for number in range(count)]
    assert len(set(heights)) == count
    assert heights[-1] < HEIGHT - BOTTOM + 8


def test_measurements_add(small, measured):
    both = measured + measured
    assert [misses for _, misses in both.sweep.caches()] == [2 * misses for _, misses in measured.sweep.caches()]
    with pytest.raises(ValueError, match="with and without a sweep"):
        measured + measure(small("riscv32", 1), ["small"], options=RunOptions(capture=True, tier="fast"))


def test_every_key_is_documented(measured):
    documented = re.findall(r"^\| `sweep\.(\w+)`", DOCUMENT.read_text(), re.MULTILINE)
    assert documented == list(as_dictionary(measured)["sweep"])
