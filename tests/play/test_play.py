"""The page of `ease play`: its questions, who may ask them, and what the process that answers can reach."""

import http.client
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import yaml

from ease.commands.studies import play_command
from ease.host.process.wall import missing
from ease.lab.play import server
from ease.lab.play.answers import answer
from tests.covering import some

EXAMPLES = yaml.safe_load(Path(server.FOLDER, "examples.yaml").read_text(encoding="utf-8"))
PROGRAM = "int main(void)\n{\n    int s = 0;\n    for (int i = 0; i < 9; i++)\n        s += i * i;\n    return s;\n}\n"
MAC = "instructions:\n  MAC: {rtl: 'r[acc]=r[acc]+(r[a]*r[b]);', asm: 'mac $acc,$a,$b'}\n"
UNUSED = "instructions:\n  ABS: {rtl: 'r[d]=SEL(r[a]<0,neg(r[a]),r[a]);', asm: 'abs $d,$a'}\n"


@pytest.fixture(autouse=True)
def _in_a_folder(own_cache, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_change_and_what_it_is_worth():
    found = answer({"machine": "riscv32", "changes": MAC, "source": PROGRAM})
    before, after = found["sides"]
    assert before["end"] == after["end"] == "exit status 204"
    assert found["verdict"].startswith("At -O2, MAC saves ")
    new = [row for row in found["instructions"] if row[3]]
    assert [(name, was) for name, was, *_ in new] == [("MAC", 0)]
    assert new[0][2] == sum(row[2] for row in after["functions"]["main"] if row[3] == "MAC") > 0
    assert sum(after["lines"].values()) == sum(row[2] for rows in after["functions"].values() for row in rows)
    assert before["totals"]["instructions"] - after["totals"]["instructions"] == new[0][2]


def test_what_is_not_used_says_why():
    found = answer({"machine": "riscv32", "changes": UNUSED, "source": PROGRAM})
    assert list(found["unused"]) == ["ABS"]
    assert all(": " in place for place in found["unused"]["ABS"])


def test_nothing_changed_is_one_run():
    found = answer({"machine": "riscv32", "changes": " \n", "source": PROGRAM, "level": "0"})
    assert len(found["sides"]) == 1
    assert not found["verdict"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"source": "int main(void) { return x; }"}, "program.c:1:25: error: 'x' undeclared"),
        ({"source": PROGRAM, "changes": "instructions: {X: {rtl: 'r[1'}}"}, ":1:16: error: 'X' is new"),
        ({"source": PROGRAM, "changes": "instructions: ["}, ":2:1: error: not YAML"),
        ({"source": PROGRAM, "changes": "extends: /etc/passwd"}, "extends no other machine"),
        ({"source": PROGRAM, "machine": "/etc/passwd"}, "no machine that comes with ease"),
        ({"source": PROGRAM, "machine": "riscv23"}, "riscv23"),
        ({"source": PROGRAM, "level": "9"}, "no level '9'"),
        ({"source": PROGRAM, "arguments": "'"}, "the arguments:"),
        ({}, "main"),
    ],
)
def test_mistakes_are_told(asked, told):
    assert told in answer({"machine": "riscv32", **asked})["error"]


@pytest.mark.parametrize("name", some(EXAMPLES, 1))
def test_examples_use_what_they_add(name):
    found = answer(EXAMPLES[name])
    assert not found["unused"]
    assert found["changes"]["instructions"] < 0


# ----------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def served():
    """A server whose answers are its questions, and a function that asks it: path, body, headers; status and text."""
    with server.Server(0, server.page(["riscv32"], "riscv32"), lambda asked: {"asked": asked}) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()

        def ask(path, body=None, **headers):
            connection = http.client.HTTPConnection(server.HOST, running.server_port, timeout=20)
            connection.request("GET" if body is None else "POST", path, body, headers)
            reply = connection.getresponse()
            return reply.status, reply.read().decode()

        yield running, ask
        running.shutdown()


