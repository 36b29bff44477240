"""Reports of branch predictors: how good they are, by instruction and source line, and what wrong paths do."""

from __future__ import annotations

from collections.abc import Mapping
from operator import add
from typing import TYPE_CHECKING, Any

from cache_sim.predictors.predictor import Kind, SiteResults, concentration
from ease.model.results import Line, PredictionMeasurement, TransferSite
from ease.reports.report import Report, Table, by_file, number, percent, shares

if TYPE_CHECKING:
    from ease.model.results import WrongPaths

SHARE = 90  # per cent, of executions and of mistakes
_HEADINGS = (  # the last two are those that the report on IDtrace had for branches
    "predictor", "transfers", "executed", "mispredicted", "accuracy", "MPKI", "sites", "for 90 % executed", "per cent",
    "for 90 % mispredicted", "per cent",
)  # fmt: skip


def sites_of(prediction: PredictionMeasurement, kind: Kind) -> list[SiteResults]:
    """Return the sites of a kind."""
    return [site for site in prediction.sites.values() if site.kind == kind]


def kinds_of(prediction: PredictionMeasurement, name: str) -> list[Kind]:
    """Return the kinds that a predictor predicts and that were executed."""
    return [kind for kind in Kind if kind in prediction.predictors[name] and sites_of(prediction, kind)]


def _predictors(prediction: PredictionMeasurement) -> Table:
    """Show each predictor for each kind of transfer."""
    rows = [
        _row(prediction, place, name, kind)
        for place, name in enumerate(prediction.predictors)
        for kind in kinds_of(prediction, name)
    ]
    note = "sites are instructions that were executed; the last columns say how many of them make 90 per cent"
    return Table(_HEADINGS, rows, keys=2, note=note)


def _row(prediction: PredictionMeasurement, place: int, name: str, kind: Kind) -> list[str]:
    sites = sites_of(prediction, kind)
    executed, wrong = sum(site.executed for site in sites), sum(site.mispredicted[place] for site in sites)
    few = concentration(site.executed for site in sites), concentration(site.mispredicted[place] for site in sites)
    return [
        name,
        kind.value,
        number(executed),
        number(wrong),
        percent(executed - wrong, executed),
        f"{_per_thousand(prediction, wrong):.3f}",
        number(len(sites)),
        *(cell for count in few for cell in (number(count), percent(count, len(sites)))),
    ]


def _per_thousand(prediction: PredictionMeasurement, wrong: int) -> float:
    """Return a number per thousand instructions."""
    return 1000 * wrong / prediction.instructions if prediction.instructions else 0.0


def _predictors_json(prediction: PredictionMeasurement) -> dict[str, Any]:
    kinds = {kind: sites_of(prediction, kind) for kind in Kind}
    transfers = {kind.value: _executed(kind, sites) for kind, sites in kinds.items() if sites}
    predictors = {
        name: {kind.value: _predicted(prediction, place, kinds[kind]) for kind in kinds_of(prediction, name)}
        for place, name in enumerate(prediction.predictors)
    }
    return {"prediction": {"transfers": transfers, "predictors": predictors}}


def _executed(kind: Kind, sites: list[SiteResults]) -> dict[str, int]:
    taken = {"taken": sum(site.taken for site in sites)} if kind == Kind.BRANCH else {}
    executed = [site.executed for site in sites]
    return {"executed": sum(executed), **taken, "sites": len(sites), "sites_for_90_percent": concentration(executed, SHARE)}


def _predicted(prediction: PredictionMeasurement, place: int, sites: list[SiteResults]) -> dict[str, float]:
    wrong = [site.mispredicted[place] for site in sites]
    executed = sum(site.executed for site in sites)
    return {
        "mispredicted": sum(wrong),
        "accuracy": 1 - sum(wrong) / executed,
        "mpki": _per_thousand(prediction, sum(wrong)),
        "sites_for_90_percent": concentration(wrong, SHARE),
    }


# ----------------------------------------------------------------------------------------------------------------------
# Mistakes by part of the program: a column for each predictor, a row for each part, those with most mistakes first.


def _by_predictor(prediction: PredictionMeasurement, counts: tuple[int, ...]) -> Mapping[str, int]:
    """Return numbers of mistakes by the predictor that made them: the JSON form."""
    return dict(zip(prediction.predictors, counts, strict=True))


def _mistakes(prediction: PredictionMeasurement) -> dict[str, int]:
    """Return how many mistakes each predictor made."""
    columns = zip(*(site.mispredicted for site in prediction.sites.values()), strict=True)
    return dict(zip(prediction.predictors, map(sum, columns), strict=False)) or dict.fromkeys(prediction.predictors, 0)


