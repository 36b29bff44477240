"""Reports and orders of rows that are asked for: check that there are such."""

from __future__ import annotations

from collections.abc import Iterable

from ease.reports import REPORTS
from ease.reports.report import SORTS
from vpo.base.suggestions import nearest


class AskedError(ValueError):
    """A report or an order that there is not; str() says what there is instead."""


def check_asked(names: Iterable[str] = (), sort: str = "") -> None:
    """Find out whether there are reports of some names ("all": every one), and an order of rows (empty: each report's own).

    Raises AskedError.
    """
    for name in names:
        if name not in (*REPORTS, "all"):
            raise AskedError(f"there is no report '{name}'{_meant(name, REPORTS)} (reports: {', '.join(REPORTS)})")
    if sort not in ("", *SORTS):
        raise AskedError(f"there is no order '{sort}'{_meant(sort, SORTS)} ({', '.join(SORTS)})")


def _meant(word: str, known: Iterable[str]) -> str:
    near = nearest(word, known)
    return f"; did you mean '{near}'?" if near else ""
