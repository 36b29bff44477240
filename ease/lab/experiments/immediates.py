"""The constants that programs want in instructions and addressing modes, and what each width of an immediate costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ease import Curve, Panel, Run, TitledTable, number
from ease.lab.experiments.ablation import MEASURES, Ablation, Variant, as_json, change, differences
from vpo.algebra import rebuild_effect
from vpo.analysis.memory_effects import UnitFacts
from vpo.build.compiler import Compiler, Settings
from vpo.machines.advice.edits import Part, Use
from vpo.machines.machine import Effects, Machine
from vpo.machines.match.recognizer import Match, Recognizer
from vpo.machines.questions import LEGAL, RECORD, AskedMachine
from vpo.opt.driver import improve
from vpo.rtl import Const, Expr, Half
from vpo.rtl.function import Unit

MOST = 33  # bits by which constants are told apart; more are as many


@dataclass(slots=True)
class Wanted:
    """The constants of one immediate by the bits that they need: in the code, when it ran, and those that did not fit.

    `refused` counts each constant once a function that asked for an instruction with it in vain: it is built in pieces.
    """

    static: Counter[int] = field(default_factory=Counter)
    dynamic: Counter[int] = field(default_factory=Counter)
    refused: Counter[int] = field(default_factory=Counter)


def wanted_constants(ablation: Ablation, uses: Sequence[Use]) -> dict[str, Wanted]:
    """Return the constants of each use, by its name."""
    by_part: dict[Part, Use] = {use.part: use for use in uses}
    found = {use.name: Wanted() for use in uses}
    for run in ablation.runs.values():
        count_constants(run, ablation.machine.built, by_part, found)
    machine = ablation.machine.built
    for refused in _refused(ablation):
        for part, value in {pair for effects in refused for pair in _as_if_small(effects, machine)}:
            if part in by_part:
                found[by_part[part].name].refused[min(_bits(value), MOST)] += 1
    return found


def count_constants(
    run: Run, machine: Machine, by_part: Mapping[Part, Use], found: Mapping[str, Wanted]
) -> None:
    """Add the constants in the code of a program."""
    assert run.program is not None
    for name, function in run.program.linked.functions.items():
        for rtl, times in zip(function.rtls(), run.counts.rtls[name], strict=True):
            match = machine.recognizer.match(rtl.effects)
            for part, value in _parts_of(match, machine.recognizer) if match is not None else ():
                if part in by_part:
                    use = by_part[part]
                    found[use.name].static[use.range.bits_for(value)] += 1
                    found[use.name].dynamic[use.range.bits_for(value)] += times


def _parts_of(match: Match, recognizer: Recognizer) -> Iterator[tuple[Part, int]]:
    """Yield the variables that stand for constants where an RTL is an instruction, with the constants."""
    owner = "constant", match.alternative.name, match.alternative.place
    yield from _inner(match.alternative.operands, match.bindings, owner, recognizer)


def _inner(
    operands: Mapping[str, str], bindings: Mapping[str, Any], owner: Part, recognizer: Recognizer
) -> Iterator[tuple[Part, int]]:
    """Yield the variables of an instruction, or of an operand's form, that stand for constants."""
    for variable, operand in operands.items():
        node = bindings[variable]
        yield from (((*owner, variable), number) for number in _numbers(node))
        match = recognizer.operand_match(operand, node)
        if match is not None:
            yield from _inner(match.form.operands, match.bindings, ("constant", "", match.form.place), recognizer)


def _numbers(node: Any) -> tuple[int, ...]:
    """Return the constant that a variable stands for, or the least and the greatest that it may become."""
    if type(node) is Const:
        return (node.value,)
    if type(node) is Half and node.part is not None:
        return 0, (1 << node.part[1]) - 1
    return ()


class _Refusals(Compiler):
    """A compiler that makes all code anew, and notes in `refused` what the phases of each function asked for in vain."""

    def __init__(self, machine: Machine, settings: Settings, refused: list[list[Effects]]) -> None:
        super().__init__(machine, settings)
        self.refused = refused

    def _keeps(self, settings: Settings) -> bool:
        return False

    def _improve(self, unit: Unit, settings: Settings, facts: UnitFacts) -> None:
        for function in unit.functions:
            asked = AskedMachine(self.machine)
            improve(function, asked, self.options, facts)
            notes = dict.fromkeys(about for kind, about in asked.notes if kind in (LEGAL, RECORD))
            self.refused.append([effects for effects in notes if not self.machine.is_legal(effects)])


def _refused(ablation: Ablation) -> list[list[Effects]]:
    """Return by function the RTLs that phases wanted in vain for the whole machine."""
    refused: list[list[Effects]] = []
    for program in ablation.programs:
        settings = program.settings(Settings(level=ablation.level))
        _Refusals(ablation.machine.built, settings, refused).program(program.files)
    return refused


