"""Settings of a tool: constants at the top of its file that the command line changes, as in `cache:SETS=512,LINE=16`."""

from __future__ import annotations

import ast
from pathlib import Path

from vpo.machines.nearest import nearest
from vpo.user_error import UserError


def split(text: str) -> tuple[str, dict[str, str]]:
    """Take apart what `-tool` says: the name or file of a tool, and its settings.

    Raises UserError.
    """
    name, colon, rest = text.partition(":")
    if not colon or Path(text).exists():
        return text, {}
    found: dict[str, str] = {}
    for part in rest.split(","):
        key, equals, value = part.partition("=")
        if not equals or not key or key in found:
            raise UserError([f"-tool {text}: '{part}' is no setting; settings are NAME=VALUE, each once, separated by commas"])
        found[key] = value
    return name, found


def change(tree: ast.Module, settings: dict[str, str], file: str) -> None:
    """Change the constants of a file, given its syntax: names in capitals whose values are whole numbers or text.

    Raises UserError.
    """
    known: dict[str, ast.Assign] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            for target in statement.targets:
                if isinstance(target, ast.Name) and target.id.isupper() and type(statement.value.value) in (int, str):
                    known[target.id] = statement
    for name, text in settings.items():
        if name not in known:
            near = nearest(name, list(known))
            advice = f"; did you mean '{near}'?" if near else ""
            raise UserError([f"-tool {file}: there is no setting '{name}'{advice} (there are: {', '.join(known) or 'none'})"])
        before = known[name].value
        assert isinstance(before, ast.Constant)
        value = _number(file, name, text) if isinstance(before.value, int) else text
        known[name].value = ast.copy_location(ast.Constant(value), before)


def _number(file: str, name: str, text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise UserError([f"-tool {file}: {name}={text} is no whole number, such as 16 or 0x10"]) from None
