"""A paper beside today: the figures, a verdict for each rule, the reasons; as text, Markdown, a page and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ease import Curve, Panel, TitledTable, Verdict, document, picture
from ease.lab.reproduce.paper import Exhibit, Paper
from ease.lab.reproduce.rules import Figures, Missing, Rule, shown
from vpo.base.errors import UserError

AGREES, DIFFERS, EXPLAINED, SHOWN, NOT_SHOWN = "agrees", "differs", "differs, explained", "shown", "not shown"
FORMAT = 1  # of the JSON form; a key never changes its meaning without another


@dataclass(frozen=True, slots=True)
class Judged:
    """A rule with its verdict and what today's figures are; `reason`: why, where it differs."""

    rule: Rule
    verdict: str
    seen: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """An exhibit with today's figures and what they say."""

    exhibit: Exhibit
    today: Figures
    judged: tuple[Judged, ...]

    @property
    def verdict(self) -> str:
        """The worst verdict of the rules."""
        found = {judged.verdict for judged in self.judged}
        return next((v for v in (DIFFERS, NOT_SHOWN, EXPLAINED, AGREES, SHOWN) if v in found), "no rule")


def judge(paper: Paper, today: Mapping[str, Figures]) -> list[Result]:
    """Return the exhibits with their verdicts; those that show causes are known to the rules that name them."""
    found: dict[str, Result] = {}
    for exhibit in sorted(paper.exhibits, key=lambda each: bool(each.figures)):  # causes first
        figures = today[exhibit.name]
        found[exhibit.name] = Result(exhibit, figures, tuple(_judged(exhibit, rule, figures, found) for rule in exhibit.rules))
    return [found[exhibit.name] for exhibit in paper.exhibits]


def _judged(exhibit: Exhibit, rule: Rule, figures: Figures, known: Mapping[str, Result]) -> Judged:
    try:
        holds, seen = rule.holds(figures, exhibit.figures), rule.seen(figures, exhibit.figures)
    except Missing as missing:
        holds, seen = False, f"there is no {missing}"
    if not exhibit.figures:
        return Judged(rule, SHOWN if holds else NOT_SHOWN, seen)
    if holds:
        return Judged(rule, AGREES, seen)
    explained = bool(rule.because) and (not rule.shown or (rule.shown in known and known[rule.shown].verdict == SHOWN))
    return Judged(rule, EXPLAINED if explained else DIFFERS, seen, rule.because)


# ----------------------------------------------------------------------------------------------------------------------
# As tables.


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a paper, as the command that found them has them."""

    paper: Paper
    results: list[Result]
    command: str

    def summary(self, results: Sequence[Result] | None = None) -> TitledTable:
        """Return a line for each exhibit, or for some."""
        rows = [["exhibit", "about", "rules", "agree", "verdict"]]
        for result in self.results if results is None else results:
            agreeing = sum(judged.verdict in (AGREES, SHOWN) for judged in result.judged)
            counts = [str(len(result.judged)), str(agreeing)]
            rows.append([result.exhibit.name, result.exhibit.about, *counts, result.verdict])
        return TitledTable("Verdicts", rows, keys=2)

    @property
    def sentence(self) -> str:
        """How much of the paper's shape is there today."""
        judged = [each for result in self.results if result.exhibit.figures for each in result.judged]
        agreeing, explained = (sum(each.verdict == v for each in judged) for v in (AGREES, EXPLAINED))
        return (
            f"{agreeing} of {len(judged)} rules of the paper's shape hold today, {explained} differ for a reason that is "
            f"known, {len(judged) - agreeing - explained} for one that is not."
        )

    def text(self) -> str:
        """Return everything as text."""
        parts = [f"{self.paper.title}\n{self.paper.authors}", self.sentence, str(self.summary())]
        for result in self.results:
            parts += [str(table) for table in _tables(result)]
        return "\n\n".join(parts) + "\n"

    def markdown(self) -> str:
        """Return everything as Markdown."""
        parts = [f"# {self.paper.title}\n", f"{self.paper.authors}. {self.sentence}\n", self.summary().markdown()]
        for result in self.results:
            parts += [f"## {result.exhibit.name}\n", *(table.markdown() for table in _tables(result))]
        return "\n".join(parts)

    def html(self) -> str:
        """Return the page."""
        sections = [("Verdicts", [self.summary()], "")]
        for result in self.results:
            panels = list(_panels(result))
            sections.append((result.exhibit.name, list(_tables(result)), picture(panels) if panels else ""))
        title = f"{self.paper.title}, reproduced"
        return document(title, [Verdict(self.sentence)], sections, self.command)

    def put_into(self, page: str) -> str:
        """Return a page of Markdown with the verdicts between its lines for this paper; of times, the rules alone.

        Raises UserError for a page without such lines.
        """
        first, last = (f"<!-- {what}: {self.paper.name} -->\n" for what in ("verdicts", "end of verdicts"))
        if first not in page or last not in page:
            raise UserError(
                [f"the page has no lines '{first.strip()}' and '{last.strip()}' between which verdicts have a place"]
            )
        steady = [result for result in self.results if not result.exhibit.computer]
        parts = [Report(self.paper, steady, "").sentence + "\n", self.summary(steady).markdown()]
        for result in steady:
            parts += [
                f"* {result.exhibit.name}, {each.verdict}: {each.rule.says}. {each.reason}".rstrip()
                for each in result.judged
                if each.verdict in (EXPLAINED, DIFFERS, NOT_SHOWN)
            ]
        timed = ", ".join(result.exhibit.name for result in self.results if result.exhibit.computer)
        parts += [f"\nOf times, which depend on the computer: {timed}."] if timed else []
        before, after = page.split(first)[0], page.split(last)[1]
        return f"{before}{first}\n" + "\n".join(parts).strip() + f"\n\n{last}{after}"

    def json(self) -> dict[str, Any]:
        """Return the JSON form."""
        exhibits = {
            result.exhibit.name: {
                "about": result.exhibit.about, "verdict": result.verdict, "paper": result.exhibit.figures,
                "today": result.today,
                "rules": [
                    {"rule": j.rule.text, "of": j.rule.of, "says": j.rule.says, "verdict": j.verdict, "today": j.seen,
                     "reason": j.reason} for j in result.judged
                ],
            }
            for result in self.results
        }  # fmt: skip
        return {"format": FORMAT, "paper": self.paper.name, "verdict": self.sentence, "exhibits": exhibits}

    def files(self) -> dict[str, str]:
        """Return the text of each file, by its name."""
        name = self.paper.name
        plain = json.dumps(self.json(), indent=1) + "\n"
        return {f"{name}.txt": self.text(), f"{name}.md": self.markdown(), f"{name}.html": self.html(), f"{name}.json": plain}


