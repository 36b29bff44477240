"""What a system call cannot store it leaves where it was, as Linux does: in files, pipes, folders and descriptors."""

import os
import struct

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from tests.covering import some
from tests.interpret.test_files import Memory
from tests.kept_machines import load
from vpo.interpret.fast.interpreter import interpret
from vpo.system.kernel import Kernel
from vpo.system.system import System

PROGRAM = r"""
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static void tell(long result) { printf("%ld %d\n", result, result < 0 && errno == EFAULT); errno = 0; }
static void take(int fd) { char got[16] = ""; long n = read(fd, got, 5); printf("%ld %s\n", n, got); }
int main(void)
{
    int ends[2], fd = open(NAME, O_RDONLY);
    char *end = (char *)(((unsigned long)sbrk(0) + PAGE - 1) & ~(PAGE - 1ul));
    void *wild[] = {(void *)1, (void *)-1, (void *)0x5fffff00, (void *)main};
    for (int i = 0; i < 4; i++)
        tell(read(fd, wild[i], 10));
    take(fd);
    tell(read(fd, end - 8, 20));
    take(fd);
    tell(read(fd, 0, 0) + write(1, 0, 0));
    pipe(ends);
    write(ends[1], "piped", 5);
    tell(read(ends[0], wild[0], 5));
    take(ends[0]);
    return 0;
}
"""
OUTPUT = b"-1 1\n-1 1\n-1 1\n-1 1\n5 01234\n8 0\n5 defgh\n0 0\n-1 1\n5 piped\n"


@pytest.mark.parametrize("machine", some(("riscv32", "sparc", "riscv64"), 1))
def test_bytes_that_are_not_stored_are_not_lost(programs, machine, tmp_path, monkeypatch):
    (tmp_path / "text").write_text("0123456789abcdefghijklmnopqrstuvwxyz")
    monkeypatch.chdir(tmp_path)
    text = PROGRAM.replace("NAME", '"text"').replace("PAGE", str(load(machine).layout.page))
    program = programs(text, machine)
    assert run(program, ["p"], RunOptions(capture=True)).output == OUTPUT
    assert interpret(program, ["p"], capture=True).output == OUTPUT


class Small(Memory):
    """Memory of which only the first bytes may be written."""

    def writable(self, address, size):
        return size if address < 1000 else 0

    def write(self, address, data):
        assert address < 1000
        super().write(address, data)


def test_folders_and_pipes_keep_what_could_not_be_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "entry").touch()
    names = ("openat", "getdents64", "pipe2", "dup")
    system = System(Kernel(32, False, dict(enumerate(names)), 0, 0), memory := Small())
    folder = system.call(0, [-100, memory.at("."), os.O_RDONLY, 0])
    memory.at("." * 200)
    assert system.call(1, [folder, 5000, 200]) < 0
    told = system.call(1, [folder, 20, 200])
    assert b"entry" in memory.read(20, told)
    assert system.call(2, [5000, 0]) < 0
    assert system.call(2, [20, 0]) == 0
    assert struct.unpack("<2i", memory.read(20, 8)) == (folder + 1, folder + 2)
    for host in system.files.values():
        if host > 2:
            os.close(host)
