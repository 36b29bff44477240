"""`ease completion`: a script with which a shell completes commands, options, machines and reports."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ease.commands.guard import EXIT_USAGE
from ease.commands.help_asked import asks_for_help
from vpo.base.suggestions import suggested

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


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 2: wrong usage."""
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
    from vpo.machines.names import machine_names

    options = {name: options_of(name) for name in ("easecc", *COMMANDS)}
    options["easecc"] += sorted({f"-W{record.option}" for record in RECORDS.values()})
    if shell == "fish":
        return "\n".join(_fish(options, list(REPORTS), machine_names())) + "\n"
    cases = "\n".join(f'        {name}) words="{" ".join(found)}";;' for name, found in options.items())
    lists = {"machines": machine_names(), "reports": REPORTS, "commands": COMMANDS}
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
