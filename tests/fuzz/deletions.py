"""Fuzzing descriptions: a machine without parts chosen at random does the same, or a message tells what is missing.

    python -m tests.fuzz.deletions --count 1000

One to three parts are taken away.  What is left compiles a program that uses most of C, and the interpreter runs it.  If the
machine cannot do it, `ease machine check` must say so, and with the instructions that it advises the program must run.
"""

from __future__ import annotations

import os
import random
import sys
import traceback
from collections import Counter
from functools import cache
from pathlib import Path

from ease.commands.machine.machine_advice import advise
from ease.commands.machine.machine_check import check
from ease.commands.machine.wanted_instructions import lines_of
from tests.fuzz.seeds import parser_of, seeds
from vpo.base.errors import LinkError
from vpo.build.compiler import Compiler, Settings, UserError
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.advice.edits import Edit, deletions, edited, halvings
from vpo.machines.names import machine_names
from vpo.machines.read.extends import merge
from vpo.machines.read.load import build, read_description
from vpo.machines.read.source import DescriptionError, Map, Place, read_value

PROGRAM = Path(__file__).parents[1] / "machines/deletions.c"
LIMIT = 20_000_000  # instructions: a program that is compiled wrongly may not end
RIGHT, ADVISED, TOLD, WRONG = "right", "told, and the advice works", "told without advice", "wrong"
CANNOT = (UserError, LinkError)


@cache
def parts(name: str) -> tuple[Map, list[Edit], str]:
    """Return a description, what can be taken away from it, and what the program does on the whole machine."""
    description = read_description(name)
    return description, [*deletions(description), *halvings(description)], outcome(description)


def outcome(description: Map) -> str:
    """Return what the program does on a machine.

    Raises UserError or LinkError if it cannot be compiled.
    """
    run = interpret(Compiler(build(description), Settings(level=1)).program([str(PROGRAM)]), ["program"], limit=LIMIT)
    return run.fault or f"exit status {run.exit_status}"


def trial(seed: int) -> tuple[str, list[Edit]]:
    """Return the machine and the deletions that a seed chooses."""
    rng = random.Random(seed)
    name = rng.choice(machine_names())
    return name, rng.sample(parts(name)[1], rng.choice((1, 2, 3)))


def result(seed: int) -> tuple[str, str]:
    """Return which of the four a seed comes to, and what is to be said."""
    name, edits = trial(seed)
    gone = f"{name} without {', '.join(f'{edit.kind} {edit.name}' for edit in edits)}"
    whole, _, expected = parts(name)
    try:
        description = edited(whole, *edits)
        found = outcome(description)
    except KeyError:
        return RIGHT, ""  # an edit of a part that another one took away
    except DescriptionError as error:
        return TOLD, f"{gone}: {error}"
    except CANNOT as error:
        kind, said = told(description, expected)
        return kind, f"{gone}: {said or str(error).splitlines()[0]}"
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return WRONG, f"{gone}: {type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
    return (RIGHT, "") if found == expected else (WRONG, f"{gone}: {found} in place of {expected}")


def told(description: Map, expected: str) -> tuple[str, str]:
    """Return which of the four a machine comes to on which the program cannot be compiled, and what is wrong with that."""
    machine = build(description)
    missing = check(machine)
    if not missing.missing:
        return WRONG, "check finds nothing missing"
    advice = advise(description, machine, missing)
    if advice is None:
        return TOLD, ""
    merge(description, read_value(lines_of(advice.entries), Place("advice", 1, 1)))
    names = ", ".join(f"{entry.name} `{entry.rtl}`" for entry in advice.entries)
    try:
        found = outcome(description)
    except (DescriptionError, *CANNOT) as error:
        return WRONG, f"with the advice {names}: {str(error).splitlines()[0]}"
    return (ADVISED, names) if found == expected else (WRONG, f"with the advice {names}: {found} in place of {expected}")


def main() -> int:
    """Take parts away, and print what is wrong and what there is no advice for."""
    tried = seeds(parser_of("deletions", __doc__, 1000).parse_args())
    os.environ["EASE_CACHE"] = ""
    seen: Counter[str] = Counter()
    for seed in tried:
        kind, said = result(seed)
        seen[kind] += 1
        if said:
            print(f"seed {seed}: {kind}: {said}", flush=True)
    print(
        f"{len(tried)} machines without parts: {', '.join(f'{seen[kind]} {kind}' for kind in (RIGHT, ADVISED, TOLD, WRONG))}"
    )
    return 1 if seen[WRONG] else 0


if __name__ == "__main__":
    sys.exit(main())
