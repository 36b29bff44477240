"""`ease`: describe machines, compare programs on them, and look at what runs have left."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from ease.base.version import ASKED, show_version
from ease.commands.help_asked import asks_for_help, in_one_spelling
from vpo.base.suggestions import suggested

USAGE = """\
usage: ease COMMAND [...]

  ease machine list | show M [INSTRUCTION] | grammar M | check M     about machine descriptions
  ease machine new NAME [--like M]                                   a description to begin with
  ease samples [FOLDER]                                              copy the sample programs, to begin with
  ease verify -m M [-fetches] [easecc options] prog.c [-- args]      compare with the real assembler and emulator
  ease bisect [easecc options] prog.c [-- args]                      find the first change that breaks a program
  ease phases [easecc options] prog.c                                what each phase does to each function
  ease view prog.c FUNCTION -o FILE.html [easecc options]            a function before and after each change, as a page
  ease cache show SPEC | --static -cache SPEC prog.c                 memory systems; what is known of fetches without a run
  ease experiment registers | save-restore | references | machines | caches     compare machines, ways to save, caches
  ease experiment ablation | immediates | encoding | phases          what parts of a machine, bits, phases are worth
  ease replay FILE.run [-measure and the like]                       run again what `easecc -record` has kept
  ease propose -m M programs                                         instructions that would pay, tried by recompiling
  ease sweep FILE.yaml | --set KEY=A..B ... PROGRAM ...              programs on every combination of choices
  ease reproduce ease | idtrace | tools | citcat | calvin2 [--quick]   the tables of a paper beside today's
  ease play [-m MACHINE]                                             change a machine and a program in a browser
  ease exercise [NAME [ANSWER | -o FOLDER]]                          exercises for a course, and a check of answers
  ease dossier -m BASE -m CANDIDATE ... -o DIR PROGRAM ...           what candidates are worth over a suite, as a folder
  ease runs | report RUN ... | show RUN | query "SELECT ..."          what `easecc -save` has kept
  ease page RUN [RUN] -o FILE.html                                   a run as a page to look at, or two and what differs
  ease recost RUN --set KEY=VALUE                                    a kept run with other latencies or sizes, not run again
  ease compare A B                                                   what differs between two measurements, and why
  ease trace info | view | stats | slice | convert FILE              what `easecc -trace` has written
  ease attach PID start | stop | status                              measure a part of a run of `easecc -sample shm`
  ease together -quantum N -cache SPEC a.c b.c [-- args [-- args]]   programs that share a machine: what a switch costs
  ease ar OPERATION ARCHIVE [FILE...] | ranlib ARCHIVE...            archives of object files
  ease completion bash | zsh | fish; ease man FOLDER                 for shells and for man
  ease -V | --version                                                the version
"""


COMMANDS = {
    "machine": "ease.commands.machine.machine_command",
    "samples": "ease.commands.samples_command",
    "verify": "ease.commands.verify_command",
    "bisect": "ease.commands.compiler_commands:bisect",
    "view": "ease.commands.compiler_commands:write_view",
    "phases": "ease.commands.compiler_commands:tell_phases",
    "cache": "ease.commands.studies.cache_command",
    "experiment": "ease.commands.studies.experiment_command",
    "replay": "ease.commands.runs.replay_command",
    "propose": "ease.commands.studies.propose_command",
    "sweep": "ease.commands.studies.sweep_command",
    "reproduce": "ease.commands.studies.reproduce_command",
    "dossier": "ease.commands.studies.dossier_command",
    "exercise": "ease.commands.studies.exercise_command",
    "play": "ease.commands.studies.play_command",
    "runs": "ease.commands.runs.store_commands:list_runs",
    "report": "ease.commands.runs.store_commands:report_of_runs",
    "show": "ease.commands.runs.store_commands:show_run",
    "page": "ease.commands.runs.store_commands:page_of_runs",
    "query": "ease.commands.runs.store_commands:query_store",
    "recost": "ease.commands.runs.recost_command",
    "compare": "ease.commands.runs.compare_command",
    "trace": "ease.commands.runs.trace_command",
    "together": "ease.commands.studies.together_command",
    "attach": "ease.commands.runs.attach_command",
    "completion": "ease.commands.help_commands:print_completion",
    "man": "ease.commands.help_commands:write_manual",
    "ar": "ease.commands.compile.archive_command",
    "ranlib": "ease.commands.compile.archive_command:ranlib",
}


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    words = list(sys.argv[1:] if words is None else words)
    if words and words[0] in ASKED:
        return show_version("ease")
    if not words or asks_for_help(words[:1]):
        print(USAGE, end="")
        return 0 if words else 2
    name, *rest = words
    if name not in COMMANDS:
        print(f"ease: there is no command '{name}'{suggested(name, COMMANDS)}\n{USAGE}", end="", file=sys.stderr)
        return 2
    if asks_for_help(rest) and name in ("verify", "bisect"):  # their options are those of easecc
        print("usage:" + next(line for line in USAGE.splitlines() if line.startswith(f"  ease {name} "))[1:])
        return 0
    module, _, function = COMMANDS[name].partition(":")
    command = getattr(import_module(module), function or "main")  # no command waits for what others import
    status: int = command(in_one_spelling(rest))
    return status


if __name__ == "__main__":
    sys.exit(main())
