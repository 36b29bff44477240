"""How to spend code points: which forms of instructions, with which registers and numbers, save most within a budget.

With a size, they are short forms of a machine's own instructions, and what a form saves follows from its uses.  Else they are
the new instructions of a candidate, with narrower fields; what a use of one saves is its price by ablation, in equal parts.
The choice is compiled and measured, and made again with what the new code uses.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import Any

from ease import Machine, TitledTable, number
from ease.lab.experiments.ablation import MEASURES, OTHER_OUTPUT, Ablation, Price, end_of, price_all
from ease.lab.experiments.encoding_choice import Choice, choose, offers_of
from ease.lab.experiments.encoding_forms import Reader, Shape, words
from ease.lab.experiments.encoding_text import Writer
from ease.lab.experiments.programs import Program
from vpo.base.errors import UserError
from vpo.machines.read.encoding import code_space
from vpo.opt.driver import Level

ROUNDS = 3  # how often the choice is made: with the code of the machine without it, and then with its own
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is planned: short forms of so many bytes of a machine, or, with a size of 0, a candidate beside it; and the budget.

    `measure` is what is to be saved; a form saves at least the part `least` of it.  `file` is where the plan will be.
    """

    machine: Machine
    candidate: Machine | None
    programs: Sequence[Program]
    level: Level
    budget: int
    size: int
    measure: str
    file: str
    least: float = 0.001
    held_out: Sequence[Program] = ()
    jobs: int = 1

    @property
    def name(self) -> str:
        """The name of the extension or machine that is written."""
        return Path(self.file).stem


@dataclass(frozen=True, slots=True)
class Round:
    """A choice, the description that has it, what it was expected to save and what programs take with it."""

    choice: Choice
    text: str
    price: Price


@dataclass(frozen=True, slots=True)
class Plan:
    """All rounds, and what programs take on the machine without."""

    asked: Asked
    before: Price
    rounds: list[Round]
    measured: _Measured

    @property
    def best(self) -> Round:
        """The round that saves most."""
        return min(self.rounds, key=lambda each: each.price.of(self.asked.measure))


def plan(asked: Asked, tell: Tell) -> Plan:
    """Return what comes out.

    Raises UserError, ease.Error.
    """
    measured = _Measured(asked)
    if asked.held_out:
        measured.of(asked.machine, asked.held_out)  # what is wrong with them is told now
    before = measured.price(asked.machine)
    rounds: list[Round] = []
    for each in (_shortened if asked.size else _cut_down)(asked, measured, tell):
        if any(each.text == other.text for other in rounds):
            break  # as it would be again
        rounds.append(each)
    if not rounds:
        raise UserError(["nothing saves anything within this budget"])
    return Plan(asked, before, rounds, measured)


class _Measured:
    """Compiles and runs programs on machines; they must do the same on all."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.ends: dict[str, tuple[int, bytes]] = {}
        self.last: Ablation

    def of(self, machine: Machine, programs: Sequence[Program] = ()) -> Ablation:
        """Return the programs, or others, on a machine, where they have been run."""
        result = Ablation(machine, programs or self.asked.programs, self.asked.level)
        for name, run in result.runs.items():
            if self.ends.setdefault(name, end_of(run)) != end_of(run):
                raise UserError([f"{machine.name}: {OTHER_OUTPUT.format(name)}"])
        return result

    def price(self, machine: Machine) -> Price:
        """Return what programs take on a machine, whose code is read next."""
        self.last = self.of(machine)
        return self.last.whole.total


def _shorter(asked: Asked, text: str) -> Machine:
    """Return the machine with an extension."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{asked.name}.yaml")
        file.write_text(text, encoding="utf-8")
        return Machine(f"{asked.machine.origin}+{file}", asked.machine.settings)


def _changed(asked: Asked, text: str) -> Machine:
    """Return the candidate, cut down."""
    assert asked.candidate is not None
    return asked.candidate.changed("".join(line for line in text.splitlines(True) if not line.startswith("extends:")))


