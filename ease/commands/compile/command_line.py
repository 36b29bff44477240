"""Reading the command line of `easecc` by the table of its options."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ease.commands.compile import options
from ease.commands.compile.command import STDIN, Command, UsageError
from ease.commands.compile.consistency import check
from ease.commands.compile.response_files import LINKER, PREPROCESSOR, UNUSED, expanded, for_linker, for_preprocessor
from vpo.base.c_standard import Standard, find_standard
from vpo.base.suggestions import nearest, suggested
from vpo.machines.names import machine_names, parts_of, profile_names

LARGEST = (1 << 63) - 1  # number that an option takes
ONCE = {"cache": "a run has one memory system", "predict": "+ joins predictors", "sample": "a run has one schedule"}
SCRIPT = "-T"  # for the linker
MACHINE, LIBRARY = "-m", "-l"
LONG = 6  # characters of an option that may be a misspelt one of ours; short ones are like many
WRONG = 0.2  # of the letters of a misspelt option of ours, rather than one of other compilers
STANDARD = ("-std=", "--std=")  # how options begin that choose an edition of C
WARNINGS = ("-W", "-pedantic")  # how options begin that choose warnings


def parse(words: Sequence[str], links: bool = False) -> Command:
    """Read a command line; `links` says that a program is linked where nothing else is asked for.

    Raises UsageError.
    """
    command = Command(words=("easecc", *words))
    rest = expanded(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            command.arguments = rest
            break
        if word.startswith((*PREPROCESSOR, *LINKER, *UNUSED)):
            rest[:0] = _passed_on(word, rest)
        elif word in options.SWITCHES:
            setattr(command, *options.SWITCHES[word])
        elif word.startswith(WARNINGS):
            command.warnings.append(word)
        elif word.startswith(STANDARD) or word == "-ansi":
            command.standard = _standard(word.partition("=")[2] or "c90", command.standard)
        elif word in options.STANDARD_SWITCHES:
            name, value = options.STANDARD_SWITCHES[word]
            command.standard = replace(command.standard, **{name: value})
        elif word in options.LEVELS:
            command.level = options.LEVELS[word]
        elif word in ("-MM", "-MMD"):
            command.own_headers = True
            rest.insert(0, word.replace("MM", "M"))
        elif word.startswith("-") and word != STDIN:
            _option(command, word, rest)
        else:
            command.files.append(word)
    for variable, field in options.FOLDER_VARIABLES.items():
        if given := os.environ.get(variable):
            getattr(command, field).extend(folder or "." for folder in given.split(os.pathsep))
    check(command, links)
    return command


def _passed_on(word: str, rest: list[str]) -> list[str]:
    """Return the options that stand in one for a part of the compiler, which may be the next of `rest`."""
    joined = word[: len("-Wp,")] in (PREPROCESSOR[0], LINKER[0], UNUSED[0])
    if not joined and not rest:
        raise UsageError(f"'{word}' needs a value")
    given = word[len("-Wp,") :] if joined else rest.pop(0)
    if word.startswith(UNUSED):
        return []
    return for_preprocessor(given) if word.startswith(PREPROCESSOR) else for_linker(given)


def _standard(name: str, before: Standard) -> Standard:
    """Return the edition of a name, with what options before have said of inline functions and plain char."""
    found = find_standard(name)
    if found is None:
        raise UsageError(f"there is no edition '{name}' of C (choose c89, c99, c11, c17 or c23, or gnu89 to gnu23)")
    return replace(before, edition=found.edition, gnu=found.gnu)


def apply(command: Command, option: options.Option, word: str, rest: list[str]) -> None:
    """Do what an option says that is given as `word`; its value is taken from `rest`, the words behind it.

    Raises UsageError.
    """
    if option.kind == "flag":
        setattr(command, option.field, True)
    elif rest:
        _set_value(command, option, rest.pop(0))
    else:
        raise UsageError(f"'{word}' needs a value")


def _option(command: Command, word: str, rest: list[str]) -> None:
    """Do what an option says; `rest` are the words behind it."""
    name = options.ALIASES.get(word, word)
    option = options.OPTIONS.get(name)
    joined = next((name for name in options.JOINED if word.startswith(name)), None)
    if option is not None:
        apply(command, option, word, rest)
    elif word in options.REFUSED:
        raise UsageError(f"'{word}' cannot be done: {options.REFUSED[word]}")
    elif near := _misspelt(word):
        raise UsageError(f"unknown option '{word}'; did you mean '{near}'?")
    elif joined is not None:
        _set_value(command, options.OPTIONS[joined], word[len(joined) :])
    elif word.startswith(MACHINE) and _names_a_machine(word.removeprefix(MACHINE)):
        command.machine = word.removeprefix(MACHINE)
    else:
        _ignore(word, rest)


def _names_a_machine(name: str) -> bool:
    return name.endswith(".yaml") or parts_of(name)[0] in (*machine_names(), *profile_names())


def _misspelt(word: str) -> str:
    """Return the long option that an unknown one must be, though another of the same first letter could have a value joined.

    What begins as a library (-lNAME) is one: the linker says whether it is there.
    """
    known = [name for name in options.OPTIONS if len(name) >= LONG and name[:2] == word[:2]]
    return nearest(word, known, WRONG) if len(word) >= LONG and not word.startswith(LIBRARY) else ""


def _ignore(word: str, rest: list[str]) -> None:
    """Pass over an option of other compilers that changes nothing here; say so of those that are not well known."""
    if word in options.IGNORED_VALUED:
        del rest[:1]
        if word == SCRIPT:
            print(f"easecc: note: '{word}' changes nothing here: `layout:` of the machine's description does", file=sys.stderr)
    elif word in options.IGNORED_WORDS or word.startswith(options.IGNORED):
        return
    elif word.startswith(("-f", "-m")):
        near = suggested(word, options.OPTIONS) if len(word) > LONG else ""
        print(f"easecc: note: '{word}' changes nothing here{near}", file=sys.stderr)
    else:
        raise UsageError(f"unknown option '{word}'{suggested(word, options.OPTIONS)}")


def _set_value(command: Command, option: options.Option, value: str) -> None:
    old = getattr(command, option.field)
    if option.kind == "once" and old is not None:
        raise UsageError(f"{option.name} is given twice; {ONCE[option.field]}")
    if option.kind == "list":
        old.append(value)
        return
    setattr(command, option.field, _converted(option, value))


def _converted(option: options.Option, value: str) -> object:
    if option.kind == "names":
        return tuple(part for part in value.split(",") if part)
    if option.kind == "path":
        return Path(value)
    return _number(option, value) if option.kind in ("count", "bytes", "seconds") else value


UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def _bytes(text: str) -> int:
    unit = UNITS.get(text[-1:].lower(), 1)
    return int(text if unit == 1 else text[:-1]) * unit


def _number(option: options.Option, value: str) -> float:
    try:
        number = float(value) if option.kind == "seconds" else int(value) if option.kind == "count" else _bytes(value)
    except ValueError:
        raise UsageError(f"'{option.name}' needs a number, not '{value}'") from None
    if number < 0:
        raise UsageError(f"'{option.name}' needs a number that is not negative")
    if not math.isfinite(number) or number > LARGEST:
        raise UsageError(f"'{option.name}' needs a smaller number than '{value}'")
    return number