def _tables(result: Result) -> Iterator[TitledTable]:
    """Yield the figures, and the verdicts of the rules."""
    exhibit = result.exhibit
    yield _figures(result)
    rows = [["rule", "verdict", "today"], *([each.rule.says, each.verdict, each.seen] for each in result.judged)]
    reasons = [f"{judged.rule.says}: {judged.reason}" for judged in result.judged if judged.reason]
    if rows[1:]:
        yield TitledTable(f"Shape of {exhibit.name}", rows, keys=3, note="\n".join(reasons))


def _figures(result: Result) -> TitledTable:
    """Return the paper's figures beside today's, each as a part of those of a row if the exhibit says so."""
    exhibit, today = result.exhibit, result.today
    columns = list(dict.fromkeys(c for f in (exhibit.figures, today) for row in f.values() for c in row))
    if exhibit.figures and not set(exhibit.figures) & set(today):  # other programs than today's
        apart = [("paper", exhibit.figures), ("today", today)]
        lines = [[who, row, *(_cell(f, row, column) for column in columns)] for who, f in apart for row in f]
        return TitledTable(f"{exhibit.name}: {exhibit.about}", [["", "", *columns], *lines], keys=2, note=exhibit.note)
    known = [("paper", exhibit.figures), ("today", today)]
    shown_of = {c: [(who, f) for who, f in known if any(c in row for row in f.values())] for c in columns}
    head, base = [""], exhibit.relative
    for column, whose in shown_of.items():
        head += [who if columns == ["per cent"] else f"{column}, {who}" for who, _ in whose]
        head += [f"ratio, {who}" for who, _ in whose if base]
    table = [head]
    for row in dict.fromkeys((*exhibit.figures, *today)):
        cells = []
        for column, whose in shown_of.items():
            cells += [_cell(figures, row, column) for _, figures in whose]
            cells += [_ratio(figures, row, column, base) for _, figures in whose if base]
        table.append([row, *cells])
    return TitledTable(f"{exhibit.name}: {exhibit.about}", table, note=exhibit.note)


def _cell(figures: Figures, row: str, column: str) -> str:
    value = figures.get(row, {}).get(column)
    return "" if value is None else shown(value)


def _ratio(figures: Figures, row: str, column: str, base: str) -> str:
    value, whole = figures.get(row, {}).get(column), figures.get(base, {}).get(column)
    return "" if value is None or not whole else f"{value / whole:.3f}"


# ----------------------------------------------------------------------------------------------------------------------
# The paper's plots, drawn again.


UNITS = ("", "thousands", "millions", "thousands of millions")


def _panels(result: Result) -> Iterator[Panel]:
    """Yield a panel of the paper's figures and one of today's; as ratios, if the exhibit tells these."""
    exhibit = result.exhibit
    for who, figures in (("the paper", exhibit.figures), ("today", result.today)) if exhibit.plot else ():
        columns = list(dict.fromkeys(column for row in figures.values() for column in row))
        base = figures.get(exhibit.relative, {})
        rows = {row: [_drawn(values.get(column), base.get(column)) for column in columns] for row, values in figures.items()}
        most = max((value for values in rows.values() for value in values if value is not None), default=0)
        unit = next((number for number in range(len(UNITS)) if most < 1000 ** (number + 1)), len(UNITS) - 1)
        scaled = {row: [None if v is None else v / 1000**unit for v in values] for row, values in rows.items()}
        title = f"{exhibit.name}, {who}" + (f", {UNITS[unit]}" if unit else "")
        if exhibit.plot == "rows":
            curves, places = [Curve(row, values) for row, values in scaled.items()], columns
        else:
            curves = [Curve(c, each) for c, each in zip(columns, zip(*scaled.values(), strict=True), strict=True)]
            places = list(scaled)
        if curves:
            yield Panel(title, exhibit.axis, places, curves)


def _drawn(value: float | None, base: float | None) -> float | None:
    return value / base if value is not None and base else value
