"""`ease show`: what a run that is kept was.

A file of its own, since a command is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from ease.commands.guard import guarded
from ease.commands.runs.store_options import RUN_HELP, parser, runs


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    options = parser("show", "What was run, on what, and the command that measures it again.")
    options.add_argument("run", type=int, metavar="RUN", help=RUN_HELP)
    only = options.add_mutually_exclusive_group()
    only.add_argument("--reproduce", action="store_true", help="only the command")
    only.add_argument("--machine", action="store_true", help="only the machine's description, as a file for -m")
    only.add_argument("--source", action="store_true", help="only the source")
    given = options.parse_args(words)
    part = "command" if given.reproduce else "machine" if given.machine else "source" if given.source else ""
    return guarded("ease show", lambda: _show(given.db, given.run, part))


def _show(db: str, number: int, part: str) -> int:
    from ease.store.database import reading

    with reading(db) as connection:
        (run,) = runs(connection, [number])
    measurement, identity = run.measurement, run.measurement.identity
    assert identity is not None
    if part == "command":
        print(identity.command)
    elif part == "machine":
        print(run.description, end="")
    elif part == "source":
        for text in run.sources.values():
            print(text, end="")
    else:
        facts = {
            "run": str(run.number), "time": run.time, "command": identity.command, "ease": identity.version,
            "machine": " ".join([measurement.machine, *(f"--set {change}" for change in identity.changes)]),
            "level": f"-O{identity.level}", "files": " ".join(identity.files), "arguments": " ".join(identity.arguments),
            "input": " ".join(filter(None, [identity.input, identity.input_digest and f"(SHA-256 {identity.input_digest})"])),
            "exit status": str(measurement.exit_status), "fault": measurement.fault,
            "instructions": f"{measurement.characteristics.instructions.dynamic:,}",
        }  # fmt: skip
        width = max(map(len, facts))
        print("\n".join(f"{name:<{width}}  {value}" for name, value in facts.items() if value))
    return 0
