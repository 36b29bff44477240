"""The help of every command, as the commands print it: what shell completion, man pages and the reference are made from."""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator

from ease.commands.ease_command import COMMANDS
from ease.commands.ease_command import main as ease_main

OPTION = re.compile(r"(?<![\w<-])(--?[A-Za-z][\w-]*)")
_OWN = {"easecc": "easecc", "ease": "ease_command"}  # modules of commands that are none of ease
SAME = {"ranlib": "ar"}  # commands whose help stands in that of others
WIDTH = "110"  # columns of help that argparse writes


def help_of(command: str) -> str:
    """Return the help of `easecc`, of `ease`, or of a command of ease."""
    from ease.commands.easecc import main as easecc_main

    text = io.StringIO()
    with contextlib.redirect_stdout(text), _width(), contextlib.suppress(SystemExit):
        if command == "easecc":
            easecc_main(["-help"])
        else:
            command = SAME.get(command, command)
            ease_main([command, "--help"] if command != "ease" else ["--help"])
    return text.getvalue()


@contextlib.contextmanager
def _width() -> Iterator[None]:
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = WIDTH
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def all_commands() -> list[str]:
    """Return the names of all commands: `easecc`, `ease` and those of ease."""
    return ["easecc", "ease", *COMMANDS]


def options_of(command: str) -> list[str]:
    """Return the options that the help of a command names."""
    return sorted(set(OPTION.findall(help_of(command))))


def summary_of(command: str) -> str:
    """Return in a line what a command is for, as its function says, or else its module."""
    from importlib import import_module

    place, _, name = COMMANDS.get(command, f"ease.commands.{_OWN.get(command)}").partition(":")
    module = import_module(place)
    told = [getattr(each, "__doc__", None) or "" for each in (getattr(module, name, None), module)]
    first = next(text for text in told if text.startswith("`")).splitlines()[0]
    return first.partition(": ")[2].rstrip(".")


def reference() -> str:
    """Return docs/reference.md: the help of every command."""
    parts = [
        "# Reference: commands and options",
        "Made from the help of the commands by `ease man --markdown docs`; tests compare.",
    ]
    for command in all_commands():
        if command not in SAME:
            title = command if command in ("ease", "easecc") else f"ease {command}"
            indented = "\n".join(f"    {line}".rstrip() for line in help_of(command).rstrip().splitlines())
            parts.append(f"## {title}\n\n{summary_of(command)}.\n\n{indented}")
    return "\n\n".join(parts) + "\n"
