"""Static cache simulation: classify the fetches of a program in an instruction cache before it runs.

Code generation may rely on `classify` and `resident_lines`: both hold for every run without context switches that begins
with an empty cache.  `Class` says what changes with context switches.
"""

from ease.lab.static_cache.classes import Analysis, Class, Kind, Resident, classify, instruction_cache, resident_lines
from ease.lab.static_cache.graph import Loop
from ease.lab.static_cache.states import Called, Scope, Whole

__all__ = [
    "Analysis", "Called", "Class", "Kind", "Loop", "Resident", "Scope", "Whole", "classify", "instruction_cache",
    "resident_lines",
]  # fmt: skip
