"""`ease cache`: what is known of a cache without, or with, a run."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ease.base.files import check_place, write_atomically
from ease.commands.compile.command import Command, UsageError, program_name
from ease.commands.compile.command_line import parse
from ease.commands.guard import EXIT_USAGE, EXIT_USER, guarded
from ease.commands.help_asked import asks_for_help
from ease.commands.messages import tell

if TYPE_CHECKING:
    from cache_sim.config import MemorySystem
    from ease.static_cache.classes import Analysis
    from ease.static_cache.confirm import Confirmation
    from ease.static_cache.listing import Listing

USAGE = """\
usage: ease cache show FILE.yaml|SPEC                     a memory system in words and numbers
       ease cache --static [options] prog.c -cache SPEC   what becomes of each fetch in an instruction cache, in any run
           --run            run the program, too (`-- arguments`): classes that do not hold are errors
           --all            list the functions of the library as well
           --json FILE      everything as JSON; - is the standard output, instead of tables

Other options are those of easecc (-m, --set, -O, -I, -D, ...).
"""
FORMAT = 1  # of the JSON form; changes when a key changes its meaning or goes away


@dataclass(slots=True)
class Options:
    """What is not for easecc."""

    static: bool = False
    run: bool = False
    everything: bool = False
    json: str | None = None


def main(words: Sequence[str]) -> int:
    """Run a subcommand; exit status 1: an error, or a class that does not hold, 2: wrong usage."""
    if not words or asks_for_help(words):
        print(USAGE, end="")
        return 0 if words else EXIT_USAGE
    try:
        action = _action(list(words))
    except UsageError as error:
        print(f"ease cache: {error}\n{USAGE}", end="", file=sys.stderr)
        return EXIT_USAGE
    return guarded("ease cache", action)


def _action(words: list[str]) -> Callable[[], int]:
    if words[0] == "show":
        if len(words) != 2:
            raise UsageError("show: which memory system?")
        return lambda: _show(words[1])
    options, command = _parse(words)
    if not options.static:
        raise UsageError("--static or show?")
    if command.cache is None:
        raise UsageError("--static: which cache? (-cache I:1k,16,1)")
    return lambda: _static(options, command)


def _parse(words: list[str]) -> tuple[Options, Command]:
    """Take out the words that are not for easecc."""
    options, rest = Options(), []
    while words and words[0] != "--":
        word = words.pop(0)
        if word in ("--static", "--run", "--all"):
            setattr(options, {"--all": "everything"}.get(word, word[2:]), True)
        elif word == "--json":
            if not words:
                raise UsageError("'--json' needs a file")
            options.json = words.pop(0)
        else:
            rest.append(word)
    return options, parse(rest + words)


def _show(argument: str) -> int:
    from cache_sim.describe import describe
    from cache_sim.parse import load

    print(describe(load(argument)), end="")
    return 0


def _static(options: Options, command: Command) -> int:
    """Classify, and confirm if that is asked for."""
    from cache_sim.parse import load as load_system
    from ease.static_cache.classes import Analysis, instruction_cache
    from ease.static_cache.listing import Listing
    from vpo.build.compiler import Compiler
    from vpo.machines.read.load import load

    machine = load(command.machine, command.sets)
    system = load_system(command.cache or "")
    cache = instruction_cache(system)
    if options.json not in (None, "-"):
        check_place(options.json or "")
    compiler = Compiler(machine, command.settings(), warn=tell)
    analysis = Analysis(compiler.program(command.files), cache)
    confirmation = _confirmation(command, analysis, system) if options.run else None
    listing = Listing(analysis, confirmation)
    _write(options, command, listing, switching=system.switch is not None)
    for broken in confirmation.broken if confirmation else ():
        print(listing.message(broken), file=sys.stderr)
    return EXIT_USER if confirmation and confirmation.broken else 0


def _confirmation(command: Command, analysis: Analysis, system: MemorySystem) -> Confirmation:
    """Run the program.

    Raises UserError if it does not end by itself: counts are not exact to the instruction then.
    """
    from ease.run.measuring import simulated_run
    from ease.static_cache.confirm import confirm
    from vpo.base.errors import UserError

    arguments = [program_name(command.files[0]), *command.arguments]
    options = replace(command.run_options(), capture=True)
    result, counts, results = simulated_run(analysis.program, system, arguments, options)
    if result.fault is not None:
        raise UserError([f"{command.files[0]}: error: a run that is cut short confirms nothing: {result.fault}"])
    return confirm(analysis, counts, results[analysis.cache.name].sites, results.switches)


def _write(options: Options, command: Command, listing: Listing, *, switching: bool) -> None:
    """Print tables, or write JSON, or both."""
    from ease.static_cache.listing import SWITCHES

    program = listing.analysis.program
    if options.json is not None:
        head = {"format": FORMAT, "machine": program.machine.name, "cache": command.cache}
        write_atomically(options.json, json.dumps(head | listing.json(), indent=2) + "\n")
        if options.json == "-":
            return
    own = {str(Path(file)) for file in command.files}
    names = [n for n, function in program.functions.items() if options.everything or str(Path(function.file)) in own]
    tables = [*listing.references(names), listing.summary()]
    if listing.confirmation is not None:
        tables.append(listing.observed())
    print("\n\n".join("\n".join(table.lines()) for table in tables))
    if switching:
        print(f"\n{SWITCHES}")
