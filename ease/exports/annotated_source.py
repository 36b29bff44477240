"""Source lines with how often each was executed, in the format of gcov."""

from __future__ import annotations

from ease.store.kept_run import KeptRun

WIDTH = 9  # of a count


def as_annotated_source(run: KeptRun) -> str:
    """Return the program's files; a line counts as often as the instruction of it that was executed most.

    As in gcov, `-` marks lines without code and `#####` those that were never executed.
    """
    counts = _counts(run)
    lines = []
    for file, text in run.sources.items():
        lines.append(f"{'-':>{WIDTH}}:{0:>5}:Source:{file}")
        for number, line in enumerate(text.splitlines(), 1):
            count = counts.get((file, number))
            shown = "-" if count is None else str(count) if count else "#####"
            lines.append(f"{shown:>{WIDTH}}:{number:>5}:{line}")
    return "\n".join(lines) + "\n"


def _counts(run: KeptRun) -> dict[tuple[str, int], int]:
    """Return how often each line that has code was executed."""
    known, counts = run.measurement.program, run.measurement.counts
    assert known is not None
    assert counts is not None
    found: dict[tuple[str, int], int] = {}
    for name, function in known.functions.items():
        for line, count in zip(function.lines, counts.rtls[name], strict=True):
            key = function.file, line
            found[key] = max(found.get(key, 0), count)
    return found
