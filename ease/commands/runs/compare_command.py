"""`ease compare`: what differs between two measurements, and why."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from ease.commands.compile.command import Command, UsageError, program_name
from ease.commands.compile.command_line import parse
from ease.commands.guard import EXIT_USER
from ease.commands.messages import tell
from ease.commands.own_words import run_command, take
from vpo.base.errors import UserError

if TYPE_CHECKING:
    from ease.comparison.comparison import Comparison, Difference, Noise
    from ease.comparison.description_differences import Edited
    from ease.comparison.verdict import Verdict
    from ease.model.kept_run import KeptRun
    from ease.model.results import Measurement
    from vpo.machines.machine import Machine
    from vpo.machines.read.source import Map
    from vpo.program import Program

USAGE = """\
usage: ease compare [options] RUN RUN                   two runs that were kept (`ease runs`; -1 is the last one)
       ease compare [options] A.json B.json            two reports, as `easecc -report A.json` writes them
       ease compare [options] -m A -m B [easecc options] prog.c [-- args]     a program on two machines
  First comes the verdict: what B saves or costs.  Of more runs, or more machines, it shows the totals in columns.
  Programs are compiled at -O2 unless -O says otherwise, and cycles are estimated if all descriptions say something of time.

  --top N            so many rows of each table (default: 20)
  -o FILE            to a file: .txt, .md, .json, .html, a page with both side by side, or .svg or .png, a card: the
                     verdict as a picture; may be given several times, and the verdict is printed
  --json FILE        as JSON; - is the standard output, instead of tables
  --fail-if "WHAT > X * base"    exit status 1 if that holds: WHAT is a total of the second, such as instructions,
                     references, static bytes or cycles, base the same of the first; also >=, <, <=
  --noise N          with -m: compile N times more for each machine, with the same description in another order, and with
                     -cache or -predict functions and data in another order in memory, and show what that changes;
                     differences that are no larger say nothing, and --fail-if passes over them
  --by-edit          with -m: make the edits by which the descriptions differ one after the other, and show what each brings
  -db FILE           the store (default: measurements.ease)
"""
SHOWN = 3  # places where an instruction is not used
FORMS = (".txt", ".md", ".json", ".html", ".svg", ".png", "")  # of -o
LEVEL = "-O2"  # of programs that are compared
CONDITION = re.compile(r"\s*([a-z ]+?)\s*(>=|<=|>|<)\s*([0-9.]+)\s*\*\s*base\s*")
VALUED = dict.fromkeys(("--top", "--json", "--fail-if", "-db", "--noise", "-o"), "a value")


class _Options(dict[str, str]):
    """The values of options by name; `files` are those of all -o."""

    def __init__(self, values: Mapping[str, str], files: Sequence[str]) -> None:
        super().__init__(values)
        self.files = files


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, or what --fail-if says, 2: wrong usage."""
    return run_command("ease compare", USAGE, words, _action)


def _action(words: list[str]) -> Callable[[], int]:
    options, rest = _parse(words)
    reports = _reports(rest)
    sides = [] if reports else _runs(rest)
    commands = [] if sides or reports else _commands(rest)
    for name in ("--noise", "--by-edit"):
        if name in options and not commands:
            raise UsageError(f"'{name}' needs -m A -m B and a program, which is compiled again")
    if "--by-edit" in options and len(commands) > 2:
        raise UsageError("'--by-edit' is for two machines")
    for name in VALUED if len(sides or commands) > 2 else ():
        if name not in ("--top", "-db") and name in options:
            raise UsageError(f"'{name}' is for two runs or machines")
    return lambda: _compare_reports(options, *reports) if reports else _compare(options, sides, commands)


