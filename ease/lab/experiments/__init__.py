"""Experiments: the same programs compiled for several machines or variants of one, run, and compared in tables.

Each experiment says which variants it needs and makes tables of what was measured; `batch.py` does the measuring.
"""

from __future__ import annotations

from ease.lab.experiments.experiment import Experiment
from ease.lab.experiments.paper_tables import CACHES, MACHINES, REFERENCES, REGISTERS, SAVE_RESTORE
from ease.lab.experiments.phases import PHASES

EXPERIMENTS: dict[str, Experiment] = {e.name: e for e in (REGISTERS, SAVE_RESTORE, REFERENCES, MACHINES, CACHES, PHASES)}