def test_only_who_knows_the_address_is_answered(served):
    running, ask = served
    path = f"/{running.token}/"
    assert ask(path)[0] == 200
    assert ask(f"{path}answer", '{"machine": "m"}') == (200, '{"asked": {"machine": "m"}}')
    for wrong in ("/", "/answer", f"{path}other", f"{path}answer", f"/{running.token[:-1]}/"):
        assert ask(wrong)[0] == 404
    assert ask("/answer", "{}")[0] == 404
    assert ask(path, Host="elsewhere.example")[0] == 404, "a name that somebody else lets mean this machine"
    assert ask(f"{path}answer", "[]")[0] == ask(f"{path}answer", "{")[0] == 400
    assert ask(f"{path}answer", "x" * (server.LARGEST + 1))[0] == 413


def test_what_is_shown_ends_no_script():
    assert "</script>" not in server.page(["</script>"], "</script>").split('id="data">')[1].split("</script>", 1)[0]
    assert server.page(["a</script>"], "").count("</script>") == 2


def test_the_page_asks_and_shows(monkeypatch, tmp_path):
    """In a browser: the first example's answer arrives, and the new instruction is in the table and in the code."""
    browser = next(filter(shutil.which, ("chromium", "chromium-browser", "google-chrome")), None)
    if browser is None:
        assert os.environ.get("EASE_REQUIRE_TOOLS") != "1", "needs chromium"
        pytest.skip("needs chromium")
    given = answer({"machine": "riscv32", "changes": MAC, "source": PROGRAM})
    with server.Server(0, server.page(["riscv32"], "riscv32"), lambda asked: given) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        words = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
        words += ["--dump-dom", "--virtual-time-budget=8000", "--enable-logging=stderr", running.address]
        outcome = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
        running.shutdown()
    assert "CONSOLE" not in outcome.stderr, outcome.stderr
    assert given["verdict"] in outcome.stdout
    assert "MAC (new)" in outcome.stdout
    assert 'class="row new"' in outcome.stdout


# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif("Landlock" in missing(), reason="this kernel has no Landlock")
def test_the_process_that_answers_reaches_no_other_files(tmp_path):
    secret = tmp_path / "secret.h"
    secret.write_text("int secret;\n")
    own = tmp_path / "own.yaml"
    own.write_text("extends: riscv32\nmachine: own\n")
    program = f'#include <stdio.h>\nint main(void) {{ return fopen("{secret}", "r") == 0 ? 7 : 8; }}'
    with play_command._Answering([str(own)]) as answering:
        assert answering.ask({"machine": "own", "source": PROGRAM})["sides"][0]["machine"] == "own"
        for source in (f'#include "{secret}"\n{PROGRAM}', f'char x[] = {{\n#embed "{secret}"\n}};\n'):
            assert "secret.h: cannot read" in answering.ask({"machine": "own", "source": source})["error"]
        assert answering.ask({"machine": "own", "source": program, "level": "1"})["sides"][0]["end"] == "exit status 7"


def test_an_answer_that_never_comes(monkeypatch):
    monkeypatch.setattr(play_command, "FIRST", "import time; time.sleep(60)")
    monkeypatch.setattr(play_command, "PATIENCE", 0.2)
    with play_command._Answering([]) as answering:
        assert answering.ask({})["error"] == "no answer within 0.2 seconds"
        monkeypatch.setattr(play_command, "FIRST", "")
        answering.process.kill()
        assert answering.ask({})["error"] == "the process that answers has ended"


def test_a_machine_that_is_wrong_is_told_at_once(tmp_path):
    (tmp_path / "bad.yaml").write_text("extends: riscv32\ninstructions: 3\n")
    words = [str(Path(sys.executable).with_name("ease")), "play", "--no-browser", "-m", "bad.yaml"]
    outcome = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert outcome.returncode == 1
    assert "bad.yaml:2:" in outcome.stderr
