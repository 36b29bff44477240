"""Experiments: the same programs compiled for several machines or variants of one, run, and compared in tables.

Each experiment says which variants it needs and makes tables of what was measured; `batch.py` does the measuring.
"""

from __future__ import annotations

from ease.experiments.cache_comparison import CACHES
from ease.experiments.experiment import Experiment
from ease.experiments.machines import MACHINES
from ease.experiments.references import REFERENCES
from ease.experiments.register_counts import REGISTERS
from ease.experiments.save_restore import SAVE_RESTORE

EXPERIMENTS: dict[str, Experiment] = {e.name: e for e in (REGISTERS, SAVE_RESTORE, REFERENCES, MACHINES, CACHES)}
