"""`ease cache`: what is known of a cache without, or with, a run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ease.base.files import check_place
from ease.commands.compile.command import Command, UsageError, program_name
from ease.commands.compile.command_line import parse
from ease.commands.guard import EXIT_USER
from ease.commands.messages import print_tables, put_json, tell
from ease.commands.own_words import run_command, take

if TYPE_CHECKING:
    from cache_sim.config import MemorySystem
    from ease.lab.static_cache.classes import Analysis
    from ease.lab.static_cache.confirm import Confirmation
    from ease.lab.static_cache.listing import Listing

USAGE = """\
usage: ease cache show FILE.yaml|SPEC                     a memory system in words and numbers
       ease cache --static [options] prog.c -cache SPEC   what becomes of each fetch in an instruction cache, in any run
           --run            run the program, too (`-- arguments`): classes that do not hold are errors
           --all            list the functions of the library as well
           --json FILE      everything as JSON; - is the standard output, instead of tables

Other options are those of easecc (-m, --set, -O, -I, -D, ...).
"""
FORMAT = 1  # of the JSON form; changes when a key changes its meaning or goes away


def main(words: Sequence[str]) -> int:
    """Run a subcommand; exit status 1: an error, or a class that does not hold, 2: wrong usage."""
    return run_command("ease cache", USAGE, words, _action)


def _action(words: list[str]) -> Callable[[], int]:
    if words[0] == "show":
        if len(words) != 2:
            raise UsageError("show: which memory system?")
        return lambda: _show(words[1])
    own, rest = take(words, ("--static", "--run", "--all"), {"--json": "a file"})
    command = parse(rest)
    if "--static" not in own:
        raise UsageError("--static or show?")
    if command.cache is None:
        raise UsageError("--static: which cache? (-cache I:1k,16,1)")
    return lambda: _static(own, command)


def _show(argument: str) -> int:
    from cache_sim.describe import describe
    from cache_sim.parse import load

    print(describe(load(argument)), end="")
    return 0


def _static(own: Mapping[str, str], command: Command) -> int:
    """Classify, and confirm if that is asked for."""
    from cache_sim.parse import load as load_system
    from ease.lab.static_cache.classes import Analysis, instruction_cache
    from ease.lab.static_cache.listing import Listing
    from vpo.build.compiler import Compiler
    from vpo.machines.read.load import load

    machine = load(command.machine, command.sets)
    system = load_system(command.cache or "")
    cache = instruction_cache(system)
    if own.get("--json", "-") != "-":
        check_place(own["--json"])
    compiler = Compiler(machine, command.settings(), warn=tell)
    analysis = Analysis(compiler.program(command.files), cache)
    confirmation = _confirmation(command, analysis, system) if "--run" in own else None
    listing = Listing(analysis, confirmation)
    _write(own, command, listing, switching=system.switch is not None)
    for broken in confirmation.broken if confirmation else ():
        print(listing.message(broken), file=sys.stderr)
    return EXIT_USER if confirmation and confirmation.broken else 0


def _confirmation(command: Command, analysis: Analysis, system: MemorySystem) -> Confirmation:
    """Run the program.

    Raises UserError if it does not end by itself: counts are not exact to the instruction then.
    """
    from ease.lab.static_cache.confirm import confirm
    from ease.run.measure_options import MeasureOptions
    from ease.run.measuring import observed_run
    from ease.run.observers import MEMORY
    from vpo.base.errors import UserError

    arguments = [program_name(command.files[0]), *command.arguments]
    options = replace(command.run_options(), capture=True)
    seen = observed_run(analysis.program, arguments, MeasureOptions(system), options)[1]
    if seen.run.fault is not None:
        raise UserError([f"{command.files[0]}: error: a run that is cut short confirms nothing: {seen.run.fault}"])
    results = seen.found[MEMORY]
    return confirm(analysis, seen.counts, results[analysis.cache.name].sites, results.switches)


def _write(own: Mapping[str, str], command: Command, listing: Listing, *, switching: bool) -> None:
    """Print tables, or write JSON, or both."""
    from ease.lab.static_cache.listing import SWITCHES

    program = listing.analysis.program
    head = {"format": FORMAT, "machine": program.machine.name, "cache": command.cache}
    if put_json(own.get("--json"), lambda: head | listing.json()):
        return
    files = {str(Path(file)) for file in command.files}
    names = [n for n, function in program.functions.items() if "--all" in own or str(Path(function.file)) in files]
    tables = [*listing.references(names), listing.summary()]
    if listing.confirmation is not None:
        tables.append(listing.observed())
    print_tables(tables)
    if switching:
        print(f"\n{SWITCHES}")
