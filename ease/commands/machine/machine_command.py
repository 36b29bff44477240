"""`ease machine`: list the machines, show one or one of its instructions, print its grammar, check that it can do all of C."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ease.commands.help_asked import asks_for_help
from vpo.base.suggestions import suggested
from vpo.machines.names import extension_files, machine_names, profile_names
from vpo.machines.read.composition import states_folder, summary
from vpo.machines.read.source import DescriptionError, find

USAGE = """\
usage: ease machine list                       the machines that come with the project
       ease machine show M [INSTRUCTION]       registers, operands and instructions; or one instruction in full
       ease machine explain M RTL              which instruction an RTL is, or why it is none and what is done instead
       ease machine grammar M                  the grammar of its instructions (Lark)
       ease machine check M                    what of C it cannot do, by what is missing
       ease machine costs M [WORD]             what each operation of C takes (those whose names contain WORD, such as "int a")
       ease machine import KIND:PATH --over M  instructions of another description as an extension of M (--help)
       ease machine prove M                    whether its instructions are what they are said to be (--help)
       ease machine export M --only A --to T   instructions of M in another language (--help)
       ease machine new NAME [--like M]        write NAME.yaml, a description to begin with: M with examples of changes

M is a name or a description file ending in .yaml, with + and extensions (M+zba+zbb) where it has any.
 `--set KEY=VALUE` changes one value of the description.
"""


class UsageError(Exception):
    """The command line is wrong."""


def main(words: Sequence[str] | None = None) -> int:
    """Run a subcommand; exit status 1 for what is wrong with a description, 2 for wrong usage."""
    words = list(sys.argv[1:] if words is None else words)
    if words[:1] == ["new"]:
        from ease.commands.machine.machine_new import new

        return new(words[1:])
    if words[:1] == ["prove"]:
        from ease.commands.machine.machine_prove import prove_

        return prove_(words[1:])
    if words[:1] == ["export"]:
        from ease.commands.machine.machine_export import export_

        return export_(words[1:])
    if words[:1] == ["import"]:
        from ease.commands.machine.machine_import import import_

        return import_(words[1:])
    if asks_for_help(words):
        print(USAGE, end="")
        return 0
    try:
        names, settings = _parse(words)
        return _run(names, settings)
    except UsageError as error:
        print(f"ease machine: {error}\n{USAGE}", end="", file=sys.stderr)
        return 2
    except DescriptionError as error:
        print(error, file=sys.stderr)
    except BrokenPipeError:
        raise  # whoever started the command knows
    except OSError as error:
        print(f"ease machine: {error.strerror or error}", file=sys.stderr)
    return 1


def _parse(words: Sequence[str]) -> tuple[list[str], list[str]]:
    names: list[str] = []
    settings: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--set":
            setting = next(rest, None)
            if setting is None:
                raise UsageError("--set needs KEY=VALUE")
            settings.append(setting)
        elif word.startswith("--set="):
            settings.append(word[6:])
        elif word.startswith("-"):
            raise UsageError(f"there is no option '{word}'")
        else:
            names.append(word)
    return names, settings


COMMANDS = {  # how many words follow
    "list": (0, 0), "show": (1, 2), "explain": (2, 2), "grammar": (1, 1), "check": (1, 1), "costs": (1, 2),
}  # fmt: skip


def _run(names: list[str], settings: list[str]) -> int:
    if not names or names[0] not in COMMANDS:
        near = suggested(names[0], [*COMMANDS, "new", "import", "prove", "export"]) if names else ""
        choices = ", ".join([*COMMANDS, "import", "prove", "export"])
        raise UsageError(f"there is no '{names[0]}'{near}" if names else f"{choices} or new?")
    name, *arguments = names
    least, most = COMMANDS[name]
    if name == "explain" and len(arguments) == 1:
        raise UsageError("explain: which RTL? In quotes, such as 'r[1]=r[2]+5;'")
    if len(arguments) < least:
        raise UsageError(f"{name}: which machine? ({', '.join(machine_names())})")
    if len(arguments) > most:
        raise UsageError(f"{name}: '{arguments[most]}' is one too many")
    return _tell(name, arguments, settings) if arguments else _list()


def _list() -> int:
    names = machine_names()
    width = max(map(len, [*names, *profile_names()]))
    for name in names:
        print(f"{name:{width}}  {summary(find(name))}")
    print("\nof these, with extensions:")
    for name in profile_names():
        print(f"{name:{width}}  {summary(find(name))}")
    for folder, files in extension_files().items():
        with_them = [name for name in names if states_folder(find(name), folder)]
        print(f"\nextensions of {', '.join(with_them)} and of what extends them: -m {with_them[0]}+{files[0].stem}")
        for path in files:
            print(f"{path.stem:{width}}  {summary(path)}")
    return 0


def _tell(name: str, arguments: list[str], settings: list[str]) -> int:
    """Tell what is asked for of a machine; importing what it takes would keep lists and mistakes waiting."""
    find(arguments[0])
    from ease.commands.machine import machine_show
    from vpo.machines.read.load import build, read_description

    description = read_description(arguments[0], settings)
    machine = build(description)
    if name == "costs":
        return machine_show.costs(machine, *arguments[1:])
    if name == "explain":
        from ease.commands.machine.machine_explain import explain

        return explain(machine, arguments[1])
    if name == "show":
        return machine_show.show(machine, *arguments[1:])
    return machine_show.grammar(machine) if name == "grammar" else machine_show.lacks(machine, description)
