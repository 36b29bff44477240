"""Exercises: a question, what it begins with, and a check of an answer, all as data (`exercises.yaml`).

An answer is a text: changes of a machine, a program in C, a cache or a predictor, as the exercise says.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

import ease
from ease.lab.dossier.opcode_space import space_of

FOLDER = Path(__file__).parent
KINDS = {"machine": "answer.yaml", "program": "answer.c", "cache": "answer.txt", "predictor": "answer.txt"}
SECONDS = 20.0  # of a run
TOLD = ("instructions", "cycles")  # what an answer comes to besides
_MOST, _BITS, _GONE = "{}: at most", "opcode bits that are left: at least", "instructions that are gone: at least"


@dataclass(frozen=True)
class Exercise:
    """A question; `begin` is the answer that it begins with, `most` and `least` are what the run must reach.

    `bits`: of the opcode, of 32, that a new instruction must leave; `registers`: so many at most; `gone`: so many instructions
    less than before, at least.  `read`: the page of the documentation that has
    what it takes.
    """

    title: str
    read: str
    question: str
    kind: str
    begin: str
    program: str
    machine: str
    cache: str | None = None
    predict: str | None = None
    most: Mapping[str, int] = field(default_factory=dict)
    bits: int = 0
    registers: int = 0
    gone: int = 0


@dataclass(frozen=True)
class Finding:
    """One thing that an answer must be, what it is, and whether that is enough; None: nothing is asked of it."""

    wanted: str
    found: str
    holds: bool | None


@cache
def exercises() -> dict[str, Exercise]:
    """Return the exercises by name."""
    read = yaml.safe_load(FOLDER.joinpath("exercises.yaml").read_text(encoding="utf-8"))
    return {name: Exercise(**{**each, "program": each.get("program", each["begin"])}) for name, each in read.items()}


def solution(name: str) -> str:
    """Return the answer that teachers have."""
    kind = exercises()[name].kind
    return FOLDER.joinpath("answers", f"{name}{Path(KINDS[kind]).suffix}").read_text(encoding="utf-8")


def aims(exercise: Exercise) -> list[str]:
    """Return what an answer must reach, beside that the program does the same."""
    numbers = [(_MOST.format(what), most) for what, most in exercise.most.items()]
    numbers += [(_BITS, exercise.bits), (_MOST.format("registers"), exercise.registers), (_GONE, exercise.gone)]
    return [f"{what} {number:,}" for what, number in numbers if number]


def check(exercise: Exercise, text: str, file: str = "") -> list[Finding]:
    """Return what an answer comes to, the text of a file.

    Raises Error for one that cannot be measured.
    """
    base = ease.Machine(exercise.machine)
    machine = base.changed(text, file=file) if exercise.kind == "machine" and _says_something(text) else base
    before, after = _run(exercise, base, exercise.begin), _run(exercise, machine, text)
    same = (before.exit_status, before.output) == (after.exit_status, after.output) and not after.fault
    told = after.fault or f"exit status {after.exit_status}"
    findings = [Finding("the program does the same", told, same)]
    for what, number in exercise.most.items():
        at_first = f"{after.totals[what]:,}, at first {before.totals[what]:,}"
        findings.append(Finding(f"{_MOST.format(what)} {number:,}", at_first, after.totals[what] <= number))
    findings += _of_machine(exercise, base, machine)
    besides = (name for name in TOLD if name not in exercise.most)
    numbers = ((name, getattr(before, name), getattr(after, name)) for name in besides)
    return [*findings, *(Finding(name, f"{now:,}, at first {then:,}", None) for name, then, now in numbers if now is not None)]


def _says_something(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines())


def _run(exercise: Exercise, machine: ease.Machine, text: str) -> ease.Run:
    kind, words = exercise.kind, " ".join(line for line in text.splitlines() if not line.startswith("#")).strip()
    with tempfile.TemporaryDirectory(prefix="ease-exercise-") as folder:
        source = Path(folder, "program.c")
        source.write_text(text if kind == "program" else exercise.program, encoding="utf-8")
        program = machine.compile(str(source), level=2)
    cache = words if kind == "cache" else exercise.cache
    predict = words if kind == "predictor" else exercise.predict
    return program.measure(cache=cache, predict=predict, timeout=SECONDS, quick=True)


def _of_machine(exercise: Exercise, base: ease.Machine, machine: ease.Machine) -> Iterator[Finding]:
    """Yield what is wanted of the machine itself."""
    were, are = set(base.description["instructions"]), set(machine.description["instructions"])
    if exercise.bits:
        points = sum(space_of(machine.built, name).points for name in sorted(are - were))
        left = 32 - (points - 1).bit_length() if points else 32
        yield Finding(f"{_BITS} {exercise.bits}", f"{left}", left >= exercise.bits)
    if exercise.registers:
        count = int(machine.description["registers"]["r"]["count"])
        yield Finding(f"{_MOST.format('registers')} {exercise.registers}", f"{count}", count <= exercise.registers)
    if exercise.gone:
        gone = len(were - are)
        yield Finding(f"{_GONE} {exercise.gone}", f"{gone}", gone >= exercise.gone)
