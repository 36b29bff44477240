"""`ease play --static`: the page as files, with Python in the browser."""

import gzip
import json
import os
import shutil
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import ease
from ease.lab.play import server, static_page

PYODIDE = Path(os.environ.get("PYODIDE", "build/node/node_modules/pyodide"))  # `make site` puts it there
UNPACK = """
import {{ unpack }} from {module};
import {{ readFileSync }} from "node:fs";
const found = {{}};
const writeFile = (name, bytes) => (found[name] = new TextDecoder().decode(bytes));
unpack({{ mkdirTree() {{}}, writeFile }}, readFileSync({file}));
console.log(JSON.stringify(found));
"""


def tool(*names):
    """Return the first of some programs that is here; skip the test if none is."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        assert os.environ.get("EASE_REQUIRE_TOOLS") != "1", f"needs {names[0]}"
        pytest.skip(f"needs {names[0]}")
    return found


@pytest.mark.tools
def test_files_arrive_in_the_browser(tmp_path):
    node = tool("node")
    given = {"site/a.py": "x", "site/empty": "", f"site/{'deep/' * 40}b.py": "y" * 2000}
    archive = tmp_path / "files.tar"
    archive.write_bytes(static_page.packed([(name, text.encode()) for name, text in given.items()]))
    script = tmp_path / "unpack.mjs"
    module = json.dumps((server.FOLDER / "python.mjs").as_uri())
    script.write_text(UNPACK.format(module=module, file=json.dumps(str(archive))))
    outcome = subprocess.run([node, script], capture_output=True, text=True, check=True)
    assert json.loads(outcome.stdout) == {f"/home/pyodide/{name}": text for name, text in given.items()}


def test_what_is_missing_is_told(tmp_path):
    with pytest.raises(ease.Error, match=r"no pyodide\.mjs \(`npm install pyodide`"):
        static_page.write(tmp_path / "site", tmp_path, ["riscv32"], "riscv32")
    assert not (tmp_path / "site").exists()


def test_a_page_with_answers_asks_no_server():
    assert '"answers": null' in server.page(["riscv32"], "riscv32")
    assert '"answers": {"one": {"verdict": "told"}}' in server.page(["riscv32"], "riscv32", {"one": {"verdict": "told"}})


@pytest.mark.thorough
@pytest.mark.tools
def test_the_whole_page_in_a_browser(tmp_path):
    """Built with Node, opened in Chromium: the first example's answer is there, and nothing is asked of anybody else."""
    node, browser = tool("node"), tool("chromium", "chromium-browser", "google-chrome")
    if not PYODIDE.is_dir():
        pytest.skip("needs npm's pyodide: `make site`")
    static_page.write(tmp_path / "site", PYODIDE, ["riscv32"], "riscv32", node)
    assert b"ustar" in gzip.decompress((tmp_path / "site/files.gz").read_bytes())[:512]
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path / "site")
    with ThreadingHTTPServer((server.HOST, 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        words = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
        words += ["--dump-dom", "--virtual-time-budget=20000", "--enable-logging=stderr"]
        words += ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]
        address = f"http://{server.HOST}:{running.server_port}/"
        outcome = subprocess.run([*words, address], capture_output=True, text=True, timeout=300, check=True)
        running.shutdown()
    assert "CONSOLE" not in outcome.stderr, outcome.stderr
    assert "MAC saves " in outcome.stdout
    assert "MAC (new)" in outcome.stdout
