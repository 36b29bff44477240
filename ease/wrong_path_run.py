"""Run a program in the interpreter, with what follows mispredicted branches on wrong paths, and measure it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.predictors.predictor import Kind, Predictor, Static
from cache_sim.predictors.spec import load as load_predictors
from cache_sim.reference import Simulator
from ease.measuring import measurement_of_interpretation
from ease.miss_attribution import attribute
from ease.prediction import attribute_predictions
from ease.results import Measurement
from ease.wrong_paths import Watching, WrongPathInterpreter
from vpo.analysis.control_transfers import unit
from vpo.interpret.result import Result, run_with_streams
from vpo.program import Program

FORM = "a number of instructions, such as 32, or 32,caches"
LONGEST = 1 << 20


def parse_wrong_path(text: str) -> tuple[int, bool]:
    """Read what `-wrong-path` says: the number of instructions, and whether their references reach the caches.

    Raises ConfigurationError.
    """
    number, comma, rest = text.partition(",")
    if not number.isdecimal() or not 1 <= int(number) <= LONGEST or (comma and rest != "caches"):
        raise ConfigurationError(f"-wrong-path {text}: this is {FORM} (at most {LONGEST:,})")
    return int(number), bool(comma)


def deciding_predictors(predict: str, size: int = 1) -> dict[str, Predictor]:
    """Return the predictors that decide which paths are wrong; `size`: the least distance of instructions.

    Raises ConfigurationError.
    """
    found = load_predictors(predict, size)
    known = all(not isinstance(each, Static) or each.known for each in found.values())
    if not known or sum(Kind.BRANCH in each.kinds for each in found.values()) > 1:
        raise ConfigurationError(
            f"-predict {predict}: wrong paths need at most one predictor of branches, which knows before the run what it "
            "predicts, such as gshare:4k,12+ras:8+btb:64"
        )
    return found


def wrong_path_run(
    program: Program, arguments: Sequence[str | bytes], length: int, reaching: bool, predict: str,
    system: MemorySystem | None = None, *, limit: int | None = None, roots: Iterable[str | Path] = (),
    stdin: bytes | None = None, capture: bool = False,
) -> tuple[Result, Measurement]:  # fmt: skip
    """Run a program, and `length` instructions behind each mispredicted transfer; return the run and what was measured.

    `reaching`: the measurement has the memory system that wrong paths reach; `WrongPaths` has both.

    Raises ConfigurationError.
    """
    predictors = deciding_predictors(predict, unit(program))
    watching = Watching(*([None, None] if system is None else [Simulator(system), Simulator(system)]))
    made: list[WrongPathInterpreter] = []

    def run(streams: Sequence[int]) -> Result:
        made.append(WrongPathInterpreter(program, arguments, streams, roots, limit, watching, predictors, length))
        return made[0].run()

    result = run_with_streams(run, stdin, capture)
    told = made[0].told()
    measurement = measurement_of_interpretation(program, result)
    counts = measurement.counts
    assert counts is not None
    prediction = attribute_predictions(program, counts, made[0].predictions.results())
    seen = told.with_ if reaching else told.without
    memory = None if seen is None else attribute(program, counts, seen)
    return result, replace(measurement, prediction=prediction, memory=memory, wrong_paths=told)