def _parse(words: list[str]) -> tuple[_Options, list[str]]:
    """Take out the options that are not for easecc.

    Raises UsageError.
    """
    own = words[: words.index("--")] if "--" in words else words
    values, rest = take(words, ("--by-edit",), VALUED)
    options = _Options(values, [file for word, file in pairwise(own) if word == "-o"])
    options.setdefault("--top", "20")
    if not options["--top"].isdecimal():
        raise UsageError("'--top' needs a number")
    if not options.get("--noise", "1").isdecimal() or options.get("--noise") == "0":
        raise UsageError("'--noise' needs a number, at least 1")
    for file in options.files:
        if Path(file).suffix not in FORMS:
            raise UsageError(f"'-o {file}': a comparison has no such form ({', '.join(FORMS[:-1])})")
    if "--fail-if" in options and CONDITION.fullmatch(options["--fail-if"]) is None:
        raise UsageError("'--fail-if' needs a condition such as \"instructions > 1.01 * base\"")
    return options, rest


def _reports(words: Sequence[str]) -> Sequence[str]:
    """Return the names of two JSON files, none if that is not what stands there."""
    if not words or not all(word.endswith(".json") for word in words):
        return ()
    if len(words) != 2:
        raise UsageError("two JSON files are compared, neither fewer nor more")
    return words


def _runs(words: Sequence[str]) -> list[int]:
    """Return the numbers of runs, none if that is not what stands there."""
    try:
        found = [int(word) for word in words]
    except ValueError:
        return []
    if len(found) < 2:
        raise UsageError("which other run is it to be compared to?")
    return found


def _commands(words: list[str]) -> list[Command]:
    """Return the command lines of two machines.

    Raises UsageError.
    """
    own = words[: words.index("--")] if "--" in words else words
    machines = [index for index, word in enumerate(own) if word == "-m"]
    if len(machines) < 2:
        raise UsageError("which two? Two runs, or -m A -m B and a program")
    level = [] if any(word.startswith("-O") for word in own) else [LEVEL]
    found = []
    for kept in machines:
        left_out = {index + offset for index in machines if index != kept for offset in (0, 1)}
        command = parse([*level, *(word for index, word in enumerate(words) if index not in left_out)])
        if command.stops_early or command.link or command.report is not None:
            raise UsageError("-S, -c, -E, -o and -report have no place here")
        found.append(command)
    return found


def _compare(options: _Options, sides: Sequence[int], commands: Sequence[Command]) -> int:
    from ease.comparison.comparison import compare_runs, loudest
    from ease.comparison.description_differences import aligned
    from ease.comparison.verdict import verdict_of

    measured = [_measured(command) for command in commands]
    kept = _kept(options, sides) if sides else [run for run, _, _ in measured]
    if len(kept) > 2:
        return _side_by_side(kept)
    before, after = kept
    comparison = compare_runs(before, after)
    noise = loudest(_noise(command, int(options["--noise"])) for command in commands) if "--noise" in options else None
    steps: list[tuple[Sequence[Edited], Difference]] = []
    if "--by-edit" in options and (descriptions := aligned(*(run.description for run in kept))) is not None:
        steps = list(_steps(commands[0], kept, descriptions, comparison.edits))
    heads = [_head(letter, run) for letter, run in zip("AB", kept, strict=True)]
    unused = list(_unused(*measured[1][:2], comparison.edits)) if measured else []
    outputs = (measured[0][2], measured[1][2]) if measured else None
    verdict, sources = verdict_of(comparison, before, after, noise, outputs), {**before.sources, **after.sources}
    shown = _Shown(heads, comparison, verdict, sources, noise, steps, unused, kept, _names(kept))
    _show(options, shown)
    if any(run.measurement.partial for run in kept):
        print("ease compare: a run was cut short", file=sys.stderr)
    return _judge(options.get("--fail-if"), comparison, noise) or (EXIT_USER if verdict.unlike else 0)


