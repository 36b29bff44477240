"""What a program may use: heap (`-limit-memory`) and output (`-limit-output`), in host code and in the interpreter."""

import subprocess
import sys
import tempfile
from functools import partial

import pytest

from ease.commands.easecc import main
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.plain import PlainInterpreter
from vpo.interpret.result import run_with_streams
from vpo.system import descriptors
from vpo.system.kernel import NO_LIMITS, Limits

SOURCE = r"""
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int blocks = 0, written = 0, n, file = open("file", O_WRONLY | O_CREAT, 0600);
    while (blocks < 100 && malloc(1 << 16))
        blocks++;
    while (written < 1000 && (n = write(written % 20 ? file : 1, "0123456789", 10)) > 0)
        written += n;
    return argc > 1 ? blocks : errno == EFBIG && ftruncate(file, 5000) < 0 && errno == EFBIG ? written : 255;
}
"""


@pytest.fixture
def source(tmp_path, monkeypatch):
    (tmp_path / "prog.c").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return "prog.c"


def test_memory(source, capfd):
    assert main(["-limit-memory", "1m", source, "--", "x"]) == 15
    assert main(["-limit-memory", "300K", source, "--", "x"]) == 4
    assert main([source, "--", "x"]) == 100
    assert main(["-limit-memory", "0", source, "--", "x"]) == 0
    capfd.readouterr()


def test_output_in_all_files(source, tmp_path, capfd):
    assert main(["-limit-output", "95", source]) == 95
    assert capfd.readouterr().out == "0123456789" * 5
    assert (tmp_path / "file").read_text() == "0123456789" * 4 + "01234"


FILES = r"""
#include <stdio.h>
int main(int argc, char **argv)
{
    char name[] = "made0";
    for (; name[4] < '9' && fopen(name, "w"); name[4]++)
        ;
    return 10 * (name[4] - '0') + (fopen(argv[1], "r") != NULL);
}
"""


def test_files(tmp_path, monkeypatch, capfd):
    """How many files a program makes, and which it may use, also once it is linked."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "prog.c").write_text(FILES)
    (tmp_path / "data").write_text("")
    monkeypatch.chdir(tmp_path / "work")
    assert main(["-limit-files", "3", "prog.c", "--", "../data"]) == 30
    assert main(["-limit-files", "3", "-files", "read=..", "prog.c", "--", "../data"]) == 61  # those that are there are used
    assert main(["-files", "none", "prog.c", "--", "prog.c"]) == 0
    assert main(["-files", "none", "-files", "read=.", "-o", "linked", "prog.c"]) == 0
    for name, expected in (("prog.c", 1), ("../data", 0)):
        command = [sys.executable, "-P", "-m", "ease.executable", "./linked", name]
        assert subprocess.run(command, check=False).returncode == expected
    assert main(["-files", "read=nowhere", "prog.c"]) == 2
    assert "there is no folder 'nowhere'" in capfd.readouterr().err


def test_the_interpreter_knows_limits(source):
    program = Compiler(load("riscv32"), Settings()).program([source])
    limits = Limits(memory=1 << 20, output=40)

    def run(streams):
        return PlainInterpreter(program, ["prog", "x"], streams, (), None, None, limits).run()

    result = run_with_streams(run, b"", True)
    assert (result.exit_status, len(result.output)) == (15, 20)


TEMPORARY = r"""
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int entries = 0, stayed = access("/tmp/ease-left", F_OK) == 0, foreign = access(argv[1], F_OK) == 0;
    DIR *folder = opendir("/tmp");
    struct dirent *entry;
    while ((entry = readdir(folder)))
        entries += entry->d_name[0] != '.';
    fclose(fopen("/tmp/ease-left", "w"));
    mkdir("/tmp/folder", 0700);
    chdir("/tmp/folder");
    fclose(fopen("inside", "w"));
    printf("%d %d %d %d %d %d ", entries, stayed, foreign, access("/tmp/folder/inside", F_OK), access("../ease-left", F_OK),
           access("/tmp/../tmp/ease-left", F_OK));
    printf("%d %d\n", access(argv[2], F_OK), tmpfile() != NULL);
    return 0;
}
"""


def test_a_temporary_folder_of_the_run(tmp_path, monkeypatch, capfd):
    """It is empty at first and gone in the end; the working directory keeps its name, wherever it lies."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "made"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "made").mkdir()
    (tmp_path / "prog.c").write_text(TEMPORARY)
    with tempfile.NamedTemporaryFile(dir="/tmp", prefix="ease-test-") as foreign:
        words = ["prog.c", "--", foreign.name, str(tmp_path / "prog.c")]
        for _ in range(2):
            assert main(["-files", "tmp=new", *words]) == 0
            assert main(["-files", "tmp=new", "-measure", "-report", "report.json", *words]) == 0
        assert main(["-files", "tmp=new", "-o", "linked", "prog.c"]) == 0
        command = [sys.executable, "-P", "-m", "ease.executable", "./linked", *words[2:]]
        assert subprocess.run(command, check=False).returncode == 0
        out = capfd.readouterr().out.splitlines()
        assert [line for line in out if line[:1].isdigit() and len(line.split()) == 8] == ["0 0 0 0 0 -1 0 1"] * 5
        assert not list((tmp_path / "made").iterdir())
        (tmp_path / "kept").mkdir()
        assert main(["-files", "tmp=kept", *words]) == 0
        assert main(["-files", "tmp=kept", *words]) == 0
        assert capfd.readouterr().out == "0 0 0 0 0 -1 0 1\n2 1 0 0 0 -1 0 1\n"
        assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["ease-left", "folder"]
    assert main(["-files", "tmp=nowhere", "prog.c"]) == 2
    assert "there is no folder 'nowhere'" in capfd.readouterr().err


