"""A card: bars around zero, as long as they are large, and text that is only text."""

import re
from xml.etree import ElementTree

from ease import Bar, as_png, card
from ease.reports.card import LONGEST, MOST, ZERO
from ease.start import ease

SVG = "{http://www.w3.org/2000/svg}"


def parts(bars):
    """Return rectangles of bars and the texts of a card."""
    root = ElementTree.fromstring(card("A<B", "It saves 4 % & more.", bars, "old", ["r[d]=r[a]<r[b];"]))
    found = [{key: float(each.get(key)) for key in ("x", "width")} for each in root.iter(f"{SVG}rect") if each.get("x")]
    return found, [each.text for each in root.iter(f"{SVG}text")]


def test_bars_go_to_the_side_of_their_sign():
    (less, more, same), texts = parts([Bar("one", -0.2, "-20 %"), Bar("two", 0.1, "+10 %"), Bar("three", 0.0, "0 %")])
    assert (less["x"], less["width"]) == (ZERO - LONGEST, LONGEST)
    assert (more["x"], more["width"]) == (ZERO, LONGEST / 2)
    assert same["width"] == 0
    assert {"A<B", "It saves 4\N{NO-BREAK SPACE}% & more.", "-20 %", "+10 %", "more than old", "r[d]=r[a]<r[b];"} <= {*texts}


def test_the_bars_that_change_most_are_shown_in_their_order():
    bars, texts = parts([Bar(f"p{number}", number / 100, str(number)) for number in range(MOST + 5)])
    assert len(bars) == MOST
    assert [text for text in texts if re.fullmatch(r"p\d+", text)] == [f"p{number}" for number in range(5, MOST + 5)]


def test_a_card_without_changes_is_a_picture():
    assert as_png(card("nothing", "Nothing differs.", [], "old")).startswith(b"\x89PNG")


DOT = "int a[9]; int main(int n, char **v) { for (int i = 0; i < 9; i++) n += a[i] * n; return n; }\n"
MAC = 'machine: mac\nextends: riscv32\ninstructions:\n  MAC: {rtl: "r[d]=r[d]+(r[a]*r[b]);", asm: "mac $d,$a,$b"}\n'


def test_a_comparison_as_a_card(tmp_path, monkeypatch, capfd):
    (tmp_path / "dot.c").write_text(DOT)
    (tmp_path / "mac.yaml").write_text(MAC)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["ease", "compare", "-m", "riscv32", "-m", "mac.yaml", "-o", "card.svg", "dot.c"])
    assert ease() == 0, capfd.readouterr().err
    card = (tmp_path / "card.svg").read_text()
    assert ">MAC<" in card
    assert "MAC: r[d]=r[d]+(r[a]*r[b]);" in card
    assert "more than riscv32" in card
