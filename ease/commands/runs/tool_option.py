"""The option `-tool`: which tools there are."""

from __future__ import annotations

import ast

from ease.tools.tool_file import find, supplied


def list_tools() -> int:
    """List the supplied tools with what their files say first; returns the exit status."""
    for name in supplied():
        text = ast.get_docstring(ast.parse(find(name).read_text(encoding="utf-8"))) or ""
        print(f"{name:<20} {text.partition(chr(10))[0]}")
    return 0
