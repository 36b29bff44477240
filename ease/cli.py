"""The `ease` command: everything beside compiling and running one program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

USAGE = """\
usage: ease COMMAND [...]

  ease machine list | show M [INSTRUCTION] | grammar M | check M     about machine descriptions
  ease verify -m M [easecc options] prog.c [-- args]                 compare with the real assembler and emulator
  ease bisect [easecc options] prog.c [-- args]                      find the first change that breaks a program
"""


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    words = list(sys.argv[1:] if words is None else words)
    if not words or words[0] in ("-help", "--help", "-h", "help"):
        print(USAGE, end="")
        return 0 if words else 2
    name, *rest = words
    command = _commands().get(name)
    if command is None:
        print(f"ease: there is no command '{name}'\n{USAGE}", end="", file=sys.stderr)
        return 2
    return command(rest)


def _commands() -> dict[str, Callable[[Sequence[str]], int]]:
    from ease import bisect_command, machine_command, verify_command

    return {
        "machine": machine_command.main,
        "verify": verify_command.main,
        "bisect": bisect_command.main,
    }


if __name__ == "__main__":
    sys.exit(main())
