"""Studies: questions that are asked of runs on one or several machines, as the report on IDtrace asked them of traces."""

from __future__ import annotations

from ease.lab.experiments.studies.memory_studies import MEMORY_TIMING, MULTI_CACHE
from ease.lab.experiments.studies.program_studies import INSTRUCTION_MIX, LOCALITY, PREDICTION, REFERENCE_CLASSES
from ease.lab.experiments.studies.questions import Study

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (INSTRUCTION_MIX, LOCALITY, PREDICTION, MEMORY_TIMING, MULTI_CACHE, REFERENCE_CLASSES)
}
