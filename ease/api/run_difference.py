"""What differs between two runs, as tables."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ease.api.errors import Error
from ease.api.frame import Frame
from ease.api.runs import Run
from ease.comparison.comparison import Comparison, compare_runs
from ease.comparison.comparison import Difference as Change
from ease.comparison.reasons import in_words
from ease.comparison.verdict import Verdict, verdict_of

TOP = 20  # rows of the text


@dataclass(frozen=True)
class Difference:
    """Two runs and what differs: every table sums to the difference of the totals, exactly."""

    before: Run
    after: Run
    comparison: Comparison = field(repr=False)

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs."""
        return self.comparison.is_equal

    @cached_property
    def verdict(self) -> Verdict:
        """One sentence, and the changes of instructions, cycles and bytes of code as parts of what was before."""
        first, second = (run.output + run.errors for run in (self.before, self.after))  # a store has no outputs
        outputs = (first, second) if first and second else None
        return verdict_of(self.comparison, self.before.kept, self.after.kept, outputs=outputs)

    @property
    def totals(self) -> Frame:
        """The totals of both."""
        return _frame("total", self.comparison.totals)

    @property
    def instructions(self) -> Frame:
        """What differs by instruction."""
        return _frame("instruction", self.comparison.instructions)

    @property
    def causes(self) -> Frame:
        """What differs by cause."""
        return _frame("cause", self.comparison.causes)

    @property
    def functions(self) -> Frame:
        """What differs by function."""
        return _frame("function", self.comparison.functions)

    @property
    def reasons(self) -> Frame:
        """Why something else is executed, with what it is."""
        rows = ((item.name, item.change, in_words(item.changes)) for item in self.comparison.reasons)
        return Frame(("reason", "change", "what"), tuple(rows))

    @property
    def lines(self) -> Frame:
        """What differs by source line, with the reasons."""
        rows = (
            (d.line.file, d.line.number, d.executed.before, d.executed.after, d.executed.change, d.reason)
            for d in self.comparison.lines
        )
        return Frame(("file", "line", "before", "after", "change", "reason"), tuple(rows))

    def text(self, top: int = TOP) -> str:
        """Return what `ease compare` prints."""
        from ease.comparison.differences import as_text

        if self.is_equal:
            return self.verdict.text
        return f"{self.verdict.text}\n" + as_text(
            self.comparison, {**self.before.kept.sources, **self.after.kept.sources}, top
        )

    def page(self) -> str:
        """Return both runs side by side as an HTML page, in one file."""
        from ease.pages.page import page

        return page([self.before.kept, self.after.kept], self.verdict)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """Return the totals and the lines that differ most for notebooks."""
        if self.is_equal:
            return f"<p>{html.escape(self.verdict.sentence)}</p>"
        verdict = f"<p><b>{html.escape(self.verdict.sentence)}</b></p>"
        return f"{verdict}{self.totals._repr_html_()}{self.lines.head(TOP)._repr_html_()}"


def _frame(column: str, table: Mapping[str, Change]) -> Frame:
    rows = (
        (name, n.before, n.after, n.change, n.change / n.before if n.before else None) for name, n in table.items()
    )  # fmt: skip
    return Frame((column, "before", "after", "change", "share"), tuple(rows))


def compare(before: Run, after: Run) -> Difference:
    """Compare two runs.

    Raises Error for runs of which not everything is known.
    """
    try:
        return Difference(before, after, compare_runs(before.kept, after.kept))
    except ValueError as error:
        raise Error(str(error)) from None
