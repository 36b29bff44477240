"""Which narrow forms to spend code points on: the choice, by the constraint solver of OR-tools (CP-SAT).

Each shape is offered in several sets of narrow forms, the solver takes at most one set of each, and the code points of all are
at most the budget.  Within a set, each use counts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ease.lab.experiments.encoding_forms import Narrow, Uses, narrow_forms
from vpo.base.errors import UserError

WORK = 10.0  # of the solver, in its own deterministic seconds
PRICES = 40  # of a code point, at which sets are looked for


@dataclass(frozen=True, eq=False)
class Offer:
    """A set of forms of one shape, with what each adds to those before it."""

    forms: tuple[Narrow, ...]
    adds: tuple[int, ...]

    @property
    def points(self) -> int:
        """The code points of all."""
        return sum(form.points for form in self.forms)

    @property
    def saved(self) -> int:
        """What all save together."""
        return sum(self.adds)


@dataclass(frozen=True)
class Choice:
    """The chosen forms with what each adds, and what no choice of these sets could exceed."""

    forms: tuple[tuple[Narrow, int], ...]
    bound: int

    @property
    def points(self) -> int:
        """The code points that they take."""
        return sum(form.points for form, _ in self.forms)

    @property
    def saved(self) -> int:
        """What they save together."""
        return sum(worth for _, worth in self.forms)


def offers_of(
    found: Sequence[Uses], bits: int, granule: int, windows: bool, budget: int, least: float
) -> list[list[Offer]]:
    """Return the sets that are offered of each shape, of forms (`narrow_forms`) that save at least so much."""
    whole = sum(sum(uses.weights) for uses in found)
    large = [uses for uses in found if sum(uses.weights) >= least]
    return [_sets(uses, narrow_forms(uses, bits, granule, windows), budget, whole, least) for uses in large]


def _sets(uses: Uses, forms: Sequence[Narrow], budget: int, whole: int, least: float) -> list[Offer]:
    """Return sets in which one form after the other is worth most at some price of a code point, the smallest first."""
    found: dict[int, Offer] = {}
    for step in range(PRICES):
        price = whole / budget * 2.0 ** ((step - PRICES // 2) / 2)
        left, chosen, adds, rest = (1 << len(uses.values)) - 1, list[Narrow](), list[int](), list(forms)
        while rest:
            weights = [uses.weight(form.covers & left) for form in rest]
            rest = [form for form, weight in zip(rest, weights, strict=True) if weight >= least]
            weights = [weight for weight in weights if weight >= least]
            gains = [weight - price * form.points for weight, form in zip(weights, rest, strict=True)]
            best = max(range(len(gains)), key=gains.__getitem__, default=None)
            if best is None or gains[best] <= 0:
                break
            chosen.append(rest[best])
            adds.append(weights[best])
            left &= ~rest[best].covers
            offer = Offer(tuple(chosen), tuple(adds))
            if offer.points <= budget and (offer.points not in found or found[offer.points].saved < offer.saved):
                found[offer.points] = offer
            rest = [form for form, gain in zip(rest, gains, strict=True) if gain > 0 and form is not chosen[-1]]
    result: list[Offer] = []
    for _, offer in sorted(found.items()):
        if not result or offer.saved > result[-1].saved:
            result.append(offer)
    return result


def choose(offers: Sequence[Sequence[Offer]], budget: int) -> Choice:
    """Return the forms that save most with at most so many code points.

    Raises UserError without OR-tools.
    """
    model, solver = _solver()
    taken: list[tuple[Any, Offer]] = []
    for sets in offers:
        variables = [model.new_bool_var("") for _ in sets]
        model.add_at_most_one(variables)
        taken += zip(variables, sets, strict=True)
    model.add(sum(offer.points * variable for variable, offer in taken) <= budget)
    model.maximize(sum(offer.saved * variable for variable, offer in taken))
    solver.solve(model)
    chosen = [offer for variable, offer in taken if solver.boolean_value(variable)]
    forms = [pair for offer in chosen for pair in zip(offer.forms, offer.adds, strict=True)]
    return Choice(tuple(sorted(forms, key=lambda each: -each[1])), int(solver.best_objective_bound))


def _solver() -> tuple[Any, Any]:
    """Return a model and a solver that makes the same choice each time."""
    try:
        cp_model: Any = import_module("ortools.sat.python.cp_model")
    except ImportError:
        raise UserError(["choosing encodings needs OR-tools: pip install 'ease[planner]'"]) from None
    solver = cp_model.CpSolver()
    solver.parameters.max_deterministic_time = WORK
    solver.parameters.num_workers = 1
    return cp_model.CpModel(), solver
