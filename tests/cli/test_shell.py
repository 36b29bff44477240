"""What is made from the help of the commands, what a misspelt word is answered, and descriptions to begin with."""

import io
import re
import shutil
import subprocess

import pytest

from ease.commands.compile.command_line import parse as parse_line
from ease.commands.compile.options import OPTIONS
from ease.commands.ease_command import COMMANDS, main
from ease.commands.easecc import main as easecc_main
from ease.commands.help_commands import page, script
from ease.commands.help_text import all_commands, help_of, options_of, summary_of
from ease.commands.machine.machine_new import skeleton
from ease.commands.messages import print_report
from tests.covering import some
from vpo.machines.read.extends import merge
from vpo.machines.read.load import build, read_description
from vpo.machines.read.source import parse


def test_every_command_has_help_and_a_summary():
    for command in all_commands():
        assert help_of(command).startswith("usage: "), command
        assert 10 < len(summary_of(command)) < 130, command
    assert set(OPTIONS) <= set(options_of("easecc"))
    assert {"--set", "--pareto", "-db"} <= set(options_of("sweep"))


SUBCOMMANDS = {
    "machine": ("list", "show", "grammar", "check", "costs", "new"), "cache": ("show",),
    "experiment": ("ablation", "locality"),
    "trace": ("info", "view", "stats", "slice", "convert"), "completion": ("bash",),
}  # fmt: skip
ASKING = [[name, *more] for name in COMMANDS for more in ((), *((sub,) for sub in SUBCOMMANDS.get(name, ())))]


@pytest.mark.parametrize("words", ASKING, ids="-".join)
def test_every_command_tells_its_help_in_three_ways(capsys, words):
    told = []
    for asked in ("-h", "-help", "--help"):
        try:
            status = main([*words, asked])
        except SystemExit as end:  # argparse
            status = end.code
        out, err = capsys.readouterr()
        assert (status, err) == (0, ""), asked
        told.append(out)
    assert told[0].startswith("usage: ")
    assert told == told[:1] * 3


def test_words_behind_two_dashes_ask_a_command_for_nothing(folder, capsys):
    assert main(["verify", "nowhere.c", "--", "-help"]) == 1
    assert "nowhere.c" in capsys.readouterr().err


def test_verify_has_no_limit(capsys):
    assert main(["verify", "nowhere.c", "-limit", "100"]) == 2
    assert capsys.readouterr().err == "ease verify: the emulator runs to the end: give -timeout SECONDS instead of -limit\n"


def test_the_manual_says_what_the_commands_are_for():
    assert "ease \\- describe machines" in page("ease", "ease")
    assert "easecc \\- compile C programs" in page("easecc", "easecc")


OF_GCC = "-march=native -m32 -mtune=i386 -marm7 -freport-bug -fmerge-constants -frename-registers -static-pie -s"


def test_options_of_gcc_are_not_taken_for_misspelt_ones():
    assert parse_line([*OF_GCC.split(), "-lmeasure", "-llimits", "-oreport", "x.c"]).output == "report"


@pytest.mark.parametrize("name", ["vax", "nowhere.yaml"])
def test_a_machine_may_stand_behind_m_without_a_blank(name):
    assert parse_line([f"-m{name}", "x.c"]).machine == name


def completed(words):
    """Return what bash would offer for the last word."""
    number = len(words) - 1
    line = f"COMP_WORDS=({' '.join(words)} '') COMP_CWORD={number + 1}" if words[-1] else ""
    line = line or f"COMP_WORDS=({' '.join(repr(word) for word in words)}) COMP_CWORD={number}"
    text = f"{script('bash')}\n{line}\n_{words[0]}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    return subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_completion(folder):
    folder(prog="int main(void) { return 0; }")
    assert set(completed(["ease", ""])) == set(COMMANDS)
    assert "--pareto" in completed(["ease", "sweep", ""])
    assert {"riscv32", "m68020"} <= set(completed(["easecc", "-m", ""]))
    assert "prog.c" in completed(["easecc", ""])
    assert "-measure" in completed(["easecc", ""])
    for shell in ("zsh", "fish"):
        assert "sweep" in script(shell)


def test_pages_of_the_manual(tmp_path):
    assert main(["man", str(tmp_path / "man1")]) == 0
    assert len(list((tmp_path / "man1").iterdir())) == len(COMMANDS) + 2
    text = page("easecc", "easecc")
    assert text.startswith(".TH EASECC 1 ")
    assert "\\-measure" in text


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["swep"], "sweep"), (["machine", "chek"], "check"), (["machine", "show", "riscv3"], "riscv32"),
        (["completion", "bosh"], "bash"),
    ],
)  # fmt: skip
def test_what_was_meant(capsys, words, meant):
    assert main(words)
    assert f"did you mean '{meant}'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["-show", "linez", "x.c"], "lines"), (["--tpo", "x.c"], "--top"), (["-measurre", "x.c"], "-measure"),
        (["-measuer", "x.c"], "-measure"), (["-max-change", "1", "x.c"], "-max-changes"), (["-filse", "d", "x.c"], "-files"),
        (["-overtime", "5", "x.c"], "-over-time"), (["-saev", "x.c"], "-save"), (["-smaple", "x.c"], "-sample"),
    ],
)  # fmt: skip
def test_what_was_meant_by_an_option(capsys, words, meant):
    assert easecc_main(words)
    assert f"did you mean '{meant}'?" in capsys.readouterr().err


@pytest.mark.parametrize("machine", some(["riscv32", "m68020", "sparc"], 1))
def test_a_description_to_begin_with(machine):
    """Each example loads when its '#' is taken away, alone and with all the others."""
    text = skeleton("mine", machine)
    lines = text.splitlines()
    whole = [line.removeprefix("# ") if number > 7 else line for number, line in enumerate(lines)]
    assert sum(line.startswith("#   #") for line in lines) >= 2
    for shown in (lines, whole):
        description = read_description(machine)
        changes = parse("\n".join(shown), "mine.yaml")
        changes.pop("extends")
        merge(description, changes)
        assert build(description).name == "mine"


def test_the_command_writes_it_once(folder, capsys):
    where = folder()
    assert main(["machine", "new", "mine", "--like", "m68020"]) == 0
    assert "extends: m68020" in (where / "mine.yaml").read_text()
    assert main(["machine", "new", "mine"]) == 1
    assert "there is such a file already" in capsys.readouterr().err
    assert main(["machine", "new", "a/b"]) == 1
    assert main(["machine", "new", "other", "--like", "vaxx"]) == 1
    assert "did you mean 'vax'" in capsys.readouterr().err


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def test_colours(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = "\nTotals\n\n      A  B\nx-1   3  4  +1  -0.34\n"
    terminal, file = Terminal(), io.StringIO()
    print_report(text, terminal)
    print_report(text, file)
    shown = terminal.getvalue()
    assert file.getvalue() == text == re.sub(r"\033\[\d*m", "", shown)
    assert "\033[31m+1\033[0m" in shown
    assert "\033[32m-0.34\033[0m" in shown
    assert "x-1" in shown
    assert "\033[1mTotals" in shown
    monkeypatch.setenv("NO_COLOR", "1")
    plain = Terminal()
    print_report(text, plain)
    assert plain.getvalue() == text
