"""Reports: what a `Measurement` says, as text for people and as JSON for programs (docs/report-format.md).

To add a report:

1. Write it in the file of its subject here: `counted` of headings and a function that returns its rows, if these are counts
   that `Characteristics` has; else a `Report` of a function that builds the table of the text form and one that returns its
   part of the JSON form.  Put it into the file's tuple; the order is that of the text, of `-show` and of the documentation.
2. If it needs something that nobody counts yet, add a table to `Characteristics` in `ease/model/results.py` and fill it in
   `ease/model/characterise.py`; it then adds over programs by itself.
3. Document its JSON keys in docs/report-format.md (a test compares), and bless the golden text of the tests.

Every table has a total that its rows sum to exactly; tests check this for all that is in `REPORTS`.
"""

from collections.abc import Iterable

from ease.reports.cycles import OF_CYCLES
from ease.reports.instructions import OF_INSTRUCTIONS
from ease.reports.memory import OF_MEMORY
from ease.reports.over_time import MISSES_OVER_TIME, OVER_TIME
from ease.reports.parts import ATTRIBUTION, REGIONS, SAMPLES, TOOLS
from ease.reports.predictions import OF_PREDICTIONS
from ease.reports.report import SORTS
from ease.reports.sweeps import OF_SWEEPS
from vpo.base.suggestions import suggested

_ORDERED = (
    SAMPLES, *OF_INSTRUCTIONS, *OF_MEMORY, MISSES_OVER_TIME, OVER_TIME, *OF_SWEEPS, *OF_PREDICTIONS, *OF_CYCLES, TOOLS,
    REGIONS, ATTRIBUTION,
)  # fmt: skip
REPORTS = {report.name: report for report in _ORDERED}


class AskedError(ValueError):
    """A report or an order that there is not; str() says what there is instead."""


def check_asked(names: Iterable[str] = (), sort: str = "") -> None:
    """Find out whether there are reports of some names ("all": every one), and an order of rows (empty: each report's own).

    Raises AskedError.
    """
    for name in names:
        if name not in (*REPORTS, "all"):
            raise AskedError(f"there is no report '{name}'{suggested(name, REPORTS)} (reports: {', '.join(REPORTS)})")
    if sort not in ("", *SORTS):
        raise AskedError(f"there is no order '{sort}'{suggested(sort, SORTS)} ({', '.join(SORTS)})")


