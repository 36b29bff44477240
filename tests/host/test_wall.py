"""Host code that went astray meets the kernel: system calls that no measured program may do are refused, ordinary ones not."""

import ctypes
import errno
import os
import platform
import tempfile

import pytest

from ease.host.process import job, wall
from ease.host.process import run as running
from ease.host.process.run import run
from tests.covering import some

NATIVE = """
@path = internal constant [{size} x i8] c"{path}\\00"
define void @ease_signal() {{
  ret void
}}
define void @ease_run(i64 %0, i64 %1, i64 %2) {{
  %path = ptrtoint ptr @path to i64
  %known = load i64, ptr inttoptr (i64 {known} to ptr)
  %to_syscall = add i64 %known, {to_syscall}
  %to_errno = add i64 %known, {to_errno}
  %syscall = inttoptr i64 %to_syscall to ptr
  %errno = inttoptr i64 %to_errno to ptr
  %r = call i64 (i64, ...) %syscall(i64 {number}, i64 {a}, i64 {b}, i64 {c}, i64 34, i64 -1, i64 0)
  %place = call ptr %errno()
  %reason = load i32, ptr %place
  %why = sext i32 %reason to i64
  %bad = icmp eq i64 %r, -1
  %status = select i1 %bad, i64 %why, i64 0
  store i64 %status, ptr inttoptr (i64 {status} to ptr)
  store i64 {exited}, ptr inttoptr (i64 {state} to ptr)
  %x = call i64 (i64, ...) %syscall(i64 231, i64 0)
  ret void
}}
"""
WRITING = os.O_WRONLY | os.O_CREAT
CALLS = {  # what the code does, with the path; what the kernel answers
    "writes a file elsewhere": ((2, "%path", WRITING, 0o600), errno.EACCES),
    "reads a file elsewhere": ((2, "%path", os.O_RDONLY, 0), errno.EACCES),
    "removes a file elsewhere": ((87, "%path", 0, 0), errno.EACCES),
    "starts a program": ((59, "%path", 0, 0), errno.EPERM),
    "starts a process": ((57, 0, 0, 0), errno.EPERM),
    "starts a process by clone": ((56, 17, 0, 0), errno.EPERM),
    "opens a socket": ((41, 2, 1, 0), errno.EPERM),
    "sends a signal": ((62, os.getpid(), 0, 0), errno.EPERM),
    "maps executable memory": ((9, 0, 4096, 7), errno.EPERM),
    "makes a link": ((88, "%path", "%path", 0), errno.EPERM),
    "types on the terminal": ((16, 0, 0x5412, "%path"), errno.EPERM),
    "maps memory": ((9, 0, 4096, 3), 0),
    "asks for its number": ((39, 0, 0, 0), 0),
}


def _address(name):
    return ctypes.cast(getattr(job.libc, name), ctypes.c_void_p).value


@pytest.fixture
def elsewhere():
    """A file that lies neither in the working directory nor in /tmp."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        path = os.path.join(folder, "victim")
        with open(path, "w") as file:
            file.write("whole")
        yield path
        with open(path) as file:
            assert file.read() == "whole"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the filter knows x86-64")
@pytest.mark.parametrize("what", some(CALLS, 5))
def test_native_code_meets_the_second_wall(what, programs, elsewhere, monkeypatch, tmp_path):
    (number, *arguments), expected = CALLS[what]
    program = programs("int main(void) { return 0; }", "riscv32", 1)
    result = run(program)
    if result.walls != wall.WHOLE:
        pytest.skip("this kernel has no Landlock")
    header = result.job.shared
    a, b, c = arguments
    known = _address("write")  # the header has its address: so code finds the rest of the C library
    ir = NATIVE.format(
        size=len(elsewhere) + 1, path=elsewhere, number=number, a=a, b=b, c=c, exited=job.EXITED,
        known=header + 8 * job.SEND, to_syscall=_address("syscall") - known, to_errno=_address("__errno_location") - known,
        state=header + 8 * job.STATE, status=header + 8 * job.STATUS,
    )  # fmt: skip
    monkeypatch.setattr(running, "codes", lambda *args, **named: (job.Code(ir, what, job.ENTRY),))
    monkeypatch.chdir(tmp_path)
    assert run(program, options=job.RunOptions(cache="")).exit_status == expected


def test_programs_do_what_they_may(programs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = """
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char line[9] = "", name[L_tmpnam]; struct stat s; int entries = 0;
    if (mkdir("d", 0755) || chdir("d")) return 1;
    FILE *f = fopen("a", "w+"); if (!f || fputs("hallo", f) < 0 || fflush(f) || ftruncate(fileno(f), 4)) return 2;
    rewind(f); if (!fgets(line, 9, f) || strcmp(line, "hall") || fclose(f)) return 3;
    if (chmod("a", 0600) || rename("a", "../b") || stat("../b", &s) || s.st_size != 4) return 4;
    DIR *d = opendir(".."); while (d && readdir(d)) entries++;
    if (entries != 4 || closedir(d) || remove("../b") || chdir("..") || rmdir("d")) return 5;
    f = tmpfile(); if (!f || fputc('x', f) < 0 || fclose(f)) return 6;
    f = fopen("/dev/null", "w"); if (!f || fclose(f)) return 7;
    f = fopen("/dev/urandom", "r"); return !f || fgetc(f) < 0 ? 8 : 0;
}
"""
    assert run(programs(text, "riscv32", 1)).exit_status == 0
