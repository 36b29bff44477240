"""Why memory is referenced: Figure 12 of the paper."""

from __future__ import annotations

from typing import Any

from ease.model.results import Characteristics, Count, project
from ease.model.tables import CAUSE_GROUPS, OTHER_CAUSES
from ease.reports.pictures.mixes import Mix, mix
from ease.reports.report import Report, Table, count_json, distribution, table_json

GROUPS = (OTHER_CAUSES, *dict.fromkeys(CAUSE_GROUPS.values()))


def table(c: Characteristics) -> Table:
    """Count references by cause, grouped as the figure's solid, dashed and dotted lines, with arguments apart."""
    causes = project(c.references, lambda r: (GROUPS.index(r.group), r.cause, r.direction))
    rows = [((GROUPS[group], cause, direction), count) for (group, cause, direction), count in causes.items()]
    return distribution(["group", "cause", ""], rows)


def json(c: Characteristics) -> dict[str, Any]:
    """Return the numbers by direction, by cause and by group of causes."""
    directions = project(c.references, lambda r: r.direction)
    groups = project(c.references, lambda r: r.group)
    return {
        "memory_references": {
            "reads": count_json(directions.get("read", Count())),
            "writes": count_json(directions.get("write", Count())),
            "by_cause": table_json(project(c.references, lambda r: r.cause)),
            "by_group": table_json({group: groups.get(group, Count()) for group in GROUPS}),
        }
    }


def panels(c: Characteristics) -> list[Mix]:
    """Return the causes as bars."""
    return mix("Memory references by cause", project(c.references, lambda r: f"{r.cause}, {r.direction}"))


REFERENCE_CAUSES = Report("reference-causes", "Memory references by cause", table, json, panels=panels)
