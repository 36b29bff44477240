"""`ease compare`: what differs between two measurements, and why."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ease.commands.command_line import Command, UsageError, parse, program_name
from ease.commands.guard import EXIT_USAGE, EXIT_USER, guarded
from ease.commands.messages import tell

if TYPE_CHECKING:
    from ease.comparison import Comparison
    from ease.store.kept_run import KeptRun

USAGE = """\
usage: ease compare [options] RUN RUN                   two runs that were kept (`ease runs`; -1 is the last one)
       ease compare [options] -m A -m B [easecc options] prog.c [-- args]     a program on two machines

  --top N            so many rows of each table (default: 20)
  --json FILE        as JSON; - is the standard output, instead of tables
  --fail-if "WHAT > X * base"    exit status 1 if that holds: WHAT is a total of the second, such as instructions,
                     references, static bytes or cycles, base the same of the first; also >=, <, <=
  -db FILE           the store (default: measurements.ease)
"""
CONDITION = re.compile(r"\s*([a-z ]+?)\s*(>=|<=|>|<)\s*([0-9.]+)\s*\*\s*base\s*")
TAKEN = {"--top": "top", "--json": "json", "--fail-if": "condition", "-db": "db"}


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 1: an error, or what --fail-if says, 2: wrong usage."""
    if not words or words[0] in ("-help", "--help", "-h", "help"):
        print(USAGE, end="")
        return 0 if words else EXIT_USAGE
    try:
        options, rest = _parse(list(words))
        sides = _runs(rest)
        commands = [] if sides else _commands(rest)
    except UsageError as error:
        print(f"ease compare: {error}\n{USAGE}", end="", file=sys.stderr)
        return EXIT_USAGE
    return guarded("ease compare", lambda: _compare(options, sides, commands))


def _parse(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Take out the options that are not for easecc.

    Raises UsageError.
    """
    options, rest = {"top": "20"}, []
    while words and words[0] != "--":
        word = words.pop(0)
        if word in TAKEN:
            if not words:
                raise UsageError(f"'{word}' needs a value")
            options[TAKEN[word]] = words.pop(0)
        else:
            rest.append(word)
    if not options["top"].isdecimal():
        raise UsageError("'--top' needs a number")
    if "condition" in options and CONDITION.fullmatch(options["condition"]) is None:
        raise UsageError("'--fail-if' needs a condition such as \"instructions > 1.01 * base\"")
    return options, rest + words


def _runs(words: Sequence[str]) -> list[int]:
    """Return the numbers of runs, none if that is not what stands there."""
    try:
        found = [int(word) for word in words]
    except ValueError:
        return []
    if len(found) != 2:
        raise UsageError("two runs can be compared")
    return found


def _commands(words: list[str]) -> list[Command]:
    """Return the command lines of two machines.

    Raises UsageError.
    """
    own = words[: words.index("--")] if "--" in words else words
    machines = [index for index, word in enumerate(own) if word == "-m"]
    if len(machines) != 2:
        raise UsageError("which two? Two runs, or -m A -m B and a program")
    found = []
    for left_out in reversed(machines):
        command = parse([*words[:left_out], *words[left_out + 2 :]])
        if command.stops_early or command.link or command.report is not None:
            raise UsageError("-S, -c, -E, -o and -report have no place here")
        found.append(command)
    return found


def _compare(options: Mapping[str, str], sides: Sequence[int], commands: Sequence[Command]) -> int:
    from ease.comparison import compare, instruction_names

    kept = _kept(options, sides) if sides else [_measured(command) for command in commands]
    before, after = (run.measurement for run in kept)
    comparison = compare(before, after, instruction_names(*(run.description for run in kept)))
    target = options.get("json")
    if target is not None:
        from ease.files import write_atomically
        from ease.reports.differences import as_json

        write_atomically(target, json.dumps(as_json(comparison), indent=2) + "\n")
    if target != "-":
        _print(kept, comparison, int(options["top"]))
    if any(run.measurement.partial for run in kept):
        print("ease compare: a run was cut short", file=sys.stderr)
    return _judge(options.get("condition"), comparison)


def _kept(options: Mapping[str, str], numbers: Sequence[int]) -> list[KeptRun]:
    from ease.commands.store_options import runs
    from ease.store.database import DEFAULT, reading

    with reading(options.get("db", DEFAULT)) as connection:
        return runs(connection, numbers)


def _measured(command: Command) -> KeptRun:
    """Compile and run a program for one machine; what the program writes is thrown away, it is the same for both."""
    from dataclasses import replace

    from ease.commands.compile_command import identity_of, memory_of
    from ease.measuring import measure
    from ease.store.kept_run import keep
    from vpo.compiler import Compiler
    from vpo.machines.load import full_text, load

    system, moments = memory_of(command)
    compiler = Compiler(load(command.machine, command.sets), command.settings(), warn=tell)
    program = compiler.program(command.files)
    identity = identity_of(command)
    limits = {"limit": command.limit, "timeout": command.timeout, "capture": True}
    arguments = [program_name(command.files[0]), *command.arguments]
    measurement = measure(program, arguments, system, command.predict, command.timing, moments, **limits)
    if measurement.fault:
        print(f"ease compare: {command.machine}: {measurement.fault}", file=sys.stderr)
    return keep(replace(measurement, identity=identity), program, full_text(command.machine, command.sets))


def _print(kept: Sequence[KeptRun], comparison: Comparison, top: int) -> None:
    from ease.reports.differences import as_text

    for letter, run in zip("AB", kept, strict=True):
        identity = run.measurement.identity
        number = f"run {run.number}: " if run.number else ""
        print(f"{letter}: {number}{identity.command if identity else ''} ({run.measurement.machine})")
    if comparison.is_equal:
        print("\nNothing differs.")
        return
    print("\n" + as_text(comparison, {**kept[0].sources, **kept[1].sources}, top), end="")


def _judge(condition: str | None, comparison: Comparison) -> int:
    """Return exit status 1, and say so, if a condition holds."""
    found = CONDITION.fullmatch(condition or "")
    if found is None:
        return 0
    name, relation, factor = found.groups()
    total = comparison.totals.get({"dynamic": "instructions", "static": "static instructions"}.get(name, name))
    if total is None:
        print(f"ease compare: there is no total '{name}' (totals: {', '.join(comparison.totals)})", file=sys.stderr)
        return EXIT_USER
    bound = float(factor) * total.before
    holds = {">": total.after > bound, ">=": total.after >= bound, "<": total.after < bound, "<=": total.after <= bound}
    if not holds[relation]:
        return 0
    print(f"ease compare: {name}: {total.after:,} {relation} {factor} * {total.before:,}", file=sys.stderr)
    return EXIT_USER
