"""Addresses beyond what host code can refer to are told, and given to handlers, as they are."""

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from vpo.interpret.fast.interpreter import interpret

WRITE = """
#include <stdlib.h>
int main(int count, char **words)
{
    char *place = (char *)strtoul(words[1], 0, 16);
    place[count - 2] = 1;
    return 0;
}
"""
CONSTANT = "int main(void) { return *(volatile int *)0xfffffffff0000000; }"
HANDLER = """
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf back;
static void handle(int number, siginfo_t *info, void *context) { printf("%p\\n", info->si_addr); longjmp(back, 1); }
int main(int count, char **words)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGSEGV, &action, 0);
    for (volatile int i = 1; i < count; i++)
        if (!setjmp(back))
            *(volatile char *)strtoul(words[i], 0, 16) = 1;
    if (!setjmp(back))
        *(volatile char *)0xfffffffff0000000 = 1;
    return 0;
}
"""
ADDRESSES = ("fffffffff0000000", "100000000", "ffffffff", "1234567890abc", "1234567800000000")


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_true_address_is_told(programs, address):
    program = programs(WRITE, "riscv64")
    expected = interpret(program, ["p", address]).fault
    found = run(program, ["p", address]).fault
    assert found.message == expected.message == f"wild pointer: write of 1 byte at address 0x{int(address, 16):016x}"
    assert found.accessed == int(address, 16)


def test_a_constant_address(programs):
    program = programs(CONSTANT, "riscv64")
    assert run(program, ["p"]).fault.message == interpret(program, ["p"]).fault.message
    assert run(program, ["p"]).fault.accessed == 0xFFFFFFFFF0000000


def test_handlers_are_given_the_true_address(programs):
    program = programs(HANDLER, "riscv64")
    arguments = ["p", *ADDRESSES]
    output = "".join(f"0x{address}\n" for address in (*ADDRESSES, "fffffffff0000000")).encode()
    assert run(program, arguments, RunOptions(capture=True)).output == output
    assert interpret(program, arguments, capture=True).output == output
