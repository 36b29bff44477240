"""Pages about runs: their figures are those of the runs, and a browser shows them."""

import json
import re

import pytest

from ease.commands.runs.store_commands import page_of_runs as page_command
from ease.commands.runs.store_commands import report_of_runs as report_command
from ease.pages.page import page
from ease.store.database import writing
from ease.store.saving import save


def data_of(text):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])


# Chooses the second size of a cache, of which a miss takes ten cycles.
MOVE = """for (const [name, value] of [["size", 1], ["cycles of a miss", 10]]) {
  const input = document.querySelector(`#sliders input[aria-label="${name}"]`);
  input.value = value;
  input.dispatchEvent(new Event("input"));
}
"""


@pytest.fixture(scope="session")
def text(kept):
    return page(kept)


def test_figures_are_those_of_the_runs(kept, text):
    for run, found in zip(kept, data_of(text)["runs"], strict=True):
        whole = run.measurement.characteristics.instructions.dynamic
        assert f'<p class="figure">{whole:,}</p>' in text
        assert sum(function["executed"] for function in found["functions"]) == whole
        main = next(function for function in found["functions"] if function["name"] == "main")
        into = dict.fromkeys(range(len(main["blocks"])), 0)
        for _, target, count, _ in main["edges"]:
            if target >= 0 and count is not None:
                into[target] += count
        after = {target for _, target, _, _ in main["edges"]} - {0, -1}
        open_ends = {target for _, target, count, _ in main["edges"] if count is None}
        assert all(into[block] == main["counts"][main["blocks"][block]] for block in after - open_ends)


def test_misses_are_those_of_the_cache(kept, text):
    for run, found in zip(kept, data_of(text)["runs"], strict=True):
        (cache,) = run.measurement.memory.results.caches
        assert sum(found["events"]["D misses"].values()) == cache.misses.total


def test_numbers_of_the_sliders_are_those_of_the_run(kept_run, kept, text, browser):
    for run, sizes in zip(kept, data_of(text)["sizes"], strict=True):
        fetched = sum(int(size) * times for by in sizes.values() for size, times in by.items())
        assert fetched == run.measurement.characteristics.bytes().dynamic
    swept = kept_run("riscv32", "sweep+D+size:64-256+line:16")
    found = data_of(page([swept]))["swept"]
    assert found == [{"D": [[c.size, c.ways, c.line, misses] for c, misses in swept.measurement.sweep.caches()]}]
    moved = page([swept]).replace("whatIf();\n", f"whatIf();\n{MOVE}", 1)
    cycles = sum(int(latency) * times for by in data_of(moved)["latencies"][0].values() for latency, times in by.items())
    misses = next(misses for size, ways, _, misses in found[0]["D"] if (size, ways) == (128, 1))
    shown = browser(moved)
    assert re.search(r'id="swept-D"[^>]*>([^<]*)<', shown)[1] == f"{misses:,} misses of D"
    assert re.search(r'id="cycles-result"[^>]*>([^<]*)<', shown)[1] == f"{cycles + 10 * misses:,} cycles of latency, added up"


def test_cycles_of_the_sliders_are_those_of_the_summary(kept_run, kept, browser):
    """What -timing estimated is where they begin, if both runs have it; one more cycle of each ADDI is added to it."""
    timed = [kept_run(machine, timing=True) for machine in ("riscv32", "vax")]
    more = """const slider = document.querySelector(`#sliders input[aria-label="ADDI"]`);
slider.value = Number(slider.value) + 1;
slider.dispatchEvent(new Event("input"));
"""
    whole = [run.measurement.timing.total for run in timed]
    added = timed[0].measurement.characteristics.types["ADDI"].dynamic
    for script, first in (("", whole[0]), (more, whole[0] + added)):
        shown = browser(page(timed).replace("whatIf();\n", f"whatIf();\n{script}", 1))
        told = re.search(r'id="cycles-result"[^>]*>([^<]*)<', shown)[1]
        assert told.startswith(f"A: {first:,} cycles  ·  B: {whole[1]:,} cycles  ·  B has {100 * whole[1] / first:.2f} % of A")
    assert data_of(page([timed[0], kept[0]]))["cycles"] is None
    assert data_of(page([timed[0]]))["cycles"] == whole[:1]


def test_what_differs_has_sliders(kept_run, browser):
    """What two runs execute most differently comes first, however rarely it is executed."""
    runs = [kept_run("riscv32"), kept_run("riscv32", level=2)]
    types = [run.measurement.characteristics.types for run in runs]
    apart = {
        name: abs(of[0] - of[1]) for name in {*types[0], *types[1]}
        if (of := [table[name].dynamic if name in table else 0 for table in types])[0] != of[1]
    }  # fmt: skip
    assert len(apart) > 4
    shown = re.findall(r'<input[^>]*aria-label="([^"]*)"', browser(page(runs)).partition('id="sliders"')[2])
    assert [apart.get(name) for name in shown][: min(len(apart), 9)] == sorted(apart.values(), reverse=True)[:9]


def test_functions_in_a_circle_cost_what_it_does(text):
    functions = {function["name"]: function for function in data_of(text)["runs"][0]["functions"]}
    even, odd, main = (functions[name] for name in ("even", "odd", "main"))
    assert even["inclusive"] == odd["inclusive"] == even["executed"] + odd["executed"]
    assert main["inclusive"] == main["executed"] + even["inclusive"]


def test_it_needs_nothing_else(text):
    assert not re.search(r'(src|href)="(?!#)|@import|url\((?!#)', text)
    assert text.count("</script>") == 2  # a source cannot end the script that its text is in
    assert any("</script>" in line for lines in data_of(text)["sources"].values() for line in lines)


def test_what_differs_is_told(kept, text):
    assert "What differs, and why" in text
    assert "What differs, and why" not in page(kept[:1])


def test_more_than_two_runs_are_refused(kept):
    with pytest.raises(ValueError, match="one run, or two side by side, not 3"):
        page([*kept, kept[0]])


def test_a_browser_shows_it(text, browser):
    shown = browser(text)
    assert re.search(r'<option value="main">main  ?\([\d,]+\)</option>', shown)
    assert len(re.findall("<tr data-line=", shown)) > 40
    assert shown.count('aria-label="Control flow of ') == 2
    assert re.search(r'id="cycles-result"[^>]*>A: [\d,]+ cycles', shown)


def test_runs_that_are_kept(kept, text, tmp_path, capsys):
    store = str(tmp_path / "a.ease")
    with writing(store) as connection:
        for run in kept:
            save(connection, run)
    assert page_command(["1", "2", "-db", store, "-o", str(tmp_path / "x.html")]) == 0
    assert data_of((tmp_path / "x.html").read_text()) == data_of(text)
    assert report_command(["1", "-db", store, "-o", str(tmp_path / "x.folded")]) == 0
    assert (tmp_path / "x.folded").read_text().startswith("_start")
    assert report_command(["1", "2", "-db", store, "-o", str(tmp_path / "x.folded")]) == 1
    assert page_command(["1", "2", "1", "-db", store, "-o", str(tmp_path / "x.html")]) == 1
    assert "'.folded' is for one run" in (told := capsys.readouterr().err)
    assert "a page shows one run, or two side by side, not 3" in told
