"""Counts what became of seeds; kept in a file, line by line, so that a run may be cut off and go on later."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path


class Tally:
    """The outcomes of seeds: how many agreed, failed, were skipped, and how often each machine was tried at each level.

    `log` has a line of JSON for each seed; the seeds that it tells of already are counted, and are in `known`.
    """

    def __init__(self, log: Path | None = None) -> None:
        self.outcomes: Counter[str] = Counter()
        self.tried: Counter[str] = Counter()
        self.known: set[int] = set()
        self.log = log
        if log is not None and log.exists():
            for line in log.read_text().splitlines():
                self._count(json.loads(line))

    def _count(self, entry: dict) -> None:
        self.known.add(entry["seed"])
        self.outcomes[entry["outcome"]] += 1
        self.tried.update(entry.get("tried", {}))

    def add(self, seed: int, answer: dict) -> str:
        """Count the answer for a seed, and log it; return the outcome."""
        outcome = "skipped" if "skipped" in answer else "failed" if answer.get("failures") else "agreed"
        entry = {"seed": seed, "outcome": outcome, **answer}
        self._count(entry)
        if self.log is not None:
            with self.log.open("a") as file:
                file.write(json.dumps(entry) + "\n")
        return outcome

    def __str__(self) -> str:
        places = ", ".join(f"{where}: {count}" for where, count in sorted(self.tried.items()))
        agreed, failed, skipped = (self.outcomes[kind] for kind in ("agreed", "failed", "skipped"))
        return f"{places}\n{agreed} agreed, {failed} failed, {skipped} skipped (endless or undefined)"