def _unused(run: KeptRun, program: Program, edits: Sequence[Edited]) -> Iterator[str]:
    """Yield how often instructions that a description has more are executed, and why not in other places."""
    from ease.comparison.verdict import MOST_NAMED, why_not_names
    from ease.comparison.why_not import executed_of, explain

    assert run.measurement.counts is not None
    counts = run.measurement.counts.rtls
    names = why_not_names(edits)
    times = {name: executed_of(program, name, counts) for name in names}
    for name in sorted(names, key=lambda name: times[name])[:MOST_NAMED]:  # those that are never executed first
        often = f"executed {times[name]:,} times" if times[name] else "never executed"
        yield f"{name} is {often}; " + explain(program, name, counts, SHOWN)
    others = [name for name in names if not times[name]][MOST_NAMED:]
    if others:
        yield f"Never executed either, `easecc -why-not NAME` says why: {', '.join(others)}\n"


def _kept(options: Mapping[str, str], numbers: Sequence[int]) -> list[KeptRun]:
    from ease.commands.runs.store_options import runs
    from ease.store.database import DEFAULT, reading

    with reading(options.get("-db", DEFAULT)) as connection:
        return runs(connection, numbers)


def _measured(command: Command) -> tuple[KeptRun, Program, bytes]:
    """Compile and run a program for one machine; return the run, the program, and what it wrote."""
    from ease.commands.runs.run_origin import identity_of
    from ease.model.kept_run import keep
    from vpo.machines.read.load import full_text, load

    identity = identity_of(command)
    program, measurement, wrote = _run_on(load(command.machine, command.sets), command)
    if measurement.fault:
        print(f"ease compare: {command.machine}: {measurement.fault}", file=sys.stderr)
    kept = keep(replace(measurement, identity=identity), program, full_text(command.machine, command.sets))
    return kept, program, wrote


def _run_on(machine: Machine, command: Command, placed: int = 0) -> tuple[Program, Measurement, bytes]:
    """Compile and run a program for a machine; each run reads standard input from where this process has it.

    Functions and data are in the order of the number `placed`, if that is one.
    """
    from ease.commands.runs.program_run import memory_of
    from ease.run.measure_options import MeasureOptions
    from ease.run.measuring import measured_run
    from vpo.build.compiler import Compiler
    from vpo.link.layout import placed_otherwise

    system, moments = memory_of(command)
    program = Compiler(machine, command.settings(), warn=tell).program(command.files)
    program = placed_otherwise(program, placed) if placed else program
    wanted = MeasureOptions(system, command.predict, command.timing or machine.timing.stated, moments)
    arguments = [program_name(command.files[0]), *command.arguments]
    run, measurement = measured_run(program, arguments, wanted, replace(command.run_options(), capture=True))
    return program, measurement, run.output + run.errors


def _noise(command: Command, number: int) -> Noise:
    """Return what changes on one machine if its description comes in another order, and with caches, functions and data."""
    from ease.comparison.comparison import noise_of, same_machines
    from vpo.machines.read.load import build, read_description

    description = read_description(command.machine, command.sets)
    _, original, _ = _run_on(build(description), command)
    conflicts = command.cache is not None or command.predict is not None
    machines = enumerate(same_machines(description, number), 1)
    return noise_of(original, (_run_on(machine, command, at if conflicts else 0)[1] for at, machine in machines))


def _names(kept: Sequence[KeptRun]) -> Sequence[str]:
    """Return what the sides of a comparison are called: the machines, or letters if that is one."""
    names = [run.measurement.machine for run in kept]
    return names if names[0] != names[1] else "AB"


def _head(letter: str, run: KeptRun) -> str:
    identity = run.measurement.identity
    number = f"run {run.number}: " if run.number else ""
    return f"{letter}: {number}{identity.command if identity else ''} ({run.measurement.machine})"


