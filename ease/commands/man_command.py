"""`ease man`: the pages of the manual, made from the help of the commands.

A file of its own, since a command is imported when it is asked for.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ease.commands.guard import guarded


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        "ease man", description="Write the pages of the manual into a folder: easecc.1, ease.1, ease-COMMAND.1."
    )
    parser.add_argument("folder", metavar="FOLDER", help="such as ~/.local/share/man/man1; made if need be")
    parser.add_argument("--markdown", action="store_true", help="write all as reference.md instead")
    options = parser.parse_args(words)
    return guarded("ease man", lambda: _write(Path(options.folder), options.markdown))


def _write(folder: Path, markdown: bool) -> int:
    from ease.base.files import write_atomically
    from ease.commands.help_text import all_commands, reference

    folder.mkdir(parents=True, exist_ok=True)
    if markdown:
        write_atomically(str(folder / "reference.md"), reference())
        return 0
    for command in all_commands():
        name = command if command in ("ease", "easecc") else f"ease-{command}"
        write_atomically(str(folder / f"{name}.1"), page(command, name))
    return 0


def page(command: str, name: str) -> str:
    """Return the page of a command in the language of man."""
    from importlib.metadata import version

    from ease.commands.help_text import help_of, summary_of

    body = "\n".join(_escaped(line) for line in help_of(command).splitlines())
    about = f"{_escaped(name)} \\- {_escaped(summary_of(command))}"
    return (
        f'.TH {name.upper()} 1 "" "ease {version("ease")}" "ease"\n.SH NAME\n{about}\n'
        f".SH SYNOPSIS AND OPTIONS\n.nf\n{body}\n.fi\n.SH SEE ALSO\neasecc(1), ease(1)\n"
    )


def _escaped(text: str) -> str:
    """Return text in which nothing is a command of troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text
