"""Branch predictors, usable without the rest: what they make of any stream of transfers of control.

`predictor` is the interface, one file each holds those that there are, `spec` makes them from text, `simulator` sends
transfers through several at once, and `results` is what comes out.
"""

from cache_sim.predictors.predictor import Kind, Predictor, Results, Simulator, SiteResults, concentration
from cache_sim.predictors.predictors import load, register

__all__ = ["Kind", "Predictor", "Results", "Simulator", "SiteResults", "concentration", "load", "register"]
