"""`ease play`: a page on which one changes a machine and a program, and sees what comes of it.

A process of its own answers the page's questions.  It can read no files but its own and the machines that the command named,
and is begun anew when an answer takes too long.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import select
import subprocess
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import PIPE
from typing import Any

from ease.commands.guard import guarded
from vpo.base.errors import UserError
from vpo.base.parallel import end_with

PATIENCE = 60.0  # seconds for an answer
LARGEST_FILE = 64 << 20  # bytes that a program may write to one
FIRST = "import os, sys; from ease.commands.studies.play_command import answer_all; answer_all(sys.argv[1:])"
EPILOG = "The page is for browsers of this machine alone, and only for who knows its address; Ctrl-C ends it."


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, 2: wrong usage."""
    parser = argparse.ArgumentParser("ease play", description=(__doc__ or "").splitlines()[0].split(": ", 1)[1], epilog=EPILOG)
    add = parser.add_argument
    add("-m", dest="machines", action="append", default=[], metavar="MACHINE", help="offer this machine or description, too")
    add("--port", type=int, default=0, help="the port (default: one that is free)")
    add("--no-browser", action="store_true", help="only print the page's address")
    add("--static", metavar="FOLDER", help="write the page into a folder, to run in browsers without a server (needs Node)")
    add("--pyodide", metavar="FOLDER", default="node_modules/pyodide", help="npm's, for --static (default: %(default)s)")
    options = parser.parse_args(words)
    if not 0 <= options.port < 1 << 16:
        parser.error("--port needs a number from 0 to 65535")
    return guarded("ease play", lambda: _write(options) if options.static else _serve(options))


def _write(options: argparse.Namespace) -> int:
    from ease.lab.play.static_page import write
    from vpo.machines.names import default_machine, machine_names

    if options.machines:
        raise UserError("--static: the page offers the machines that come with ease; changes are written on it")
    write(Path(options.static), Path(options.pyodide), machine_names(), default_machine())
    print(f"Offer {options.static} by any web server: python -m http.server -d {options.static}")
    return 0


def _serve(options: argparse.Namespace) -> int:
    import ease
    from ease.lab.play.server import Server, page
    from vpo.machines.names import default_machine, machine_names

    own = [os.path.abspath(name) if os.path.exists(name) else name for name in options.machines]
    named = {ease.Machine(path).name: path for path in own}  # what is wrong with them is told now
    machines = [*named, *(name for name in machine_names() if name not in named)]
    first = next(iter(named), default_machine())
    with _Answering(own) as answering, Server(options.port, page(machines, first), answering.ask) as server:
        print(f"{server.address}\nCtrl-C ends it.", flush=True)
        if not options.no_browser:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


class _Answering:
    """The process that answers, one question after another."""

    def __init__(self, machines: Sequence[str]) -> None:
        self.machines, self.lock = machines, threading.Lock()
        self.folder = tempfile.TemporaryDirectory(prefix="ease-play-")
        self.process = self._started()

    def __enter__(self) -> _Answering:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self.folder.cleanup()

    def _started(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-c", FIRST, str(os.getpid()), self.folder.name, *self.machines]
        path = os.pathsep.join(filter(None, (*sys.path, os.environ.get("PYTHONPATH", ""))))
        environment = {**os.environ, "PYTHONPATH": path}
        return subprocess.Popen(command, env=environment, start_new_session=True, stdin=PIPE, stdout=PIPE)

    def _end(self) -> None:
        self.process.kill()
        self.process.communicate()

    def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answer to a question, or what is wrong."""
        with self.lock:
            questions, answers = self.process.stdin, self.process.stdout
            try:
                if questions is not None and answers is not None:
                    questions.write(json.dumps(question).encode() + b"\n")
                    questions.flush()
                    if select.select([answers], [], [], PATIENCE)[0]:
                        answer: dict[str, Any] = json.loads(answers.readline())
                        return answer
                problem = f"no answer within {PATIENCE:g} seconds"
            except (OSError, ValueError):
                problem = "the process that answers has ended"
            self._end()
            self.process = self._started()
            return {"error": problem}


def answer_all(words: Sequence[str]) -> None:
    """Answer questions from the standard input, a line each, until it ends."""
    parent, folder, *names = words
    end_with(int(parent))
    os.chdir(folder)
    with open(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        import ease
        from ease.host.process.wall import confine_files
        from ease.lab.play.answers import answer

        machines = {machine.name: machine for machine in map(ease.Machine, names)}
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
        confine_files([folder])
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line), machines)), file=answers, flush=True)
