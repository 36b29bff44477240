"""`ease cache`: memory systems in words, and classes of fetches that a run confirms."""

import json
import sys

import pytest

from ease.commands.studies.cache_command import main
from ease.lab.static_cache import classes

LOOP = "int main(void) { int i, s = 0; for (i = 0; i < 5; i++) s += i * i; return s; }\n"


@pytest.fixture
def cache(folder, capfd):
    """Run `ease cache` in this process: its status, output and messages."""

    def run(*words):
        capfd.readouterr()
        status = main([str(word) for word in words])
        sys.stdout.flush()
        return (status, *capfd.readouterr())

    return run


def test_static_lists_functions_and_loops(cache, folder):
    folder(loop=LOOP)
    status, out, err = cache("--static", "loop.c", "-cache", "I:128,16,1")
    assert (status, err) == (0, "")
    assert out.startswith("main (loop.c)\n\naddress     line  loop  instructions  class ")
    assert "always miss" in out
    assert out.splitlines()[-1].startswith("total ")
    assert "What a run made of them" not in out


def test_a_run_confirms_and_the_library_is_listed_on_request(cache, folder):
    folder(loop=LOOP)
    status, out, err = cache("--static", "--run", "--all", "loop.c", "-cache", "I:128,16,1+switch:50i")
    assert (status, err) == (0, "")
    assert "\n_Exit (libc/" in out
    assert "What a run made of them" in out
    assert out.splitlines()[-1].startswith("with context switches, ")


def test_json_has_every_line_that_is_fetched(cache, folder):
    folder(loop=LOOP)
    status, out, _ = cache("--static", "--run", "--json", "-", "loop.c", "-cache", "I:128,16,1")
    values = json.loads(out)
    assert (status, values["format"], values["contradictions"]) == (0, 1, [])
    assert {"function", "line", "loops", "class", "scopes", "executed", "misses"} <= set(values["references"][0])
    total = sum(reference["misses"] for reference in values["references"])
    assert total == sum(seen["misses"] for seen in values["observed"].values()) > 0


def test_classes_that_do_not_hold_are_errors(cache, folder, monkeypatch):
    folder(loop=LOOP)
    always = classes.Class(classes.Kind.HIT)
    monkeypatch.setattr(classes.Analysis, "_outcome", lambda *_: always)
    status, _, err = cache("--static", "--run", "loop.c", "-cache", "I:128,16,1")
    assert status == 1
    assert any(line.startswith("loop.c:1: error: main, 0x") for line in err.splitlines())
    assert err.splitlines()[-1].endswith("1 misses in 1 executions, but 'always hit' promises 0")


def test_show_says_what_a_system_is_made_of(cache, folder):
    status, out, _ = cache("show", "I:1k,16,1+switch:10000")
    assert status == 0
    assert "22 tag + 6 index + 4 offset = 32 bits" in out
    (folder() / "system.yaml").write_text("data: {size: 8k, line: 16, ways: 4}\n")
    status, out, _ = cache("show", "system.yaml")
    assert "D: data cache, 8k bytes, lines of 16 bytes, 4 ways" in out
    assert "\n  D:8k,16,4\n" in out


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        (["--static", "loop.c"], 2, "which cache?"),
        (["loop.c"], 2, "--static or show?"),
        (["show"], 2, "which memory system?"),
        (["--static", "--json"], 2, "needs a file"),
        (["--static", "loop.c", "-cache", "U:1k,16,1"], 1, "give I: instead of U:"),
        (["--static", "loop.c", "-cache", "I:1k,16"], 1, "expected SIZE,LINE,WAYS"),
        (["--static", "--json", "nowhere/x.json", "loop.c", "-cache", "I:1k,16,1"], 1, "nowhere: there is no such folder"),
        (
            ["--static", "--run", "-limit", "20", "loop.c", "-cache", "I:1k,16,1"],
            1,
            "a run that is cut short confirms nothing",
        ),
        (["--static", "-S", "loop.c", "-cache", "I:1k,16,1"], 2, "exclude each other"),
        (["--static", "loop.c", "-cache", "sweep"], 1, "expected one of"),
        (["show", "nowhere.yaml"], 1, "nowhere.yaml: No such file"),
    ],
)
def test_what_is_wrong_is_said(cache, folder, words, status, why):
    folder(loop=LOOP)
    found, out, err = cache(*words)
    assert (found, out) == (status, "")
    assert why in err