def _bits(value: int) -> int:
    """Return the bits of a signed number."""
    return (value if value >= 0 else ~value).bit_length() + 1


def _as_if_small(effects: Effects, machine: Machine) -> Iterator[tuple[Part, int]]:
    """Yield each constant of effects that are no instruction, with the part that it would be if it were 1."""
    values: list[int] = []

    def small(node: Expr) -> Expr | None:
        if isinstance(node, Const) and type(node.value) is int and abs(node.value) > 1:
            values.append(node.value)
            return Const(1)
        return None

    changed = tuple(rebuild_effect(effect, small) for effect in effects)
    match = machine.recognizer.match(changed) if len(values) == 1 else None
    for part, value in _parts_of(match, machine.recognizer) if match is not None else ():
        if value == 1:
            yield part, values[0]


# ------------------------------------------------------------------------------------------------------------- tables


def tables(
    uses: Sequence[Use], wanted: Mapping[str, Wanted], variants: Sequence[Variant], whole: Variant
) -> Iterator[TitledTable]:
    """Yield the distributions of constants and the costs of widths."""
    shown = [use for use in uses if wanted[use.name].static or wanted[use.name].refused]
    widths = range(1, max((use.range.bits for use in shown), default=1) + 1)
    head = ["immediate", "bits", "in code", "executed", "refused", *map(str, widths)]
    rows = [head, *([*_sums(use, wanted[use.name]), *_shares(wanted[use.name].dynamic, use, widths)] for use in shown)]
    note = "columns: % of the executed ones that fit in so many bits; refused: constants that do not fit, once a function"
    yield TitledTable("Constants in immediates", rows, note=note)
    rows = [["refused", *map(str, (bits for bits in range(1, MOST + 1)))]]
    for use in shown:
        refused = wanted[use.name].refused
        if refused:
            rows.append([use.name, *(str(refused[bits] or "") for bits in range(1, MOST + 1))])
    yield TitledTable("Constants that did not fit, by the bits that they need as signed numbers", rows)
    yield _costs(variants, whole)


def _sums(use: Use, wanted: Wanted) -> list[str]:
    sums = [sum(counter.values()) for counter in (wanted.static, wanted.dynamic, wanted.refused)]
    return [use.name, str(use.range.bits), *map(number, sums)]


def _shares(counts: Counter[int], use: Use, widths: Iterable[int]) -> list[str]:
    whole = sum(counts.values())
    sums = [sum(times for bits, times in counts.items() if bits <= width) for width in widths]
    return [
        f"{100 * n / whole:.1f}" if whole and width <= use.range.bits else "" for n, width in zip(sums, widths, strict=True)
    ]


def _costs(variants: Sequence[Variant], whole: Variant) -> TitledTable:
    rows = [["width", *MEASURES, "% instructions", "% bytes"]]
    for variant in variants:
        more = [] if variant.reason else [f"{n:+,}" for n in differences(variant, whole)]
        percent = [] if variant.reason else [f"{100 * change(variant, whole, m):+.2f}" for m in ("instructions", "bytes")]
        if not more or set(more) != {"+0"}:
            rows.append([variant.name, *(more or ["no code"] * len(MEASURES)), *(percent or ["", ""])])
    return TitledTable("What narrower immediates cost; widths that are not here cost nothing", rows)


def panels(uses: Sequence[Use], variants: Sequence[Variant], whole: Variant) -> list[Panel]:
    """Return curves of instructions and bytes against bits, for the immediates whose width matters."""
    found = {variant.name: variant for variant in variants}
    widths = [str(bits) for bits in range(4, max((use.range.bits for use in uses), default=4) + 1)]
    result = []
    for measure in ("instructions", "bytes"):
        curves = []
        for use in uses:
            steps = [found.get(f"{use.name}: {bits} bits") for bits in widths]
            values = [None if v is None or v.reason else 100 * max(0.0, change(v, whole, measure)) for v in steps]
            if any(values):
                curves.append(Curve(use.name, values))
        result.append(Panel(f"% more {measure}", "bits", widths, curves))
    return result


def json(uses: Sequence[Use], wanted: Mapping[str, Wanted], variants: Sequence[Variant], whole: Variant) -> dict[str, Any]:
    """Return the JSON form."""
    constants = {
        use.name: {"bits": use.range.bits}
        | {name: dict(sorted(getattr(wanted[use.name], name).items())) for name in Wanted.__slots__}
        for use in uses
    }
    return {"constants": constants, "whole": as_json([whole])[0]["programs"], "widths": as_json(variants)}