def _sites(prediction: PredictionMeasurement) -> Table:
    """Count mistakes by the instruction that transfers control."""
    headings = ("site", "line", "instruction", "transfer", "executed", "per cent taken")
    ordered = sorted(prediction.sites.items(), key=lambda item: (-sum(item[1].mispredicted), -item[1].executed))
    rows = [(_site(site, found), found.mispredicted) for site, found in ordered]
    return shares(headings, rows, _mistakes(prediction), "sites", keys=4)


def _site(site: TransferSite, found: SiteResults) -> tuple[str, ...]:
    taken = percent(found.taken, found.executed) if found.kind == Kind.BRANCH else ""
    return str(site.number), str(site.line), site.instruction, found.kind.value, number(found.executed), taken


def _sites_json(prediction: PredictionMeasurement) -> dict[str, Any]:
    """Return a list of all sites that were executed."""
    sites = [_site_json(prediction, site, found) for site, found in sorted(prediction.sites.items())]
    return {"prediction": {"sites": sites}}


def _site_json(prediction: PredictionMeasurement, site: TransferSite, found: SiteResults) -> dict[str, Any]:
    return {
        "site": site.number,
        "function": site.function,
        "file": site.line.file,
        "line": site.line.number,
        "instruction": site.instruction,
        "address": site.address,
        "kind": found.kind.value,
        "executed": found.executed,
        "taken": found.taken if found.kind == Kind.BRANCH else None,
        "mispredicted": _by_predictor(prediction, found.mispredicted),
    }


def _by_line(prediction: PredictionMeasurement) -> dict[Line, tuple[int, tuple[int, ...]]]:
    """Return how many transfers were executed, and mispredicted, at each line; most mistakes come first."""
    found: dict[Line, tuple[int, tuple[int, ...]]] = {}
    for site, counts in prediction.sites.items():
        executed, wrong = found.get(site.line, (0, (0,) * len(counts.mispredicted)))
        found[site.line] = executed + counts.executed, tuple(map(add, wrong, counts.mispredicted))
    return dict(sorted(found.items(), key=lambda item: (-sum(item[1][1]), -item[1][0])))


def _lines(prediction: PredictionMeasurement) -> Table:
    """Count mistakes by line."""
    found = _by_line(prediction).items()
    rows = [((str(line), number(executed)), wrong) for line, (executed, wrong) in found]
    return shares(["line", "executed"], rows, _mistakes(prediction), "lines", keys=1)


def _lines_json(prediction: PredictionMeasurement) -> dict[str, Any]:
    """Return the mistakes of all lines, by file."""
    lines = [
        (line, {"executed": executed, "mispredicted": _by_predictor(prediction, wrong)})
        for line, (executed, wrong) in sorted(_by_line(prediction).items())
    ]
    return {"prediction": {"lines": by_file(lines)}}


# ----------------------------------------------------------------------------------------------------------------------
# Wrong paths: what was executed behind mispredicted branches, and what that does to caches.


def _wrong_paths(paths: WrongPaths) -> Table:
    """Show the numbers; misses without and with what wrong paths refer to."""
    rows = [["mispredicted", number(paths.mispredicted), ""], ["wrong paths", number(paths.followed), ""]]
    rows.append(["instructions on them", number(paths.instructions), ""])
    rows += [[f"ended early by a {reason}", number(count), ""] for reason, count in paths.ended.items()]
    rows += [[f"{kind} references on them", number(count), ""] for kind, count in paths.references.items()]
    if paths.without is not None and paths.with_ is not None:
        for before, after in zip(paths.without.caches, paths.with_.caches, strict=True):
            rows.append([f"misses of {before.cache.name}", number(before.misses.total), number(after.misses.total)])
    note = f"{number(paths.length)} instructions behind each mispredicted transfer"
    return Table(["", "without", "with wrong paths"], rows, note=note)


def _wrong_paths_json(paths: WrongPaths) -> dict[str, Any]:
    both = [] if paths.without is None or paths.with_ is None else zip(paths.without.caches, paths.with_.caches, strict=True)
    return {
        "wrong_paths": {
            "length": paths.length,
            "mispredicted": paths.mispredicted,
            "followed": paths.followed,
            "instructions": paths.instructions,
            "ended": paths.ended,
            "references": paths.references,
            "misses": {a.cache.name: {"without": a.misses.total, "with": b.misses.total} for a, b in both},
        }
    }


OF_PREDICTIONS = (  # in the order of printing
    Report("predictions", "Branch predictors: accuracy in per cent", _predictors, _predictors_json, about="prediction"),
    Report("predict-branches", "Mispredictions by instruction", _sites, _sites_json, about="prediction"),
    Report("predict-lines", "Mispredictions by source line", _lines, _lines_json, about="prediction"),
    Report("wrong-paths", "Wrong paths", _wrong_paths, _wrong_paths_json, about="wrong_paths"),
)
