"""Rules for make that say which files an object depends on: -M, -MD and their kin."""

from __future__ import annotations

from pathlib import Path

from ease.base.files import write_atomically
from ease.commands.compile.command import Command
from vpo.build.compiler import Compiler
from vpo.libc import HEADERS


def write_rule(command: Command, compiler: Compiler, file: str) -> None:
    """Write the rule for a C file that has been preprocessed: to -MF, else to -o of -M, else beside the output."""
    headers = [
        path for path in compiler.included.get(file, ()) if not (command.own_headers and Path(path).is_relative_to(HEADERS))
    ]
    made = None if command.dependencies else command.output
    targets = command.dependency_targets or [_escaped(made or str(Path(file).with_suffix(".o").name))]
    text = " \\\n ".join([f"{' '.join(targets)}:", *map(_escaped, [file, *headers])]) + "\n"
    if command.dependency_phonies:
        text += "".join(f"\n{_escaped(header)}:\n" for header in headers)
    write_atomically(command.dependency_file or _default_file(command, made or file), text)


def _default_file(command: Command, made: str) -> str:
    if command.dependencies:
        return command.output or "-"
    path = Path(made)
    return str(path.with_suffix(".d") if path.suffix != ".c" else path.with_suffix(".d").name)


def _escaped(path: str) -> str:
    return path.replace(" ", "\\ ").replace("#", "\\#").replace("$", "$$")
