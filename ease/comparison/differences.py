"""A comparison as text, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

from ease.comparison.comparison import Comparison, Difference, Noise
from ease.comparison.description_differences import Edited
from ease.comparison.reasons import in_words
from ease.comparison.verdict import Verdict
from ease.model.results import Line
from ease.reports.report import TOP, Table, TitledTable, number, percent

FORMAT = 1  # of the JSON form; changes when a key changes its meaning or goes away


def as_text(comparison: Comparison, sources: Mapping[str, str], top: int = TOP, noise: Noise | None = None) -> str:
    """Return a comparison as tables with `top` rows each; `sources` has the text of files.

    With `noise`, tables have it, and lines that differ by no more say so.
    """
    parts = [(title, list(table.lines())) for title, table in _tables(comparison, top, noise)]
    if comparison.reasons:
        parts.append(("Reasons", list(_reasons(comparison, top))))
    if comparison.lines:
        parts.append(("Source lines", list(_lines(comparison, sources, top, noise))))
    return "\n\n".join(f"{title}\n\n" + "\n".join(lines) for title, lines in parts) + "\n"


def _tables(comparison: Comparison, top: int, noise: Noise | None) -> Iterator[tuple[str, Table]]:
    """Yield the tables of numbers with their titles."""
    whole = comparison.totals["instructions"]
    loud = None if noise is None else noise.totals
    totals = Table(_headings(loud), [_row(name, total, total.before, loud) for name, total in comparison.totals.items()])
    yield "Totals", totals
    for title in ("instructions", "causes", "functions"):
        table = getattr(comparison, title)
        if table:
            yield (
                f"{title.capitalize()} executed",
                _table(table, whole, top, None if noise is None else getattr(noise, title), loud),
            )


def as_markdown(
    comparison: Comparison, verdict: Verdict, heads: Sequence[str], sources: Mapping[str, str], top: int = TOP,
    noise: Noise | None = None,
) -> str:  # fmt: skip
    """Return a comparison for pull requests: the verdict, what was compared, and tables with `top` rows each."""
    parts = [*(f"**{sentence}**" for sentence in verdict.sentences), verdict.line, "\n".join(f"* {head}" for head in heads)]
    if not comparison.is_equal:
        for title, table in _tables(comparison, top, noise):
            rows = [table.headings, *table.rows, *([table.total] if table.total else [])]
            parts.append(TitledTable(title, rows).markdown())
        reasons = [[item.name, f"{item.change:+,}", in_words(item.changes)] for item in comparison.reasons[:top]]
        lines = [
            [str(item.line), f"{item.executed.change:+,}", f"`{_text(item.line, sources)}`", item.reason]
            for item in comparison.lines[:top]
        ]
        parts.append(TitledTable("Reasons", [["reason", "difference", "what became what"], *reasons]).markdown())
        parts.append(TitledTable("Source lines", [["line", "difference", "", "what became what"], *lines]).markdown())
    return "\n\n".join(part.rstrip() for part in parts if part) + "\n"


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON values; changes are in per cent."""
    return {
        **({"unlike": verdict.unlike} if verdict.unlike else {}),
        "sentence": verdict.sentence, "per_cent": {name: round(100 * part, 4) for name, part in verdict.changes.items()},
        **({"noise": {name: round(100 * part, 4) for name, part in verdict.noise.items()}} if verdict.noise else {}),
    }  # fmt: skip


def as_json(comparison: Comparison, noise: Noise | None = None) -> dict[str, Any]:
    """Return all of a comparison as JSON values, with the noise of totals if it is known."""
    parts = {
        name: {key: asdict(difference) for key, difference in getattr(comparison, name).items()}
        for name in ("totals", "instructions", "causes", "functions")
    }
    lines = [
        {
            "file": item.line.file, "line": item.line.number, **asdict(item.executed), "reason": item.reason,
            "changes": [{"instruction": name, "cause": cause, "change": n} for (name, cause), n in item.changes.items()],
        }
        for item in comparison.lines
    ]  # fmt: skip
    reasons = [{"reason": item.name, "change": item.change, "what": in_words(item.changes)} for item in comparison.reasons]
    loud = {} if noise is None else {"noise": dict(noise.totals)}
    return {"format": FORMAT, **parts, "reasons": reasons, "lines": lines, **loud}


def edits_text(edits: Sequence[Edited], steps: Sequence[tuple[Sequence[Edited], Difference]] = (), top: int = TOP) -> str:
    """Return in what the descriptions of two machines differ, with what each step brought; empty if they do not."""
    if not edits:
        return ""
    if not steps and len(edits) > top:
        return f"\nThe descriptions differ in {len(edits):,} values.\n"
    if not steps:
        return "\n".join(["", "The descriptions differ in", "", *map(str, edits)]) + "\n"
    whole = Difference(steps[0][1].before, steps[-1][1].after)
    rows = [_row("; ".join(map(str, made)), item, whole.before, None) for made, item in steps]
    table = Table(_headings(None), rows, _row("all", whole, whole.before, None))
    return "\n".join(["", "Instructions executed, edit by edit", "", *table.lines()]) + "\n"


