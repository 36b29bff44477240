"""Studies of programs: the mix of instructions, the locality of references, branches, classes of references that miss."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from cache_sim.parse import load as load_system
from cache_sim.predictors.predictor import Kind, concentration
from cache_sim.predictors.predictors import load as load_predictors
from ease import Curve, Panel, TitledTable, number, percent
from ease.lab.experiments import paper_tables
from ease.lab.experiments.studies.questions import Answer, Answers, Measured, Study, nothing

# ----------------------------------------------------------------------------------------------------------------------
# Which types of instructions make most of what is executed: Table 2 of the IDtrace report (Pierce and Mudge, 1994).


SHARES = (50, 60, 90)  # per cent
SHOWN = 90  # per cent of the instructions that are in the table by type
MIX_DRAWN = 24  # types in the picture


def _mix_ask(measured: Measured, _: argparse.Namespace) -> Answer:
    """Return how often each type was executed."""
    types = measured().measurement.characteristics.types
    return {"types": {name: count.dynamic for name, count in types.items() if count.dynamic}}


def together(answers: Mapping[str, Answer]) -> Counter[str]:
    """Add up the types of all programs."""
    return sum((Counter(answer["types"]) for answer in answers.values()), Counter())


def _mix_tables(_: argparse.Namespace, found: Answers) -> Sequence[TitledTable]:
    """Show the types that make most, and how many make each share, in every program."""
    shown = []
    for machine, answers in found.items():
        whole = together(answers)
        total = whole.total()
        rows = [["type", "executed", "per cent", "together"]]
        sums = accumulate(whole[name] for name, _ in whole.most_common())
        listed = whole.most_common(concentration(whole.values(), SHOWN))
        for (name, executed), so_far in zip(listed, sums, strict=False):
            rows.append([name, number(executed), percent(executed, total), percent(so_far, total)])
        note = f"{len(whole)} types in all, {number(total)} instructions"
        shown.append(TitledTable(f"Instruction mix, {machine}", rows, note=note))
        rows = [["program", "instructions", "types", *(f"for {share} %" for share in SHARES)]]
        rows += [_row(name, Counter(answer["types"])) for name, answer in answers.items()]
        shown.append(TitledTable(f"How many types make most of the instructions, {machine}", [*rows, _row("all", whole)]))
    return shown


def _row(name: str, types: Counter[str]) -> list[str]:
    return [
        name, number(types.total()), str(len(types)), *(str(concentration(types.values(), share)) for share in SHARES)
    ]  # fmt: skip


def _mix_panels(_: argparse.Namespace, found: Answers) -> Sequence[Panel]:
    """Draw what share the types make that are executed most, a curve for each machine."""
    curves = []
    for machine, answers in found.items():
        whole = together(answers)
        sums = accumulate(count for _, count in whole.most_common(MIX_DRAWN))
        curves.append(Curve(machine, [100 * so_far / whole.total() for so_far in sums]))
    places = [str(place) for place in range(1, MIX_DRAWN + 1)]
    return [Panel("% of the instructions", "types, those executed most first", places, curves)]


INSTRUCTION_MIX = Study(
    "instruction-mix", "which types of instructions make most of what is executed", nothing, nothing, _mix_ask,
    _mix_tables, _mix_panels,
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# How few blocks make most of what is executed: Table 3 of the IDtrace report (the rule of 90 and 10 per cent).


LOCAL_SHARE = 90  # per cent of the instructions executed
DRAWN = (50, 60, 70, 80, 90, 95, 99)  # shares in the picture


def _locality_ask(measured: Measured, _: argparse.Namespace) -> Answer:
    """Return how many blocks there are, were executed, and make each share."""
    blocks = measured().table("blocks")["dynamic"]
    executed = [number for number in blocks if number]
    return {
        "instructions": sum(executed),
        "blocks": len(blocks),
        "executed": len(executed),
        "making": {str(share): concentration(executed, share) for share in DRAWN},
    }


def _locality_tables(_: argparse.Namespace, found: Answers) -> Sequence[TitledTable]:
    """Show them, the program whose instructions are spread most first."""
    shown = []
    for machine, answers in found.items():
        rows = [["program", "instructions", "blocks", "executed", f"for {LOCAL_SHARE} %", "per cent"]]
        for name, each in sorted(answers.items(), key=lambda item: -_few(item[1]) / max(item[1]["executed"], 1)):
            counts = [each["instructions"], each["blocks"], each["executed"], _few(each)]
            rows.append([name, *map(number, counts), percent(_few(each), each["executed"])])
        note = "per cent: of the blocks that were executed"
        shown.append(TitledTable(f"Blocks that make {LOCAL_SHARE} per cent of the instructions, {machine}", rows, note=note))
    return shown


def _few(answer: Answer) -> int:
    few: int = answer["making"][str(LOCAL_SHARE)]
    return few


def _locality_panels(_: argparse.Namespace, found: Answers) -> Sequence[Panel]:
    """Draw the share of the executed blocks that each share of the instructions takes, a panel for each machine."""
    result = []
    for machine, answers in found.items():
        curves = [
            Curve(name, [100 * each["making"][str(share)] / max(each["executed"], 1) for share in DRAWN])
            for name, each in answers.items()
        ]
        result.append(Panel(f"% of the executed blocks, {machine}", "% of the instructions", list(map(str, DRAWN)), curves))
    return result


LOCALITY = Study(
    "locality", "how few blocks make most of what is executed", nothing, nothing, _locality_ask, _locality_tables,
    _locality_panels,
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# How well branches are predicted, and how few of them make most mistakes: Tables 4 and 5 of the IDtrace report.


SHARE = 90  # per cent, of executions and of mistakes
PREDICTORS = "bimodal:1024+bimodal:each"  # that of the report, and one in which no branches share a counter


def _prediction_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the predictors."""
    parser.add_argument(
        "--predict", metavar="SPEC", default=PREDICTORS, help=f"predictors of branches, as easecc's -predict ({PREDICTORS})"
    )


