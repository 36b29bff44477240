"""The version that is installed."""

from __future__ import annotations

ASKED = ("-V", "--version")


def show_version(program: str) -> int:
    """Print the version of a command; returns the exit status."""
    from importlib.metadata import version  # takes longer to import than all else that starts a command

    print(f"{program} {version('ease')}")
    return 0
