"""A paper as data: its tables and figures, what each asks of which programs and machines, and the rules of its shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from ease.lab.reproduce.rules import Figures, Rule

FOLDER = Path(__file__).parent / "papers"
PAPERS = tuple(sorted(file.stem for file in FOLDER.glob("*.yaml")))
QUICK, FULL = "quick", "full"


@dataclass(frozen=True, slots=True)
class Variant:
    """A machine with changes as `--set` makes them, or with so many registers, of which so many are scratch."""

    machine: str
    sets: tuple[str, ...] = ()
    registers: tuple[int, int] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A table or a figure of a paper, or an experiment that shows a cause, which has no figures of the paper.

    `ask` names what is measured, with `settings`; `show` what is made of it.  `computer`: its figures depend on the computer.
    `relative`: the row to which values are told besides.  `plot`: what is drawn, "columns" or "rows" as curves.
    """

    name: str
    about: str
    ask: str
    show: str
    variants: Mapping[str, Variant]
    programs: Mapping[str, tuple[str, ...]]
    figures: Figures
    rules: tuple[Rule, ...]
    settings: Mapping[str, Any]
    level: int = 1
    relative: str = ""
    plot: str = ""
    axis: str = ""
    note: str = ""
    computer: bool = False


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: who wrote it, what it is called, and its exhibits in its order; `nothing` has those without a meaning here."""

    name: str
    title: str
    authors: str
    exhibits: tuple[Exhibit, ...]
    nothing: Mapping[str, str]


def read(name: str) -> Paper:
    """Return a paper by its name."""
    with (FOLDER / f"{name}.yaml").open(encoding="utf-8") as text:
        known = yaml.safe_load(text)
    exhibits = tuple(_exhibit(each, known) for each in known["exhibits"])
    return Paper(name, known["title"], known["authors"], exhibits, known.get("nothing", {}))


def _exhibit(each: dict[str, Any], known: dict[str, Any]) -> Exhibit:
    variants = {str(label): _variant(value) for label, value in each.pop("machines").items()}
    programs = each.pop("programs", known["programs"])
    if isinstance(programs, list):
        programs = {QUICK: programs, FULL: programs}
    return Exhibit(
        variants=variants,
        programs={size: tuple(words) for size, words in programs.items()},
        figures=_figures(each.pop("figures", {}), each.pop("columns", None)),
        rules=tuple(Rule(rule.pop("rule"), **rule) for rule in each.pop("rules", [])),
        settings=each.pop("settings", {}),
        show=each.pop("show", each["ask"]),
        level=each.pop("level", known.get("level", 1)),
        **each,
    )


def _variant(value: str | dict[str, Any]) -> Variant:
    if isinstance(value, str):
        return Variant(value)
    registers = value.get("registers")
    return Variant(
        value["machine"], tuple(value.get("set", ())), tuple(registers) if registers else None, value.get("settings", {})
    )


def _figures(rows: dict[Any, Any], columns: list[Any] | None) -> Figures:
    """Return figures by row and column; with columns, a row is the list of its values, of which None is none."""
    if columns is None:
        return {str(row): {str(column): value for column, value in values.items()} for row, values in rows.items()}
    return {
        str(row): {str(c): value for c, value in zip(columns, values, strict=True) if value is not None}
        for row, values in rows.items()
    }
