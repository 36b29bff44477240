"""ease: measuring what C programs do on proposed machines.

    import ease

    run = ease.measure("prog.c", machine="mine.yaml", args=["8"])
    wide = ease.measure("prog.c", machine="mine.yaml", args=["8"], set={"registers.r.count": 16})
    print(ease.compare(run, wide))

docs/python.md is the guide.  Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ease.api.errors import Error as Error
    from ease.api.errors import told as told
    from ease.api.frame import Frame as Frame
    from ease.api.machine_handle import Machine as Machine
    from ease.api.machine_handle import measure as measure
    from ease.api.programs import Program as Program
    from ease.api.progress import Progress as Progress
    from ease.api.run_difference import Difference as Difference
    from ease.api.run_difference import compare as compare
    from ease.api.runs import Run as Run
    from ease.api.runs import Store as Store
    from ease.api.runs import load as load
    from ease.base.version import measuring_code as measuring_code
    from ease.comparison.verdict import Verdict as Verdict
    from ease.comparison.verdict import mean_change as mean_change
    from ease.comparison.verdict import verdict_over as verdict_over
    from ease.lab.sweeps.swept_table import SweepResult as SweepResult
    from ease.lab.sweeps.swept_table import sweep as sweep
    from ease.model.results import Counts as Counts
    from ease.pages.page import document as document
    from ease.reports.card import Bar as Bar
    from ease.reports.card import card as card
    from ease.reports.pictures import Curve as Curve
    from ease.reports.pictures import HeatMap as HeatMap
    from ease.reports.pictures import Panel as Panel
    from ease.reports.pictures import as_png as as_png
    from ease.reports.render import picture as picture
    from ease.reports.report import TitledTable as TitledTable
    from ease.reports.report import number as number
    from ease.reports.report import percent as percent

_NAMES = {  # by the module that has them
    "api.errors": ("Error", "told"),
    "api.frame": ("Frame",),
    "api.machine_handle": ("Machine", "measure"),
    "api.programs": ("Program",),
    "api.progress": ("Progress",),
    "api.run_difference": ("Difference", "compare"),
    "api.runs": ("Run", "Store", "load"),
    "base.version": ("measuring_code",),
    "comparison.verdict": ("Verdict", "mean_change", "verdict_over"),
    "lab.sweeps.swept_table": ("SweepResult", "sweep"),
    "model.results": ("Counts",),
    "pages.page": ("document",),
    "reports.card": ("Bar", "card"),
    "reports.pictures": ("Curve", "HeatMap", "Panel", "as_png"),
    "reports.render": ("picture",),
    "reports.report": ("TitledTable", "number", "percent"),
}
_PLACES = {name: module for module, names in _NAMES.items() for name in names}
__all__ = [  # noqa: RUF022
    "Machine", "Program", "Run", "measure", "load", "Difference", "compare", "Verdict", "verdict_over", "mean_change",
    "SweepResult", "sweep", "Frame", "Counts", "Error", "told", "Store", "Progress", "measuring_code", "TitledTable", "number",
    "percent", "Curve", "Panel", "HeatMap", "picture", "as_png", "document",
    "Bar", "card",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return a name of the interface, imported now."""
    if name not in _PLACES:
        raise AttributeError(f"module 'ease' has no attribute '{name}' (it has {', '.join(__all__)})")
    return getattr(import_module(f"ease.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    """Return the names of the interface."""
    return [*__all__]