FILLS = r"""
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
    char name[] = "made0";
    int bytes = 0, files = 0, file = open("file", O_WRONLY | O_CREAT, 0600), null = open("/dev/null", O_WRONLY);
    while (bytes < 300 && write(file, "0123456789", 10) == 10 && write(null, "0123456789", 10) == 10)
        bytes += 10;
    if (errno == ENOSPC)
        for (; files < 4 && !mkdir(name, 0700); files++)
            name[4]++;
    return bytes + 100 * (files == 0 && errno == ENOSPC) + 200 * (fopen("file", "r") != NULL && write(null, "x", 1) == 1);
}
"""


def test_room_on_a_disk_is_left_to_others(tmp_path, monkeypatch):
    """A program that asks for little, or for what is no file, never learns of it; limits of its own take its place."""
    (tmp_path / "prog.c").write_text(FILLS)
    monkeypatch.chdir(tmp_path)
    program = Compiler(load("riscv32"), Settings()).program(["prog.c"])
    monkeypatch.setattr(descriptors, "PACE", (1 << 16) + 100)  # the program's file, and 100 bytes

    def status(limits=NO_LIMITS):
        for left in tmp_path.glob("made*"):
            left.rmdir()
        (tmp_path / "file").unlink(missing_ok=True)
        run = partial(PlainInterpreter, program, ["prog"], roots=(), limit=None, observer=None, limits=limits)
        return run_with_streams(lambda streams: run(streams=streams).run(), b"", True).exit_status

    assert status() == (300 + 200) % 256  # of this disk, much is free
    monkeypatch.setattr(descriptors, "SHARE", 1)
    monkeypatch.setattr(descriptors, "SPARE", 1 << 60)
    assert status() == (50 + 100 + 200) % 256
    assert status(Limits(output=1000)) == (300 + 200) % 256


def test_a_linked_program_keeps_its_limits(source):
    assert main(["-limit-memory", "1m", "-limit-output", "15", "-o", "linked", source]) == 0
    result = subprocess.run([sys.executable, "-P", "-m", "ease.executable", "./linked", "x"], capture_output=True, check=False)
    assert (result.returncode, result.stdout) == (15, b"0123456789")


@pytest.mark.parametrize("words", [("-limit-memory", "1q"), ("-limit-memory", "k"), ("-limit-output", "-5")])
def test_wrong_limits(source, capfd, words):
    assert main([*words, source]) == 2
    assert f"'{words[0]}' needs a number" in capfd.readouterr().err


def test_a_record_excludes_a_limit_of_memory(source, capfd):
    assert main(["-limit-memory", "1m", "-record", "r", source]) == 2
    assert "-limit-memory excludes -record" in capfd.readouterr().err