def _shortened(asked: Asked, measured: _Measured, tell: Tell) -> Iterator[Round]:
    """Yield short forms of the machine's instructions, chosen by the code before, and then by the code with them."""
    writer = Writer(asked.machine)
    for turn in range(ROUNDS):
        reader = Reader(asked.machine.built, lambda form: form.size > asked.size and writer.knows(form))
        for program in measured.last.compiled.values():
            reader.add(program)
        uses = reader.uses(lambda shape, times: times * (shape.size - asked.size))
        least = asked.least * measured.last.whole.total.bytes
        choice = choose(offers_of(uses, 8 * asked.size, asked.size, True, asked.budget, least), asked.budget)
        if not choice.forms:
            return
        writer.new.clear()
        forms = [form for form, _ in choice.forms]
        text = writer.extension(asked.name, forms, asked.size, _about(asked))
        yield Round(choice, text, measured.price(_shorter(asked, text)))
        tell(f"{turn + 1} of {ROUNDS}: {number(choice.points)} code points")


def _cut_down(asked: Asked, measured: _Measured, tell: Tell) -> Iterator[Round]:
    """Yield the candidate with some of its new instructions, each as narrow as pays."""
    assert asked.candidate is not None
    known = set(asked.machine.instructions["instruction"])
    new = [name for name in dict.fromkeys(asked.candidate.instructions["instruction"]) if name not in known]
    writer, machine = Writer(asked.candidate), asked.candidate
    worth: dict[str, float] = {}
    for turn in range(ROUNDS):
        code = measured.of(machine)
        worth |= _worth(asked, code, new, tell)
        reader, times = Reader(asked.candidate.built, lambda form: form.name in new and writer.knows(form)), Counter[str]()
        for name, program in code.compiled.items():
            reader.add(program, None if asked.measure == "bytes" else code.runs[name].counts.rtls)
        for key, found in reader.found.items():
            times[reader.shapes[key].form.name] += found.total()
        uses = reader.uses(_in_equal_parts(worth, times))
        bits = max((8 * each.shape.size for each in uses), default=0)
        granule = min(form.size for form in asked.candidate.built.recognizer.alternatives if form.size)
        least = asked.least * code.whole.total.of(asked.measure)
        choice = choose(offers_of(uses, bits, granule, False, asked.budget, least), asked.budget)
        if not choice.forms:
            return
        writer.new.clear()
        forms = [form for form, _ in choice.forms]
        text = writer.candidate(asked.name, forms, new, _about(asked), asked.file)
        machine = _changed(asked, text)
        yield Round(choice, text, measured.price(machine))
        tell(f"{turn + 1} of {ROUNDS}: {number(choice.points)} code points")


def _in_equal_parts(worth: Mapping[str, float], times: Mapping[str, int]) -> Callable[[Shape, int], float]:
    """Return what says how much of an instruction's worth so many of its uses are."""
    return lambda shape, many: worth.get(shape.form.name, 0.0) * many / times[shape.form.name]


def _worth(asked: Asked, code: Ablation, new: Sequence[str], tell: Tell) -> dict[str, float]:
    """Return what programs take more without each of the new instructions that a machine has."""
    edits = [(edit,) for edit in code.machine.parts if edit.kind == "instruction" and edit.name in new]
    whole = code.whole.total.of(asked.measure)
    priced = price_all(code, edits, asked.jobs, tell)
    return {each.name: float(max(0, each.total.of(asked.measure) - whole)) for each in priced if not each.reason}


def _about(asked: Asked) -> str:
    names = ", ".join(program.name for program in asked.programs)
    what = f"forms of {asked.size} bytes" if asked.size else f"of {asked.candidate.name if asked.candidate else ''}"
    return f"{what} within {asked.budget} code points, chosen by {names} at -O{asked.level}"


# ------------------------------------------------------------------------------------------------------ tables, JSON


