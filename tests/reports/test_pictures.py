"""Pictures of mixes: bars have the shares of the table, and the PNG is the SVG."""

from struct import unpack
from xml.etree import ElementTree

import pytest

from ease.model.results import Count
from ease.reports.pictures import HEIGHT, MOST, WIDTH, ZOOM, Curve, Panel, as_plots, mix
from ease.reports.render import render, render_file
from tests.reports.test_golden import MEASUREMENT

PNG = b"\x89PNG\r\n\x1a\n"


def test_bars_are_the_shares_of_a_table():
    (found,) = mix("types", {"ADD": Count(1, 30), "MUL": Count(3, 10), "NOP": Count(4, 0)})
    assert [(bar.name, bar.static, bar.dynamic) for bar in found.bars] == [
        ("ADD", 12.5, 75), ("MUL", 37.5, 25), ("NOP", 50, 0),
    ]  # fmt: skip
    lengths = [found.length(bar.dynamic) for bar in found.bars]
    assert lengths[0] == pytest.approx(3 * lengths[1], abs=0.2)
    assert lengths[2] == 0
    assert mix("nothing", {}) == []


def test_names_beyond_those_that_fit_are_one_bar():
    (found,) = mix("types", {str(number): Count(1, number) for number in range(1, MOST + 3)})
    assert len(found.bars) == MOST
    assert found.bars[-1].name == "3 others"
    assert found.bars[-1].dynamic * sum(range(1, MOST + 3)) == 100 * (1 + 2 + 3)
    assert [bar.percent for bar in mix("", {"a": Count(1, 9999), "b": Count(1, 1), "c": Count(1, 0)})[0].bars] == [
        "100.0 %", "<0.1 %", "0 %",
    ]  # fmt: skip


def test_pictures_of_what_a_program_executes():
    names = ["instruction-types", "functions"]
    picture = ElementTree.fromstring(render(MEASUREMENT, ".svg", names))
    texts = [text.text for text in picture.findall(".//{*}text")]
    assert {"Instruction types", "Functions", "ADD", "60.0 %"} <= set(texts)
    made = render_file(MEASUREMENT, ".png", names)
    assert made[:8] == PNG
    assert unpack(">II", made[16:24]) == (2 * WIDTH * ZOOM, HEIGHT * ZOOM)


def test_bars_in_text():
    text = render_file(MEASUREMENT, ".txt", ["instruction-types"], plot=True)
    lines = text.splitlines()
    start = lines.index("Instruction types, executed")
    assert [line.split() for line in lines[start + 2 :]] == [
        ["ADD", "█" * 40, "60.0", "%"], ["CMP", "█" * 13 + "▍", "20.0", "%"], ["JLT", "█" * 13 + "▍", "20.0", "%"],
        ["LOAD", "<0.1", "%"],
    ]  # fmt: skip


def test_curves_in_text_are_to_scale():
    """Intervals are as wide as they are long, also the last, which is shorter."""
    whole = Panel("misses", "instructions", ["100", "200", "250"], [Curve("D", [8, 4, None])], ends=[100, 200, 250])
    title, _, curve, axis = as_plots([whole]).splitlines()
    assert (title, axis.strip()) == ("misses", "instructions: 0 to 250")
    assert curve == f"D  {'█' * 16}{'▅' * 16}{' ' * 8}  4 to 8"
    places = Panel("ratio", "size", ["1k", "2k"], [Curve("one way", [9.5, 0])])
    assert as_plots([places]).splitlines()[2:] == ["one way  █▁  0 to 9.5", "         size: 1k to 2k"]


@pytest.mark.parametrize("most", [0.003, 7, 480, 12_000, 3_700_000, 10**12])
def test_lines_across_are_few_whatever_the_values(most):
    panel = Panel("work", "size", ["1"], [Curve("one", [most])])
    lines = [float(value) for _, value in panel.ticks()]
    assert 5 <= len(lines) <= 15
    assert lines[-1] >= most