def _steps(
    command: Command, kept: Sequence[KeptRun], descriptions: tuple[Map, Map], edits: Sequence[Edited]
) -> Iterator[tuple[Sequence[Edited], Difference]]:
    """Yield what each edit of the first machine's description brings, made after those before it.

    An edit after which the description is none, or cannot compile the program, is made together with the next one.
    """
    from ease.comparison.comparison import Difference
    from ease.comparison.description_differences import with_edits
    from vpo.base.errors import LinkError, UserError
    from vpo.machines.read.load import build
    from vpo.machines.read.source import DescriptionError

    first, source = descriptions
    before, done = _executed(kept[0].measurement), 0
    for number in range(1, len(edits)):
        try:
            machine = build(with_edits(first, edits[:number], source))
            after = _executed(_run_on(machine, command)[1])
        except (DescriptionError, UserError, LinkError):
            continue
        yield edits[done:number], Difference(before, after)
        before, done = after, number
    yield edits[done:], Difference(before, _executed(kept[1].measurement))


def _executed(measurement: Measurement) -> int:
    return measurement.characteristics.instructions.dynamic


def _compare_reports(options: _Options, before: str, after: str) -> int:
    """Compare what two JSON files say."""
    from ease.comparison.comparison import compare_reports, read_report, title
    from ease.comparison.verdict import made

    sides = [read_report(file) for file in (before, after)]
    try:
        comparison = compare_reports(*sides)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UserError([f"{before}, {after}: one is no whole report: {error!r}"]) from None
    heads = [f"{letter}: {file}: {title(side)}" for letter, file, side in zip("AB", (before, after), sides, strict=True)]
    names = [str(side.get("machine", "")) for side in sides]
    shown = made(comparison, names[1] if names[0] != names[1] else "B", "A")
    _show(options, _Shown(heads, comparison, shown, names=names if names[0] != names[1] else "AB"))
    if any(side.get("partial") for side in sides):
        print("ease compare: a run was cut short", file=sys.stderr)
    return _judge(options.get("--fail-if"), comparison, None)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A comparison with all that is shown beside it."""

    heads: Sequence[str]
    comparison: Comparison
    verdict: Verdict
    sources: Mapping[str, str] = field(default_factory=dict)
    noise: Noise | None = None
    steps: Sequence[tuple[Sequence[Edited], Difference]] = ()
    unused: Sequence[str] = ()
    runs: Sequence[KeptRun] = ()
    names: Sequence[str] = ("A", "B")

    def text(self, top: int) -> str:
        """Return it as text."""
        from ease.comparison.differences import as_text, edits_text

        parts = [self.verdict.text, "\n".join(self.heads) + "\n", edits_text(self.comparison.edits, self.steps, top).lstrip()]
        parts += [] if self.comparison.is_equal else [as_text(self.comparison, self.sources, top, self.noise)]
        return "\n".join([*filter(None, parts), *self.unused])

    def markdown(self, top: int) -> str:
        """Return it for pull requests."""
        from ease.comparison.differences import as_markdown

        text = as_markdown(self.comparison, self.verdict, self.heads, self.sources, top, self.noise)
        return "\n".join([text, *(f"```text\n{why.rstrip()}\n```\n" for why in self.unused)])

    def json(self) -> dict[str, object]:
        """Return it as JSON values."""
        from ease.comparison.differences import as_json, edits_json, verdict_json

        whole = as_json(self.comparison, self.noise) | edits_json(self.comparison.edits, self.steps)
        return {"verdict": verdict_json(self.verdict)} | whole | ({"why_not": self.unused} if self.unused else {})

    def card(self) -> str:
        """Return the verdict as a picture."""
        from ease.comparison.verdict import NAMES, new_instructions
        from ease.reports.card import Bar, card

        changes, verdict = self.verdict.changes, self.verdict
        bars = [Bar(NAMES[name], change, verdict.shown(name)) for name, change in changes.items()]
        new = new_instructions(self.comparison.edits)
        title = ", ".join(new) if 0 < len(new) <= SHOWN else self.names[1]
        return card(title, " ".join(verdict.sentences), bars, self.names[0], [*[*new.values()][:SHOWN], *self.heads])

    def page(self) -> str:
        """Return a page with both side by side."""
        from ease.pages.page import page

        if not self.runs:
            raise UserError(["-o: reports do not have what a page shows: compare runs, or a program on two machines"])
        return page(self.runs, self.verdict)


def _show(options: _Options, shown: _Shown) -> None:
    """Write a comparison to the files that are wanted, and print its verdict, or print all of it."""
    import json

    from ease.base.files import write_atomically
    from ease.commands.messages import print_report, put_json
    from ease.reports.pictures import as_png

    top = int(options["--top"])
    forms: dict[str, Callable[[], str | bytes]] = {
        ".md": lambda: shown.markdown(top), ".json": lambda: json.dumps(shown.json(), indent=2) + "\n", ".html": shown.page,
        ".svg": shown.card, ".png": lambda: as_png(shown.card()),
    }  # fmt: skip
    for file in options.files:
        write_atomically(file, forms.get(Path(file).suffix, lambda: shown.text(top))())
    if not put_json(options.get("--json"), shown.json) and "-" not in options.files:
        print_report(shown.verdict.text if options.files else shown.text(top), sys.stdout)


def _side_by_side(kept: Sequence[KeptRun]) -> int:
    """Show the totals of several runs in columns, with changes in per cent against the first one."""
    from string import ascii_uppercase

    from ease.comparison.comparison import totals_of
    from ease.comparison.verdict import DECIDING, bytes_note, program_of, saying
    from ease.reports.report import aligned, number

    every = [totals_of(run.measurement) for run in kept]
    for run, totals in zip(kept[1:], every[1:], strict=True):
        found = {name: totals[name] / every[0][name] - 1 for name in DECIDING if totals.get(name) and every[0].get(name)}
        note = bytes_note(totals["static bytes"] - every[0]["static bytes"])
        print(saying(run.measurement.machine, program_of(run), found, [note], _level_of(kept), kept[0].measurement.machine))
    print()
    letters = [ascii_uppercase[i] if i < len(ascii_uppercase) else str(i + 1) for i in range(len(kept))]
    for letter, run in zip(letters, kept, strict=True):
        identity = run.measurement.identity
        print(f"{letter}: {identity.command if identity else ''} ({run.measurement.machine})")
    rows = [["", letters[0], *(cell for letter in letters[1:] for cell in (letter, "%"))]]
    for name in (name for name in every[0] if all(name in totals for totals in every)):
        first, *others = (totals[name] for totals in every)
        changes = [(number(n), f"{100 * (n - first) / first:+.2f}" if first else "-") for n in others]
        rows.append([name, number(first), *(cell for pair in changes for cell in pair)])
    print("\n" + "\n".join(aligned(rows, 1)))
    return 0


def _level_of(kept: Sequence[KeptRun]) -> str:
    """Return the level of runs, empty if they were not compiled at the same."""
    levels = {run.measurement.identity.level for run in kept if run.measurement.identity is not None}
    return levels.pop() if len(levels) == 1 else ""


def _judge(condition: str | None, comparison: Comparison, noise: Noise | None) -> int:
    """Return exit status 1, and say so, if a condition holds for more than noise."""
    found = CONDITION.fullmatch(condition or "")
    if found is None:
        return 0
    name, relation, factor = found.groups()
    name = {"dynamic": "instructions", "static": "static instructions"}.get(name, name)
    total = comparison.totals.get(name)
    if total is None:
        print(f"ease compare: there is no total '{name}' (totals: {', '.join(comparison.totals)})", file=sys.stderr)
        return EXIT_USER
    bound = float(factor) * total.before
    holds = {">": total.after > bound, ">=": total.after >= bound, "<": total.after < bound, "<=": total.after <= bound}
    if not holds[relation] or (noise is not None and abs(total.change) <= noise.totals.get(name, 0)):
        return 0
    print(f"ease compare: {name}: {total.after:,} {relation} {factor} * {total.before:,}", file=sys.stderr)
    return EXIT_USER
