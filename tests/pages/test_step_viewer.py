"""The page of a function, change by change."""

import itertools
import json
import re

import pytest

from ease.commands.compiler_commands import write_view as main

SOURCE = "int twice(int n) { int s = 0; for (int i = 0; i < n; i++) s += 2; return s; }\nint main(void) { return twice(4); }\n"


@pytest.fixture(scope="session")
def text(tmp_path_factory):
    folder = tmp_path_factory.mktemp("view")
    (folder / "twice.c").write_text(SOURCE)
    assert main([str(folder / "twice.c"), "twice", "-o", str(folder / "x.html"), "-m", "riscv32", "-run"]) == 0
    return (folder / "x.html").read_text()


@pytest.fixture(scope="session")
def data(text):
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])


def states_of(data):
    state = []
    for *_, first, removed, inserted in data["steps"]:
        state[first : first + removed] = inserted
        yield [data["rows"][row] for row in state]


def test_it_leads_from_the_expander_to_the_final_code(data):
    states = list(states_of(data))
    assert data["steps"][0][:3] == [0, "expand", 0]
    assert any("r[t" in text for _, text, _, _ in states[0])
    assert not any("r[t" in text for _, text, _, _ in states[-1])
    assert all(before != after for before, after in itertools.pairwise(states))


def test_changes_are_numbered_as_they_are_counted(data):
    changes = [change for _, _, change, *_ in data["steps"] if change]
    assert changes == sorted(set(changes))
    assert len(changes) > 10
    assert {phase for _, phase, *_ in data["steps"]} <= set(data["phases"])


def test_an_rtl_keeps_its_number(data):
    texts = []
    for state in states_of(data):
        texts.append({number: text for number, text, *_ in state if number})
        assert len(texts[-1]) == sum(number > 0 for number, *_ in state)
    pairs = itertools.pairwise(texts)
    assert any(after.get(number, text) != text for before, after in pairs for number, text in before.items())


def test_blocks_tell_how_often_they_were_executed(data):
    assert 4 in data["executed"].values()


def test_a_browser_steps(text, browser):
    shown = browser(text.replace("Number(location.hash.slice(1))", "12"))
    assert re.search(r'<h2 id="what">12 of \d+: \w+, ', shown)
    assert re.search('<tr data-number="\\d+" tabindex="-?\\d" class="(new|changed|gone)"', shown)


def test_wrong_usage(tmp_path, capsys):
    assert main(["x.c"]) == 2
    assert main(["x.c", "f"]) == 2
    assert "-o FILE.html says where the page goes" in capsys.readouterr().err
    (tmp_path / "twice.c").write_text(SOURCE)
    assert main([str(tmp_path / "twice.c"), "thrice", "-o", str(tmp_path / "x.html")]) == 1
    assert "no function 'thrice' is left in the code (there are: twice, main)" in capsys.readouterr().err
