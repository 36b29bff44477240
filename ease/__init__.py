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
    from ease.api.frame import Frame as Frame
    from ease.api.machine_handle import Machine as Machine
    from ease.api.run_difference import Difference as Difference
    from ease.api.run_difference import compare as compare
    from ease.api.runs import Run as Run
    from ease.api.runs import load as load
    from ease.api.runs import measure as measure
    from ease.lab.sweeps.swept_table import SweepResult as SweepResult
    from ease.lab.sweeps.swept_table import sweep as sweep

_NAMES = {
    "Difference": "api.run_difference", "Error": "api.errors", "Frame": "api.frame", "Machine": "api.machine_handle",
    "Run": "api.runs", "compare": "api.run_difference", "load": "api.runs", "measure": "api.runs",
    "SweepResult": "lab.sweeps.swept_table", "sweep": "lab.sweeps.swept_table",
}  # fmt: skip
__all__ = ["Difference", "Error", "Frame", "Machine", "Run", "SweepResult", "compare", "load", "measure", "sweep"]


def __getattr__(name: str) -> Any:
    """Return a name of the interface, imported now."""
    if name not in _NAMES:
        raise AttributeError(f"module 'ease' has no attribute '{name}' (it has {', '.join(__all__)})")
    return getattr(import_module(f"ease.{_NAMES[name]}"), name)


def __dir__() -> list[str]:
    """Return the names of the interface."""
    return [*__all__]
