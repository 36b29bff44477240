"""What was executed on wrong paths, behind mispredicted branches, and what that does to caches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ease.reports.report import Report, Table, number

if TYPE_CHECKING:
    from ease.run.wrong_paths import WrongPaths


def table(paths: WrongPaths) -> Table:
    """Show the numbers; misses without and with what wrong paths refer to."""
    rows = [["mispredicted", number(paths.mispredicted), ""], ["wrong paths", number(paths.followed), ""]]
    rows.append(["instructions on them", number(paths.instructions), ""])
    rows += [[f"ended early by a {reason}", number(count), ""] for reason, count in paths.ended.items()]
    rows += [[f"{kind} references on them", number(count), ""] for kind, count in paths.references.items()]
    if paths.without is not None and paths.with_ is not None:
        for before, after in zip(paths.without.caches, paths.with_.caches, strict=True):
            rows.append([f"misses of {before.cache.name}", number(before.misses.total), number(after.misses.total)])
    note = f"{number(paths.length)} instructions behind each mispredicted transfer"
    return Table(["", "without", "with wrong paths"], rows, note=note)


def json(paths: WrongPaths) -> dict[str, Any]:
    """Return the numbers."""
    both = [] if paths.without is None or paths.with_ is None else zip(paths.without.caches, paths.with_.caches, strict=True)
    return {
        "wrong_paths": {
            "length": paths.length,
            "mispredicted": paths.mispredicted,
            "followed": paths.followed,
            "instructions": paths.instructions,
            "ended": paths.ended,
            "references": paths.references,
            "misses": {a.cache.name: {"without": a.misses.total, "with": b.misses.total} for a, b in both},
        }
    }


WRONG_PATHS = Report("wrong-paths", "Wrong paths", table, json, about="wrong_paths")
