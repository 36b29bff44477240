"""What simulators counted, by the function and the source line that it belongs to."""

from __future__ import annotations

from ease.results import Measurement
from ease.table_keys import Line

Sites = dict[tuple[str, Line], int]  # how often something happened, by function and line


def line_events(measurement: Measurement) -> dict[str, Sites]:
    """Return the misses of each cache and the mistakes of each predictor, by the name of the event."""
    found: dict[str, Sites] = {}
    memory, prediction = measurement.memory, measurement.prediction
    if memory is not None:
        for place, cache in enumerate(memory.results.caches):
            sites = found.setdefault(f"{cache.cache.name} misses", {})
            for site, seen in memory.sites.items():
                _add(sites, (site.function, site.line), seen.misses[place])
    if prediction is not None:
        for place, name in enumerate(prediction.predictors):
            sites = found.setdefault(f"{name} mistakes", {})
            for transfer, result in prediction.sites.items():
                _add(sites, (transfer.function, transfer.line), result.mispredicted[place])
    return found


def _add(sites: Sites, place: tuple[str, Line], count: int) -> None:
    if count:
        sites[place] = sites.get(place, 0) + count