def _prediction_check(options: argparse.Namespace) -> object:
    """Raise ConfigurationError for predictors that there are not."""
    return load_predictors(options.predict)


def _prediction_ask(measured: Measured, options: argparse.Namespace) -> Answer:
    """Return how often branches were executed and mispredicted, and how few make most of it."""
    prediction = measured(predict=options.predict).measurement.prediction
    assert prediction is not None
    sites = [site for site in prediction.sites.values() if site.kind == Kind.BRANCH]
    predictors = {}
    for place, name in enumerate(prediction.predictors):
        if Kind.BRANCH in prediction.predictors[name]:
            wrong = [site.mispredicted[place] for site in sites]
            predictors[name] = {"mispredicted": sum(wrong), "making_most": concentration(wrong, SHARE)}
    executed = [site.executed for site in sites]
    return {
        "executed": sum(executed), "branches": len(sites), "making_most": concentration(executed, SHARE),
        "predictors": predictors,
    }  # fmt: skip


def _prediction_tables(_: argparse.Namespace, found: Answers) -> Sequence[TitledTable]:
    """Show what is executed, and what each predictor makes of it."""
    shown = []
    for machine, answers in found.items():
        rows = [["program", "executed", "branches", f"for {SHARE} %", "per cent"]]
        for name, each in answers.items():
            few = [number(each["making_most"]), percent(each["making_most"], each["branches"])]
            rows.append([name, number(each["executed"]), number(each["branches"]), *few])
        shown.append(TitledTable(f"Branches that make {SHARE} per cent of those executed, {machine}", rows))
        rows = [["predictor", "program", "branches", "mispredicted", "accuracy", f"for {SHARE} %", "per cent"]]
        for predictor in _predictors(answers):
            for name, each in answers.items():
                rows.append([predictor, name, *_predicted(each, predictor)])
        shown.append(TitledTable(f"Branches that make {SHARE} per cent of those mispredicted, {machine}", rows, keys=2))
    return shown


def _predictors(answers: Mapping[str, Answer]) -> list[str]:
    return list(dict.fromkeys(name for each in answers.values() for name in each["predictors"]))


def _predicted(each: Answer, predictor: str) -> list[str]:
    wrong, few = (each["predictors"][predictor][key] for key in ("mispredicted", "making_most"))
    accuracy = percent(each["executed"] - wrong, each["executed"])
    return [number(each["branches"]), number(wrong), accuracy, number(few), percent(few, each["branches"])]


