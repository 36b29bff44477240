"""The files of a dossier: Markdown, CSV, one page, and the facts; and the check that all of them can be made again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ease import Progress, Store, document, picture
from ease.lab.dossier.facts import Asked, Facts, gather, processor_of
from ease.lab.dossier.reliance import beside
from ease.lab.dossier.sections import Section, Told
from ease.lab.experiments.suites import read_suite
from vpo.base.errors import UserError
from vpo.opt.driver import Level

FORMAT = 1  # of dossier.json; changes when a key changes its meaning or goes away
FACTS = "dossier.json"
LEVELS: dict[str, Level] = {"0": 0, "1": 1, "2": 2, "s": "s"}


def asked_of(
    machines: list[str], levels: list[str], words: list[str], held_out: Sequence[str] = (), orders: int = 0,
    processors: Sequence[str] = (),
) -> Asked:  # fmt: skip
    """Return what a dossier is about, from the words of a command line.

    Raises UserError, OSError.
    """
    if len(machines) < 2:
        raise UserError(["a dossier compares candidates with a base machine: -m BASE -m CANDIDATE [-m CANDIDATE...]"])
    wrong = [level for level in levels if level not in LEVELS]
    if wrong or not levels:
        raise UserError([f"there is no level '{''.join(wrong[:1])}': -O takes 0, 1, 2, s, or several, as in -O 2,s"])
    programs = read_suite(words)
    if not programs:
        raise UserError(['a dossier needs programs, such as "prog.c 10", or a file such as samples/samples.json'])
    known, others = {program.name for program in programs}, read_suite(held_out) if held_out else []
    for program in others:
        if program.name in known:
            raise UserError([f"'{program.name}' is both a program that decides and one that is held out"])
    for processor in processors:
        processor_of(processor)
    return Asked(
        machines[0], tuple(machines[1:]), tuple(LEVELS[each] for each in levels), tuple(programs), tuple(words),
        tuple(others), tuple(held_out), orders, tuple(processors),
    )  # fmt: skip


def files_of(asked: Asked, facts: Facts) -> dict[str, str]:
    """Return the text of each file of a dossier, by its name."""
    told = Told(asked, facts)
    summary, *rest = told.sections()
    sections = [summary, *beside(told), *rest]
    found = {"dossier.md": _markdown(told, sections), "dossier.html": _page(told, sections)}
    for section in sections:
        found |= {f"{name}.csv": table.csv() for name, table in section.tables}
    found |= {f"card-{name}.svg": told.card(name) for name in told.candidates}
    return found | {FACTS: _json(asked, facts, told)}


def title_of(told: Told) -> str:
    """Return the title of a dossier."""
    return f"{', '.join(told.candidates)} against {told.base}"


def _markdown(told: Told, sections: list[Section]) -> str:
    parts = [f"# {title_of(told)}\n"]
    for section in sections:
        parts += [f"## {section.title}\n", *([f"{section.text}\n"] if section.text else [])]
        parts += [table.markdown() for _, table in section.tables if len(table.rows) > 1]
    return "\n".join(parts)


def _page(told: Told, sections: list[Section]) -> str:
    shown = [
        (
            section.title,
            [table for _, table in section.tables if len(table.rows) > 1],
            picture(section.picture) if section.picture is not None else "",
        )
        for section in sections
    ]
    return document(title_of(told), list(told.verdicts.values()), shown, told.command)


def _json(asked: Asked, facts: Facts, told: Told) -> str:
    whole: dict[str, Any] = {
        "format": FORMAT, "command": told.command, "base": asked.base, "candidates": list(asked.candidates),
        "levels": [str(level) for level in asked.levels], "programs": list(asked.words),
        "held_out": list(asked.held_out_words), "orders": asked.orders, "processors": list(asked.processors),
        "verdicts": {name: verdict.sentence for name, verdict in told.verdicts.items()},
        "facts": {name: {key: value for key, value in fact.items() if key != "files"} for name, fact in facts.items()},
    }  # fmt: skip
    return json.dumps(whole, indent=1) + "\n"


def check(folder: Path, jobs: int, progress: Progress, store: Store | None = None) -> list[str]:
    """Measure a dossier again, from nothing, and return in what its files differ from what comes out; none: nothing.

    Raises ease.Error, UserError, OSError.
    """
    kept = _kept(folder)
    more = kept.get("held_out", ()), kept.get("orders", 0), kept.get("processors", ())
    asked = asked_of([kept["base"], *kept["candidates"]], kept["levels"], kept["programs"], *more)
    files = files_of(asked, gather(asked, jobs, store, progress))
    found = []
    for name, text in files.items():
        file = folder / name
        if not file.is_file():
            found.append(f"{name} is missing")
            continue
        there = file.read_text(encoding="utf-8").splitlines()
        other = next((n for n, (a, b) in enumerate(zip(there, text.splitlines(), strict=False), 1) if a != b), None)
        if other is not None or len(there) != len(text.splitlines()):
            found.append(f"{name} differs" + (f", first in line {other}" if other else ""))
    return found


def _kept(folder: Path) -> dict[str, Any]:
    file = folder / FACTS
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        hint = f"write one with `ease dossier ... -o {folder}`"
        raise UserError([f"{folder}: this is no dossier: there is no {FACTS}; {hint}"]) from None
    except ValueError as error:
        raise UserError([f"{file}: this is no JSON: {error}"]) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise UserError([f"{file}: expected a dossier of format {FORMAT}; write it anew with the command in its page"])
    return found
