"""How often blocks are executed, as the shape of their function suggests: no run is needed."""

from __future__ import annotations

from vpo.analysis.branch_probabilities import branch_probabilities
from vpo.analysis.cfg import Cfg, build_cfg
from vpo.analysis.dominators import dominates, dominators
from vpo.analysis.loops import Loop, loops_around, natural_loops
from vpo.function import Function

TRIP_COUNT = 10.0  # how often a loop is taken to go round each time it is entered
RARELY = 1e-6  # the least frequency


def frequencies(function: Function) -> list[float]:
    """Estimate how often each block is executed for each time the function is entered."""
    cfg = build_cfg(function)
    idom = dominators(cfg)
    return frequencies_in(function, cfg, idom, natural_loops(cfg, idom))


def frequencies_in(function: Function, cfg: Cfg, idom: dict[int, int], loops: list[Loop]) -> list[float]:
    """Estimate the frequencies of blocks in a graph whose dominators and loops are known.

    A loop has `TRIP_COUNT` trips; where branches go that do not leave one is estimated by `branch_probabilities`.
    """
    odds = branch_probabilities(function, cfg)
    headers = {loop.header for loop in loops}
    inside = loops_around(len(cfg.successors), loops)
    result = [RARELY] * len(cfg.successors)
    arriving = [0.0] * len(cfg.successors)
    arriving[0] = 1.0
    for block in cfg.reverse_postorder():
        result[block] = max(RARELY, arriving[block] * (TRIP_COUNT if block in headers else 1))
        leaving = [target for target in cfg.successors[block] if inside[block] - inside[target]]
        staying = [target for target in cfg.successors[block] if target not in leaving]
        for targets, share in (
            (leaving, 1 / TRIP_COUNT if staying else 1.0),
            (staying, 1 - 1 / TRIP_COUNT if leaving else 1.0),
        ):
            for target in targets:
                if not dominates(idom, target, block):
                    part = odds[block][target] if len(targets) > 1 and block in odds else 1 / len(targets)
                    arriving[target] += result[block] * share * part
    return result
