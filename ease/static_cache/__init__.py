"""Static cache simulation: what is known of an instruction cache before a program runs.

`classify` and `resident_lines` are what code generation may build on: both hold for every run without context switches
(the cache is empty at its start, and never emptied).  `Class` says what context switches do to them.
"""

from ease.static_cache.classes import Analysis, Class, Kind, Resident, classify, instruction_cache, resident_lines
from ease.static_cache.graph import Loop
from ease.static_cache.scopes import Called, Scope, Whole

__all__ = [
    "Analysis",
    "Called",
    "Class",
    "Kind",
    "Loop",
    "Resident",
    "Scope",
    "Whole",
    "classify",
    "instruction_cache",
    "resident_lines",
]