def edits_json(edits: Sequence[Edited], steps: Sequence[tuple[Sequence[Edited], Difference]] = ()) -> dict[str, Any]:
    """Return in what the descriptions of two machines differ, with what each step brought, as JSON values."""
    found: dict[str, Any] = {"edits": [str(edit) for edit in edits]} if edits else {}
    by_edit = [{"edits": [str(edit) for edit in made], **asdict(item), "change": item.change} for made, item in steps]
    return found | ({"by_edit": by_edit} if steps else {})


def _headings(noise: Mapping[str, int] | None) -> tuple[str, ...]:
    return ("", "A", "B", "difference", "per cent", *(() if noise is None else ("noise", "")))


def _row(name: str, difference: Difference, whole: int, noise: Mapping[str, int] | None) -> list[str]:
    """Return a row; with noise, also how much that is, and whether the difference is no larger."""
    change = difference.change
    cells = [name, number(difference.before), number(difference.after), f"{change:+,}", _share(change, whole)]
    if noise is None:
        return cells
    loud = noise.get(name, 0)
    return [*cells, f"±{loud:,}", "within" if abs(change) <= loud and change else ""]


def table_of(totals: Mapping[str, Difference]) -> list[str]:
    """Return numbers beside each other, as lines."""
    return list(Table(_headings(None), [_row(name, total, total.before, None) for name, total in totals.items()]).lines())


def _table(
    table: Mapping[str, Difference], whole: Difference, top: int, noise: Mapping[str, int] | None,
    totals: Mapping[str, int] | None,
) -> Table:  # fmt: skip
    """Return what differs most; shares are those of all instructions executed in A."""
    rows = [_row(name, item, whole.before, noise) for name, item in list(table.items())[:top]]
    rest = list(table.values())[top:]
    if rest:
        others = Difference(sum(item.before for item in rest), sum(item.after for item in rest))
        cells = _row(f"{len(rest)} others", others, whole.before, None)
        rows.append(cells if noise is None else [*cells, "", ""])
    last = _row("all", whole, whole.before, None if totals is None else {"all": totals.get("instructions", 0)})
    return Table(_headings(noise), rows, last)


def _reasons(comparison: Comparison, top: int) -> Iterator[str]:
    """Yield for each reason by how much more is executed, and of what."""
    whole = comparison.totals["instructions"]
    heads = [[f"{item.change:+,}", _share(item.change, whole.before), item.name] for item in comparison.reasons[:top]]
    words = [in_words(item.changes) for item in comparison.reasons[:top]]
    rest = sum(item.change for item in comparison.reasons[top:])
    if len(comparison.reasons) > top:
        heads.append([f"{rest:+,}", _share(rest, whole.before), f"{len(comparison.reasons) - top} others"])
    heads.append([f"{whole.change:+,}", _share(whole.change, whole.before), "all"])
    widths = [max(len(head[column]) for head in heads) for column in (0, 1, 2)]
    for head, text in zip_longest(heads, words, fillvalue=""):
        yield f"{head[0]:>{widths[0]}}  {head[1]:>{widths[1]}}  {head[2]:<{widths[2]}}  {text}".rstrip()


def _share(change: int, whole: int) -> str:
    return ("+" if change > 0 else "") + percent(change, whole) if whole else "-"


def _lines(comparison: Comparison, sources: Mapping[str, str], top: int, noise: Noise | None) -> Iterator[str]:
    """Yield for each source line where it is and what it says, and below it the reason."""
    shown, rest = comparison.lines[:top], comparison.lines[top:]
    heads = [[f"{item.executed.change:+,}", str(item.line), _text(item.line, sources)] for item in shown]
    if rest:
        heads.append([f"{sum(item.executed.change for item in rest):+,}", f"{len(rest)} other lines", ""])
    heads.append([f"{comparison.totals['instructions'].change:+,}", "all", ""])
    width, places = (max(len(head[column]) for head in heads) for column in (0, 1))
    loud = {} if noise is None else noise.lines
    reasons = [
        item.reason + (" (within the noise)" if 0 < abs(item.executed.change) <= loud.get(item.line, 0) else "")
        for item in shown
    ]
    for (change, place, text), why in zip_longest(heads, reasons):
        yield f"{change:>{width}}  {place:<{places}}  {text}".rstrip()
        if why:
            yield f"{'':{width}}    {why}"


def _text(line: Line, sources: Mapping[str, str]) -> str:
    """Return a source line."""
    lines = sources.get(line.file, "").splitlines()
    return lines[line.number - 1].strip() if 0 < line.number <= len(lines) else ""