def _prediction_panels(_: argparse.Namespace, found: Answers) -> Sequence[Panel]:
    """Draw the share of mispredictions of each program, a curve for each machine and predictor."""
    programs = list(next(iter(found.values())))
    curves = [
        Curve(
            f"{machine} {predictor}",
            [100 * answers[name]["predictors"][predictor]["mispredicted"] / max(answers[name]["executed"], 1)
             for name in programs],
        )
        for machine, answers in found.items()
        for predictor in _predictors(answers)
    ]  # fmt: skip
    return [Panel("% of the branches mispredicted", "program", programs, curves)]


PREDICTION = Study(
    "prediction", "how well branches are predicted, and how few make most mistakes", _prediction_arguments, _prediction_check,
    _prediction_ask, _prediction_tables, _prediction_panels,
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# Which class of references misses: Table 9 of the IDtrace report, which tells pushing and popping from the rest.


CLASSES = ("group", "cause", "mode", "type")


def _classes_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the memory systems and what tells classes apart."""
    paper_tables.cache_arguments(parser)
    about = "what tells classes apart: groups of causes, causes, addressing modes or data types (group)"
    parser.add_argument("--by", choices=CLASSES, default="group", help=about)


def _classes_ask(measured: Measured, options: argparse.Namespace) -> Answer:
    """Return references and misses of each class, by memory system; misses are those of the first level."""
    answer: Answer = {}
    for spec in paper_tables.systems(options):
        system = load_system(spec)
        run = measured(system)
        made, missed = Counter[str](), Counter[str]()
        for row in run.table("references"):
            made[f"{row['direction']} {row[options.by]}"] += row["dynamic"]
        first = {f"misses of {cache.name}" for cache in (system.instruction, system.data) if cache is not None}
        for row in run.table("misses").where(direction=lambda direction: direction != "fetch"):
            missed[f"{row['direction']} {row[options.by]}"] += sum(row[column] for column in first)
        answer[spec] = {name: {"references": made[name], "misses": missed[name]} for name in sorted(made | missed)}
    return answer


def _classes_tables(_: argparse.Namespace, found: Answers) -> Sequence[TitledTable]:
    """Show the references of each class, and how many of them miss in each memory system."""
    shown = []
    for machine, answers in found.items():
        sums = _classes_together(answers)
        rows = [["class", "references", *(cell for spec in sums for cell in (spec, "per cent"))]]
        for name in _classes(sums):
            pairs = [classes.get(name, (0, 0)) for classes in sums.values()]
            cells = [cell for made, missed in pairs for cell in (number(missed), percent(missed, made))]
            rows.append([name, number(pairs[0][0]), *cells])
        shown.append(TitledTable(f"Misses of references to data by class, {machine}", rows))
    return shown


def _classes(sums: Mapping[str, Mapping[str, tuple[int, int]]]) -> list[str]:
    """Return the names of the classes with references."""
    return sorted({name for classes in sums.values() for name, (made, _) in classes.items() if made})


def _classes_together(answers: Mapping[str, Answer]) -> dict[str, dict[str, tuple[int, int]]]:
    """Add up references and misses of all programs, by memory system and class."""
    sums: dict[str, dict[str, tuple[int, int]]] = {}
    for answer in answers.values():
        for spec, classes in answer.items():
            for name, each in classes.items():
                made, missed = sums.setdefault(spec, {}).get(name, (0, 0))
                sums[spec][name] = made + each["references"], missed + each["misses"]
    return sums


def _classes_panels(_: argparse.Namespace, found: Answers) -> Sequence[Panel]:
    """Draw the ratio of misses of each class under each memory system, a panel for each machine."""
    result = []
    for machine, answers in found.items():
        sums = _classes_together(answers)
        curves = []
        for name in _classes(sums):
            pairs = [classes.get(name, (0, 0)) for classes in sums.values()]
            curves.append(Curve(name, [100 * missed / max(made, 1) for made, missed in pairs]))
        result.append(Panel(f"% of the references that miss, {machine}", "memory system", list(sums), curves))
    return result


REFERENCE_CLASSES = Study(
    "reference-classes", "which class of references to data misses", _classes_arguments, paper_tables.systems,
    _classes_ask, _classes_tables, _classes_panels,
)  # fmt: skip
