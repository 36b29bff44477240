"""`ease man` and `ease completion`: pages of the manual, and words for shells, from the help of the commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ease.base.version import VERSION
from ease.commands.guard import EXIT_USAGE, guarded
from ease.commands.help_asked import asks_for_help
from vpo.base.suggestions import suggested

# ----------------------------------------------------------------------------------------------------------------------
# `ease man`: the pages of the manual, made from the help of the commands.


def write_manual(words: Sequence[str]) -> int:
    """`ease man`: the pages of the manual, made from the help of the commands.

    Returns the exit status.
    """
    parser = argparse.ArgumentParser(
        "ease man", description="Write the pages of the manual into a folder: easecc.1, ease.1, ease-COMMAND.1."
    )
    parser.add_argument("folder", metavar="FOLDER", help="such as ~/.local/share/man/man1; made if need be")
    parser.add_argument("--markdown", action="store_true", help="write all as reference.md instead")
    options = parser.parse_args(words)
    return guarded("ease man", lambda: _write(Path(options.folder), options.markdown))


def _write(folder: Path, markdown: bool) -> int:
    from ease.base.files import write_atomically
    from ease.commands.help_text import all_commands, reference

    folder.mkdir(parents=True, exist_ok=True)
    if markdown:
        write_atomically(str(folder / "reference.md"), reference())
        return 0
    for command in all_commands():
        name = command if command in ("ease", "easecc") else f"ease-{command}"
        write_atomically(str(folder / f"{name}.1"), page(command, name))
    return 0


def page(command: str, name: str) -> str:
    """Return the page of a command in the language of man."""
    from ease.commands.help_text import help_of, summary_of

    body = "\n".join(_escaped(line) for line in help_of(command).splitlines())
    about = f"{_escaped(name)} \\- {_escaped(summary_of(command))}"
    return (
        f'.TH {name.upper()} 1 "" "ease {VERSION}" "ease"\n.SH NAME\n{about}\n'
        f".SH SYNOPSIS AND OPTIONS\n.nf\n{body}\n.fi\n.SH SEE ALSO\neasecc(1), ease(1)\n"
    )


def _escaped(text: str) -> str:
    """Return text in which nothing is a command of troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text



# ----------------------------------------------------------------------------------------------------------------------
# `ease completion`: a script with which a shell completes commands, options, machines and reports.


USAGE = """\
usage: ease completion bash | zsh | fish

  bash:  eval "$(ease completion bash)"     in ~/.bashrc
  zsh:   eval "$(ease completion zsh)"      in ~/.zshrc, behind compinit
  fish:  ease completion fish > ~/.config/fish/completions/ease.fish
"""
SHELLS = ("bash", "zsh", "fish")

_BASH = """\
# completion of ease and easecc; made by `ease completion`
_ease_words() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=$1 words=""
    case $before:$word in
        -m:*+*) COMPREPLY=($(compgen -P "${{word%+*}}+" -W "{extensions}" -- "${{word##*+}}")); return;;
    esac
    case $before in
        -m|--like) COMPREPLY=($(compgen -W "{machines}" -- "$word") $(compgen -f -X '!*.yaml' -- "$word")); return;;
        -show) COMPREPLY=($(compgen -W "{reports}" -- "$word")); return;;
    esac
    case $command in
{cases}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
}}
_easecc() {{ _ease_words easecc; }}
_ease() {{
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands}" -- "${{COMP_WORDS[1]}}"))
    else
        _ease_words "${{COMP_WORDS[1]}}"
    fi
}}
complete -o filenames -F _easecc easecc ease-cc
complete -o filenames -F _ease ease
"""


def print_completion(words: Sequence[str]) -> int:
    """`ease completion`: a script with which a shell completes commands, options, machines and reports.

    Returns the exit status, 2: wrong usage.
    """
    if len(words) != 1 or asks_for_help(words):
        print(USAGE, end="")
        return 0 if words else EXIT_USAGE
    if words[0] not in SHELLS:
        near = suggested(words[0], SHELLS)
        print(f"ease completion: there is no shell '{words[0]}'{near}\n{USAGE}", end="", file=sys.stderr)
        return EXIT_USAGE
    print(script(words[0]), end="")
    return 0


def script(shell: str) -> str:
    """Return the completion script of a shell."""
    from ease.commands.ease_command import COMMANDS
    from ease.commands.help_text import options_of
    from ease.reports import REPORTS
    from vpo.frontend.warnings.table import RECORDS
    from vpo.machines.names import extension_files, machine_names, profile_names

    options = {name: options_of(name) for name in ("easecc", *COMMANDS)}
    options["easecc"] += sorted({f"-W{record.option}" for record in RECORDS.values()})
    if shell == "fish":
        return "\n".join(_fish(options, list(REPORTS), [*machine_names(), *profile_names()])) + "\n"
    cases = "\n".join(f'        {name}) words="{" ".join(found)}";;' for name, found in options.items())
    machines = [*machine_names(), *profile_names()]
    extensions = [path.stem for files in extension_files().values() for path in files]
    lists = {"machines": machines, "extensions": extensions, "reports": REPORTS, "commands": COMMANDS}
    text = _BASH.format(cases=cases, **{name: " ".join(words) for name, words in lists.items()})
    return ("autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else "") + text


def _fish(options: dict[str, list[str]], reports: Sequence[str], machines: Sequence[str]) -> list[str]:
    """Return the lines for fish."""
    names = [name for name in options if name != "easecc"]
    lines = ["# completion of ease and easecc; made by `ease completion`"]
    lines += [f"complete -c ease -n __fish_use_subcommand -a {name}" for name in names]
    for name, found in options.items():
        where = "-c easecc" if name == "easecc" else f"-c ease -n '__fish_seen_subcommand_from {name}'"
        for option in found:
            short = option.removeprefix("--") if option.startswith("--") else option.removeprefix("-")
            how = "-l" if option.startswith("--") else "-s" if len(short) == 1 else "-o"
            lines.append(f"complete {where} {how} {short}")
    lines.append(f"complete -c easecc -s m -x -a '{' '.join(machines)}'")
    lines.append(f"complete -c easecc -o show -x -a '{' '.join(reports)}'")
    return lines
