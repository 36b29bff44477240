"""`ease attach`: start and stop measuring in a run of `easecc -sample shm`.

A file of its own, since a command is imported when it is asked for.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ease.commands.guard import guarded

ACTIONS = ("start", "stop", "status")


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    options = argparse.ArgumentParser(
        prog="ease attach",
        description="Start or stop measuring in a run of `easecc -sample shm`; without a process, list such runs.",
    )
    options.add_argument("process", type=int, nargs="?", metavar="PID", help="of the process `easecc`")
    options.add_argument("action", choices=ACTIONS, nargs="?", default="status", help="default: status")
    given = options.parse_args(words)
    return guarded("ease attach", lambda: _list() if given.process is None else _act(given.process, given.action))


def _list() -> int:
    from ease.host.sampling.attaching import runs

    print("".join(f"{process}\n" for process in runs()), end="")
    return 0


def _act(process: int, action: str) -> int:
    from ease.host.sampling.attaching import Attached

    run = Attached.to(process)
    if action != "status":
        run.want(action == "start")
        return 0
    found = run.read()
    doing = "measured" if found["weight"] else "not measured"
    print(f"{doing}; {found['passed']:,} samples have ended, {found['measured']:,} instructions were measured")
    return 0
