"""The page and its questions over HTTP, to programs of this machine that know the token in its address."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
LARGEST = 200_000  # bytes of a question
HOST = "127.0.0.1"
POLICY = (  # of a page in one file that asks nobody but the server
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)

Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def page(machines: Sequence[str], first: str, answers: Mapping[str, Any] | None = None) -> str:
    """Return the page, which offers some machines, `first` the one to begin with.

    With the `answers` to its examples it is one that asks no server: a worker of the browser.
    """
    read = {name: FOLDER.joinpath(name).read_text(encoding="utf-8") for name in ("page.html", "play.css", "play.js")}
    examples = yaml.safe_load(FOLDER.joinpath("examples.yaml").read_text(encoding="utf-8"))
    told = {"machines": [*machines], "first": first, "examples": examples, "answers": answers}
    data = json.dumps(told).replace("<", "\\u003c")
    parts = {"/* style */": read["play.css"], "/* data */": data, "/* script */": read["play.js"]}
    text = read["page.html"]
    for place, part in parts.items():
        text = text.replace(place, part)
    return text


class Server(ThreadingHTTPServer):
    """Answers the page's questions by `ask`, at a port of this machine (0: one that is free); `address` is the page's."""

    daemon_threads = True

    def __init__(self, port: int, text: str, ask: Ask) -> None:
        """Raises OSError if the port is taken."""
        super().__init__((HOST, port), _Handler)
        self.text, self.ask, self.token = text.encode(), ask, secrets.token_urlsafe(16)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a browser that went away; it asks again if it wants an answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @cached_property
    def address(self) -> str:
        """Where a browser finds the page."""
        return f"http://{HOST}:{self.server_port}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version, sys_version = "ease", ""
    timeout = 60  # seconds that a client may be silent

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Send the page."""
        if self._is_meant("/"):
            self._send(HTTPStatus.OK, "text/html; charset=utf-8", self.server.text)

    def do_POST(self) -> None:
        """Answer a question."""
        if not self._is_meant("/answer"):
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        try:
            asked = json.loads(self.rfile.read(int(length)))
        except ValueError:
            asked = None
        if not isinstance(asked, dict):
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        self._send(HTTPStatus.OK, "application/json", json.dumps(self.server.ask(asked)).encode())

    def _is_meant(self, place: str) -> bool:
        """Whether somebody asks for a place who knows the token, and by this machine's own name; else refuse it."""
        known = secrets.compare_digest(self.path.encode(), f"/{self.server.token}{place}".encode())
        if known and self.headers.get("Host") in (f"{HOST}:{self.server.server_port}", f"localhost:{self.server.server_port}"):
            return True
        self._refuse(HTTPStatus.NOT_FOUND)
        return False

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True  # what was sent is not read
        self._send(status, "text/plain; charset=utf-8", f"{status.phrase}\n".encode())

    def _send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.send_response(status)
        headers = {
            "Content-Type": kind, "Content-Length": str(len(content)), "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Content-Security-Policy": POLICY,
        }  # fmt: skip
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
