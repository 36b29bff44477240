"""Studies: questions that are asked of runs on one or several machines, as the report on IDtrace asked them of traces."""

from __future__ import annotations

from ease.experiments.studies.executed_mix import INSTRUCTION_MIX
from ease.experiments.studies.locality import LOCALITY
from ease.experiments.studies.memory_timing import MEMORY_TIMING
from ease.experiments.studies.multi_cache import MULTI_CACHE
from ease.experiments.studies.predictor_accuracy import PREDICTION
from ease.experiments.studies.questions import Study
from ease.experiments.studies.reference_classes import REFERENCE_CLASSES

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (INSTRUCTION_MIX, LOCALITY, PREDICTION, MEMORY_TIMING, MULTI_CACHE, REFERENCE_CLASSES)
}