def tables(found: Plan, beside: Sequence[Machine]) -> Iterator[TitledTable]:
    """Yield the chosen forms, and what the programs take with these and on other machines."""
    asked, best = found.asked, found.best
    classes = asked.machine.built.classes
    rows = [["instruction", "  fields", "bits", "code points", "% of budget", f"saves {asked.measure}"]]
    for form, worth in best.choice.forms:
        fields = words(form, lambda cls, index: classes[cls].names[index])
        share = f"{100 * form.points / asked.budget:.2f}"
        rows.append([form.shape.form.name, f"  {fields}", str(form.bits), number(form.points), share, number(worth)])
    bits = log2(best.choice.points)
    note = (
        f"{number(best.choice.points)} of {number(asked.budget)} code points ({bits:.2f} bits).  By the code for"
        f" which they were chosen, these\nsave {number(best.choice.saved)}, and no choice of such sets more than"
        f" {number(best.choice.bound)}.  u5, s6: numbers of so many bits, without or with a sign;\n*4: in fours."
    )
    yield TitledTable("Forms that are worth their code points", rows, 2, note)
    yield _compared(found, beside)
    if asked.held_out:
        yield _held_out(found, beside)


def _compared(found: Plan, beside: Sequence[Machine]) -> TitledTable:
    asked = found.asked
    shown = [name for name in MEASURES if found.before.of(name)]
    rows = [["machine", "code points", f"expected {asked.measure}", *(cell for name in shown for cell in (name, "%"))]]
    rows.append([asked.machine.name, "", "", *_cells(found.before, found.before, shown)])
    for turn, each in enumerate(found.rounds, 1):
        expected = f"{-each.choice.saved:+,}"
        name = f"{asked.name}, round {turn}"
        rows.append([name, number(each.choice.points), expected, *_cells(each.price, found.before, shown)])
    rows += [
        [each.name, _points(each, asked.size), "", *_cells(found.measured.price(each), found.before, shown)] for each in beside
    ]
    return TitledTable("What programs take", rows)


def _held_out(found: Plan, beside: Sequence[Machine]) -> TitledTable:
    """Return what programs take that had no part in the choice."""
    asked, best = found.asked, found.best
    planned = (_shorter if asked.size else _changed)(asked, best.text)
    machines = (asked.machine, planned, *beside)
    prices = [found.measured.of(machine, asked.held_out).whole.total for machine in machines]
    shown = [name for name in MEASURES if prices[0].of(name)]
    rows = [["machine", *(cell for name in shown for cell in (name, "%"))]]
    names = asked.machine.name, asked.name, *(machine.name for machine in beside)
    rows += [[name, *_cells(price, prices[0], shown)] for name, price in zip(names, prices, strict=True)]
    return TitledTable("What programs take that decided nothing", rows)


def _cells(price: Price, before: Price, shown: Sequence[str]) -> list[str]:
    return [
        cell for name in shown for cell in (number(price.of(name)), f"{100 * (price.of(name) / before.of(name) - 1):+.2f}")
    ]


def _points(machine: Machine, size: int) -> str:
    """Return the code points of a machine's short forms, if their encodings are exact."""
    short = [form for form in machine.built.recognizer.alternatives if form.size == size and form.code is not None]
    return number(int(code_space(short) * 2 ** (8 * size))) if size and short else ""


def json(found: Plan) -> Mapping[str, Any]:
    """Return the JSON form."""
    return {
        "budget": found.asked.budget,
        "before": {name: found.before.of(name) for name in MEASURES},
        "rounds": [
            {
                "points": each.choice.points, "saved": each.choice.saved, "bound": each.choice.bound,
                "after": {name: each.price.of(name) for name in MEASURES}, "text": each.text,
                "forms": [
                    {"instruction": form.shape.form.name, "bits": form.bits, "saves": worth}
                    for form, worth in each.choice.forms
                ],
            }
            for each in found.rounds
        ],
    }  # fmt: skip
