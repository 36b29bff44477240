"""Constants by the bits that they need: immediates, and displacements in addresses (as pixstats had them)."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, total
from ease.reports.pictures.plot import Curve, Panel
from ease.reports.report import Report, Table, count_json, distribution


def table(c: Characteristics) -> Table:
    """Count constants by what they are, then by bits; shares are of those of the same use."""
    uses = _uses(c)
    wholes = {use: total(count for constant, count in c.constants.items() if constant.use == use) for use in uses}
    rows = [((constant.use, str(constant.bits)), count) for constant, count in c.constants.items()]
    note = "bits of a signed number; per cent of those of the same use"
    return distribution(["constant", "bits"], rows, lambda key: wholes[key[0]], note)


def _uses(c: Characteristics) -> list[str]:
    return list(dict.fromkeys(constant.use for constant in c.constants))


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by use and bits."""
    return {
        "constants": {
            use: {str(each.bits): count_json(count) for each, count in c.constants.items() if each.use == use}
            for use in _uses(c)
        }
    }


def panels(c: Characteristics) -> list[Panel]:
    """Draw how many of the executed constants fit in so many bits."""
    widths = range(1, max((constant.bits for constant in c.constants), default=1) + 1)
    curves = []
    for use in _uses(c):
        executed = {constant.bits: count.dynamic for constant, count in c.constants.items() if constant.use == use}
        whole = sum(executed.values()) or 1
        curves.append(Curve(use, [100 * sum(n for bits, n in executed.items() if bits <= w) / whole for w in widths]))
    return [Panel("% of the executed constants that fit", "bits", list(map(str, widths)), curves)]


CONSTANTS = Report("constants", "Constants by the bits that they need", table, json, panels=panels)
