"""Which instruction, line and function the transfers belong to that branch predictors predicted."""

from __future__ import annotations

from cache_sim.predictors.predictor_results import Results, SiteResults
from ease.model.results import Counts, PredictionMeasurement, TransferSite
from ease.model.run_identity import file_name
from ease.model.tables import Line
from vpo.analysis.program import Program
from vpo.analysis.transfers import transfers


def attribute_predictions(program: Program, counts: Counts, results: Results) -> PredictionMeasurement:
    """Join the results of a run of a program with what its transfers are."""
    sites: dict[TransferSite, SiteResults] = {}
    for transfer in transfers(program):
        found = results.sites.get(transfer.address)
        if found is not None:
            function = program.functions[transfer.function]
            rtl = function.blocks[transfer.block].rtls[transfer.index]
            line = Line(file_name(function.file), rtl.lines[0])
            name = program.machine.record(rtl).name
            sites[TransferSite(transfer.number, transfer.function.removeprefix("_"), line, name, transfer.address)] = found
    counted = (
        count
        for name, function in program.functions.items()
        for rtl, count in zip(function.rtls(), counts.rtls[name], strict=True)
        if program.machine.record(rtl).counted
    )
    return PredictionMeasurement(results.predictors, sites, sum(counted))
